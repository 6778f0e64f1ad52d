"""Dynamic ownership checks: inside `secretly each` a seat may change nothing but its own.

A check before each store (a write barrier), written only in plans for which
the static analysis (`dependence`) could not prove whose each change is.
"""

from __future__ import annotations

from rulekit.compiler.lower.builder.ir_builder import Builder
from rulekit.compiler.lower.expressions.scalars import list_owners
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, binary
from rulekit.model import game as model

NOBODY = -1


def check_seat(m: Builder, seat: p.Expr, code: str = "secret-write") -> None:
    """A fault where the block of a seat other than this one is running."""
    if m.storage.apart_for is None:
        return
    running = p.Word(p.Const(m.storage.apart_for))
    m.fault(binary("&", binary("!=", running, NOTHING), binary("!=", seat, running)), code)


def check_variable(m: Builder, variable: model.Variable, owner: p.Expr) -> None:
    """The check for the owner of a variable; one that is no player's may not be changed at all."""
    check_seat(m, owner if variable.owner == "player" else p.Const(NOBODY))


def check_list(m: Builder, number: p.Expr) -> None:
    """The check for the owner of a stored list, by its number."""
    if m.storage.apart_for is not None:
        check_seat(m, m.program.entry(list_owners(m, NOBODY), number))


def check_piece(m: Builder, piece: p.Expr) -> None:
    """The check for the owner of a piece."""
    if m.storage.apart_for is None:
        return
    setting = m.setting
    owners = [NOBODY] * len(setting.things)
    for one, slot in setting.piece_slot.items():
        if setting.game.variables[setting.slot_variable[slot]].owner == "player":
            owners[one] = setting.slot_owner[slot]
    check_seat(m, m.program.entry(tuple(owners), piece))
