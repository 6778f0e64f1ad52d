"""Interval analysis: bounds of a result from those of its operands, and the bounds that declarations give.

An interval is a pair of its least and its greatest number, both included.
"""

from __future__ import annotations

from typing import Any

from rulekit.compiler.lower.builder.ir_builder import ANY, Builder, Interval
from rulekit.model import expr as x


def interval_of_values(values: tuple[Any, ...]) -> Interval:
    """The least interval that holds the numbers among these values; ANY where there are none."""
    numbers = [int(value) for value in values if isinstance(value, int)]
    return (min(numbers), max(numbers)) if numbers else ANY


def join(a: Interval, b: Interval) -> Interval:
    """The least interval that holds both."""
    return min(a[0], b[0]), max(a[1], b[1])


def interval_of_arithmetic(op: str, a: Interval, b: Interval) -> Interval:
    """Where the result of + - * mod lies; any other operator divides."""
    if op == "+":
        return a[0] + b[0], a[1] + b[1]
    if op == "-":
        return a[0] - b[1], a[1] - b[0]
    if op == "*":
        ends = [i * j for i in a for j in b]
        return min(ends), max(ends)
    if op == "mod":
        most = max(abs(b[0]), abs(b[1]))
        return (0, most) if b[0] >= 0 else (-most, most)
    most = max(abs(a[0]), abs(a[1]))
    return -most, most


def space_bounds(m: Builder, name: str) -> Interval:
    """Between which bounds the numbers of a place's spaces lie."""
    place = m.setting.game.places[name]
    if place.form == "course":
        return 0, len(m.setting.things)
    if place.form == "track" and place.high is not None:
        return place.low, place.high
    return ANY


def places_of(m: Builder, e: x.Expr) -> list[str]:
    """The places on which the pieces that an expression gives may stand."""
    if isinstance(e, x.PieceOf | x.GroupOf):
        return [m.setting.game.variables[e.variable].place]
    return list(m.setting.on_place)
