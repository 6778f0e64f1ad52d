"""The full run of `rulekit simulate`: rules are read, matches played in batches, reports and tables written."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulekit import library
from rulekit.apps.console import DONE, FOUND, Failed
from rulekit.apps.language import spoken
from rulekit.apps.progress import Progress, deferred_interrupt, waiting
from rulekit.apps.series import disk_cache
from rulekit.apps.series.batches import Batch, Batches, Work, batches, make_series_or_fail
from rulekit.apps.series.output_folder import CsvTable, error_text, new_folder, parquet_writer, write_json, write_table
from rulekit.apps.series.series_options import SimulateOptions, work_of
from rulekit.compiler.plan.ir import Status
from rulekit.loading import load_with_sources
from rulekit.model.game import Game
from rulekit.play.state.value import notation
from rulekit.tools.estimation import summary
from rulekit.tools.estimation.aggregates import Tally
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.estimation.summary import SeriesReport
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.series import simulation
from rulekit.tools.series.option_values import chosen
from rulekit.values import define, field

if TYPE_CHECKING:
    from rulekit.tools.series.unfinished_matches import UnfinishedMatch

_PICTURE = 560
"""Pixels: how wide the picture of a report is drawn."""
LOGS = 3
"""The most matches without an end of which a log is written."""


def simulate(file: str, games: int, written: SimulateOptions, how: dict[str, Any]) -> int:
    """Read the game, play, report, write what is to be written; the exit code."""
    with waiting("reading the rules"):
        game, sources = load_with_sources(file, examples=False)
    # As where a module was kept: what is printed in English needs no forms of a game's names.
    is_plain = written.lang == SOURCE.language and written.out is None
    tongue = SOURCE if is_plain else spoken(written.lang, game)
    work, workers = work_of(game, file, chosen(game, written.ruleset, written.options), how)
    columns = parquet_writer() if written.parquet else None
    folder = None if written.out is None else new_folder(written.out)
    one = make_series_or_fail(work, game)
    _kept(one, work, written, how, list(sources))
    run = Run(game, work, one, folder, columns, tongue)
    run.play(batches(work, one, games, workers, run.words), games)
    told = run.told()
    print(json.dumps(summary.plain(told)) if written.as_json else "\n".join(summary.lines(told, tongue)))
    run.finish(told)
    return DONE if not run.tally.unfinished else FOUND


def _kept(
    one: simulation.Series, work: Work, written: SimulateOptions, how: dict[str, Any], sources: list[str]
) -> None:
    """Put the module where the next run finds it."""
    if not isinstance(one, simulation.Compiled):
        return
    options = {name: notation(value) for name, value in work.options.items()}
    asked = disk_cache.CacheKey(work.file, how["players"], written.options, written.ruleset, one.reserved)
    beside = {str(Path(known).parent / Path(name).name) for known in sources for name in sources}
    kept = disk_cache.CacheEntry(one.module(), work.seats, options)
    disk_cache.store(asked, kept, sources, sorted(beside - {str(Path(name)) for name in sources}))


@define(eq=False)
class Run:
    """One series being played, and its folder.

    columns: writes a table again as Parquet.
    fault:   what the disk did not take; the rest is told all the same.
    """

    game: Game
    work: Work
    series: simulation.Series
    folder: Path | None
    columns: Callable[[Path], None] | None = None
    tongue: Tongue = SOURCE
    tally: Tally = field(init=False)
    words: tuple[int, ...] = field(init=False)
    stopped: bool = False
    fault: OSError | None = None
    _table: CsvTable | None = None

    def __attrs_post_init__(self) -> None:
        self.tally = Tally(self.series.counters.sheet)
        self.words = simulation.all_result_words(self.series) if self._reads_matches else self.tally.sheet.row_words

    @property
    def _reads_matches(self) -> bool:
        """Whether single matches are written down or their winners counted by bot."""
        return self.folder is not None or bool(self.work.bots)

    def play(self, made: Batches, games: int) -> None:
        """Until all is done, Ctrl-C comes or the disk is full; what is kept is a whole beginning of the series."""
        try:
            with closing(made), Progress(games) as progress:
                self._open()
                for batch in made:
                    with deferred_interrupt():
                        self._keep(batch)
                    progress.show_matches(self.tally.games)
            self.stopped = progress.stopped
        except OSError as fault:
            if self.folder is None:
                raise
            self.stopped, self.fault = True, fault

    def _open(self) -> None:
        if self.folder is not None:
            self._table = CsvTable(self.folder / "games.csv")
            self._table.add([summary.game_heading(self.series.counters.sheet)])

    def _keep(self, batch: Batch) -> None:
        rows = enumerate(batch.rows, batch.first) if self._reads_matches else ()
        matches = [simulation.decoded(self.series, index, row) for index, row in rows]
        if self._table is not None:
            self._table.add(
                (one.index, summary.status(one.status), one.decisions, *one.places, *one.figures) for one in matches
            )
        for one in matches:
            if one.status == Status.DONE:
                self.tally.count_bot_wins(self.work.bots, one.index, one.winners)
        self.tally.add(batch.first, batch.rows, batch.sums, self.words)

    def told(self) -> SeriesReport:
        work = self.work
        options = {name: notation(value) for name, value in work.options.items()}
        unfinished, games = self.tally.unfinished, self.tally.games
        # Whoever stops a series does not wait until failed matches are played again.
        failures = (
            Failures(games, len(unfinished)) if self.stopped else work.find_failures(self.game, unfinished, games)
        )
        engine, search = self.series.engine, self._search_engine()
        return SeriesReport(
            work.file, options, work.seed, engine, self.tally, work.bots, self.stopped, failures, search
        )

    def _search_engine(self) -> str:
        """The engine in which bots search, "" if none does."""
        from rulekit.bots.players import registry

        if not any(map(registry.is_searching, self.work.bots)):
            return ""
        from rulekit.bots.players.compiled_search import search_engine

        return search_engine(self.game, self.work.options, self.series.seats[: self.work.seats])

    def finish(self, told: SeriesReport) -> None:
        """Write what stands at the end; a disk that is full is said last, when all is told."""
        if self.folder is None:
            return
        try:
            if self._table is not None:
                self._table.close()
            if self.fault is None:
                self._write(self.folder, told)
        except OSError as fault:
            self.fault = fault
        if self.fault is not None:
            raise Failed(
                f"error: {self.fault.filename or self.folder}: {error_text(self.fault)}; "
                f"the report above holds all {self.tally.games:,} matches that were written"
            )
        print(f"written: {self.folder}", file=sys.stderr)

    def _write(self, folder: Path, told: SeriesReport) -> None:
        from rulekit.tools.report.pages import series_page

        ended_not = self._unended()
        for one in ended_not:
            library.write_whole(folder / f"match-{one.index}.log", one.log)
        page = series_page(told, ended_not, self.tongue, self._beginning())
        library.write_whole(folder / "report.html", page)
        write_table(folder / "decisions.csv", summary.DECISIONS, summary.decision_rows(told))
        write_table(folder / "came.csv", summary.OCCURRENCES, summary.occurrence_rows(told))
        write_json(folder / "summary.json", summary.plain(told))
        if self.columns is not None:
            for table in sorted(folder.glob("*.csv")):
                self.columns(table)

    def _beginning(self) -> str:
        """Drawn as the first match begins; "" where it cannot."""
        from rulekit.play.engine import start
        from rulekit.play.state.errors import RuleError
        from rulekit.tools.drawing.drawing import drawing

        try:
            state = start(self.game, self.work.options, self.work.seats, f"{self.work.seed}#0").state
        except RuleError:
            return ""
        return drawing(state, width=_PICTURE, tongue=self.tongue).on_white

    def _unended(self) -> list[UnfinishedMatch]:
        """The first matches that did not end, played again one by one."""
        found, work = sorted(self.tally.unfinished)[:LOGS], self.work
        if not found:
            return []
        from rulekit.tools.series.reference_series import Interpreted
        from rulekit.tools.series.unfinished_matches import diagnosed

        again = Interpreted(self.game, work.options, work.seats, work.seed, "", work.bots)
        return [diagnosed(again, index, work.file) for index, _ in found]
