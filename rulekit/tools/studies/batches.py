"""The matches of a study in batches: one after the other, or several at once.

Batches grow by their number, never by a clock, and come in the order of
their matches; what they come to depends neither on their size nor on how many
work.  Nothing is printed: who waits is told by a callback.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import islice

from rulekit.arguments import require_type
from rulekit.bots.players import registry
from rulekit.model.game import Game
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.value import Value
from rulekit.tools.series.reference_series import Interpreted
from rulekit.tools.series.simulation import Series
from rulekit.tools.series.worker_processes import process_pool, with_own
from rulekit.tools.series.worker_threads import Machines
from rulekit.tools.studies.playing import Progress
from rulekit.values import frozen

_MOST_COMPILED, _MOST_INTERPRETED = 1 << 12, 8
"""Matches of one batch, at most: about a fifth of a second of the games that ship."""
_MOST_JOBS = 256
_QUEUED_PER_WORKER = 2
"""Batches that wait for each worker, so that none is idle."""
_NO_WORKERS = (
    "a worker process did not start, or was ended from outside: "
    'a program that gives `jobs` begins its work below `if __name__ == "__main__":`'
)


@frozen
class Batch:
    """Matches `first` and further: a row for each, and what all came to."""

    first: int
    rows: list[tuple[int, ...]]
    sums: list[int]


Task = Callable[[int, int, tuple[int, ...]], Batch]


def batches(
    one: Series, games: int, words: tuple[int, ...] = (), progress: Progress | None = None, jobs: int = 1
) -> Iterator[Batch]:
    """All matches of a series from the first on, until all are played or `progress` answers False.

    jobs:    how many batches are played at once.
    Errors:  `BadSetup` for a number of jobs that nobody can mean; `RuntimeError` where worker processes cannot begin.
    """
    require_type("games", games, int, "a number of matches")
    check_jobs(jobs)
    for batch in _made(one, games, words, jobs):
        yield batch
        if progress is not None and progress(batch.first + len(batch.rows), games) is False:
            return


def check_jobs(jobs: int) -> None:
    if type(jobs) is not int or not 1 <= jobs <= _MOST_JOBS:
        raise BadSetup(f"`jobs` is a number from 1 to {_MOST_JOBS}, not {jobs!r}")


def _made(one: Series, games: int, words: tuple[int, ...], jobs: int) -> Iterator[Batch]:
    pieces = doubling(games, _MOST_COMPILED if one.engine == "wasm" else _MOST_INTERPRETED)
    if jobs == 1:
        return (_played(one, first, size, words) for first, size in pieces)
    if isinstance(one, Interpreted):
        if any(map(registry.is_custom, one.bots)):
            raise BadSetup("bots of your own play in this process alone: leave `jobs` at 1")
        given = (one.game, one.options, one.count, one.seed, one.bots, one.every)
        pool = process_pool(jobs, _interpreted, *given)
        return _together(pool, partial(with_own, _played), pieces, words, jobs)
    machines = Machines(one)
    task = partial(_by_a_thread, machines)
    return _together(ThreadPoolExecutor(jobs), task, pieces, words, jobs, machines.interrupt)


def doubling(games: int, most: int) -> Iterator[tuple[int, int]]:
    """First match and size of each batch: each is twice as large as the one before, up to `most`."""
    first, size = 0, 1
    while first < games:
        now = min(size, games - first)
        yield first, now
        first, size = first + now, min(most, 2 * size)


def _played(one: Series, first: int, size: int, words: tuple[int, ...]) -> Batch:
    return Batch(first, one.rows(first, size, words), one.sums())


# ---------------------------------------------------------------- several at once


def _interpreted(
    game: Game, options: Mapping[str, Value], seats: int, seed: str, bots: tuple[str, ...], every: int
) -> Interpreted:
    """The same series in a worker process."""
    made = Interpreted(game, options, seats, seed, bots=bots)
    made.every = every
    return made


def _by_a_thread(machines: Machines, first: int, size: int, words: tuple[int, ...]) -> Batch:
    with machines.free() as one:
        return _played(one, first, size, words)


def _together(
    pool: Executor,
    task: Task,
    pieces: Iterable[tuple[int, int]],
    words: tuple[int, ...],
    jobs: int,
    interrupt: Callable[[], None] = lambda: None,
) -> Iterator[Batch]:
    """Batches by several workers, given on in order; those that nobody waits for any more are cancelled.

    interrupt: breaks off those that are being played.
    """
    pieces = iter(pieces)
    waiting: list[Future[Batch]] = []
    try:
        while True:
            free = _QUEUED_PER_WORKER * jobs - len(waiting)
            waiting += [pool.submit(task, first, size, words) for first, size in islice(pieces, free)]
            if not waiting:
                return
            yield waiting.pop(0).result()
    except BrokenProcessPool as fault:
        raise RuntimeError(_NO_WORKERS) from fault
    finally:
        interrupt()
        pool.shutdown(cancel_futures=True)
