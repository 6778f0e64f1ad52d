"""The metrics of a series by name, each with its interval: what sweeps show, and the targets that tuning aims at.

A metric is called a figure on the command line and on pages.
"""

from __future__ import annotations

import re

from rulekit.diagnostics import nearest
from rulekit.errors import BadInput
from rulekit.tools.estimation import estimate_text as words
from rulekit.tools.estimation.aggregates import Tally
from rulekit.tools.estimation.confidence_intervals import Estimate, share
from rulekit.tools.estimation.summary import figure_name
from rulekit.tools.language.translation import Tongue
from rulekit.values import frozen

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
BEGINNER = "who begins wins"
_TARGET = re.compile(r"\s*(?P<name>.*?\S)\s+(?:is\s+)?(?P<value>-?\d{1,9}(?:\.\d{1,9})?)\s*(?P<percent>%?)\s*")


class BadTarget(BadInput, ValueError):
    """A target that cannot be read; its text says how one is written."""


@frozen
class Figure:
    """A number with its interval.  percent: whether it is a share."""

    range: Estimate
    percent: bool = False

    def told(self, tongue: Tongue) -> str:
        return words.bounded(self.range, tongue, is_share=self.percent)


def figures(tally: Tally, seats: tuple[str, ...]) -> dict[str, Figure]:
    """All figures of a series by name; the wins of each seat first."""
    made = {f"{name} wins": Figure(tally.wins(seat), percent=True) for seat, name in enumerate(seats)}
    if tally.sheet.begins:
        made[BEGINNER] = Figure(tally.beginner_wins(), percent=True)
    made["ties"] = Figure(share(tally.ties, tally.finished), percent=True)
    made["failed"] = Figure(share(len(tally.unfinished), tally.games), percent=True)
    for one in tally.measures():
        made[figure_name(one.name, one.seat, seats)] = Figure(one.mean())
    return made


def is_share(name: str) -> bool:
    """Whether the figure of this name is a share of matches."""
    return name.endswith(" wins") or name in words.SHARES


def named(name: str, known: list[str], seats: tuple[str, ...]) -> str:
    """The figure that a name means: `first seat wins` is that of the first seat.  Errors: `BadTarget`."""
    words = name.strip().split()
    if len(words) == 3 and words[0] in ORDINALS[: len(seats)] and words[1:] == ["seat", "wins"]:
        return f"{seats[ORDINALS.index(words[0])]} wins"
    found = " ".join(words)
    if found not in known:
        near = nearest(found, known) or f"the figures are: {', '.join(known)}"
        raise BadTarget(f"there is no figure `{ascii(found)[1:-1][:60]}`; {near}")
    return found


@frozen
class Target:
    """What tuning aims at.  value: from 0 to 1 where the figure is a share."""

    figure: str
    value: float

    def distance(self, of: dict[str, Figure]) -> float:
        """How far off some figures are: relative to the target, of shares the plain difference; 10 if unknown."""
        found = of[self.figure]
        if not found.range.known:
            return 10.0
        off = abs(found.range.value - self.value)
        return off if found.percent else off / max(1.0, abs(self.value))

    def __str__(self) -> str:
        return f"{self.figure} {self.value:g}"


def target(text: str, known: list[str], seats: tuple[str, ...]) -> Target:
    """The target that a text means: `first seat wins 25%`, `rounds 12`.  Errors: `BadTarget`."""
    found = _TARGET.fullmatch(text)
    if found is None:
        raise BadTarget(f"`{ascii(text)[1:-1][:60]}`: a target is a figure and a number, such as `first seat wins 25%`")
    number = float(found["value"])
    return Target(named(found["name"], known, seats), number / 100 if found["percent"] else number)
