"""A cache of match results: how the matches of one version of a game end, played when first asked for."""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.play.state.value import Value
from rulekit.tools.compare.shrinking import Version
from rulekit.tools.series import simulation
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

    @property
    def engine(self) -> str:
        """Which one plays.  Errors: `BadSetup` for what cannot be played."""
        return self._engine or self._made().engine

    def part(self, first: int, count: int) -> list[simulation.MatchResult]:
        found = self._ends.get((first, count))
        if found is None:
            found = self._ends[first, count] = simulation.played(self._made(), first, count)
        return found

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

    def of(self, options: Mapping[str, Value], seats: int) -> CachedMatches:
        key = tuple(sorted(options.items())), seats
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = CachedMatches(self.version, options, seats, self.seed, self.engine)
        return found
