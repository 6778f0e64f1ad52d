"""The way of a match: the answers that led to where it is, as a twin takes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit.compiler.runtime.state_encoding import answer_places
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
        return Way(
            self,
            question.seat,
            answer_places(question.options, value, several=question.form == "several"),
            len(question.options),
        )

    def backwards(self) -> Iterator[Way]:
        """This and all before it, the beginning last."""
        way: Way | None = self
        while way is not None:
            yield way
            way = way.before
