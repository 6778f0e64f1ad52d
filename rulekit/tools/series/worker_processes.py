"""A process pool: each worker process makes something once, and does all its tasks with it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from multiprocessing.queues import Queue
from typing import Any, TypeVar

T = TypeVar("T")

_own: list[Any] = []
"""What this worker process has made, alone in the list; empty in the main process."""


def process_pool(jobs: int, make: Callable[..., Any], *given: Any) -> ProcessPoolExecutor:
    """So many processes; what each makes of what is given is its own.  They leave Ctrl-C to the main process."""
    context = get_context("spawn")
    # Handed over behind their start: one that dies while it starts would leave us writing to it for ever.
    handed = context.Queue()
    handed.cancel_join_thread()
    for _ in range(jobs):
        handed.put(given)
    return ProcessPoolExecutor(jobs, context, _begin, (make, handed))


def results(pool: ProcessPoolExecutor, task: Callable[..., T], pieces: Iterable[tuple[Any, ...]]) -> Iterator[T]:
    """What a task comes to with each piece of work, in order; those that nobody waits for any more are cancelled."""
    with pool:
        yield from pool.map(partial(with_own, task), *zip(*pieces, strict=True))


def with_own(task: Callable[..., T], *given: Any) -> T:
    """Do a task with what this worker process has made."""
    return task(_own[0], *given)


def _begin(make: Callable[..., Any], handed: Queue[tuple[Any, ...]]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _own.append(make(*handed.get()))
