"""What was there before: situations are noted in a history and compared with it, as the numbers of `position_codes`.

A situation is one sequence of numbers, in the order of what is compared.  Of
a history without any nothing is stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulekit.model import game as model
from rulekit.model import ops
from rulekit.play.machine.closure_compilation import HANDLERS, WORDS, Act, Meanings
from rulekit.play.machine.working_state import CallFrame, Machine
from rulekit.play.meaning.travel import space_of
from rulekit.play.state.event import Told
from rulekit.play.state.position_codes import COLUMN, Digit, PieceCode, code_of


def _situation(m: Machine, variable: model.Variable, values: Iterable[Any]) -> tuple[Any, ...]:
    found: list[Any] = []
    for one, value in zip(variable.compared, values, strict=True):
        if one.kind:
            found += _pieces(m, code_of(m.setting, one.kind), value)
        elif one.printed and value is not None:
            found.append(m.setting.row_of[value])
        else:
            found.append(value)
    return tuple(found)


def _pieces(m: Machine, code: PieceCode, pieces: tuple[int, ...]) -> list[int]:
    """Those that stand nowhere follow from the others, unless something is said of each of them."""
    placed = ((piece, space_of(m, piece)) for piece in pieces)
    found = sorted(_number(m, code, piece, space) for piece, space in placed if code.digits or space is not None)
    return [*found, *[-1] * (code.width - len(found))]


def _number(m: Machine, code: PieceCode, piece: int, space: Any) -> int:
    stands = space[0] * COLUMN + space[1] if isinstance(space, tuple) else code.nowhere if space is None else space
    number = int(stands) * code.several + code.looks[piece]
    for digit in code.digits:
        number = number * digit.size + _told(m, digit, m.values[m.setting.slot(digit.variable, piece)])
    return number


def _told(m: Machine, digit: Digit, value: Any) -> int:
    if value is None:
        return 0
    if digit.is_direction:
        return (int(value[0]) + 1) * 3 + int(value[1]) + 2
    return int(value) - digit.low + 1


def _note(c: Meanings, op: ops.Note) -> Act:
    index = op.target.variable
    variable, slot, values_of = c.setting.game.variables[index], c.setting.bases[index], c.each(op.values)

    def note(m: Machine, frame: CallFrame) -> None:
        now = _situation(m, variable, [value(m) for value in values_of])
        before = m.values[slot] or ()
        if len(before) == variable.last:
            title = f"`{variable.name}` has room for {variable.last} situations, and this is one more"
            raise m.error("out-of-bounds", title)
        m.check_write(slot)
        m.values[slot] = (*before, now)
        m.emit("set", [Told("what", c.setting.path(slot)), Told("value", len(before) + 1)])

    return note


def _seen_before(m: Machine, e: Any, args: list[Any]) -> int:
    variable = m.setting.game.variables[e.args[0].variable]
    before: tuple[Any, ...] = args[0] or ()
    now = _situation(m, variable, args[1:])
    return sum(one == now for one in before)


HANDLERS[ops.Note] = _note
WORDS["seen_before"] = _seen_before
