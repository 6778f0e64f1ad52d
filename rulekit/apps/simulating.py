"""`rulekit simulate`: what happens over thousands of matches between bots that answer by chance."""

from __future__ import annotations

import csv
import json
import os
import secrets
import signal
import sys
import time
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click
from attrs import define, field, frozen

from rulekit.apps.console import DONE, FOUND, Failed
from rulekit.fast import wasm
from rulekit.fast.layout import Unsupported
from rulekit.fast.plan import Status
from rulekit.loading import load
from rulekit.play.errors import BadSetup
from rulekit.play.value import Value
from rulekit.tools import series
from rulekit.tools.choices import chosen
from rulekit.tools.series import Played
from rulekit.tools.tally import Range, Sums, Tally, share

_MOST = 10**9
_MOMENT = 0.2
"""Seconds that one piece of work should take: short enough to stop at once, long enough to be worth its call."""
_AHEAD = 2
"""Pieces of work that wait for each worker, so that none is idle."""
_LONGEST_SEED = 200


@click.command(name="simulate")
@click.argument("file")
@click.option("--games", type=click.IntRange(1, _MOST), default=1000, show_default=True, help="How many matches.")
@click.option("--players", type=click.IntRange(min=1), help="How many play; else the fewest.")
@click.option("--seed", help="Any text; the same seed gives the same matches. Match 17 is `run --seed TEXT#17`.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes at work.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Choose an option or a reading.")
@click.option("--ruleset", help="Choose a named set of options.")
@click.option("--engine", type=click.Choice(series.ENGINES), default="auto", show_default=True, help="What plays.")
@click.option("--out", metavar="DIR", help="Write games.csv and summary.json into this new folder.")
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON object.")
def command(
    file: str,
    games: int,
    players: int | None,
    seed: str | None,
    jobs: int,
    options: tuple[str, ...],
    ruleset: str | None,
    engine: str,
    out: str | None,
    as_json: bool,
) -> int:
    """Play many matches of the game in FILE between bots that answer by chance, and report.

    Ctrl-C reports what is done so far.  Every match can be looked at:
    `rulekit run FILE --players N --seed SEED#NUMBER`.
    """
    game = load(file)
    seats = game.least if players is None else players
    called = _seed(seed)
    work = Work(file, chosen(game, ruleset, options), seats, called, engine)
    folder = None if out is None else _new_folder(out)
    report = _Report(work, _series(work))
    with _Table(folder, report.series) as table:
        _simulate(report, games, jobs, table)
    if folder is not None:
        (folder / "summary.json").write_text(json.dumps(report.plain(), indent=2) + "\n", encoding="utf-8")
    print(json.dumps(report.plain()) if as_json else report.text())
    return DONE if not report.tally.unfinished else FOUND


def _seed(seed: str | None) -> str:
    if seed is not None and (len(seed) > _LONGEST_SEED or any("\ud800" <= c <= "\udfff" for c in seed)):
        raise click.UsageError(f"--seed: a text of at most {_LONGEST_SEED} characters in UTF-8")
    return secrets.token_hex(6) if seed is None else seed


# ---------------------------------------------------------------- playing


@frozen
class Work:
    """All that a worker must know to play any match of the series."""

    file: str
    options: dict[str, Value]
    seats: int
    seed: str
    engine: str

    def series(self) -> series.Series:
        return series.series(load(self.file), self.options, self.seats, self.seed, self.engine)


def _series(work: Work) -> series.Series:
    try:
        made = work.series()
    except BadSetup as fault:
        raise Failed(f"error: {fault}") from None
    except Unsupported as fault:
        raise Failed(f"error: the engine `{work.engine}` cannot play this game: {fault}; use --engine auto") from None
    except wasm.Missing as fault:
        raise Failed(f"error: {fault}") from None
    if made.why:
        print(f"played by {made.engine}: {made.why}", file=sys.stderr)
    return made


def _simulate(report: _Report, games: int, jobs: int, table: _Table) -> None:
    """Play until all is done or Ctrl-C comes; what is kept is a whole beginning of the series."""
    progress = _Progress(games)
    pieces = _alone(report.series, games) if jobs == 1 else _together(report.work, games, jobs)
    try:
        for matches in pieces:
            report.tally.add(matches)
            table.write(matches)
            progress.show(report.tally.games)
    except KeyboardInterrupt:
        report.stopped = True
    finally:
        progress.clear()
        pieces.close()


def _alone(one: series.Series, games: int) -> Generator[list[Played], None, None]:
    """Pieces of a series in order, each about a moment long."""
    first, count = 0, 1
    while first < games:
        begun = time.perf_counter()
        count = min(count, games - first)
        yield one.played(first, count)
        first += count
        count = _next_count(count, time.perf_counter() - begun)


def _next_count(count: int, took: float) -> int:
    """A piece of about a moment, at most four times the last."""
    return max(1, min(4 * count, int(count * _MOMENT / max(took, 1e-9)), 1_000_000))


def _together(work: Work, games: int, jobs: int) -> Generator[list[Played], None, None]:
    """The same pieces, by several processes; given on in order."""
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (work,)) as pool:
        waiting: list[Future[tuple[list[Played], float]]] = []
        first, count = 0, 1
        try:
            while first < games or waiting:
                while first < games and len(waiting) < _AHEAD * jobs:
                    size = min(count, games - first)
                    waiting.append(pool.submit(_piece, first, size))
                    first += size
                matches, took = waiting.pop(0).result()
                count = max(count, _next_count(len(matches), took))
                yield matches
        finally:
            for future in waiting:
                future.cancel()


_mine: list[series.Series] = []
"""The series of this worker process."""


def _begin(work: Work) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _mine.append(work.series())


def _piece(first: int, count: int) -> tuple[list[Played], float]:
    begun = time.perf_counter()
    return _mine[0].played(first, count), time.perf_counter() - begun


@define
class _Progress:
    """How far, how fast, how long still; on a terminal only."""

    games: int
    begun: float = field(factory=time.perf_counter)
    shown: float = 0.0

    def show(self, done: int) -> None:
        now = time.perf_counter()
        if not sys.stderr.isatty() or now - self.shown < _MOMENT:
            return
        self.shown = now
        rate = done / max(now - self.begun, 1e-9)
        left = (self.games - done) / max(rate, 1e-9)
        sys.stderr.write(f"\r\x1b[K{done:,} of {self.games:,} matches, {rate:,.0f} a second, {left:,.0f} s left")
        sys.stderr.flush()

    def clear(self) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


# ---------------------------------------------------------------- files


def _new_folder(out: str) -> Path:
    folder = Path(out)
    try:
        folder.mkdir()
    except FileExistsError:
        raise Failed(f"error: {out} exists already; nothing in it was changed") from None
    except OSError as fault:
        raise Failed(f"error: {out}: {os.strerror(fault.errno or 0)}") from None
    return folder


class _Table:
    """games.csv: a row for each match, written as matches are done."""

    def __init__(self, folder: Path | None, one: series.Series) -> None:
        self._file = None if folder is None else (folder / "games.csv").open("w", encoding="utf-8", newline="")
        self._writer = None if self._file is None else csv.writer(self._file)
        self._row(["game", "status", "decisions", *_columns(one)])

    def __enter__(self) -> _Table:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.close()

    def _row(self, row: list[Any]) -> None:
        if self._writer is None or self._file is None:
            return
        try:
            self._writer.writerow(row)
        except OSError as fault:
            raise Failed(
                f"error: {self._file.name}: {os.strerror(fault.errno or 0)}; what was played is lost"
            ) from None

    def write(self, matches: list[Played]) -> None:
        for one in matches if self._writer is not None else ():
            places = ["" if place is None else place for place in one.places]
            figures = ["" if value is None else value for value in one.figures]
            self._row([one.index, _status(one.status), one.decisions, *places, *figures])


def _columns(one: series.Series) -> list[str]:
    places = [f"place of {seat}" for seat in one.seats]
    return places + [_called(figure, one.seats) for figure in one.figures]


def _called(figure: series.Figure, seats: tuple[str, ...]) -> str:
    return figure.name if figure.seat is None else f"{seats[figure.seat]}.{figure.name}"


def _status(status: int) -> str:
    if status >= Status.FAULT:
        return "a rule failed"
    return {Status.DONE: "done", Status.ENDLESS: "no end"}.get(Status(status), "a rule failed")


# ---------------------------------------------------------------- the report


@define
class _Report:
    work: Work
    series: series.Series
    tally: Tally = field(init=False)
    stopped: bool = False

    def __attrs_post_init__(self) -> None:
        self.tally = Tally(self.series.seats, self.series.figures)

    def text(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        tally = self.tally
        stopped = " (stopped)" if self.stopped else ""
        work = self.work
        yield f"{tally.games:,} matches{stopped}, {work.seats} seats, seed {work.seed}, engine {self.series.engine}"
        yield from self._unfinished()
        if not tally.finished:
            return
        yield f"decisions   {_mean(tally.decisions)}"
        yield f"ties        {_percent(share(tally.ties, tally.finished))}"
        if tally.nobody:
            yield f"nobody won  {_percent(share(tally.nobody, tally.finished))}"
        yield ""
        width = max(len(seat) for seat in self.series.seats)
        for seat, name in enumerate(self.series.seats):
            yield f"{name:{width}}  wins {_percent(tally.wins(seat))}  {self._places(seat)}"
        yield ""
        names = [_called(figure, self.series.seats) for figure in self.series.figures]
        width = max((len(name) for name in names), default=0)
        for name, sums in zip(names, tally.ends, strict=True):
            yield f"{name:{width}}  {_mean(sums)}"

    def _unfinished(self) -> Iterator[str]:
        for index, status in sorted(self.tally.unfinished)[:5]:
            yield f"match {index}: {_status(status)}; see it with {self._again(index)}"
        more = len(self.tally.unfinished) - 5
        if more > 0:
            yield f"and {more:,} more that did not end"

    def _again(self, index: int) -> str:
        options = "".join(f" --option {name}={value}" for name, value in self.work.options.items())
        return f"rulekit run {self.work.file} --players {self.work.seats}{options} --seed {self.work.seed}#{index}"

    def _places(self, seat: int) -> str:
        places = self.tally.places[seat]
        told = [f"{place}: {count:,}" for place, count in sorted((k, v) for k, v in places.items() if k is not None)]
        return "places " + ", ".join(told + ([f"defeated: {places[None]:,}"] if None in places else []))

    def plain(self) -> dict[str, Any]:
        """The report as plain values; every sum exact."""
        tally = self.tally
        return {
            "file": self.work.file,
            "seed": self.work.seed,
            "engine": self.series.engine,
            "stopped": self.stopped,
            "games": tally.games,
            "unfinished": [{"game": index, "why": _status(status)} for index, status in sorted(tally.unfinished)],
            "ties": tally.ties,
            "nobody": tally.nobody,
            "decisions": _plain(tally.decisions),
            "seats": [self._seat(seat, name) for seat, name in enumerate(self.series.seats)],
            "figures": {
                _called(figure, self.series.seats): _plain(sums)
                for figure, sums in zip(self.series.figures, tally.ends, strict=True)
            },
        }

    def _seat(self, seat: int, name: str) -> dict[str, Any]:
        wins = self.tally.wins(seat)
        places = {"defeated" if place is None else str(place): n for place, n in self.tally.places[seat].items()}
        return {
            "name": name,
            "won": self.tally.won[seat],
            "shared": self.tally.shared[seat],
            "wins": [wins.low, wins.value, wins.high] if self.tally.finished else None,
            "places": dict(sorted(places.items())),
        }


def _percent(part: Range) -> str:
    return f"{100 * part.value:5.1f}% ({100 * part.low:.1f} to {100 * part.high:.1f})"


def _mean(sums: Sums) -> str:
    if not sums.count:
        return "never known"
    mean = sums.mean()
    half = (mean.high - mean.low) / 2
    return f"mean {mean.value:.2f} ± {half:.2f}, deviation {sums.deviation():.2f}, {sums.least} to {sums.most}"


def _plain(sums: Sums) -> dict[str, Any]:
    return {"count": sums.count, "sum": sums.total, "squares": sums.squares, "least": sums.least, "most": sums.most}
