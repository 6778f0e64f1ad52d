"""What many matches of the rules say of a beginner's advantage, of how close they are, of cards, choices and spaces.

From the sums of the series that a paired comparison plays anyway, of both versions; nothing is played here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from rulekit.tools.estimation import estimate_text as words
from rulekit.tools.estimation import metrics
from rulekit.tools.estimation.aggregates import Occurrence, Tally
from rulekit.tools.estimation.confidence_intervals import Estimate
from rulekit.tools.estimation.summary import KINDS, significant
from rulekit.tools.language.translation import Tongue
from rulekit.values import frozen

SHOWN = {"answer": 24, "space": 8, "rule": 24}
"""So many choices, spaces or cards are shown whose effect is clear, the clearest first."""
UNCLEAR = {"answer": 40, "space": 12, "rule": 40}
"""So many of those that show nothing: first what the edit has changed, then the most frequent."""
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
    is_clear:    whether its interval does not hold 0; is_changed: whether the rules say something else of it now.
    """

    name: str
    line: int
    before: float | None
    now: Estimate
    times: float
    is_clear: bool
    is_changed: bool


@frozen
class Effects:
    """kinds: by kind what goes with winning clearly, then what shows nothing.

    never: what was never chosen, though others there were.
    """

    games: int
    beginner: Beginner | None
    close: tuple[Close, ...]
    kinds: tuple[tuple[str, tuple[Effect, ...]], ...]
    never: tuple[str, ...]


def effects(before: Tally, now: Tally, tongue: Tongue, changed: frozenset[str] = frozenset()) -> Effects:
    """What is told of two versions, in a language.  changed: as of `changed_things`."""
    came = [one for one in now.occurrences() if not math.isnan(one.effect.value)] if now.finished else []
    old = {(one.kind, one.name): one for one in before.occurrences()}
    kinds = ((kind, _shown([one for one in came if one.kind == kind], kind, changed)) for kind in KINDS)
    return Effects(
        now.finished,
        beginner(now),
        tuple(_close(before, now, tongue)),
        tuple(
            (kind, tuple(_effect(*each, old, now, tongue, changed) for each in found)) for kind, found in kinds if found
        ),
        tuple(words.never_chosen(name, tongue) for name in now.never_chosen()) if now.finished else (),
    )


def _shown(of: list[Occurrence], kind: str, changed: frozenset[str]) -> list[tuple[Occurrence, bool]]:
    """What is shown of a kind, each with whether its effect is clear."""
    clear = significant(of)
    rest = sorted((one for one in of if one not in clear), key=lambda one: (one.label not in changed, -one.times))
    return [*((one, True) for one in clear[: SHOWN[kind]]), *((one, False) for one in rest[: UNCLEAR[kind]])]


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


def _effect(
    one: Occurrence,
    is_clear: bool,
    old: dict[tuple[str, str], Occurrence],
    now: Tally,
    tongue: Tongue,
    changed: frozenset[str],
) -> Effect:
    earlier = old.get((one.kind, one.name))
    known = earlier is not None and not math.isnan(earlier.effect.value)
    before = 100 * earlier.effect.value if known and earlier is not None else None
    points = Estimate(*(100 * end for end in (one.effect.value, one.effect.low, one.effect.high)))
    name, times = words.occurrence(one, tongue), one.times / now.finished
    return Effect(name, one.line, before, points, times, is_clear, one.label in changed)
