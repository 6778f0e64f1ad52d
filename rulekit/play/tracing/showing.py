"""Showing with trails: what is shown was hidden by a line, without which there would be nothing to show."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.traversal import parts
from rulekit.play.machine.closure_compilation import HANDLERS, TRACED_HANDLERS, Act, Meanings
from rulekit.play.machine.working_state import CallFrame, Machine


def _showing(c: Meanings, op: ops.Reveal | ops.Announce) -> Act:
    show, cites = HANDLERS[type(op)](c, op), _hiding(c.setting.game, op)

    def shown(m: Machine, frame: CallFrame) -> bool | None:
        m.because(cites)
        return show(m, frame)

    return shown


def _hiding(game: model.Game, op: ops.Reveal | ops.Announce) -> tuple[str, ...]:
    """The clauses of the lines by which not everybody sees what an operation names to show it."""
    if isinstance(op, ops.Announce):
        named = [e.variable for e in parts(op.what) if isinstance(e, x.Stored)]
    else:
        named = [*_taken_from(op.things), *(variable for variable, _ in op.targets)]
    hidden = [game.variables[variable] for variable in named if game.variables[variable].seen != model.PUBLIC]
    return tuple(dict.fromkeys(clause for variable in hidden for clause in variable.own))


def _taken_from(e: x.Expr | None) -> Iterator[int]:
    """The variables in which what a set holds lies, but not those that decide which of it."""
    if isinstance(e, x.Stored):
        yield e.variable
    elif isinstance(e, x.Listed | x.Choice | x.Union):
        inner = (
            e.items if isinstance(e, x.Listed) else (e.then, e.other) if isinstance(e, x.Choice) else (e.left, e.right)
        )
        for one in inner:
            yield from _taken_from(one)
    elif e is not None:
        yield from _taken_from(e.value if isinstance(e, x.Mapped) else getattr(e, "of", None))


TRACED_HANDLERS.update({ops.Reveal: _showing, ops.Announce: _showing})
