"""The way of a match: the answers that led to where it is, as a twin takes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit.play.state.match_state import Pending
from rulekit.values import frozen


@frozen(eq=False)
class Way:
    """One answer more than the way before; without one before, the beginning.

    places:  of what a seat chose, among so many options.
    """

    before: Way | None = None
    seat: int = 0
    places: tuple[int, ...] = ()
    options: int = 0

    def after(self, question: Pending, value: Any) -> Way:
        """The way behind an answer."""
        return Way(self, question.seat, places_of(question, value), len(question.options))

    def backwards(self) -> Iterator[Way]:
        """This and all before it, the beginning last."""
        way: Way | None = self
        while way is not None:
            yield way
            way = way.before


def places_of(question: Pending, value: Any) -> tuple[int, ...]:
    """Where what was chosen stands among the options; of several things in rising order."""
    if question.form != "several":
        return (question.options.index(value),)
    found, at = [], 0
    for one in value:
        at = question.options.index(one, at)
        found.append(at)
        at += 1
    return tuple(found)
