"""A series in batches (chunked parallel execution): alone, on threads or processes, or on a Dask cluster.

Batches come in the order of their matches, so that what has come is a whole
beginning of the series at any time.  How large they are depends on how long
they take; what they come to does not depend on how large they are.
"""

from __future__ import annotations

import atexit
import gc
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from rulekit.apps import engine_notice
from rulekit.apps.console import Failed
from rulekit.apps.progress import ProgressLine, waiting
from rulekit.compiler.runtime.wasm_host import Missing
from rulekit.distribution import install_hint
from rulekit.library import ABSENT
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.series.worker_threads import Machines
from rulekit.values import define, evolve, frozen

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from rulekit.model.game import Game
    from rulekit.play.state.value import Value
    from rulekit.tools.series import simulation

BATCH_SECONDS = 0.2
"""Seconds that one batch of work should take: short enough to stop at once, long enough to be worth its call."""
CLUSTER_SECONDS = 1.0
"""Seconds, where the batch goes to another machine."""
SCHEDULER_SECONDS = 10
"""Seconds to wait for a scheduler."""
QUEUED_PER_WORKER = 2
"""Batches of work that wait for each worker, so that none is idle."""
MOST_MATCHES = 1 << 17
"""Matches in a batch, at most, so that its sums stay within 64 bits."""


@frozen
class Work:
    """The specification of a series: all that a worker must know to play any of its matches.

    texts:  the file and those it extends, by name, for a machine that has no such files.
    checked: whether every match is tested for invariants, not a sample alone.
    """

    file: str
    options: dict[str, Value]
    seats: int
    seed: str
    engine: str = "auto"
    bots: tuple[str, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    checked: bool = False

    def series(self, game: Game | None = None) -> simulation.Series:
        """game: that in the file, if it is known."""
        from rulekit.loading import load
        from rulekit.tools.series import simulation

        game = load(self.file, examples=False) if game is None else game
        made = simulation.series(game, self.options, self.seats, self.seed, self.engine, self.bots)
        if self.checked:
            made.test_all()
        return made

    def find_failures(self, game: Game, failed: Sequence[tuple[int, int]], games: int) -> Failures:
        """The failed matches of the series, with the lines at which they failed unless the search is stopped.

        failed: number and status of each; games: matches played.
        """
        if not failed:
            return Failures(games)
        from rulekit.tools.series.failure_causes import SeriesSpec, find_causes

        spec = SeriesSpec(game, self.options, self.seats, self.seed, self.bots, self.checked)
        with ProgressLine(words=lambda seconds: f"playing failed matches again, {seconds:.0f} s"):
            return find_causes(spec, failed, games)
        return Failures(games, len(failed))


@frozen
class Batch:
    """Matches `first` and further: a row for each, what all came to, and the seconds it took."""

    first: int
    rows: list[tuple[int, ...]]
    sums: list[int]
    took: float


@frozen
class Workers:
    """jobs:  how many work at once.  scheduler: of a Dask cluster, or "" for this machine."""

    jobs: int = 1
    scheduler: str = ""


Batches = Generator[Batch, None, None]


def make_series_or_fail(work: Work, game: Game) -> simulation.Series:
    """The series of some work, made ready.

    Errors: `Failed` with a message for people.
    """
    from rulekit.play.state.errors import BadSetup

    try:
        with waiting("compiling the rules"):
            return make_series(work, game)
    except BadSetup as fault:
        raise Failed(f"error: {fault}") from None


def make_series(work: Work, game: Game) -> simulation.Series:
    """The same.  Says on standard error why a slower engine plays, if one does.

    Errors: `BadSetup` for options that do not go together; else `Failed`.
    """
    from rulekit.bots.players import registry
    from rulekit.compiler.lower.storage.layout import Unsupported

    try:
        made = work.series(game)
    except Unsupported as fault:
        raise Failed(f"error: the engine `{work.engine}` cannot play this game: {fault}; use --engine auto") from None
    except Missing as fault:
        raise Failed(f"error: {fault}; or use --engine auto") from None
    if made.why:
        engine_notice.tell(made.why)
    if any(map(registry.is_searching, work.bots)):
        engine_notice.tell_without_webassembly()
    return made


def batches(work: Work, one: simulation.Series, games: int, workers: Workers, words: tuple[int, ...] = ()) -> Batches:
    """All matches of a series.  one: the series here; words: of the storage, for the rows."""
    if workers.scheduler:
        return _on_cluster(_with_texts(work), games, workers, words)
    if workers.jobs == 1 or one.engine == "wasm":
        return batches_of(one, games, workers.jobs, words)
    from rulekit.tools.series.worker_processes import process_pool, with_own

    pool = process_pool(workers.jobs, Work.series, work)
    return _concurrently(pool, partial(with_own, _played), games, workers.jobs, words)


class BatchSource(Protocol):
    """A series as far as batches need it; one in WebAssembly has a `twin` for each thread."""

    def rows(self, first: int, count: int, words: tuple[int, ...]) -> list[tuple[int, ...]]: ...

    def sums(self) -> list[int]: ...

    def interrupt(self) -> None: ...

    def go_on(self) -> None: ...


def batches_of(one: BatchSource, games: int, jobs: int, words: tuple[int, ...] = ()) -> Batches:
    """All matches of a series in this process."""
    if jobs == 1:
        return _sequentially(one, games, words)
    from concurrent.futures import ThreadPoolExecutor

    machines = Machines(one)
    task = partial(_by_a_thread, machines)
    return _concurrently(ThreadPoolExecutor(jobs), task, games, jobs, words, machines.interrupt)


def _played(one: BatchSource, first: int, size: int, words: tuple[int, ...]) -> Batch:
    begun = time.perf_counter()
    rows = one.rows(first, size, words)
    return Batch(first, rows, one.sums(), time.perf_counter() - begun)


def _sequentially(one: BatchSource, games: int, words: tuple[int, ...]) -> Batches:
    first, size = 0, 1
    while first < games:
        batch = _played(one, first, min(size, games - first), words)
        yield batch
        first += len(batch.rows)
        size = _next_size(batch, BATCH_SECONDS)


def _next_size(batch: Batch, seconds: float) -> int:
    """As many matches as take about so long, at most eight times the last batch."""
    size = len(batch.rows)
    return max(1, min(8 * size, int(size * seconds / max(batch.took, 1e-9)), MOST_MATCHES))


# ---------------------------------------------------------------- several at once on this machine


Task = Callable[[int, int, tuple[int, ...]], Batch]


def _by_a_thread(machines: Machines, first: int, size: int, words: tuple[int, ...]) -> Batch:
    with machines.free() as one:
        return _played(one, first, size, words)


def _concurrently(
    pool: Executor,
    task: Task,
    games: int,
    jobs: int,
    words: tuple[int, ...],
    interrupt: Callable[[], None] = lambda: None,
) -> Batches:
    """Batches by several workers, given on in order.  interrupt: breaks off those that nobody waits for any more."""
    waiting: list[Future[Batch]] = []
    sizes = _AdaptiveSizes(games, BATCH_SECONDS)
    pieces = sizes.pieces()
    try:
        while True:
            free = QUEUED_PER_WORKER * jobs - len(waiting)
            waiting += [pool.submit(task, first, size, words) for first, size in islice(pieces, free)]
            if not waiting:
                return
            batch = waiting.pop(0).result()
            sizes.told(batch)
            yield batch
    finally:
        interrupt()
        pool.shutdown(cancel_futures=True)


@define
class _AdaptiveSizes:
    """How large the next batch is: known when it is asked for, from those that came back."""

    games: int
    seconds: float
    size: int = 1

    def told(self, batch: Batch) -> None:
        self.size = max(self.size, _next_size(batch, self.seconds))

    def pieces(self) -> Iterator[tuple[int, int]]:
        """First match and size of each batch."""
        first = 0
        while first < self.games:
            now = min(self.size, self.games - first)
            yield first, now
            first += now


# ---------------------------------------------------------------- other machines

CLUSTER = "--backend dask needs the packages joblib and dask"


def _with_texts(work: Work) -> Work:
    from pathlib import Path

    from rulekit.loading import load_with_sources

    _, found = load_with_sources(work.file, examples=False)
    return evolve(work, file=Path(work.file).name, texts=tuple((Path(n).name, s.text) for n, s in found.items()))


def _on_cluster(work: Work, games: int, workers: Workers, words: tuple[int, ...]) -> Batches:
    """Batches by the workers of a Dask cluster through joblib; one whose worker is lost is played again elsewhere."""
    try:
        import joblib
    except ABSENT:
        raise Failed(f"error: {CLUSTER}: {install_hint('cluster')}") from None
    sizes = _AdaptiveSizes(games, CLUSTER_SECONDS)
    calls = (joblib.delayed(cluster_batch)(work, first, size, words) for first, size in sizes.pieces())
    with _cluster(joblib, workers) as parallel, closing(parallel(calls)) as made:
        try:
            for told in made:
                batch = told.batch()
                sizes.told(batch)
                yield batch
        except Missing as fault:
            raise Failed(f"error: on a worker of the cluster: {fault}; or use --engine auto") from None


@frozen
class PackedBatch:
    """A batch on its way from another machine: rows that say no more than that a match ended stay there.

    rows:  by place in the batch, those that travel; all where words were asked for.
    """

    first: int
    count: int
    rows: tuple[tuple[int, tuple[int, ...]], ...]
    sums: list[int]
    took: float

    def batch(self) -> Batch:
        rows: list[tuple[int, ...]] = [_ENDED] * self.count
        for place, row in self.rows:
            rows[place] = row
        return Batch(self.first, rows, self.sums, self.took)


_ENDED = (0,)
"""What is told of a match of which only the sums are wanted: its status, see `plan.Status`."""


def packed(batch: Batch, words: tuple[int, ...]) -> PackedBatch:
    rows = tuple((place, row) for place, row in enumerate(batch.rows) if words or row[:1] != _ENDED)
    return PackedBatch(batch.first, len(batch.rows), rows, batch.sums, batch.took)


@contextmanager
def _cluster(joblib: Any, workers: Workers) -> Iterator[Any]:
    atexit.register(_collect_cycles)
    with _reached(workers.scheduler) as client:
        # With 1 joblib would play everything in this process and send nothing to the cluster.
        cores = max(2, sum(client.nthreads().values()))
        with joblib.parallel_config(backend="dask", client=client, wait_for_workers_timeout=20):
            yield joblib.Parallel(
                n_jobs=cores, return_as="generator", pre_dispatch=QUEUED_PER_WORKER * cores, batch_size=1
            )


def _collect_cycles() -> None:
    """Collect at the end of the process what is held in reference cycles with the client of a cluster.

    The command freezes what there is, so that it would go after the modules that WebAssembly needs to let it go.
    """
    gc.unfreeze()
    gc.collect()


def _reached(address: str) -> AbstractContextManager[Any]:
    try:
        from distributed import Client
    except ABSENT:
        raise Failed(f"error: {CLUSTER}: {install_hint('cluster')}") from None
    try:
        made: Any = Client
        return made(address, timeout=SCHEDULER_SECONDS)  # type: ignore[no-any-return]
    except (OSError, ValueError, TypeError) as fault:
        raise Failed(f"error: no Dask scheduler answers at {address} ({type(fault).__name__})") from None


_known: dict[str, simulation.Series] = {}
"""The series of this worker process, by what it was told."""


def cluster_batch(work: Work, first: int, size: int, words: tuple[int, ...]) -> PackedBatch:
    """A batch on a machine that knows nothing yet."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    name = repr(work)
    if name not in _known:
        _known.clear()
        with TemporaryDirectory() as folder:
            for file, text in work.texts:
                (Path(folder) / file).write_text(text, encoding="utf-8")
            _known[name] = evolve(work, file=str(Path(folder) / work.file)).series()
    return packed(_played(_known[name], first, size, words), words)
