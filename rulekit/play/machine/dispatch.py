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


def acts_of(c: Meanings, code: int) -> list[tuple[ops.Op, Act]]:
    """The operations of a code, each with what it does; made when the code first runs."""
    made: list[tuple[ops.Op, Act]] | None = c.acts.get(code)
    if made is None:
        made = c.acts[code] = [(op, HANDLERS[type(op)](c, op)) for op in c.setting.game.codes[code].ops]
    return made
