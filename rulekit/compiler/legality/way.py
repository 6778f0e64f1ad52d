"""The way of a match: the answers that led to where it is, as a twin takes them."""

from __future__ import annotations

from rulekit.values import frozen


@frozen(eq=False)
class Way:
    """One answer more than the way before; without one before, the beginning of the match with this seed.

    places:  of what a seat chose, among so many options.
    """

    seed: int
    before: Way | None = None
    seat: int = 0
    places: tuple[int, ...] = ()
    options: int = 0
