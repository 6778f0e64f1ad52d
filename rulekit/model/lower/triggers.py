"""Triggers of counters and piles, compiled into the lines that may fire them: old value, change, condition, call.

What reacts to pieces is found while a match runs, since a piece comes to rest in many ways.  A counter or a pile is
named by the line that changes it, so what reacts to it is known here, and engines need to know nothing of it.
"""

from __future__ import annotations

from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.lower.code_builder import CallSite, Label, Lowering
from rulekit.model.resolve.symbol_table import Trigger
from rulekit.model.types import NUMBER, PLAYER, Type, set_of, thing
from rulekit.syntax.traversal import cites
from rulekit.values import evolve

UP, DOWN = 1, -1


def assigned(low: Lowering, place: ops.Target, value: x.Expr, way: int = 0) -> None:
    """A counter gets a value, and what reacts to that runs.  way: whether it is known to go up or down."""
    found = [trigger for trigger in _of(low, place) if not _is_idle(trigger, value, way)]
    if not found:
        low.emit(ops.Assign(place, value))
        return
    low.scope.blocks.append({})
    place = _with_kept_owner(low, place)
    now = x.Stored(place.variable, place.of)
    old = _kept(low, "number before", now, NUMBER)
    low.emit(ops.Assign(place, value))
    for trigger in found:
        _call_if(low, trigger, _test(trigger, old, now), _owner(place))
    low.scope.blocks.pop()


def filled(low: Lowering, op: ops.MoveToPile | ops.Deal) -> None:
    """Things come to lie in a pile, and what reacts to it runs for each that was not there before."""
    if not _of(low, op.to):
        low.emit(op)
        return
    low.scope.blocks.append({})
    place = _with_kept_owner(low, op.to)
    kind, held = low.world.variables[place.variable].type, x.Stored(place.variable, place.of)
    count, before = _kept(low, "count before", x.Count(held), NUMBER), _kept(low, "things before", held, kind)
    low.emit(evolve(op, to=place))
    fresh = x.Among(x.Element(len(low.scope.elements)), before, negate=True, how="plain")
    coming = _kept(low, "things coming", x.Filter(held, len(low.scope.elements), fresh), kind)
    _each_coming(low, place, coming, x.Interval(x.Const(1), x.Arithmetic("-", x.Count(held), count)))
    low.scope.blocks.pop()


def on_piles(low: Lowering, kind: Type) -> bool:
    """Whether anything reacts to things of this type that come into some pile."""
    held = (low.world.variables[variable] for variable in low.world.triggers)
    return any(variable.form == "pile" and variable.type.element == kind for variable in held)


def _of(low: Lowering, place: ops.Target) -> list[Trigger]:
    return low.world.triggers.get(place.variable, []) if place.index is None else []


def _with_kept_owner(low: Lowering, place: ops.Target) -> ops.Target:
    """The place with its owner worked out once: what the line changes may be what the owner follows from."""
    if place.of is None:
        return place
    owner = low.world.variables[place.variable].owner
    kind = PLAYER if owner == "player" else thing(owner)
    return evolve(place, of=_kept(low, "owner of it", place.of, kind))


def _owner(place: ops.Target) -> tuple[x.Expr, ...]:
    return () if place.of is None else (place.of,)


def _kept(low: Lowering, name: str, value: x.Expr, kind: Type) -> x.Local:
    local = low.scope.bind(name, kind)
    low.emit(ops.Let(local, value))
    return x.Local(local)


def _is_idle(trigger: Trigger, value: x.Expr, way: int) -> bool:
    """Whether a change is known never to fire: one downward, or to a number on the other side."""
    word, mark = trigger.node.word, trigger.low
    if way == DOWN and (word == "reaches" or (word == "enters" and trigger.is_open)):
        return True
    if way == UP and word == "leaves" and trigger.is_open:
        return True
    if not isinstance(value, x.Const) or not isinstance(mark, x.Const):
        return False
    if not isinstance(value.value, int) or not isinstance(mark.value, int):
        return False
    return value.value < mark.value and word != "leaves"


def _test(trigger: Trigger, old: x.Expr, now: x.Expr) -> x.Expr:
    if trigger.node.word == "reaches":
        assert trigger.low is not None, trigger
        return x.Both(x.Compare("below", old, trigger.low), x.Compare("at least", now, trigger.low))
    inside, outside = (now, old) if trigger.node.word == "enters" else (old, now)
    return x.Both(_within(trigger, inside), x.Not(_within(trigger, outside)))


def _within(trigger: Trigger, number: x.Expr) -> x.Expr:
    assert trigger.low is not None, trigger
    if trigger.is_set:
        return x.Among(number, trigger.low, negate=False, how="plain")
    above = x.Compare("at least", number, trigger.low)
    return above if trigger.high is None else x.Both(above, x.Compare("at most", number, trigger.high))


def _each_coming(low: Lowering, place: ops.Target, coming: x.Expr, numbers: x.Interval) -> None:
    """A loop over what came, in which all that reacts is called.

    It goes over their numbers, since how many things lie in a pile everybody knows, and which they are perhaps not.
    """
    items, position = low.scope.bind("coming items", set_of(NUMBER)), low.scope.bind("coming position", NUMBER)
    number = low.scope.bind("coming number", NUMBER)
    low.emit(ops.EachStart(items, position, numbers))
    leave, again = Label(), len(low.made)
    low.emit(ops.EachNext(items, position, number, -1, "coming", NUMBER), exit=leave)
    kind = low.world.variables[place.variable].type.element
    came = _kept(low, "coming thing", x.ItemOf(coming, x.Local(number)), kind)
    for trigger in _of(low, place):
        _call(low, trigger, (came, *_owner(place)))
    low.emit(ops.Jump(again))
    low.here(leave)


def _call_if(low: Lowering, trigger: Trigger, test: x.Expr, args: tuple[x.Expr, ...]) -> None:
    span, low.span = low.span, trigger.node.span
    over = Label()
    with low.line(cites(trigger.node)):
        low.emit(ops.Unless(evolve(test, span=trigger.node.span), -1), to=over)
    low.span = span
    _call(low, trigger, args)
    low.here(over)


def _call(low: Lowering, trigger: Trigger, args: tuple[x.Expr, ...]) -> None:
    span, low.span = low.span, trigger.node.span
    low.tally.calls.append(CallSite(low.index, trigger.code, None, None, trigger.node.span))
    low.emit(ops.Call(trigger.code, args))
    low.span = span
