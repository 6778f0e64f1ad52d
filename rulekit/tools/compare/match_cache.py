"""A cache of match results: how the matches of one version of a game end, played when first asked for."""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.compiler.plan.ir import Status
from rulekit.play.state.errors import LimitError, RuleError
from rulekit.play.state.value import Value
from rulekit.tools.compare.shrinking import Version
from rulekit.tools.estimation.failures import Failures, merge_failures
from rulekit.tools.series import simulation
from rulekit.tools.series.failure_causes import SeriesSpec, find_causes
from rulekit.values import define, field


@define(eq=False)
class CachedMatches:
    """Those of a version with one choice of options, so many players and one seed."""

    version: Version
    options: Mapping[str, Value]
    seats: int
    seed: str
    wanted: str
    _engine: str = ""
    _series: simulation.Series | None = None
    _ends: dict[tuple[int, int], list[simulation.MatchResult]] = field(factory=dict)
    _failed: dict[int, int] = field(factory=dict)

    @property
    def engine(self) -> str:
        """Which one plays.  Errors: `BadSetup` for what cannot be played."""
        return self._engine or self._made().engine

    def part(self, first: int, count: int) -> list[simulation.MatchResult]:
        found = self._ends.get((first, count))
        if found is None:
            found = self._ends[first, count] = simulation.played(self._made(), first, count)
        return found

    def note_failure(self, index: int, fault: RuleError) -> None:
        """Note a match that failed where it was played side by side with another."""
        self._failed[index] = int(Status.ENDLESS if isinstance(fault, LimitError) else Status.FAULT)

    def find_failures(self) -> Failures:
        """The matches played so far that failed, with the lines of the rules at which they did."""
        status = {match.index: match.status for part in self._ends.values() for match in part} | self._failed
        failed = [(index, number) for index, number in status.items() if number != Status.DONE]
        spec = SeriesSpec(self.version.game, {**self.version.options, **self.options}, self.seats, self.seed)
        return find_causes(spec, failed, len(status), names_seats=True)

    def rest(self) -> None:
        """Let go of what plays; the ends stay known."""
        self._series = None

    def _made(self) -> simulation.Series:
        if self._series is None:
            agreed = {**self.version.options, **self.options}
            self._series = simulation.series(self.version.game, agreed, self.seats, self.seed, self.wanted)
            self._engine = self._series.engine
        return self._series


@define(eq=False)
class MatchCache:
    """The matches of one version, for any number of searches with the same seed."""

    version: Version
    seed: str
    engine: str = "auto"
    _kept: dict[tuple[tuple[tuple[str, Value], ...], int], CachedMatches] = field(factory=dict)

    def find_failures(self) -> Failures:
        """The same of all of them."""
        return merge_failures(played.find_failures() for played in self._kept.values())

    def of(self, options: Mapping[str, Value], seats: int) -> CachedMatches:
        key = tuple(sorted(options.items())), seats
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = CachedMatches(self.version, options, seats, self.seed, self.engine)
        return found
