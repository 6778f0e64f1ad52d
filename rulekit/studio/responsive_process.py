"""Settings of a process in which somebody waits for one thread while others work.

Python does one thing at a time.  A collection of all garbage holds everybody up for a tenth of a second, so it comes
when nothing is being worked on; and a thread that somebody waits for takes its turn after a millisecond.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TURN = 0.001
"""Seconds after which a thread that works lets another have its turn."""
_NEVER = 1 << 30
_MOST = 200
"""So many collections of the younger garbage may come before all is collected, whoever waits."""


@contextmanager
def responsive() -> Iterator[Callable[[bool], None]]:
    """Gives what wants to be told every second or so whether nothing is being worked on."""
    turn, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(TURN)
    gc.set_threshold(*thresholds[:2], _NEVER)
    try:
        yield _looked
    finally:
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(turn)


def _looked(is_at_rest: bool) -> None:
    younger = gc.get_count()[2]
    if younger > _MOST or (is_at_rest and younger):
        gc.collect()
