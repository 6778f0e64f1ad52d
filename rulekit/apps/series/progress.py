"""The progress line of a long run, and Ctrl-C held back while a step is made whole."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

from attrs import define, field

_MOMENT = 0.2
"""Seconds between two lines."""


@contextmanager
def deferred_interrupt() -> Iterator[None]:
    """A critical section: Ctrl-C (SIGINT) waits until it is left."""
    if current_thread() is not main_thread():
        yield
        return
    held: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        raise KeyboardInterrupt


@define
class Progress:
    """How many matches are done, how fast, and how long the rest takes; on a terminal only."""

    games: int
    begun: float = field(factory=time.perf_counter)
    shown: float = 0.0

    def show(self, done: int, more: str = "") -> None:
        now = time.perf_counter()
        if not sys.stderr.isatty() or now - self.shown < _MOMENT:
            return
        self.shown = now
        rate = done / max(now - self.begun, 1e-9)
        left = _long((self.games - done) / max(rate, 1e-9))
        text = f"{done:,} of {self.games:,} matches, {rate:,.0f} a second, {left} left{more}"
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()

    def clear(self) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _long(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
