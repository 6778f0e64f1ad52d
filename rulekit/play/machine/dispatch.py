"""The dispatch table of operations: for each type of operation, how what it does is made.

Filled by the modules that say what operations do (those of `play.meaning`, `decision_options` and `fork_join`); read by
the interpreter, which need not know any of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.play.machine.closure_compilation import Meanings, always
from rulekit.play.machine.working_state import CallFrame, Machine

Act = Callable[[Machine, CallFrame], int | None]
"""What an operation does; `LEFT` if the next one may be in another frame, or something has landed or waits."""
LEFT, MOVED = True, 2
"""MOVED: nothing but the frames has changed, and there is one."""
HANDLERS: dict[type, Callable[[Meanings, Any], Act]] = {}
"""How it is made for a table of players and options what each operation does."""


@frozen
class Doing:
    """An operation that first works out expressions, and then does something with what they give.

    of:    its expressions; None stands for nothing.
    does:  how it is made for a table what it does: a function of the machine, the frame and their values.
    """

    of: Callable[[Any], tuple[x.Expr | None, ...]]
    does: Callable[[Meanings, Any], Callable[..., int | None]]


DOES: dict[type, Doing] = {}
"""The operations that are so; `HANDLERS` has the others."""


def act_of(c: Meanings, op: ops.Op) -> Act:
    """What an operation does."""
    doing = DOES.get(type(op))
    if doing is None:
        return HANDLERS[type(op)](c, op)
    does, values = doing.does(c, op), [always(None) if e is None else c.of(e) for e in doing.of(op)]
    if len(values) == 1:
        only = values[0]
        return lambda m, frame: does(m, frame, only(m))
    return lambda m, frame: does(m, frame, *[value(m) for value in values])


def acts_of(c: Meanings, code: int) -> list[tuple[ops.Op, Act]]:
    """The operations of a code, each with what it does; made when the code first runs."""
    made: list[tuple[ops.Op, Act]] | None = c.acts.get(code)
    if made is None:
        made = c.acts[code] = [(op, act_of(c, op)) for op in c.setting.game.codes[code].ops]
    return made
