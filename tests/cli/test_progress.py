"""The line that says how far a long run is, and Ctrl-C in the midst of it."""

from __future__ import annotations

import io
import signal
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from rulekit.apps import progress
from rulekit.apps.console import DONE, INTERRUPTED, TERMINATED, guarded
from rulekit.apps.progress import Progress, deferred_interrupt, is_stopped, waiting
from tests.processes import HANG


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(name="terminal")
def _terminal(monkeypatch: pytest.MonkeyPatch) -> _Terminal:
    made = _Terminal()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=made))
    monkeypatch.setattr(progress, "_MOMENT", -1.0)
    monkeypatch.setattr(progress, "_BEAT", 2 * HANG)
    return made


def interrupted() -> Iterator[int]:
    yield 1
    raise KeyboardInterrupt


def test_every_step_is_told_and_the_line_is_cleared(terminal: _Terminal) -> None:
    assert not is_stopped([1, 2], lambda step, seconds: f"{step} after {seconds:.0f} s")
    assert terminal.getvalue() == "\r\x1b[K1 after 0 s\r\x1b[K2 after 0 s\r\x1b[K"


def test_ctrl_c_ends_the_steps_and_clears_the_line(terminal: _Terminal) -> None:
    assert is_stopped(interrupted(), lambda step, _: str(step))
    assert terminal.getvalue() == "\r\x1b[K1\r\x1b[K"


def test_nothing_is_told_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    assert not is_stopped([1, 2], lambda step, _: str(step))
    assert capsys.readouterr().err == ""


def test_matches_are_told_with_their_speed(terminal: _Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "time", SimpleNamespace(perf_counter=lambda: 10.0))
    with Progress(4000) as bar:
        bar.begun = 0.0
        bar.show_matches(1000, "  gift = 0")
    assert not bar.stopped
    assert terminal.getvalue() == "\r\x1b[K1,000 of 4,000 matches, 100 a second, 30 s left  gift = 0\r\x1b[K"


# ---------------------------------------------------------------- what takes long without a step


def seen(terminal: _Terminal, words: str) -> bool:
    """Whether words come to stand on the terminal."""
    begun = time.monotonic()
    while words not in terminal.getvalue() and time.monotonic() - begun < HANG:
        time.sleep(0.001)
    return words in terminal.getvalue()


def test_the_first_match_is_told_while_it_is_played(terminal: _Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_BEAT", 0.001)
    with Progress(30):
        assert seen(terminal, "\r\x1b[K0 of 30 matches, the first for 0 s")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_what_is_done_without_steps_is_said_with_its_seconds(
    terminal: _Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_BEAT", 0.001)
    with waiting("compiling the rules"):
        assert seen(terminal, "\r\x1b[Kcompiling the rules, 0 s")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_what_is_over_in_a_moment_is_not_said(terminal: _Terminal) -> None:
    with waiting("compiling the rules"):
        pass
    assert not terminal.getvalue()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, INTERRUPTED), (signal.SIGTERM, TERMINATED)])
def test_a_stop_meanwhile_ends_the_command(number: signal.Signals, code: int) -> None:
    def command() -> None:
        with waiting("compiling the rules"):
            signal.raise_signal(number)

    assert guarded(command, debug=False) == code


# ---------------------------------------------------------------- SIGTERM


def ended() -> Iterator[int]:
    yield 1
    signal.raise_signal(signal.SIGTERM)
    yield 2


def test_sigterm_ends_the_steps_as_ctrl_c_does_and_keeps_its_exit_code() -> None:
    reported: list[bool] = []

    def command() -> int:
        reported.append(is_stopped(ended(), lambda step, _: str(step)))
        return DONE

    assert guarded(command, debug=False) == TERMINATED
    assert reported == [True]


def test_a_second_sigterm_ends_the_report_too(capsys: pytest.CaptureFixture[str]) -> None:
    def command() -> int:
        is_stopped(ended(), lambda step, _: str(step))
        signal.raise_signal(signal.SIGTERM)
        raise AssertionError

    assert guarded(command, debug=False) == TERMINATED
    assert capsys.readouterr().err == "terminated\n"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, INTERRUPTED), (signal.SIGTERM, TERMINATED)])
def test_either_waits_while_a_step_is_made_whole(number: signal.Signals, code: int) -> None:
    whole: list[bool] = []

    def steps() -> Iterator[int]:
        with deferred_interrupt():
            signal.raise_signal(number)
            whole.append(True)
        yield 1

    assert guarded(lambda: is_stopped(steps(), lambda step, _: str(step)) - 1, debug=False) == code
    assert whole == [True]
