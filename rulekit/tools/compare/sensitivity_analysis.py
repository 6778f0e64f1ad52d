"""Sensitivity analysis: what each open reading of the rule text changes, in how many matches and in how they end.

The same matches (seeds and answers) are played under the default and under
the other reading.  Two have diverged when at some open decision other values
stood on the table (their state hashes differ), or when they ended otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulekit.compiler.plan.ir import Status
from rulekit.model import game as model
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.value import Value
from rulekit.record.json_values import option_outward
from rulekit.tools.analysis.state_hash import with_state_hash
from rulekit.tools.compare.differential_testing import Search
from rulekit.tools.compare.shrinking import Difference, Version
from rulekit.tools.estimation.confidence_intervals import Estimate, mean, share
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.examples.mutation_operators import Rules
from rulekit.tools.series import simulation
from rulekit.tools.series.failure_causes import SeriesSpec, find_causes
from rulekit.tools.series.simulation import MatchResult
from rulekit.values import define, field, frozen

_PIECE = 250
_FEW = 10
"""Of a passage about a number every value is a reading if there are no more than these."""


@define
class Sums:
    """Count, sum and sum of squares of a number, all exact."""

    count: int = 0
    total: int = 0
    squares: int = 0

    def add(self, value: int) -> None:
        self.count += 1
        self.total += value
        self.squares += value * value

    def mean(self) -> Estimate:
        return mean(self.count, self.total, self.squares)


@frozen
class Reading:
    """One reading that is not the default.

    name, text: as it is written; a yes, no or number has no text.
    options:    what chooses it.
    """

    option: model.Option
    name: str
    text: str
    options: dict[str, Value]


def readings(game: model.Game) -> list[Reading]:
    """Every reading of every unclear passage but the default ones; none of a set, or of many numbers."""
    return [
        Reading(option, name, text, {option.name: value})
        for option in game.options
        if option.unclear
        for name, text, value in _values(option)
        if value != option_outward(option, option.default)
    ]


def _values(option: model.Option) -> list[tuple[str, str, Value]]:
    """Name, text and value of each reading."""
    if option.readings:
        return [(name, text, name) for name, text in option.readings]
    if option.type.name == "flag":
        return [("no", "", False), ("yes", "", True)]
    if option.type.is_set or option.high - option.low >= _FEW:
        return []
    return [(str(number), "", number) for number in range(option.low, option.high + 1)]


@define(eq=False)
class Effect:
    """What one reading does, over the matches so far.

    games:    matches that came to their end under both readings: all figures are of these.
    played:   all matches; failed, default_failed: number and status of those that failed under it, and by default.
    failures: the same with the lines at which they failed, once all are played.
    parted:   matches in which the two readings led to something else; first: the number of the first of them.
    wins:     by seat, the difference in wins (shared ones count their part), reading minus default.
    length:   the difference in decisions.
    shortest: a short match or position that shows it.
    """

    reading: Reading
    seats: int
    games: int = 0
    played: int = 0
    failed: list[tuple[int, int]] = field(factory=list)
    default_failed: list[tuple[int, int]] = field(factory=list)
    failures: tuple[Failures, Failures] = (Failures(), Failures())
    parted: int = 0
    first: int | None = None
    wins: list[Sums] = field(factory=list)
    length: Sums = field(factory=Sums)
    shortest: Difference | None = None

    def __attrs_post_init__(self) -> None:
        self.wins = [Sums() for _ in range(self.seats)]

    def add(self, one: MatchResult, other: MatchResult, differs: bool) -> None:
        self.played += 1
        for failed, match in ((self.default_failed, one), (self.failed, other)):
            if match.status != Status.DONE:
                failed.append((match.index, match.status))
        if not one.status == other.status == Status.DONE:
            return
        self.games += 1
        self.parted += differs
        self.first = one.index if differs and self.first is None else self.first
        for seat, sums in enumerate(self.wins):
            sums.add(_won(other, seat) - _won(one, seat))
        self.length.add(other.decisions - one.decisions)

    def share(self) -> Estimate:
        return share(self.parted, self.games)

    def win(self, seat: int) -> Estimate:
        """The change of a seat's chance to win."""
        found = self.wins[seat].mean()
        return Estimate(found.value / _WHOLE, found.low / _WHOLE, found.high / _WHOLE)


_WHOLE = 27_720
"""A victory in parts that every number of up to twelve winners divides, so that sums stay whole numbers."""


def _won(played: MatchResult, seat: int) -> int:
    return _WHOLE // len(played.winners) if seat in played.winners else 0


@define(eq=False)
class Readings:
    """All readings of a game, compared one after the other."""

    rules: Rules
    seats: int
    games: int
    seed: str
    others: Mapping[str, Value] = field(factory=dict)
    effects: list[Effect] = field(factory=list)

    def run(self) -> Iterator[int]:
        """Yields how many matches are done; `effects` grows."""
        game, place = with_state_hash(self.rules.game, self.seats)
        for reading in readings(self.rules.game):
            effect = Effect(reading, self.seats)
            self.effects.append(effect)
            yield from self._compare(game, place, effect)
            effect.failures = self._find_failures(effect)
            if effect.parted:
                effect.shortest = self._shortest(effect)

    def _compare(self, game: model.Game, place: int, effect: Effect) -> Iterator[int]:
        try:
            both = [
                simulation.series(game, {**self.others, **options}, self.seats, self.seed)
                for options in ({}, effect.reading.options)
            ]
        except BadSetup:
            return
        words = simulation.all_result_words(both[0])
        storage = both[0].counters.storage
        words = (*words, storage.word_base[place])
        for first in range(0, self.games, _PIECE):
            rows = [one.rows(first, min(_PIECE, self.games - first), words) for one in both]
            for number, (here, there) in enumerate(zip(*rows, strict=True)):
                ends = [simulation.decoded(both[0], first + number, row[:-1]) for row in (here, there)]
                effect.add(ends[0], ends[1], here != there)
            yield effect.played

    def _find_failures(self, effect: Effect) -> tuple[Failures, Failures]:
        """The failed matches by default and under another reading."""
        first, second = (
            self._causes(options, failed, effect.played)
            for options, failed in (({}, effect.default_failed), (effect.reading.options, effect.failed))
        )
        return first, second

    def _causes(self, options: Mapping[str, Value], failed: list[tuple[int, int]], games: int) -> Failures:
        spec = SeriesSpec(self.rules.game, {**self.others, **options}, self.seats, self.seed)
        return find_causes(spec, failed, games)

    def _shortest(self, effect: Effect) -> Difference | None:
        option = effect.reading.option
        a, b = (
            Version(self.rules, {**self.others, **options}, self.rules.game)
            for options in ({option.name: option_outward(option, option.default)}, effect.reading.options)
        )
        search = Search(a, b, (self.seats,), self.games, self.seed)
        for _ in search.run():
            pass
        return search.best
