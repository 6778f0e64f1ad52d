"""From a question of the rules to its domain: all values that it can ever offer, in a fixed order.

Nothing is played: a domain follows from types, declared bounds and how a line
is written.  Where that says too little, or the domain would be large, it is
None, and options are told by their places among those that are offered.
"""

from __future__ import annotations

from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.builtin_signatures import DIRECTIONS
from rulekit.model.types import Type
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Ref, Value

Domain = tuple[Value, ...]
Bounds = tuple[int, int]
Question = ops.Ask | ops.AskWay

MOST = 1000
"""Larger domains are not written out."""
DEEPEST = 20
"""Defines inside one another that are looked through."""


def domain_of(setting: Setting, op: Question) -> Domain | None:
    """The values that a question can offer; None if they cannot be told beforehand or are more than `MOST`."""
    if isinstance(op, ops.AskWay):
        return tuple(dict.fromkeys(label for label, _, _ in op.ways))
    assert isinstance(op.type, Type), op
    kind = op.type.element if op.least is not None else op.type
    values = _of_type(setting, kind, op.options)
    if values is None or len(values) > MOST:
        return None
    return values if op.least is not None or _is_something(setting, op) else (*values, None)


def _of_type(setting: Setting, kind: Type, options: x.Expr) -> Domain | None:
    if kind.name == "number":
        return _numbers(setting, options)
    if kind.name == "cell":
        return _cells(setting, options)
    if kind.name == "thing":
        return _things(setting, kind.kind, options)
    if kind.name == "player":
        return tuple(setting.seat_refs)
    if kind.name == "direction":
        return tuple(Ref("direction", name) for name in DIRECTIONS)
    return (False, True) if kind.name == "flag" else None


# ---------------------------------------------------------------- by what is offered


def _source(setting: Setting, e: x.Expr, depth: int = 0) -> x.Expr:
    """The set of which a set is a part."""
    if isinstance(e, x.Filter | x.Without | x.Extreme | x.Ordered):
        return _source(setting, e.of, depth)
    if isinstance(e, x.Invoke) and depth < DEEPEST:
        return _source(setting, setting.game.defines[e.define].value, depth + 1)
    return e


def _is_something(setting: Setting, op: ops.Ask) -> bool:
    """Whether nothing itself is surely never an option."""
    source = _source(setting, op.options)
    if isinstance(source, x.Const):
        return op.manner != "may" and isinstance(source.value, tuple) and None not in source.value
    if isinstance(source, x.Stored):
        return op.manner != "may" and setting.game.variables[source.variable].form == "pile"
    return op.manner != "may" and isinstance(source, x.Interval | x.AllOf | x.GroupOf | x.Seats | x.Cells | x.Spaces)


def _cells(setting: Setting, options: x.Expr) -> Domain | None:
    source = _source(setting, options)
    place = setting.places.get(source.place) if isinstance(source, x.Cells) else None
    if place is None or place.width is None or place.height is None:
        return None
    if place.width * place.height > MOST:
        return None
    return tuple(Ref("cell", f"{column},{row}") for row in _from_one(place.height) for column in _from_one(place.width))


def _from_one(last: int) -> range:
    return range(1, last + 1)


def _things(setting: Setting, kind: str, options: x.Expr) -> Domain:
    """Every thing of a kind by its key; where copies can lie in several piles, also by key and pile."""
    keys = dict.fromkeys(thing.key for thing in setting.things if thing.kind == kind)
    plain = [Ref(kind, key) for key in keys]
    source = _source(setting, options)
    if isinstance(source, x.Stored | x.AllOf | x.GroupOf):
        return tuple(plain)
    piles = [setting.path(slot) for slot in setting.pile_slots if _holds(setting, slot, kind)]
    return (*plain, *(Ref(kind, f"{key} in {pile}") for key in _copied(setting, kind) for pile in piles))


def _holds(setting: Setting, slot: int, kind: str) -> bool:
    return setting.game.variables[setting.slot_variable[slot]].type.element.kind == kind


def _copied(setting: Setting, kind: str) -> list[str]:
    """The keys of which there is more than one copy."""
    copies = [thing.key for thing in setting.things[setting.copy_base :] if thing.kind == kind]
    return [key for key in dict.fromkeys(copies) if copies.count(key) > 1]


# ---------------------------------------------------------------- numbers


def _numbers(setting: Setting, options: x.Expr) -> Domain | None:
    bounds = _element_bounds(setting, options, 0)
    if bounds is None or not 0 <= bounds[1] - bounds[0] < MOST:
        return None
    return tuple(range(bounds[0], bounds[1] + 1))


def _element_bounds(setting: Setting, e: x.Expr, depth: int) -> Bounds | None:
    """Between which bounds the elements of a set of numbers lie, if that can be told."""
    source = _source(setting, e, depth)
    if isinstance(source, x.Interval):
        low, high = _bounds(setting, source.low, depth), _bounds(setting, source.high, depth)
        return None if low is None or high is None else (low[0], max(low[0], high[1]))
    if isinstance(source, x.Spaces):
        return source.low, source.high
    if isinstance(source, x.Const) and isinstance(source.value, tuple):
        return _around([(item, item) if isinstance(item, int) else None for item in source.value])
    if isinstance(source, x.Listed):
        return _around([_bounds(setting, item, depth) for item in source.items])
    if isinstance(source, x.Union | x.Choice):
        sides = (source.left, source.right) if isinstance(source, x.Union) else (source.then, source.other)
        return _around([_element_bounds(setting, side, depth + 1) for side in sides])
    return None


def _bounds(setting: Setting, e: x.Expr, depth: int) -> Bounds | None:
    """Between which bounds a number lies, if that can be told."""
    if isinstance(e, x.Const):
        return (e.value, e.value) if isinstance(e.value, int) else None
    if isinstance(e, x.OptionValue):
        value = setting.options[e.index]
        return (value, value) if isinstance(value, int) else None
    if isinstance(e, x.Stored):
        variable = setting.game.variables[e.variable]
        return None if variable.low is None or variable.high is None else (variable.low, variable.high)
    if isinstance(e, x.Choice):
        return _around([_bounds(setting, side, depth) for side in (e.then, e.other)])
    if isinstance(e, x.Arithmetic) and e.op in "+-":
        left, right = _bounds(setting, e.left, depth), _bounds(setting, e.right, depth)
        return None if left is None or right is None else _sum(left, right if e.op == "+" else (-right[1], -right[0]))
    if isinstance(e, x.Builtin) and e.word in ("min", "max"):
        return _around([_bounds(setting, one, depth) for one in e.args])
    if isinstance(e, x.Invoke) and depth < DEEPEST:
        return _bounds(setting, setting.game.defines[e.define].value, depth + 1)
    return None


def _sum(a: Bounds, b: Bounds) -> Bounds:
    return a[0] + b[0], a[1] + b[1]


def _around(bounds: list[Bounds | None]) -> Bounds | None:
    """The least bounds that hold all; None where one is not known."""
    known = [one for one in bounds if one is not None]
    if not known or len(known) < len(bounds):
        return None
    return min(low for low, _ in known), max(high for _, high in known)
