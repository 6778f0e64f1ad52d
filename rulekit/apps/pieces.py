"""Long series in pieces: alone, on several threads or processes, or on other machines.

Pieces come in the order of their matches, so that what has come is a whole
beginning of the series at any time.  How large they are depends on how long
they take; what they come to does not depend on how large they are.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from threading import current_thread, local, main_thread
from typing import TYPE_CHECKING, Any, Protocol

from attrs import define, evolve, field, frozen

from rulekit.apps.console import Failed

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from rulekit.model.game import Game
    from rulekit.play.value import Value
    from rulekit.tools import series

MOMENT = 0.2
"""Seconds that one piece of work should take: short enough to stop at once, long enough to be worth its call."""
FAR = 1.0
"""Seconds, where the piece goes to another machine."""
PATIENCE = 10
"""Seconds to wait for a scheduler."""
AHEAD = 2
"""Pieces of work that wait for each worker, so that none is idle."""
MOST = 1 << 17
"""Matches in a piece, at most, so that its sums stay within 64 bits."""


@frozen
class Work:
    """All that a worker must know to play any match of the series.

    texts:  the file and those it extends, by name, for a machine that has no such files.
    """

    file: str
    options: dict[str, Value]
    seats: int
    seed: str
    engine: str = "auto"
    bots: tuple[str, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()

    def series(self, game: Game | None = None) -> series.Series:
        """game: that in the file, if it is known."""
        from rulekit.loading import load
        from rulekit.tools import series

        game = load(self.file) if game is None else game
        return series.series(game, self.options, self.seats, self.seed, self.engine, self.bots)


@frozen
class Piece:
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


Pieces = Generator[Piece, None, None]


def opened(work: Work, game: Game) -> series.Series:
    """The series, or a message for people."""
    from rulekit.play.errors import BadSetup

    try:
        made = started(work, game)
    except BadSetup as fault:
        raise Failed(f"error: {fault}") from None
    if made.why:
        print(f"played by {made.engine}: {made.why}", file=sys.stderr)
    return made


def started(work: Work, game: Game) -> series.Series:
    """The series.  Errors: `BadSetup` for options that do not go together; messages for people."""
    from rulekit.fast import wasm
    from rulekit.fast.layout import Unsupported

    try:
        return work.series(game)
    except Unsupported as fault:
        raise Failed(f"error: the engine `{work.engine}` cannot play this game: {fault}; use --engine auto") from None
    except wasm.Missing as fault:
        raise Failed(f"error: {fault}") from None


def pieces(work: Work, one: series.Series, games: int, workers: Workers, words: tuple[int, ...] = ()) -> Pieces:
    """All matches of a series.  one: the series here; words: of the storage, for the rows."""
    if workers.scheduler:
        return _far(_with_texts(work), games, workers, words)
    if workers.jobs == 1 or one.engine == "wasm":
        return of_one(one, games, workers.jobs, words)
    return _together(_Processes(work, workers.jobs), games, workers.jobs, words)


class Playing(Protocol):
    """A series as far as pieces need it; one in WebAssembly has a `twin` for each thread."""

    @property
    def engine(self) -> str: ...

    def rows(self, first: int, count: int, words: tuple[int, ...]) -> list[tuple[int, ...]]: ...

    def sums(self) -> list[int]: ...


def of_one(one: Playing, games: int, jobs: int, words: tuple[int, ...] = ()) -> Pieces:
    """All matches of a series in this process."""
    return _alone(one, games, words) if jobs == 1 else _together(_Threads(one, jobs), games, jobs, words)


def _played(one: Playing, first: int, size: int, words: tuple[int, ...]) -> Piece:
    begun = time.perf_counter()
    rows = one.rows(first, size, words)
    return Piece(first, rows, one.sums(), time.perf_counter() - begun)


def _alone(one: Playing, games: int, words: tuple[int, ...]) -> Pieces:
    first, size = 0, 1
    while first < games:
        piece = _played(one, first, min(size, games - first), words)
        yield piece
        first += len(piece.rows)
        size = _next_size(piece, MOMENT)


def _next_size(piece: Piece, moment: float) -> int:
    """As many matches as take about a moment, at most eight times the last."""
    size = len(piece.rows)
    return max(1, min(8 * size, int(size * moment / max(piece.took, 1e-9)), MOST))


# ---------------------------------------------------------------- several at once on this machine


Task = Callable[[int, int, tuple[int, ...]], Piece]


@define(eq=False)
class _Threads:
    """A machine in WebAssembly for each thread; Python waits while they run."""

    one: Any
    jobs: int
    _mine: local = field(factory=local)

    def pool(self) -> Executor:
        from concurrent.futures import ThreadPoolExecutor

        return ThreadPoolExecutor(self.jobs)

    def task(self, first: int, size: int, words: tuple[int, ...]) -> Piece:
        if not hasattr(self._mine, "series"):
            self._mine.series = self.one.twin()
        return _played(self._mine.series, first, size, words)


@define(eq=False)
class _Processes:
    work: Work
    jobs: int

    def pool(self) -> Executor:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        return ProcessPoolExecutor(self.jobs, get_context("spawn"), _begin, (self.work,))

    @property
    def task(self) -> Task:
        return _piece


_known: dict[str, series.Series] = {}
"""The series of this worker process, by what it was told."""
_own: list[series.Series] = []


def _begin(work: Work) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _own.append(work.series())


def _piece(first: int, size: int, words: tuple[int, ...]) -> Piece:
    return _played(_own[0], first, size, words)


def _together(crew: _Threads | _Processes, games: int, jobs: int, words: tuple[int, ...]) -> Pieces:
    """Pieces by several workers, given on in order."""
    with crew.pool() as pool:
        waiting: list[Future[Piece]] = []
        first, size = 0, 1
        try:
            while first < games or waiting:
                while first < games and len(waiting) < AHEAD * jobs:
                    now = min(size, games - first)
                    waiting.append(pool.submit(crew.task, first, now, words))
                    first += now
                piece = waiting.pop(0).result()
                size = max(size, _next_size(piece, MOMENT))
                yield piece
        finally:
            for future in waiting:
                future.cancel()


# ---------------------------------------------------------------- other machines

CLUSTER = "--backend dask needs the packages joblib and dask: pip install 'rulekit[cluster]'"


def _with_texts(work: Work) -> Work:
    from pathlib import Path

    from rulekit.loading import load_with_sources

    _, found = load_with_sources(work.file)
    return evolve(work, file=Path(work.file).name, texts=tuple((Path(n).name, s.text) for n, s in found.items()))


def _far(work: Work, games: int, workers: Workers, words: tuple[int, ...]) -> Pieces:
    """Pieces by the workers of a Dask cluster through joblib; one whose worker is lost is played again elsewhere."""
    try:
        import joblib
    except ModuleNotFoundError:
        raise Failed(f"error: {CLUSTER}") from None
    sizes = _Sizes(games)
    with _cluster(joblib, workers) as parallel, closing(parallel(sizes.calls(joblib, work, words))) as made:
        for told in made:
            piece = told.piece()
            sizes.told(piece)
            yield piece


@frozen
class Parcel:
    """A piece on its way from another machine: rows that say no more than that a match ended stay there.

    rows:  by place in the piece, those that travel; all where words were asked for.
    """

    first: int
    count: int
    rows: tuple[tuple[int, tuple[int, ...]], ...]
    sums: list[int]
    took: float

    def piece(self) -> Piece:
        rows: list[tuple[int, ...]] = [_ENDED] * self.count
        for place, row in self.rows:
            rows[place] = row
        return Piece(self.first, rows, self.sums, self.took)


_ENDED = (0,)
"""What is told of a match of which only the sums are wanted: its status, see `plan.Status`."""


def parcel(piece: Piece, words: tuple[int, ...]) -> Parcel:
    rows = tuple((place, row) for place, row in enumerate(piece.rows) if words or row[:1] != _ENDED)
    return Parcel(piece.first, len(piece.rows), rows, piece.sums, piece.took)


@contextmanager
def _cluster(joblib: Any, workers: Workers) -> Iterator[Any]:
    with _reached(workers.scheduler) as client:
        cores = max(1, sum(client.nthreads().values()))
        with joblib.parallel_config(backend="dask", client=client, wait_for_workers_timeout=20):
            yield joblib.Parallel(n_jobs=cores, return_as="generator", pre_dispatch=AHEAD * cores, batch_size=1)


def _reached(address: str) -> AbstractContextManager[Any]:
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise Failed(f"error: {CLUSTER}") from None
    try:
        made: Any = Client
        return made(address, timeout=PATIENCE)  # type: ignore[no-any-return]
    except (OSError, ValueError, TypeError) as fault:
        raise Failed(f"error: no Dask scheduler answers at {address} ({type(fault).__name__})") from None


@define
class _Sizes:
    """How large the next piece is: known when it is asked for, from those that came back."""

    games: int
    size: int = 1

    def told(self, piece: Piece) -> None:
        self.size = max(self.size, _next_size(piece, FAR))

    def calls(self, joblib: Any, work: Work, words: tuple[int, ...]) -> Iterator[Any]:
        first = 0
        while first < self.games:
            now = min(self.size, self.games - first)
            yield joblib.delayed(far_piece)(work, first, now, words)
            first += now


def far_piece(work: Work, first: int, size: int, words: tuple[int, ...]) -> Parcel:
    """A piece on a machine that knows nothing yet."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    name = repr(work)
    if name not in _known:
        _known.clear()
        with TemporaryDirectory() as folder:
            for file, text in work.texts:
                (Path(folder) / file).write_text(text, encoding="utf-8")
            _known[name] = evolve(work, file=str(Path(folder) / work.file)).series()
    return parcel(_played(_known[name], first, size, words), words)


# ---------------------------------------------------------------- whole steps


@contextmanager
def unbroken() -> Iterator[None]:
    """Ctrl-C waits until what is done here is whole."""
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


# ---------------------------------------------------------------- how far


@define
class Progress:
    """How far, how fast, how long still; on a terminal only."""

    games: int
    begun: float = field(factory=time.perf_counter)
    shown: float = 0.0

    def show(self, done: int, more: str = "") -> None:
        now = time.perf_counter()
        if not sys.stderr.isatty() or now - self.shown < MOMENT:
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
