"""Signals while the main thread runs native code, where Python's own handlers have to wait.

Input: a function that stops the native code.  Python writes the number of each signal into a pipe at once;
a thread reads it there and calls the function.  The handler itself runs when the native code has returned.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

from rulekit.values import define, field

STOPPING = frozenset({signal.SIGINT, signal.SIGTERM})


@define(eq=False)
class SignalWatch:
    """Thread that reads signals from a pipe.

    stop:         called for Ctrl-C and SIGTERM; None where nothing is to be stopped.
    has_stopped:  whether it was called since the watch was asked for last.
    """

    read_end: int
    write_end: int
    stop: Callable[[], None] | None = field(init=False, default=None)
    has_stopped: bool = field(init=False, default=False)

    def run(self) -> None:
        while numbers := os.read(self.read_end, 64):
            stop = self.stop
            if stop is not None and not STOPPING.isdisjoint(numbers):
                self.has_stopped = True
                stop()


@cache
def start_watch() -> SignalWatch:
    """Return the watch of this process, which is started once."""
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    watch = SignalWatch(read_end, write_end)
    threading.Thread(target=watch.run, name="signals", daemon=True).start()
    return watch


def forget_watch() -> None:
    """Leave the signals of a forked process to its own watch."""
    signal.set_wakeup_fd(-1)
    start_watch.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget_watch)


@contextmanager
def stop_on_signal(stop: Callable[[], None]) -> Iterator[SignalWatch | None]:
    """Call `stop` as soon as Ctrl-C or SIGTERM comes; in other threads and beside an event loop nothing is watched."""
    if sys.platform in ("emscripten", "win32") or threading.current_thread() is not threading.main_thread():
        yield None
        return
    watch = start_watch()
    before = signal.set_wakeup_fd(watch.write_end, warn_on_full_buffer=False)
    if before != -1:
        signal.set_wakeup_fd(before)
        yield None
        return
    watch.stop, watch.has_stopped = stop, False
    try:
        yield watch
    finally:
        watch.stop = None
        signal.set_wakeup_fd(-1)
