"""A paired comparison of two versions of a game with common random numbers: what differs, and how surely.

Match i of both versions is played from the same seed and draws from the same
named streams, so that most of what chance does is the same in both; the
difference within a pair has less variance than that of two independent matches.

Interim looks (sequential analysis).  Whether to stop is asked at fixed numbers
of matches alone, so that it does not depend on who plays how fast.  The bounds
of wins then form a confidence sequence, which holds however often it is looked
at; each seat has an equal part of the error (Bonferroni).  Without looks, and
for all other figures, an interval is that of the paired normal approximation
with two pairs more, which differ to either side as much as others do.
Source: Bonett and Price, Adjusted Wald confidence interval for a difference of
binomial proportions based on paired data, JEBS 37 (2012), there for shares.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from statistics import NormalDist

from rulekit.compiler.plan.ir import Status
from rulekit.tools.estimation import confidence_sequence
from rulekit.tools.estimation.confidence_intervals import Estimate
from rulekit.tools.estimation.summary import figure_name
from rulekit.tools.series.simulation import MatchResult
from rulekit.values import define, field, frozen

ERROR = 0.05
FIRST_LOOK = 100
_Z = NormalDist().inv_cdf(1 - ERROR / 2)


def looks(most: int) -> Iterator[int]:
    """The numbers of matches at which to look, each half as many again; the last is all."""
    at = FIRST_LOOK
    while at < most:
        yield at
        at += at // 2
    yield most


@frozen
class Pair:
    """The same match in both versions."""

    a: MatchResult
    b: MatchResult


@define
class PairedFigure:
    """One figure in both versions: exact sums, and that of squared differences, over the pairs that have it in both.

    percent:    whether it is a share.
    differing:  in how many pairs it is not the same.
    """

    name: str
    percent: bool = False
    count: int = 0
    a: int = 0
    b: int = 0
    squares: int = 0
    differing: int = 0

    def add(self, a: int | None, b: int | None) -> None:
        if a is not None and b is not None:
            self.count += 1
            self.a += a
            self.b += b
            self.squares += (b - a) * (b - a)
            self.differing += a != b

    def anytime(self, error: float) -> Estimate:
        """B less A for shares, as a confidence sequence: valid however often one looks."""
        total = self.b - self.a
        return confidence_sequence.mean_bounds(
            (self.squares + total) // 2, (self.squares - total) // 2, self.count, error
        )

    @property
    def means(self) -> tuple[float, float]:
        return (self.a / self.count, self.b / self.count) if self.count else (math.nan, math.nan)

    def difference(self) -> Estimate:
        """B less A, with its interval (95 %).  It holds 0 wherever the signs of the differences can well be chance."""
        total = self.b - self.a
        if self.count < 2:
            return Estimate(math.nan, -math.inf, math.inf)
        usual = math.sqrt(self.squares / self.differing) if self.differing else 0.0
        count, value = self.count + 2, total / self.count
        squares = self.squares + 2 * usual * usual
        half = _Z * math.sqrt(max(0.0, squares - total * total / count)) / count
        low, high = min(value, total / count - half), max(value, total / count + half)
        if abs(total) - usual <= _Z * math.sqrt(self.squares):
            # A score test, with a correction for continuity as McNemar's has for shares.
            low, high = min(low, 0.0), max(high, 0.0)
        return Estimate(value, max(low, -1.0), min(high, 1.0)) if self.percent else Estimate(value, low, high)


@define(eq=False)
class PairedComparison:
    """The figures of both versions over all pairs so far.

    games:      pairs played.
    unended:    pairs in which a match failed; they count nowhere else.
    differing:  pairs of finished matches that did not come to the same end.
    failed:     in both versions, the number and status of each match that failed.

    look:       how often it was asked whether to stop.
    """

    seats: tuple[str, ...]
    figures: tuple[tuple[str, int | None], ...]
    games: int = 0
    differing: int = 0
    unended: int = 0
    look: int = 0
    first_differing: int | None = None
    failed: tuple[list[tuple[int, int]], list[tuple[int, int]]] = field(factory=lambda: ([], []))
    wins: list[PairedFigure] = field(init=False)
    others: list[PairedFigure] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.wins = [PairedFigure(f"{seat} wins", percent=True) for seat in self.seats]
        names = [figure_name(name, seat, self.seats) for name, seat in self.figures]
        self.others = [
            PairedFigure("ties", percent=True),
            PairedFigure("decisions"),
            *(PairedFigure(name) for name in names),
        ]

    @property
    def lines(self) -> list[PairedFigure]:
        return [*self.wins, *self.others]

    def add(self, pair: Pair) -> None:
        a, b = pair.a, pair.b
        self.games += 1
        for failed, match in zip(self.failed, (a, b), strict=True):
            if match.status != Status.DONE:
                failed.append((match.index, match.status))
        if not a.status == b.status == Status.DONE:
            self.unended += 1
            return
        if a != b:
            self.differing += 1
            self.first_differing = a.index if self.first_differing is None else self.first_differing
        for seat, line in enumerate(self.wins):
            line.add(int(seat in a.winners), int(seat in b.winners))
        both = zip(_numbers(a), _numbers(b), strict=True)
        for line, (one, other) in zip(self.others, both, strict=True):
            line.add(one, other)

    @property
    def finished(self) -> int:
        """Pairs in which no match failed."""
        return self.games - self.unended

    @property
    def same(self) -> int:
        """Pairs of finished matches that came to the same end."""
        return self.finished - self.differing

    # ------------------------------------------------------------ looks

    def is_clear(self, enough: float) -> bool:
        """One more interim look: whether to stop.

        So it is if the difference in wins is clear for every seat: not zero, or within `enough` (a share) of zero.
        """
        self.look += 1
        found = [self.interval(line) for line in self.wins]
        return all(of.low > 0 or of.high < 0 or (of.low >= -enough and of.high <= enough) for of in found)

    def interval(self, line: PairedFigure) -> Estimate:
        """B less A with its interval; that of wins holds under all the looks there were."""
        if self.look and any(line is one for one in self.wins):
            return line.anytime(ERROR / len(self.wins))
        return line.difference()


def _numbers(one: MatchResult) -> Sequence[int | None]:
    return (int(one.is_tie), one.decisions, *one.figures)


def paired(a: Iterable[MatchResult], b: Iterable[MatchResult]) -> Iterator[Pair]:
    """The matches of two series side by side; both must come in the same order."""
    for one, other in zip(a, b, strict=False):
        assert one.index == other.index
        yield Pair(one, other)
