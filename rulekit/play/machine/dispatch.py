"""The dispatch table of operations: for each type of operation, how what it does is made.

Filled by the modules that say what operations do (those of `play.meaning`, `decision_options` and `fork_join`); read by
the interpreter, which need not know any of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.model import ops
from rulekit.play.machine.closure_compilation import Meanings
from rulekit.play.machine.working_state import CallFrame, Machine

Act = Callable[[Machine, CallFrame], int | None]
"""What an operation does; `LEFT` if the next one may be in another frame, or something has landed or waits."""
LEFT, MOVED = True, 2
"""MOVED: nothing but the frames has changed, and there is one."""
HANDLERS: dict[type, Callable[[Meanings, Any], Act]] = {}
"""How it is made for a table of players and options what each operation does."""
Placed = tuple[ops.Op, int, Act]
"""An operation at its place in a code: how many steps it takes, and what it does."""


def acts_of(c: Meanings, code: int) -> list[Placed]:
    """The operations of a code; made when the code first runs."""
    made: list[Placed] | None = c.acts.get(code)
    if made is None:
        flat = c.setting.game.codes[code].ops
        made = c.acts[code] = [(op, _steps(flat, at), HANDLERS[type(op)](c, op)) for at, op in enumerate(flat)]
    return made


def _steps(flat: tuple[ops.Op, ...], at: int) -> int:
    """Operations that take time are steps; a jump back is as many as it goes back over of the others."""
    op = flat[at]
    if isinstance(op, ops.Jump) and op.to <= at:
        return sum(not over.effects.counted for over in flat[op.to : at + 1])
    return int(op.effects.counted)
