"""Two versions of a game, match by match from the same seeds: what differs, and how surely.

Both versions of a match draw from the same named streams, so that most of what
chance does is the same in both and the difference is seen the clearer.

Looks.  Whether to stop is asked at fixed numbers of matches alone, so that it
does not depend on who plays how fast.  The bounds of wins are then such that
hold however often they are looked at (`anytime`); each seat has an equal part
of the error.  Without looks, and for all other figures, an interval is the
usual one of the normal approximation.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from statistics import NormalDist

from attrs import define, field, frozen

from rulekit.fast.plan import Status
from rulekit.tools import anytime
from rulekit.tools.series import Played
from rulekit.tools.summary import called
from rulekit.tools.tally import Range

ERROR = 0.05
FIRST_LOOK = 100


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

    a: Played
    b: Played


@define
class Line:
    """One figure in both versions: exact sums over the pairs that have it in both.

    percent:  whether it is a share.
    """

    name: str
    percent: bool = False
    count: int = 0
    a: int = 0
    b: int = 0
    squares: int = 0

    def add(self, a: int | None, b: int | None) -> None:
        if a is not None and b is not None:
            self.count += 1
            self.a += a
            self.b += b
            self.squares += (b - a) * (b - a)

    def anytime(self, error: float) -> Range:
        """The same for shares, where one looks again and again: see `anytime`."""
        total = self.b - self.a
        return anytime.mean((self.squares + total) // 2, (self.squares - total) // 2, self.count, error)

    @property
    def means(self) -> tuple[float, float]:
        return (self.a / self.count, self.b / self.count) if self.count else (math.nan, math.nan)

    def difference(self) -> Range:
        """B less A, with an interval that holds but for the usual error."""
        count, total = self.count, self.b - self.a
        if count < 2:
            return Range(math.nan, -math.inf, math.inf)
        spread = (self.squares * count - total * total) / (count * (count - 1))
        half = NormalDist().inv_cdf(1 - ERROR / 2) * math.sqrt(max(0.0, spread) / count)
        return Range(total / count, total / count - half, total / count + half)


@define(eq=False)
class Contrast:
    """differing:  how many pairs did not come to the same end; unended: pairs of which one did not end.

    look:  how often it was asked whether to stop.
    """

    seats: tuple[str, ...]
    figures: tuple[tuple[str, int | None], ...]
    games: int = 0
    differing: int = 0
    unended: int = 0
    look: int = 0
    first_differing: int | None = None
    wins: list[Line] = field(init=False)
    others: list[Line] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.wins = [Line(f"{seat} wins", percent=True) for seat in self.seats]
        names = [called(name, seat, self.seats) for name, seat in self.figures]
        self.others = [Line("ties", percent=True), Line("decisions"), *(Line(name) for name in names)]

    @property
    def lines(self) -> list[Line]:
        return [*self.wins, *self.others]

    def add(self, pair: Pair) -> None:
        a, b = pair.a, pair.b
        self.games += 1
        if a != b:
            self.differing += 1
            self.first_differing = a.index if self.first_differing is None else self.first_differing
        if Status.DONE not in (a.status, b.status) or a.status != b.status:
            self.unended += 1
            return
        for seat, line in enumerate(self.wins):
            line.add(int(seat in a.winners), int(seat in b.winners))
        both = zip(_numbers(a), _numbers(b), strict=True)
        for line, (one, other) in zip(self.others, both, strict=True):
            line.add(one, other)

    # ------------------------------------------------------------ looks

    def is_clear(self, enough: float) -> bool:
        """One more look: whether the wins of every seat surely differ, or surely by no more than `enough`."""
        self.look += 1
        return all(_clear(self.interval(line), enough) for line in self.wins)

    def interval(self, line: Line) -> Range:
        """Of wins one that holds under all the looks."""
        if self.look and any(line is one for one in self.wins):
            return line.anytime(ERROR / len(self.wins))
        return line.difference()


def _clear(of: Range, enough: float) -> bool:
    return of.low > 0 or of.high < 0 or (of.low >= -enough and of.high <= enough)


def _numbers(one: Played) -> Sequence[int | None]:
    return (int(len(one.winners) > 1), one.decisions, *one.figures)


def paired(a: Iterable[Played], b: Iterable[Played]) -> Iterator[Pair]:
    """Matches of two series as they come."""
    for one, other in zip(a, b, strict=False):
        assert one.index == other.index
        yield Pair(one, other)
