"""`rulekit simulate`: what happens over thousands of matches between bots."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
from attrs import define, field

from rulekit.apps.console import DONE, FOUND, Failed
from rulekit.apps.out_folder import Table, new_folder, reason, write_json, write_table
from rulekit.apps.pieces import Piece, Pieces, Progress, Work, opened, pieces
from rulekit.apps.series_command import MOST, of_series, wanted
from rulekit.fast.plan import Status
from rulekit.loading import load
from rulekit.model.game import Game
from rulekit.tools import series, summary
from rulekit.tools.choices import chosen
from rulekit.tools.interpreted import Interpreted
from rulekit.tools.report_page import page
from rulekit.tools.summary import Told
from rulekit.tools.tally import Tally
from rulekit.tools.unended import Unended, unended

LOGS = 3
"""Of so many matches without an end there are logs."""


@click.command(name="simulate")
@click.argument("file")
@click.option("--games", type=click.IntRange(1, MOST), default=1000, show_default=True, help="How many matches.")
@of_series
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Choose an option or a reading.")
@click.option("--ruleset", help="Choose a named set of options.")
@click.option("--out", metavar="DIR", help="Write tables, summary.json and report.html into this new folder.")
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON object.")
def command(
    file: str,
    games: int,
    options: tuple[str, ...],
    ruleset: str | None,
    out: str | None,
    as_json: bool,
    **how: Any,
) -> int:
    """Play many matches of the game in FILE between bots, and report.

    \b
    rulekit simulate games/NAME.rules --games 100000 --players 4
    rulekit simulate my.rules --bots mcts:200,random --games 200
    rulekit simulate my.rules --games 20000 --out results

    Ctrl-C reports what is done so far.  Every match can be looked at:
    `rulekit run FILE --players N --seed SEED#NUMBER`.  With several bots each
    sits one seat further on in every match.
    """
    game = load(file)
    work, workers = wanted(game, file, chosen(game, ruleset, options), how)
    folder = None if out is None else new_folder(out)
    run = Run(game, work, opened(work, game), folder)
    run.play(pieces(work, run.series, games, workers, run.words), games)
    told = run.told()
    print(json.dumps(summary.plain(told)) if as_json else "\n".join(summary.lines(told)))
    run.finish(told)
    return DONE if not run.tally.unfinished else FOUND


@define(eq=False)
class Run:
    """One series being played, and its folder.

    fault:  what the disk did not take; the rest is told all the same.
    """

    game: Game
    work: Work
    series: series.Series
    folder: Path | None
    tally: Tally = field(init=False)
    words: tuple[int, ...] = field(init=False)
    stopped: bool = False
    fault: OSError | None = None
    _table: Table | None = None

    def __attrs_post_init__(self) -> None:
        self.tally = Tally(self.series.counters)
        single = self.folder is not None or self.work.bots
        self.words = series.played_words(self.series) if single else ()

    def play(self, made: Pieces, games: int) -> None:
        """Until all is done, Ctrl-C comes or the disk is full; what is kept is a whole beginning of the series."""
        progress = Progress(games)
        try:
            self._open()
            for piece in made:
                self._keep(piece)
                progress.show(self.tally.games)
        except KeyboardInterrupt:
            self.stopped = True
        except OSError as fault:
            if self._table is None and self.folder is None:
                raise
            self.stopped, self.fault = True, fault
        finally:
            progress.clear()
            made.close()

    def _open(self) -> None:
        if self.folder is not None:
            self._table = Table(self.folder / "games.csv")
            self._table.add([summary.game_heading(self.series)])

    def _keep(self, piece: Piece) -> None:
        rows = enumerate(piece.rows, piece.first) if self.words else ()
        matches = [series.told(self.series, index, row) for index, row in rows]
        if self._table is not None:
            self._table.add(
                (one.index, summary.status(one.status), one.decisions, *one.places, *one.figures) for one in matches
            )
        for one in matches:
            if one.status == Status.DONE:
                self.tally.seated(self.work.bots, one.index, one.winners)
        self.tally.add(piece.first, piece.rows, piece.sums)

    def told(self) -> Told:
        work = self.work
        return Told(
            self.game, work.file, work.options, work.seed, self.series, self.tally, work.bots, stopped=self.stopped
        )

    def finish(self, told: Told) -> None:
        """Write what stands at the end; a disk that is full is said last, when all is told."""
        if self.folder is None:
            return
        try:
            if self._table is not None:
                self._table.close()
            if self.fault is None:
                _write(self.folder, told)
        except OSError as fault:
            self.fault = fault
        if self.fault is not None:
            raise Failed(
                f"error: {self.fault.filename or self.folder}: {reason(self.fault)}; "
                f"the report above holds all {self.tally.games:,} matches that were written"
            )
        print(f"written: {self.folder}", file=sys.stderr)


def _write(folder: Path, told: Told) -> None:
    ended_not = _unended(told)
    for one in ended_not:
        (folder / f"match-{one.index}.log").write_bytes(one.log)
    (folder / "report.html").write_text(page(told, ended_not), encoding="utf-8")
    write_table(folder / "decisions.csv", summary.DECISIONS, summary.decision_rows(told))
    write_table(folder / "came.csv", summary.CAME, summary.came_rows(told))
    write_json(folder / "summary.json", summary.plain(told))


def _unended(told: Told) -> list[Unended]:
    """The first matches that did not end, played again one by one."""
    found = sorted(told.tally.unfinished)[:LOGS]
    if not found:
        return []
    again = Interpreted(told.game, told.options, told.players, told.seed, "", told.bots)
    return [unended(again, index, told.file) for index, _ in found]
