"""Tie-breaking: whether the keys that stand first in an order leave a tie, so that the next one is looked at.

Engines work out all keys of an order at once; which of them mattered is asked
here of the members themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from rulekit.model import expr as x
from rulekit.model.traversal import parts
from rulekit.play.machine.working_state import ELEMENTS
from rulekit.values import evolve, fields


def leaves_tie(of: x.Expr, slot: int, keys: Sequence[x.Expr]) -> x.Expr | None:
    """A test that holds if two members of a set are alike in all these keys; None where queries stand too deep."""
    used = [getattr(part, "slot", -1) for part in parts((of, *keys))]
    by = 1 + max(slot, *used) - slot
    if slot + 2 * by > ELEMENTS:
        return None
    alike: list[x.Expr] = [x.Same(key, _shifted(key, slot, by), False, "plain") for key in keys]
    apart: x.Expr = x.Same(x.Element(slot), x.Element(slot + by), True, "plain")
    other = x.Filter(_shifted(of, slot, by), slot + by, reduce(_and, alike, apart))
    return x.Some(x.Filter(of, slot, x.Some(other, False)), False)


def _and(left: x.Expr, right: x.Expr) -> x.Expr:
    return x.Both(left, right)


def _shifted(part: Any, slot: int, by: int) -> Any:
    """The same, with the elements of its queries, from a slot on, in slots further on."""
    if isinstance(part, tuple):
        return tuple([_shifted(one, slot, by) for one in part])
    if isinstance(part, x.Element):
        return evolve(part, index=part.index + by) if part.index >= slot else part
    if not isinstance(part, x.Expr) or isinstance(part, x.Const):
        return part
    kind: Any = type(part)
    made = {a.name: _shifted(getattr(part, a.name), slot, by) for a in fields(kind) if a.name not in _PLAIN}
    if "slot" in made:
        made["slot"] += by
    return evolve(part, **made)


_PLAIN = ("span", "cites", "values")
"""What holds no expressions."""
