"""The indices of an action space as the compiler takes them: for every question which stored option has which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulekit.adapters import action_space
from rulekit.adapters.action_space import DONE, PAGE, ActionSpace
from rulekit.compiler.lower.driving.actions import Actions, Block
from rulekit.compiler.plan.ir import NONE, pair
from rulekit.model import ops
from rulekit.model.builtin_signatures import DIRECTIONS
from rulekit.model.types import Type
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Ref, Value

Places = Mapping[Value, int]


def compiled_actions(setting: Setting, space: ActionSpace) -> Actions:
    """What the indices of a space mean in a plan for the same setting."""
    blocks = {}
    for number, code in enumerate(setting.game.codes):
        for place, op in enumerate(code.ops):
            if isinstance(op, ops.Ask | ops.AskWay):
                name = op.name if isinstance(op, ops.Ask) else code.name
                blocks[number, place] = _block(setting, op, space.blocks[code.name, name])
    return Actions(space.size, DONE, PAGE, blocks)


def _block(setting: Setting, op: ops.Ask | ops.AskWay, of: action_space.Block) -> Block:
    if of.values is None:
        return Block(of.first)
    indices = {value: of.first + at for at, value in enumerate(of.values)}
    if isinstance(op, ops.AskWay):
        ways = {number: indices[label] for number, (label, _, _) in enumerate(op.ways) if label in indices}
        return Block(of.first, ways)
    assert isinstance(op.type, Type), op
    kind = op.type.element if op.least is not None else op.type
    by_value = {stored: indices[value] for stored, value in _stored(setting, kind, of.values) if value in indices}
    if None in indices:
        by_value[NONE] = indices[None]
    if kind.name != "thing":
        return Block(of.first, by_value)
    first = {ref: thing for thing, ref in reversed([*enumerate(setting.refs)])}
    alike = {thing: first[ref] for thing, ref in enumerate(setting.refs)}
    return Block(of.first, by_value, dict(_in_piles(setting, kind.kind, indices)), alike)


def _stored(setting: Setting, kind: Type, values: tuple[Value, ...]) -> Iterator[tuple[int, Value]]:
    """What may be offered of a type, as the storage has it and as it crosses the border."""
    if kind.name == "number":
        yield from ((value, value) for value in values if isinstance(value, int))
    elif kind.name == "flag":
        yield from ((0, False), (1, True))
    elif kind.name == "player":
        yield from enumerate(setting.seat_refs)
    elif kind.name == "thing":
        yield from ((at, setting.refs[at]) for at, thing in enumerate(setting.things) if thing.kind == kind.kind)
    elif kind.name == "direction":
        yield from ((pair(*way), Ref("direction", name)) for name, way in DIRECTIONS.items())
    elif kind.name == "cell":
        for value in values:
            if isinstance(value, Ref):
                column, row = value.key.split(",")
                yield pair(int(column) - 1, int(row) - 1), value


def _in_piles(setting: Setting, kind: str, indices: Places) -> Iterator[tuple[tuple[int, int], int]]:
    """By thing and pile the index of the thing in that pile, where it has one."""
    for thing, one in enumerate(setting.things):
        for slot in setting.pile_slots if one.kind == kind else ():
            value = Ref(kind, f"{one.key} in {setting.path(slot)}")
            if value in indices:
                yield (thing, slot), indices[value]
