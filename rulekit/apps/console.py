"""What all commands share: exit codes, where output goes, how errors and signals end a command.

Results go to standard output, chatter and faults to standard error; colours
only on a terminal.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import click

from rulekit.errors import BadInput

DONE, FOUND, MISUSE, LIMIT, FAULT = 0, 1, 2, 3, 70
INTERRUPTED, CLOSED_PIPE, TERMINATED = 130, 141, 143


class Terminated(BaseException):
    """SIGTERM came.  Who reports what was done so far may catch it; the exit code stays its own."""


_reported_interrupts: list[int] = []
"""Ctrl-C in the running command after which it went on to report what was done so far."""


def note_interrupt() -> None:
    """Let the running command end with `INTERRUPTED`, though it goes on to report what was done so far."""
    _reported_interrupts.append(signal.SIGINT)


class Failed(BadInput):
    """Failed command: a message for people, and the exit code."""

    def __init__(self, message: str, code: int = FOUND) -> None:
        super().__init__(message)
        self.exit_code = code

    def report(self) -> str:
        return str(self)


def guarded(command: Callable[[], Any], *, debug: bool) -> int:
    """Run a command; every way it can end becomes an exit code and at most a few lines."""
    _open_streams()
    came: list[int] = []
    _reported_interrupts.clear()

    def terminate(number: int, _: object) -> None:
        came.append(number)
        raise Terminated

    before = signal.signal(signal.SIGTERM, terminate)
    try:
        result = command()
        if not sys.stdout.closed:  # A server may close the stream that it owns when it ends.
            sys.stdout.flush()
        # A long run that was ended has reported what was done so far.
        if came or _reported_interrupts:
            return TERMINATED if came else INTERRUPTED
        return result if isinstance(result, int) else DONE
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as fault:
        fault.show()
        return MISUSE if isinstance(fault, click.UsageError) else FOUND
    except (KeyboardInterrupt, click.Abort, EOFError):
        _say("stopped")
        return INTERRUPTED
    except Terminated:
        _say("terminated")
        return TERMINATED
    except BrokenPipeError:
        # Nothing more can be written; without this the interpreter would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    except MemoryError:
        _say("error: not enough memory")
        return LIMIT
    except Exception as fault:
        return _report_fault(fault, debug)
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def _open_streams() -> None:
    """A stream that was closed before the start becomes one that leads nowhere.

    In this order, so that each takes its own number and no other file does.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _report_fault(fault: Exception, debug: bool) -> int:
    """Print why a command ended, and return its exit code: an input error's own, or that of our fault."""
    if debug:
        import traceback

        traceback.print_exc()
    if isinstance(fault, BadInput):
        _say(fault.report())
        return fault.exit_code
    if isinstance(fault, ImportError):
        _say(f"error: rulekit is not installed whole ({type(fault).__name__}: {fault})")
        return FAULT
    if isinstance(fault, OSError):
        _say(f"error: {fault.filename or 'output'}: {(fault.strerror or 'cannot be used').lower()}")
        return FOUND
    _say(f"error: a fault of rulekit itself ({type(fault).__name__}: {fault}); `--debug` shows where")
    return FAULT


def _say(text: str) -> None:
    try:
        click.echo(text, err=True)
    except OSError:
        return
