"""`simulate` and `sweep` from Python: what many matches came to, as figures with intervals and as rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rulekit.bots.players import registry
from rulekit.bots.players.compiled_search import search_engine
from rulekit.compiler.plan.ir import Status
from rulekit.diagnostics import nearest
from rulekit.model.game import Game
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.value import Value, notation, value_of
from rulekit.table import Table
from rulekit.tools.estimation import metrics, summary
from rulekit.tools.estimation.aggregates import Tally
from rulekit.tools.estimation.confidence_intervals import Estimate
from rulekit.tools.estimation.summary import SeriesReport
from rulekit.tools.series import parameter_grid, simulation
from rulekit.tools.series.parameter_grid import Axis
from rulekit.tools.series.simulation import Series
from rulekit.tools.studies.batches import batches, check_jobs
from rulekit.tools.studies.playing import (
    FAILURES,
    Bots,
    Progress,
    Rules,
    agreed,
    every_option,
    failure_rows,
    find_failures,
    game_of,
    made_series,
    notice_html,
    seated_bots,
)
from rulekit.values import field, frozen

FIGURES = ("figure", "value", "from", "to", "share")


@frozen(eq=False)
class Simulation:
    """What a series came to.  `print` tells it as the command does; a notebook shows the figures.

    figures:      a row for each figure with its 95 % interval; `share` says whether it is a part of all matches.
    matches:      a row for each match: how it ended, the places of the seats (None for who was defeated), the figures.
    decisions:    a row for each question that was asked: how often, and with how many options.
    occurrences:  a row for each answer, space and rule that came up, with what goes with winning.
    games:        how many matches were played; stopped: whether it was stopped before all were.
    failed:       how many matches failed: they count in no figure, so that figures are incomplete.
    failures:     a row for each line at which matches failed.
    """

    report: SeriesReport = field(repr=False)
    figures: Table = field(repr=False)
    matches: Table = field(repr=False)

    @property
    def games(self) -> int:
        return self.report.tally.games

    @property
    def stopped(self) -> bool:
        return self.report.stopped

    @property
    def failed(self) -> int:
        return len(self.report.tally.unfinished)

    @property
    def failures(self) -> Table:
        return Table(FAILURES, failure_rows(summary.failures_of(self.report)))

    @property
    def decisions(self) -> Table:
        return Table(summary.DECISIONS, summary.decision_rows(self.report))

    @property
    def occurrences(self) -> Table:
        return Table(summary.OCCURRENCES, summary.occurrence_rows(self.report))

    def __getitem__(self, figure: str) -> Estimate:
        """A figure with its interval: `study["red wins"].value`; `KeyError` with the nearest name."""
        figures = metrics.figures(self.report.tally, self.report.sheet.seats)
        if figure in figures:
            return figures[figure].range
        known = list(figures)
        raise KeyError(
            f"there is no figure `{figure}`; {nearest(str(figure), known) or 'there are ' + ', '.join(known)}"
        )

    def data(self) -> dict[str, Any]:
        """All of it as plain values, as `rulekit simulate --json` has it; every sum exact."""
        return summary.plain(self.report)

    def __str__(self) -> str:
        return "\n".join(summary.lines(self.report))

    def _repr_html_(self) -> str:
        return notice_html(summary.failures_of(self.report)) + self.figures._repr_html_()


def simulate(
    rules: Rules,
    games: int = 1000,
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    bots: Bots = (),
    seed: str | int = "0",
    checked: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Simulation:
    """Play many matches between bots.

    rules:     a game, or the path of its rules file.
    players:   how many; the smallest number if None.
    bots:      who plays, such as `mcts:200`: one for all seats, or one for each; none: everybody by chance.
               Bots of your own too: a class that is given a `Chair`, or a bot, of which each match gets a copy.
    seed:      match i is the one with seed `SEED#i`, as for the command.
    checked:   test the invariants in every match, not in every hundredth.
    jobs:      how many batches of matches are played at once; the result is the same for any number.
    progress:  told after each batch how many matches are done and how many were asked for; False stops.
    Errors:    `RulesError`, `BadSetup`.
    """
    game = game_of(rules)
    one = made_series(game, options, players, bots, seed, checked=checked)
    names = seated_bots(bots, one.counters.sheet.players)
    tally, words = Tally(one.counters.sheet), simulation.all_result_words(one)
    rows: list[tuple[Any, ...]] = []
    for batch in batches(one, games, words, progress, jobs):
        for index, row in enumerate(batch.rows, batch.first):
            match = simulation.decoded(one, index, row)
            rows.append((index, summary.status(match.status), match.decisions, *match.places, *match.figures))
            if match.status == Status.DONE:
                tally.count_bot_wins(names, index, match.winners)
        tally.add(batch.first, batch.rows, batch.sums, words)
    told = {name: notation(value) for name, value in every_option(one).items()}
    file = game.sources[0][0] if game.sources else ""
    failures = find_failures(game, options, one, seed, names, tally.unfinished, tally.games, checked=checked)
    search = ""
    if any(map(registry.is_searching, names)):
        search = search_engine(game, agreed(game, options or {}), one.seats[: one.counters.sheet.players])
    report = SeriesReport(file, told, str(seed), one.engine, tally, names, tally.games < games, failures, search)
    return Simulation(report, _figures(tally, one), Table(summary.game_heading(one.counters.sheet), rows))


def _figures(tally: Tally, one: Series) -> Table:
    found = metrics.figures(tally, one.seats)
    return Table(FIGURES, [(name, *_estimate(each.range), each.percent) for name, each in found.items()])


def _estimate(of: Estimate) -> tuple[float | None, float | None, float | None]:
    return (of.value, of.low, of.high) if of.known else (None, None, None)


# ---------------------------------------------------------------- sweeps


def sweep(
    rules: Rules,
    options: Mapping[str, Iterable[Any]],
    games: int = 1000,
    *,
    players: int | None = None,
    bots: Bots = (),
    seed: str | int = "0",
    jobs: int = 1,
    progress: Progress | None = None,
) -> Table:
    """Play the game with every combination of option values: a row for each combination and figure.

    options:   by name the values that one takes: `{"rows": range(3, 9), "double": [False, True]}`.
    jobs:      how many batches of matches are played at once.
    progress:  told of the matches of all combinations together.
    A combination that cannot be played has one row without a figure, and says in `why` what is wrong with it.
    Matches that failed count in no figure but `failed`; then `why` says how many they are, and the line.
    Errors:    `RulesError`; `BadSetup` for options that the game has not, for values they cannot have, or too many.
    """
    check_jobs(jobs)
    game = game_of(rules)
    every = parameter_grid.combinations(tuple(_axis(game, name, values) for name, values in options.items()))
    rows: list[tuple[Any, ...]] = []
    for number, point in enumerate(every):
        found, goes_on = _point(game, point, games, (players, bots, seed), jobs, _later(progress, number, len(every)))
        rows += [(*map(_plain, point.values()), *row) for row in found]
        if not goes_on:
            break
    return Table((*options, *FIGURES, "why"), rows)


def _axis(game: Game, name: str, values: Iterable[Any]) -> Axis:
    if isinstance(values, str | bytes):
        raise BadSetup(f"`{name}` takes several values in a sweep: give a list of them")
    return Axis(name, tuple(value_of(value) for value in values))


def _plain(value: Value) -> Any:
    return value if isinstance(value, int | str) else notation(value)


def _point(
    game: Game,
    options: Mapping[str, Value],
    games: int,
    how: tuple[int | None, str | Sequence[str], str | int],
    jobs: int,
    progress: Progress | None,
) -> tuple[list[tuple[Any, ...]], bool]:
    """The rows of one combination, and whether it was played whole."""
    try:
        one = made_series(game, options, *how)
    except BadSetup as fault:
        return [(None, None, None, None, None, str(fault))], True
    tally = Tally(one.counters.sheet)
    for batch in batches(one, games, (), progress, jobs):
        tally.add(batch.first, batch.rows, batch.sums)
    if tally.games < games:
        return [], False
    bots = seated_bots(how[1], one.counters.sheet.players)
    failures = find_failures(game, options, one, how[2], bots, tally.unfinished, games)
    why = "; ".join(line.strip() for line in failures.lines())
    return [(*row, why) for row in _figures(tally, one).rows], True


def _later(progress: Progress | None, number: int, points: int) -> Progress | None:
    if progress is None:
        return None
    told = progress
    return lambda done, all_: told(number * all_ + done, points * all_)
