"""Uniqueness analysis: kinds of cards of which nobody ever holds two copies that are alike.

Each player begins with different cards, and every rule that moves one moves it
from a pile to another of the same player.
"""

from __future__ import annotations

from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.play.machine.working_state import Machine
from rulekit.play.state.setting import Setting


def unique_kinds(m: Machine) -> frozenset[str]:
    """The kinds of things of which each player's copies are all different, and stay that player's."""
    kinds = {thing.kind for thing in m.setting.things[m.setting.copy_base :]}
    return frozenset(kind for kind in kinds if _begin_apart(m, kind) and _stay(m.setting, kind))


def own_copies(m: Machine, kind: str) -> tuple[dict[int, int], ...]:
    """By player, the copy of each printed card that is that player's; the kind is kept apart."""
    made: tuple[dict[int, int], ...] = tuple({} for _ in m.setting.seats)
    for number, slot in enumerate(m.lies):
        copy = m.setting.copy_base + number
        if m.setting.things[copy].kind == kind:
            made[m.setting.slot_owner[slot]][m.setting.row_of[copy]] = copy
    return made


def _begin_apart(m: Machine, kind: str) -> bool:
    seen: set[tuple[int, int]] = set()
    for number, slot in enumerate(m.lies):
        thing = m.setting.things[m.setting.copy_base + number]
        if thing.kind != kind:
            continue
        if slot < 0 or not _is_own(m.setting, m.setting.slot_variable[slot]):
            return False
        mark = (m.setting.slot_owner[slot], thing.row)
        if mark in seen:
            return False
        seen.add(mark)
    return True


def _is_own(setting: Setting, variable: int) -> bool:
    return setting.game.variables[variable].owner == "player"


def _stay(setting: Setting, kind: str) -> bool:
    for code in setting.game.codes:
        chosen = {op.local: op.options for op in code.ops if isinstance(op, ops.Ask) and op.least is None}
        for op in code.ops:
            row = op.effects
            if row.takes and (row.draws or row.exchanges):
                return False
            if row.fills and not _stays_own(setting, op, chosen, kind):
                return False
    return True


def _stays_own(setting: Setting, op: ops.Op, chosen: dict[int, x.Expr], kind: str) -> bool:
    """Whether what a rule moves stays with its player; what was chosen is moved where the chooser is still the same."""
    (to,) = (getattr(op, name) for name in op.effects.fills)
    if setting.game.variables[to.variable].type.element.kind != kind:
        return True
    things: x.Expr | None
    (things,) = (getattr(op, name) for name in op.effects.takes)
    if isinstance(things, x.Local):
        things = chosen.get(things.index)
    return _is_own(setting, to.variable) and isinstance(to.of, x.Local) and _lie_with(things, to.of)


def _lie_with(things: x.Expr | None, owner: x.Expr) -> bool:
    """Whether things surely lie in piles of this owner."""
    if isinstance(things, x.Union):
        return _lie_with(things.left, owner) and _lie_with(things.right, owner)
    return isinstance(things, x.Stored) and things.of == owner
