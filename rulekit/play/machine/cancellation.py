"""Cancellation of interpreted rules from another thread.

A thread says when its work is no longer wanted (`cancel_when`); a machine in this thread asks after every
`STEPS_BETWEEN_CHECKS` steps, and raises `Interrupted` then.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rulekit.errors import Interrupted

STEPS_BETWEEN_CHECKS = 200_000
"""A small part of a second of the interpreter."""
_thread = threading.local()


@contextmanager
def cancel_when(is_cancelled: Callable[[], bool]) -> Iterator[None]:
    """Let rules that run in this thread raise `Interrupted` once this is true."""
    before = getattr(_thread, "is_cancelled", None)
    _thread.is_cancelled = is_cancelled
    try:
        yield
    finally:
        _thread.is_cancelled = before


def check_cancelled() -> None:
    """Raise `Interrupted` if the work of this thread is no longer wanted."""
    is_cancelled = getattr(_thread, "is_cancelled", None)
    if is_cancelled is not None and is_cancelled():
        raise Interrupted
