"""Settings of a process in which somebody waits for one thread while others work.

Python does one thing at a time.  A collection of all garbage holds everybody up for some tenths of a second, so it
comes when nobody waits for anything, and leaves out what stood there before the first one; and a
thread that somebody waits for takes its turn after a millisecond.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rulekit.values import define

TURN = 0.001
"""Seconds after which a thread that works lets another have its turn."""
_YOUNG = 700, 10
"""As Python begins with, whatever the command has set: after so many new objects the youngest are looked through, and
after so many such looks the younger ones."""
_NEVER = 1 << 30
_MOST = 200
"""So many collections of the younger garbage may come before all is collected, whoever waits: some ten keys.  With 30,
findings on a large game waited for one every few keys."""


@contextmanager
def responsive() -> Iterator[Callable[[bool], None]]:
    """Gives what wants to be told every second or so whether nobody waits for anything."""
    turn, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(TURN)
    gc.set_threshold(*_YOUNG, _NEVER)
    try:
        yield _Collector().looked
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(turn)


@define(eq=False)
class _Collector:
    has_frozen: bool = False

    def looked(self, is_at_rest: bool) -> None:
        younger = gc.get_count()[2]
        if younger > _MOST or (is_at_rest and younger):
            gc.collect()
            if not self.has_frozen:
                # The program itself, its grammar and the rules as they were opened are never garbage.
                gc.freeze()
                self.has_frozen = True
