"""From one value of a view to a fixed number of numbers, each between declared bounds.

What has an order is a number, what is one of several things a one among
zeros (one-hot encoding); `None` is all zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from rulekit.model import game as model
from rulekit.model.builtin_signatures import DIRECTIONS
from rulekit.model.types import Type
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Ref, Value
from rulekit.values import frozen

Numbers = list[float]
Bounds = tuple[float, float]


@frozen
class Coding:
    """names: of its numbers, for people; bounds: of each, both included and with 0 between them."""

    names: tuple[str, ...]
    bounds: tuple[Bounds, ...]
    numbers: Callable[[Value], Numbers]

    @property
    def zeros(self) -> Numbers:
        return [0.0] * len(self.names)


def number(low: float | None, high: float | None) -> Coding:
    """A number; nothing is told from 0 by a second one."""
    bounds = (min(0, -inf if low is None else low), max(0, inf if high is None else high))
    return Coding(("number", "is a number"), (bounds, (0, 1)), _number)


def _number(value: Value) -> Numbers:
    return [float(value), 1.0] if isinstance(value, int) else [0.0, 0.0]


def sure_number(low: float | None, high: float | None) -> Coding:
    """A number where there always is one."""
    coding = number(low, high)
    return Coding(coding.names[:1], coding.bounds[:1], lambda value: _number(value)[:1])


def flag() -> Coding:
    return Coding(("yes",), ((0, 1),), lambda value: [float(value is True)])


def one_of(things: Sequence[Value]) -> Coding:
    """A one where the value is; all zeros for nothing."""
    names, places = tuple(str(thing) for thing in things), {thing: at for at, thing in enumerate(things)}

    def numbers(value: Value) -> Numbers:
        found = [0.0] * len(names)
        if value in places:
            found[places[value]] = 1.0
        return found

    return Coding(names, ((0, 1),) * len(names), numbers)


def pair(width: int | None, height: int | None) -> Coding:
    """A cell by column and row, or an offset; all zeros for nothing."""
    columns, rows = number(None if width is None else 0, width), number(None if height is None else 0, height)
    return Coding(("column", "row", "is there"), (columns.bounds[0], rows.bounds[0], (0, 1)), _pair)


def _pair(value: Value) -> Numbers:
    if not isinstance(value, Ref):
        return [0.0] * 3
    column, row = value.key.split(",")
    return [float(column), float(row), 1.0]


def in_order(coding: Coding, places: Sequence[str]) -> Coding:
    """A list with so many places, each of the same coding."""
    names = tuple(f"{place} {name}" for place in places for name in coding.names)

    def numbers(value: Value) -> Numbers:
        assert isinstance(value, tuple), value
        return [one for item in value for one in coding.numbers(item)]

    return Coding(names, coding.bounds * len(places), numbers)


def heap(things: Sequence[Value], most: int) -> Coding:
    """Things that lie together: of each how many, and how far from the bottom the last one lies.

    most:  as many can lie there.
    """
    names = tuple(f"{thing} {what}" for thing in things for what in ("count", "last"))
    places = {thing: 2 * at for at, thing in enumerate(things)}

    def numbers(value: Value) -> Numbers:
        assert isinstance(value, tuple), value
        found = [0.0] * len(names)
        for height, thing in enumerate(value, 1):
            found[places[thing]] += 1
            found[places[thing] + 1] = height
        return found

    return Coding(names, ((0, most),) * len(names), numbers)


# ---------------------------------------------------------------- by type


def of_type(setting: Setting, kind: Type, low: int | None = None, high: int | None = None) -> Coding:
    """A value of a type; `low` and `high` bound a number."""
    if kind.name == "number":
        return number(low, high)
    if kind.name in ("cell", "offset"):
        return pair(None, None)
    return one_of(members(setting, kind)) if kind.name != "flag" else flag()


def members(setting: Setting, kind: Type) -> tuple[Value, ...]:
    """All values of a type of which there are so many and no more."""
    if kind.name == "player":
        return tuple(setting.seat_refs)
    if kind.name == "direction":
        return tuple(Ref("direction", name) for name in DIRECTIONS)
    assert kind.name == "thing", kind
    return tuple(dict.fromkeys(setting.refs[at] for at, one in enumerate(setting.things) if one.kind == kind.kind))


def space_of(setting: Setting, place: model.Place) -> Coding:
    """A space of a track, course or grid."""
    if place.form == "track":
        return number(place.low, place.high)
    if place.form == "grid":
        return pair(place.width, place.height)
    return one_of(members(setting, Type("thing", kind=place.kind)))
