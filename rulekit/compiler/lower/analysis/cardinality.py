"""Cardinality analysis: how many elements a set has at the most, and which, as far as it is known before a match."""

from __future__ import annotations

from rulekit import limits
from rulekit.compiler.lower.analysis.abstract_interpretation import (
    interval_of,
    known_here,
    sources,
    through_define,
    with_element,
)
from rulekit.compiler.lower.builder.ir_builder import Builder
from rulekit.compiler.plan.arithmetic import ZERO
from rulekit.model import expr as x

SMALL_SET = 64
"""A loop over so many elements counts no work of its own."""


def max_size(m: Builder, e: x.Expr) -> int:
    """How many elements a set has at the most."""
    if isinstance(e, x.Filter | x.Without | x.Extreme | x.Ordered):
        return max_size(m, e.of)
    if (numbers := known_members(m, e)) is not None:
        return len(numbers)
    if isinstance(e, x.GroupOf):
        return m.setting.game.variables[e.variable].count
    if isinstance(e, x.Listed):
        return len(e.items)
    if isinstance(e, x.Interval):
        return max(0, interval_of(m, e.high)[1] - interval_of(m, e.low)[0] + 1)
    if isinstance(e, x.Stored):
        return m.storage.rooms[m.storage.list_base[e.variable]]
    if isinstance(e, x.Mapped):
        with_element(m, e.slot, ZERO, e.of)
        return max_size(m, e.of) * (max_size(m, e.value) if e.flat else 1)
    if isinstance(e, x.Invoke):
        return int(through_define(m, e, max_size, limits.SET))
    if isinstance(e, x.Local):
        return known_here(m, e).most
    if isinstance(e, x.Choice):
        return max(max_size(m, e.then), max_size(m, e.other))
    if isinstance(e, x.Union):
        return max_size(m, e.left) + max_size(m, e.right)
    return limits.SET


def distinct(m: Builder, e: x.Expr) -> bool:
    """Whether a set surely has no element twice."""
    if isinstance(e, x.Union):
        return True
    if found := sources(e):
        return all(distinct(m, one) for one in found)
    if isinstance(e, x.Invoke):
        return bool(through_define(m, e, distinct, False))
    if isinstance(e, x.Mapped):
        return e.distinct or (_is_own(m, e) and distinct(m, e.of))
    if isinstance(e, x.Listed):
        items = [item.value for item in e.items if isinstance(item, x.Const)]
        return len(e.items) == 1 or len({*items}) == len(e.items)
    if isinstance(e, x.Const):
        return isinstance(e.value, tuple) and len({*e.value}) == len(e.value)
    if isinstance(e, x.Local):
        return known_here(m, e).distinct
    if isinstance(e, x.Stored):
        # A card lies in a pile once; a list may hold a value at several of its places.
        return m.setting.game.variables[e.variable].form == "pile"
    return isinstance(e, x.AllOf | x.GroupOf | x.Seats | x.Spaces | x.Cells | x.Interval)


def _is_own(m: Builder, e: x.Mapped) -> bool:
    """Whether a set holds what each member of another one has for itself: its pile, its piece or its pieces."""
    value = e.value
    if not isinstance(value, x.Stored | x.PieceOf | x.GroupOf) or value.of != x.Element(e.slot):
        return False
    return not isinstance(value, x.Stored) or (e.flat and m.setting.game.variables[value.variable].form == "pile")


def constant_range(m: Builder, e: x.Expr) -> range | None:
    """A set that is just known integers from one to another, in this order; pieces may be gone from it."""
    is_turned = isinstance(e, x.Seats) and e.who != "neutrals" and starter_changes(m)
    return None if is_turned else known_members(m, e)


def known_members(m: Builder, e: x.Expr) -> range | None:
    """The same in whatever order."""
    if isinstance(e, x.Seats):
        n, everyone = m.setting.players, m.setting.everyone
        return {"players": range(n), "everyone": range(everyone), "neutrals": range(n, everyone)}[e.who]
    if isinstance(e, x.AllOf):
        first = m.setting.kind_base.get(e.kind, 0)
        return range(first, first + m.setting.kind_count.get(e.kind, 0))
    if isinstance(e, x.Spaces):
        return range(e.low, e.high + 1)
    if isinstance(e, x.Interval) and isinstance(e.low, x.Const) and isinstance(e.high, x.Const):
        low, high = e.low.value, e.high.value
        if isinstance(low, int) and isinstance(high, int) and high - low < limits.SET:
            return range(low, high + 1)
    return None


def starter_changes(m: Builder) -> bool:
    """Whether some rule sets the starting player, after whom seats are listed."""
    return any(op.effects.alters == "starter" for code in m.setting.game.codes for op in code.ops)
