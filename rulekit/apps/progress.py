"""How far a long run is, in a line on a terminal; and what stops it, or waits while a step is made whole.

That is Ctrl-C (SIGINT) and SIGTERM, by which a batch system or a shutting machine ends a program.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread, current_thread, main_thread
from typing import Self, TypeVar

from rulekit.apps.console import Terminated, note_interrupt
from rulekit.values import define, field

T = TypeVar("T")

_MOMENT = 0.2
"""Seconds between two lines."""
_BEAT = 1.0
"""Seconds without a step after which the line is written again, so that it is seen that something goes on."""
_STOPS = (KeyboardInterrupt, Terminated)


@contextmanager
def deferred_interrupt() -> Iterator[None]:
    """A critical section: Ctrl-C (SIGINT) and SIGTERM wait until it is left."""
    if current_thread() is not main_thread():
        yield
        return
    held: list[int] = []
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(each, lambda number, _: held.append(number)) for each in signals]
    try:
        yield
    finally:
        for each, handler in zip(signals, before, strict=True):
            signal.signal(each, handler or signal.SIG_DFL)
    if held:
        signal.raise_signal(held[0])


@define
class ProgressLine:
    """A line that is written over, a few times a second; on a terminal only.

    As a context it goes at the end, and Ctrl-C or SIGTERM ends what is done in it.  stopped: whether that came.
    words: what it says, so many seconds after it began, where a step takes long; at first, before the first one.
    is_reported: whether something is left to tell when it is stopped; else what stops it goes on.
    """

    words: Callable[[float], str] | None = field(default=None, kw_only=True)
    is_reported: bool = field(default=True, kw_only=True)
    begun: float = field(init=False, factory=time.perf_counter)
    shown: float = field(init=False, default=0.0)
    stopped: bool = field(init=False, default=False)
    _left: Event = field(init=False, factory=Event)
    _beating: Thread | None = field(init=False, default=None)

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._beating = Thread(target=self._beat, daemon=True)
            self._beating.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        self._left.set()
        if self._beating is not None:
            self._beating.join()
        if self.shown:
            self._write("")
        self.stopped = kind is not None and issubclass(kind, _STOPS)
        if self.stopped and self.is_reported and kind is KeyboardInterrupt:
            note_interrupt()
        return self.stopped and self.is_reported

    def show(self, words: Callable[[float], str]) -> None:
        """words: what it says so many seconds after it began."""
        self.words = words
        if sys.stderr.isatty() and time.perf_counter() - self.shown >= _MOMENT:
            self._say(words)

    def _beat(self) -> None:
        while not self._left.wait(_BEAT):
            if self.words is not None and time.perf_counter() - self.shown >= _BEAT:
                self._say(self.words)

    def _say(self, words: Callable[[float], str]) -> None:
        self.shown = time.perf_counter()
        self._write(words(self.shown - self.begun))

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """A line that says what is done and for how long, if that takes more than a moment; on a terminal only."""
    with ProgressLine(words=lambda seconds: f"{what}, {_long(seconds)}", is_reported=False):
        yield


def is_stopped(steps: Iterable[T], words: Callable[[T, float], str]) -> bool:
    """Go through all steps; whether Ctrl-C or SIGTERM came before they were done.

    words: what is said of a step, so many seconds after the first began.
    """
    with ProgressLine() as line:
        for step in steps:
            line.show(partial(words, step))
    return line.stopped


@define
class Progress(ProgressLine):
    """How many matches are done, how fast, and how long the rest takes."""

    games: int

    def __attrs_post_init__(self) -> None:
        self.words = partial(self._words, 0)

    def show_matches(self, done: int, more: str = "") -> None:
        self.show(lambda seconds: self._words(done, seconds) + more)

    def _words(self, done: int, seconds: float) -> str:
        if not done:
            return f"0 of {self.games:,} matches, the first for {_long(seconds)}"
        rate = done / max(seconds, 1e-9)
        left = _long((self.games - done) / max(rate, 1e-9))
        return f"{done:,} of {self.games:,} matches, {rate:,.0f} a second, {left} left"


def _long(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
