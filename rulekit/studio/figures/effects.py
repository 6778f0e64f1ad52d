"""What many matches of the rules say of a beginner's advantage, of how close they are, of cards, choices and spaces.

From the sums of the series that a paired comparison plays anyway, of both versions; nothing is played here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from rulekit.tools.estimation import estimate_text as words
from rulekit.tools.estimation import metrics
from rulekit.tools.estimation.aggregates import Occurrence, Tally
from rulekit.tools.estimation.confidence_intervals import Estimate
from rulekit.tools.estimation.summary import KINDS, significant
from rulekit.tools.language.translation import Tongue
from rulekit.values import frozen

SHOWN = 8
"""So many cards, choices or spaces of a kind are shown, those with the clearest effects first."""
UNCLEAR = 12
"""So many of those that show nothing."""
CLOSE = ("ties", "spread", "lead changes")


@frozen
class Beginner:
    """How often who begins wins.  fair: how often anybody does; sign: 1 if more, -1 if less, 0 if none can tell."""

    wins: Estimate
    fair: float
    sign: int


@frozen
class Close:
    """Of how close matches are: a figure in both versions, in words."""

    name: str
    before: str
    now: str


@frozen
class Effect:
    """What doing it once more adds to the chance of winning, in points.

    before: the same under the rules that were kept, if it came up there.
    line:   where it is asked, or what stands there; 0 if that is not in one place.
    times:  in a match.
    """

    name: str
    line: int
    before: float | None
    now: Estimate
    times: float


@frozen
class Effects:
    """kinds: by kind what goes with winning clearly; unclear: of the same kinds what shows nothing, the most frequent.

    never: what was never chosen, though others there were.
    """

    games: int
    beginner: Beginner | None
    close: tuple[Close, ...]
    kinds: tuple[tuple[str, tuple[Effect, ...]], ...]
    unclear: dict[str, tuple[Effect, ...]]
    never: tuple[str, ...]


def effects(before: Tally, now: Tally, tongue: Tongue) -> Effects:
    """What is told of two versions, in a language."""
    came = now.occurrences() if now.finished else []
    old = {(one.kind, one.name): one for one in before.occurrences()}
    kinds = [(kind, significant(one for one in came if one.kind == kind)[:SHOWN]) for kind in KINDS]
    others = ((kind, [one for one in came if one.kind == kind and one not in found]) for kind, found in kinds if found)
    return Effects(
        now.finished,
        beginner(now),
        tuple(_close(before, now, tongue)),
        tuple((kind, tuple(_effect(one, old, now, tongue) for one in found)) for kind, found in kinds if found),
        {kind: tuple(_effect(one, old, now, tongue) for one in _frequent(rest)) for kind, rest in others},
        tuple(words.never_chosen(name, tongue) for name in now.never_chosen()) if now.finished else (),
    )


def _frequent(of: Iterable[Occurrence]) -> list[Occurrence]:
    known = (one for one in of if not math.isnan(one.effect.value))
    return sorted(known, key=lambda one: -one.times)[:UNCLEAR]


def beginner(of: Tally) -> Beginner | None:
    """Who begins is whom the rules name, else the first seat; None where nobody plays against anybody."""
    seats = range(of.sheet.players)
    if len(seats) < 2 or not of.finished:
        return None
    wins = of.beginner_wins() if of.sheet.begins else of.wins(0)
    fair = sum(of.wins(seat).value for seat in seats) / len(seats)
    return Beginner(wins, fair, (wins.low > fair) - (wins.high < fair))


def _close(before: Tally, now: Tally, tongue: Tongue) -> Iterator[Close]:
    both = [metrics.figures(one, one.sheet.seats) for one in (before, now)]
    for name in CLOSE:
        if name in both[1] and now.sheet.players > 1:
            told = [found[name].told(tongue) if name in found else "" for found in both]
            yield Close(words.display_name(name, now.sheet.seats, tongue), told[0], told[1])


def _effect(one: Occurrence, old: dict[tuple[str, str], Occurrence], now: Tally, tongue: Tongue) -> Effect:
    earlier = old.get((one.kind, one.name))
    known = earlier is not None and not math.isnan(earlier.effect.value)
    before = 100 * earlier.effect.value if known and earlier is not None else None
    points = Estimate(*(100 * end for end in (one.effect.value, one.effect.low, one.effect.high)))
    return Effect(words.occurrence(one, tongue), one.line, before, points, one.times / now.finished)
