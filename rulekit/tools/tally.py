"""What a series of matches comes to: exact sums that can be added, and what they say with their uncertainty."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from attrs import define, field, frozen

from rulekit.fast.plan import Status
from rulekit.tools.series import Figure, Played

Z = 1.959964
"""95 of 100 draws of the normal distribution lie within so many standard deviations."""


@frozen
class Range:
    """An estimate and the interval in which the true value lies in 95 of 100 series."""

    value: float
    low: float
    high: float


def share(hits: int, of: int) -> Range:
    """A share of `of` independent matches.  Source: Wilson's score interval (1927)."""
    if of == 0:
        return Range(math.nan, 0.0, 1.0)
    part, square = hits / of, Z * Z
    centre = (part + square / (2 * of)) / (1 + square / of)
    half = Z * math.sqrt(part * (1 - part) / of + square / (4 * of * of)) / (1 + square / of)
    return Range(part, max(0.0, centre - half), min(1.0, centre + half))


@define
class Sums:
    """Count, sum, sum of squares and ends of a number, all exact integers."""

    count: int = 0
    total: int = 0
    squares: int = 0
    least: int | None = None
    most: int | None = None

    def add(self, value: int) -> None:
        self.count += 1
        self.total += value
        self.squares += value * value
        self.least = value if self.least is None else min(self.least, value)
        self.most = value if self.most is None else max(self.most, value)

    def mean(self) -> Range:
        """Source: the normal approximation; matches are independent of each other."""
        if self.count == 0:
            return Range(math.nan, math.nan, math.nan)
        mean = self.total / self.count
        half = Z * self.deviation() / math.sqrt(self.count)
        return Range(mean, mean - half, mean + half)

    def deviation(self) -> float:
        if self.count < 2:
            return 0.0
        spread = self.squares * self.count - self.total * self.total
        return math.sqrt(spread / (self.count * (self.count - 1)))


@define
class Tally:
    """Sums over matches, added in any order.

    won, shared:   by seat: matches won alone, and won together with others.
    places:        by seat: how often it came to each place; the key None counts defeats.
    unfinished:    index and status of matches that the rules did not bring to an end.
    """

    seats: tuple[str, ...]
    figures: tuple[Figure, ...]
    games: int = 0
    ties: int = 0
    nobody: int = 0
    won: list[int] = field(factory=list)
    shared: list[int] = field(factory=list)
    places: list[dict[int | None, int]] = field(factory=list)
    decisions: Sums = field(factory=Sums)
    ends: list[Sums] = field(factory=list)
    unfinished: list[tuple[int, int]] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.won = [0 for _ in self.seats]
        self.shared = [0 for _ in self.seats]
        self.places = [{} for _ in self.seats]
        self.ends = [Sums() for _ in self.figures]

    def add(self, matches: Iterable[Played]) -> None:
        for played in matches:
            self._add(played)

    def _add(self, played: Played) -> None:
        self.games += 1
        if played.status != Status.DONE:
            self.unfinished.append((played.index, played.status))
            return
        self.decisions.add(played.decisions)
        self._winners(played.winners)
        for seat, place in enumerate(played.places):
            self.places[seat][place] = self.places[seat].get(place, 0) + 1
        for sums, value in zip(self.ends, played.figures, strict=True):
            if value is not None:
                sums.add(value)

    def _winners(self, winners: Sequence[int]) -> None:
        self.ties += len(winners) > 1
        self.nobody += not winners
        for seat in winners:
            (self.won if len(winners) == 1 else self.shared)[seat] += 1

    @property
    def finished(self) -> int:
        return self.games - len(self.unfinished)

    def wins(self, seat: int) -> Range:
        """The share of matches that a seat won, alone or with others."""
        return share(self.won[seat] + self.shared[seat], self.finished)
