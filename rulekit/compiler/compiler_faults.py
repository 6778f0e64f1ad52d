"""Faults of the compiler itself: errors under test, else reported once while the interpreter plays instead.

Nothing here decides what is played.  Whoever catches a fault goes on without the compiled engine.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.recursion_limit import raise_recursion_limit
from rulekit.compiler.runtime.wasm_host import Missing
from rulekit.errors import Interrupted
from rulekit.play.state.errors import BadSetup

STRICT = "RULEKIT_STRICT"
"""The environment variable that makes every fault of the compiler an error, in tests and CI."""
_reported: set[str] = set()


@contextmanager
def faults_refused(title: str) -> Iterator[None]:
    """Report a fault of the compiler and raise `Unsupported` in its place, so that the interpreter plays.

    title:  of the game.
    """
    try:
        with raise_recursion_limit():
            yield
    except RecursionError:
        if os.environ.get(STRICT):
            raise
        raise Unsupported("a game in which defines and actions are nested that deep") from None
    except (Unsupported, BadSetup, Missing, MemoryError, Interrupted):
        raise
    except Exception as fault:
        report_fault(fault, title)
        raise Unsupported(f"this game, by a fault of ours ({type(fault).__name__})") from fault


def report_fault(fault: Exception, title: str) -> None:
    """Log what to attach to a bug report, each fault once; raise it where `RULEKIT_STRICT` is set."""
    if os.environ.get(STRICT):
        raise fault
    line = (
        f"a fault of rulekit's compiler at {_innermost(fault)} ({type(fault).__name__}: {fault}), playing {title!r}; "
        "please report this line with the rules file, the options and what `rulekit --version` prints"
    )
    if line not in _reported:
        import logging

        _reported.add(line)
        logging.getLogger("rulekit").error(line)


def _innermost(fault: Exception) -> str:
    """The module, line and function where a fault was raised."""
    frames = traceback.extract_tb(fault.__traceback__)
    if not frames:
        return "an unknown place"
    frame = frames[-1]
    path = frame.filename.replace(os.sep, "/")
    return f"{path[path.rfind('rulekit/') :] if 'rulekit/' in path else path}:{frame.lineno} in {frame.name}"
