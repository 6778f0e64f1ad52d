"""Values of the extraction of constants: what is found in the rules, and where the walk stands when it is found.

Nothing here looks at syntax; `constant_of` gives a number the bound that its
place makes of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.source import NOWHERE, Span
from rulekit.values import evolve, field, frozen

EXACT, AT_MOST, AT_LEAST = "", "at most", "at least"
BOUNDS = {"below": (AT_MOST, -1), "at most": (AT_MOST, 0), "above": (AT_LEAST, 1), "at least": (AT_LEAST, 0)}
"""Comparisons, with the bound that each makes of the number beside it and what must be added to that."""
_DENIED = {"below": "at least", "above": "at most", "at most": "above", "at least": "below"}


@frozen
class Constant:
    """One number of the rules.

    bound, limit:  as in `Numeral`: `below 1` is at most 0.
    end:           `at least` and `at most` for the two ends of a range, where no comparison stands beside it.
    homes:         names under which it is declared, outermost first: an action and its step, a deck and its card.
    label:         what it is compared with, added to or a column of.
    clauses:       those that its line carries out.
    unless:        the option on which it depends, if the default reading does not use it.
    sinks:         something is lowered by it.
    is_word:       the rules say it with a word of the language (`first`, `push`), which is its label.
    """

    value: int
    bound: str
    limit: int
    homes: tuple[str, ...]
    label: str
    clauses: tuple[str, ...]
    unless: str = ""
    is_example: bool = False
    is_word: bool = False
    end: str = EXACT
    sinks: bool = False
    span: Span = field(default=NOWHERE, eq=False, repr=False)


@frozen
class RuleDenial:
    """A word by which the rules deny, refuse or leave out, and the clauses cited nearest to it."""

    word: str
    clauses: tuple[str, ...]
    unless: str = ""
    is_example: bool = False
    span: Span = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Place:
    """Where the walk is: what a number found here would be called."""

    homes: tuple[str, ...] = ()
    label: str = ""
    near: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    far: tuple[str, ...] = ()
    unless: str = ""
    is_example: bool = False
    op: str = ""
    is_denied: bool = False
    end: str = EXACT
    sinks: bool = False
    line: Span = NOWHERE
    defaults: dict[str, str] = field(factory=dict, repr=False)

    @property
    def clauses(self) -> tuple[str, ...]:
        return self.near or self.far


Found = Iterator[Constant | RuleDenial]


def constant_of(value: int, place: Place, span: Span) -> Constant:
    op = _DENIED.get(place.op, "") if place.is_denied else place.op
    bound, shift = BOUNDS.get(op, (EXACT, 0))
    made = Constant(value, bound, value + shift, place.homes, place.label, place.clauses)
    told = evolve(made, unless=place.unless, is_example=place.is_example, end=place.end, sinks=place.sinks)
    return evolve(told, span=span if span.line else place.line)
