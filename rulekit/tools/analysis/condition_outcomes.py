"""Outcomes of tests: by which points a match comes if a test holds, and by which if it fails.

Short-circuit evaluation: of an `and` the second half is looked at where the
first holds, of an `or` where it fails; so the points of the whole are those of
its parts, and only conditions need probes.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.model import expr as x
from rulekit.model.call_graph import Place
from rulekit.values import define, evolve

Point = Place | int
"""An operation, or the number of a probe."""
Points = frozenset[Point]
Reach = Callable[[], Points]
"""The points by one of which a match comes where something is reached; probes are made when they are asked for."""
NOWHERE: Points = frozenset()


class Outcomes:
    """A test while probes are put in."""

    def when(self, way: bool) -> Points:
        """The points by which a match comes if the test holds, or fails."""
        raise NotImplementedError

    def built(self) -> x.Expr:
        """The test with probes."""
        raise NotImplementedError


@define(eq=False)
class Leaf(Outcomes):
    """One condition, with a probe for each way."""

    e: x.Expr
    held: int
    failed: int

    def when(self, way: bool) -> Points:
        return frozenset([self.held if way else self.failed])

    def built(self) -> x.Expr:
        return self.e


@define(eq=False)
class Known(Outcomes):
    """A test that is written out: yes or no."""

    e: x.Const
    reach: Reach

    def when(self, way: bool) -> Points:
        return self.reach() if bool(self.e.value) == way else NOWHERE

    def built(self) -> x.Expr:
        return self.e


@define(eq=False)
class Negated(Outcomes):
    e: x.Not
    of: Outcomes

    def when(self, way: bool) -> Points:
        return self.of.when(not way)

    def built(self) -> x.Expr:
        return evolve(self.e, of=self.of.built())


@define(eq=False)
class Joined(Outcomes):
    """Two tests with `and` or `or`: where the first decides, the second is not looked at."""

    e: x.Both | x.Either
    left: Outcomes
    right: Outcomes

    def when(self, way: bool) -> Points:
        goes_on = isinstance(self.e, x.Both)
        return self.right.when(way) if way == goes_on else self.left.when(way) | self.right.when(way)

    def built(self) -> x.Expr:
        return evolve(self.e, left=self.left.built(), right=self.right.built())


@define(eq=False)
class Chosen(Outcomes):
    e: x.Choice
    test: Outcomes
    then: Outcomes
    other: Outcomes

    def when(self, way: bool) -> Points:
        return self.then.when(way) | self.other.when(way)

    def built(self) -> x.Expr:
        return evolve(self.e, test=self.test.built(), then=self.then.built(), other=self.other.built())
