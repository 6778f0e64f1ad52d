"""Inside `secretly each` nothing but the seat's own may change; looked at where it cannot be seen beforehand."""

from __future__ import annotations

from rulekit.fast import plan as p
from rulekit.fast.maker import NOTHING, Maker, binary
from rulekit.model import game as model

NOBODY = -1


def of_seat(m: Maker, seat: p.Expr, code: str = "secret-write") -> None:
    """A fault where the block of another seat is running."""
    if m.storage.apart_for is None:
        return
    running = p.Word(p.Const(m.storage.apart_for))
    m.fault(binary("&", binary("!=", running, NOTHING), binary("!=", seat, running)), code)


def of_variable(m: Maker, variable: model.Variable, owner: p.Expr) -> None:
    of_seat(m, owner if variable.owner == "player" else p.Const(NOBODY))


def of_list(m: Maker, number: p.Expr) -> None:
    """number:  of a list of the storage."""
    if m.storage.apart_for is None:
        return
    owners = [NOBODY] * len(m.storage.lists)
    for index, base in m.storage.list_base.items():
        variable = m.setting.game.variables[index]
        if variable.owner == "player":
            owners[base : base + m.setting.owners(variable)] = range(m.setting.owners(variable))
    of_seat(m, m.program.entry(tuple(owners), number))


def of_piece(m: Maker, piece: p.Expr) -> None:
    if m.storage.apart_for is None:
        return
    setting = m.setting
    owners = [NOBODY] * len(setting.things)
    for one, slot in setting.piece_slot.items():
        if setting.game.variables[setting.slot_variable[slot]].owner == "player":
            owners[one] = setting.slot_owner[slot]
    of_seat(m, m.program.entry(tuple(owners), piece))
