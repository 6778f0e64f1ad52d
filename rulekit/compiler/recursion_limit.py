"""Recursion limit of Python while rules are compiled: the compiler descends into defines and actions recursively."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rulekit.values import define, field

MAX_FRAMES = 6000
"""Python frames: a define takes up to ten of them, an action too, and `limits.DEFINES` of them may be nested."""


@define(eq=False)
class _RaisedLimit:
    """The raised limit, which all compilations of the process share.

    users:  compilations that run now, in any thread.  ordinary: the limit before the first of them.
    """

    users: int = 0
    ordinary: int = 0
    lock: threading.Lock = field(factory=threading.Lock)


_RAISED = _RaisedLimit()


@contextmanager
def raise_recursion_limit() -> Iterator[None]:
    """Allow `MAX_FRAMES` frames; the last compilation that ends restores the limit."""
    with _RAISED.lock:
        if not _RAISED.users:
            _RAISED.ordinary = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_RAISED.ordinary, MAX_FRAMES))
        _RAISED.users += 1
    try:
        yield
    finally:
        with _RAISED.lock:
            _RAISED.users -= 1
            if not _RAISED.users:
                sys.setrecursionlimit(_RAISED.ordinary)
