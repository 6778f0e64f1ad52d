"""`rulekit sweep`: a parameter sweep (grid search): the figures of a game for every combination of option values."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND, Failed
from rulekit.apps.language import spoken
from rulekit.apps.progress import Progress
from rulekit.apps.series.batches import Work, Workers, batches, make_series
from rulekit.apps.series.output_folder import error_text, new_folder, write_json, write_table
from rulekit.apps.series.series_options import MOST, machine_options, series_options, work_of
from rulekit.loading import load
from rulekit.model.game import Game
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.value import Value, notation
from rulekit.tools.estimation import estimate_text as words
from rulekit.tools.estimation import metrics
from rulekit.tools.estimation.aggregates import Tally
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.estimation.metrics import Figure
from rulekit.tools.language.translation import Tongue
from rulekit.tools.series.parameter_grid import assignment_text, combinations, parsed_grid
from rulekit.values import evolve, frozen


@frozen
class Point:
    """A combination of options and what it came to.

    why:      it cannot be played.
    failures: matches that failed and count in no figure.
    """

    options: dict[str, Value]
    figures: dict[str, Figure]
    why: str = ""
    failures: Failures = Failures()

    def failure_lines(self, tongue: Tongue) -> Iterator[str]:
        """Lines about its failed matches, each with the combination."""
        return (f"{assignment_text(self.options)}: {line.strip()}" for line in self.failures.lines(tongue))


@click.command(name="sweep")
@o.takes(o.FILE, o.axis("Values of an option."))
@click.option("--figure", "shown", multiple=True, help="Show this figure; else wins, rounds, decisions and ties.")
@o.games("How many matches of each.", MOST)
@series_options
@o.takes(o.folder("sweep.csv, sweep.json and report.html"), o.as_json("All figures as one JSON object."), o.LANG)
@machine_options
def command(
    file: str,
    options: tuple[str, ...],
    shown: tuple[str, ...],
    games: int,
    out: str | None,
    as_json: bool,
    lang: str,
    **how: Any,
) -> int:
    """Play the game in FILE with every combination of option values, and tell how its figures change.

    \b
    rulekit sweep my.rules --option rows=3..8
    rulekit sweep my.rules --option rows=3,5,8 --option double=all --figure "first seat wins"
    rulekit sweep games/NAME.rules --option wake_at=all --out results

    Every combination has the same seeds.  Values are `LOW..HIGH`, a list with
    commas (of sets with `;`), or `all`.
    """
    game = load(file, examples=False)
    tongue = spoken(lang, game)
    every = combinations(parsed_grid(game, options))
    work, workers = work_of(game, file, every[0], how)
    names = _names(game, work, shown, tongue)
    folder = None if out is None else new_folder(out)
    points = _points(game, work, workers, every, games, tongue)
    made = _plain(work, points, games)
    print(json.dumps(made) if as_json else "\n".join(_lines(points, names, tongue)))
    if folder is not None:
        from rulekit.tools.report.pages import sweep_page

        title, subtitle = tongue.text("title", game.title), _subtitle(work, games, tongue)
        rows = [(_written(point), point.figures) for point in points if point.figures]
        failed = [line for point in points for line in point.failure_lines(tongue)]
        page = sweep_page(title, subtitle, rows, names, tongue, failed)
        _write(folder, tuple(every[0]), points, made, page)
    return FOUND if any(point.failures for point in points) else DONE


def _write(folder: Path, options: tuple[str, ...], points: list[Point], made: dict[str, Any], page: str) -> None:
    try:
        heading = (*options, "figure", "value", "from", "to")
        write_table(folder / "sweep.csv", heading, [row for point in points for row in _rows(point)])
        write_json(folder / "sweep.json", made)
        library.write_whole(folder / "report.html", page)
    except OSError as fault:
        raise Failed(f"error: {fault.filename or folder}: {error_text(fault)}") from None
    print(f"written: {folder}", file=sys.stderr)


def _subtitle(work: Work, games: int, tongue: Tongue) -> str:
    matches, players = tongue.counted("some-matches", games), tongue.count("some-players", work.seats)
    return tongue.say("sweep-of", matches=matches, players=players, seed=work.seed)


def _names(game: Game, work: Work, shown: tuple[str, ...], tongue: Tongue) -> dict[str, str]:
    """The figures to show, and how they are called."""
    one = make_series(work, game)
    known = metrics.figures(Tally(one.counters.sheet), one.seats)
    try:
        found = [metrics.named(name, list(known), one.seats) for name in shown]
    except metrics.BadTarget as fault:
        raise click.UsageError(f"--figure: {fault}") from None
    usual = [name for name, figure in known.items() if figure.percent and name != "failed"]
    names = found or [*usual, *(name for name in ("rounds", "decisions", "lead changes") if name in known)]
    return {name: words.display_name(name, one.seats, tongue) for name in names}


def _points(
    game: Game, work: Work, workers: Workers, every: list[dict[str, Value]], games: int, tongue: Tongue
) -> list[Point]:
    """One after the other; Ctrl-C leaves those that are whole."""
    points = list[Point]()
    with Progress(games * len(every)) as progress:
        for number, options in enumerate(every):
            try:
                found = played(game, evolve(work, options=options), workers, games, progress, games * number)
                points.append(Point(options, found[0], failures=found[1]))
            except BadSetup as fault:
                points.append(Point(options, {}, str(fault)))
    if progress.stopped:
        print(tongue.say("sweep-stopped", done=len(points), all=len(every)), file=sys.stderr)
    return points


def played(
    game: Game, work: Work, workers: Workers, games: int, progress: Progress, before: int = 0
) -> tuple[dict[str, Figure], Failures]:
    """The figures of one series, and its failed matches.  Errors: `BadSetup` for options that do not go together."""
    one = make_series(work, game)
    tally = Tally(one.counters.sheet)
    with closing(batches(work, one, games, workers)) as made:
        for batch in made:
            tally.add(batch.first, batch.rows, batch.sums)
            progress.show_matches(before + tally.games, f"  {assignment_text(work.options)}")
    return metrics.figures(tally, one.seats), work.find_failures(game, tally.unfinished, tally.games)


def _lines(points: list[Point], names: dict[str, str], tongue: Tongue) -> list[str]:
    rows = [[assignment_text(point.options), *(_cell(point, name, tongue) for name in names)] for point in points]
    heading = ["", *names.values()]
    widths = [max(len(row[place]) for row in [heading, *rows]) for place in range(len(heading))]
    made = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in [heading, *rows]]
    told = [line.rstrip() for line in made] + [f"{assignment_text(p.options)}: {p.why}" for p in points if p.why]
    return [*told, *(line for point in points for line in point.failure_lines(tongue))]


def _written(point: Point) -> dict[str, str]:
    return {name: notation(value) for name, value in point.options.items()}


def _cell(point: Point, name: str, tongue: Tongue) -> str:
    return point.figures[name].told(tongue) if name in point.figures else "-"


def _rows(point: Point) -> list[tuple[Any, ...]]:
    values = [notation(value) for value in point.options.values()]
    return [
        (*values, name, *(round(x, 6) for x in (of.range.value, of.range.low, of.range.high)))
        for name, of in point.figures.items()
        if of.range.known
    ]


def _plain(work: Work, points: list[Point], games: int) -> dict[str, Any]:
    return {
        "file": work.file,
        "seed": work.seed,
        "players": work.seats,
        "games": games,
        "points": [
            {
                "options": _written(point),
                "why": point.why,
                "failures": point.failures.data(),
                "figures": {
                    name: [of.range.low, of.range.value, of.range.high]
                    for name, of in point.figures.items()
                    if of.range.known
                },
            }
            for point in points
        ],
    }
