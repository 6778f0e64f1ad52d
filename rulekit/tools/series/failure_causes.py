"""Causes of failed matches: some of them are played again in the reference engine to see where the rules fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulekit.compiler.plan.ir import Status
from rulekit.model.game import Game
from rulekit.play.state.errors import RuleError
from rulekit.play.state.value import Value
from rulekit.source import NOWHERE, Span
from rulekit.tools.estimation.failures import FailureCause, Failures
from rulekit.tools.language.lazy_message import Message
from rulekit.tools.series import simulation
from rulekit.tools.series.reference_series import Interpreted
from rulekit.tools.series.unfinished_matches import diagnosed
from rulekit.values import evolve, frozen

MAX_EXAMINED = 100
"""Failed matches that are played again at most, if all answer by chance; of bots that think, 1."""
MAX_DECISIONS = 4000
"""Decisions after which no further match is played again: half a second of a usual game."""
MAX_STEPS = 300_000_000
"""Steps of all these matches together, after which none is played on: some seconds of the reference engine."""


@frozen(eq=False)
class SeriesSpec:
    """A series, by what determines its matches.

    bots:       by seat in match 0; none: all answer by chance.
    tests_all:  whether every match is tested for invariants, not a sample alone.
    """

    game: Game
    options: Mapping[str, Value]
    seats: int
    seed: str
    bots: tuple[str, ...] = ()
    tests_all: bool = False

    def interpreted(self) -> Interpreted:
        """The series in the reference engine."""
        series = simulation.series(self.game, self.options, self.seats, self.seed, "interpreter", self.bots)
        assert isinstance(series, Interpreted), series.engine
        if self.tests_all:
            series.test_all()
        return series


def find_causes(
    spec: SeriesSpec,
    failed: Sequence[tuple[int, int]],
    games: int,
    check_cancelled: Callable[[], None] = lambda: None,
    *,
    names_seats: bool = False,
) -> Failures:
    """Find out at which lines the failed matches of a series failed.

    failed:       number and status of each, as `Tally.unfinished` has them.  games: matches played.
    names_seats:  whether the causes say how many played, since other series are reported with them.
    """
    if not failed:
        return Failures(games)
    series, seats = spec.interpreted(), spec.seats if names_seats else 0
    causes = dict[tuple[Span, str], FailureCause]()
    examined = decisions = steps = 0
    # A match that runs out of steps costs as much as many others: one is enough.
    endless = sorted(index for index, status in failed if status == Status.ENDLESS)
    wanted = sorted({*endless[:1], *(index for index, status in failed if status != Status.ENDLESS)})
    for index in wanted[: 1 if series.thinks else MAX_EXAMINED]:
        if decisions >= MAX_DECISIONS or steps >= MAX_STEPS:
            break
        check_cancelled()
        if index in endless[:1]:
            found = diagnosed(series, index, "", check_cancelled)
            cause, code = FailureCause(found.why, len(endless), index, found.where, seats), "endless"
        else:
            replay = series.replay_failure(index, MAX_STEPS - steps)
            decisions, steps = decisions + replay.decisions, steps + replay.steps
            if not replay.has_ended:
                continue
            cause, code = _failure_cause(replay.fault, index, seats)
        known = causes.get((cause.where, code), evolve(cause, count=0))
        causes[cause.where, code] = evolve(known, count=known.count + cause.count)
        examined += cause.count
    by_count = sorted(causes.values(), key=lambda cause: -cause.count)
    return Failures(games, len(failed), examined, tuple(by_count))


def _failure_cause(fault: RuleError | None, index: int, seats: int) -> tuple[FailureCause, str]:
    """Return the cause of a failed match, and the code of its error."""
    if fault is None:
        return FailureCause(Message("why-ends-after-all"), 1, index, NOWHERE, seats), ""
    return FailureCause(fault.title, 1, index, fault.span, seats), fault.code
