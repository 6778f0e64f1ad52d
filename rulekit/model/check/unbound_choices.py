"""Choices that an `only if` in a called action reads and does not bind, since it binds choices of its own action."""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.diagnostics import Problems
from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.game import Game
from rulekit.model.traversal import parts


def check(game: Game, problems: Problems) -> None:
    """Warns of an answer that is handed to an action which asks on and then has an `only if` about it."""
    for code in game.codes:
        if code.has_only_if:
            continue
        asked = {op.local: op for op in code.ops if isinstance(op, ops.Ask) and op.least is None}
        lets = {op.local: op.value for op in code.ops if isinstance(op, ops.Let)}
        for call in (op for op in code.ops if isinstance(op, ops.Call)):
            called = game.codes[call.code]
            for place, arg in enumerate(call.args):
                ask = asked.get(arg.index) if isinstance(arg, x.Local) else None
                if ask is None or _is_picked(game, lets, ask.options) or not _asks_about(called, place):
                    continue
                title = f"an `only if` of `{called.name}` does not bind the choice of `{ask.name}`, made before it"
                values = ", ".join("…" for _ in call.args)
                tried = f"only if possible {called.name}({values})"
                note = f"write `{tried}` in front of this line, or choose in `{called.name}`"
                problems.warn("unbound-choice", title, call.span, note=note)


def _asks_about(code: ops.Code, parameter: int) -> bool:
    """Whether an action asks somebody before it does anything else, and an `only if` of it looks at a parameter."""
    first = next((op for op in code.ops if not isinstance(op, ops.Let)), None)
    tests = tuple(op.test for op in code.ops if isinstance(op, ops.OnlyIf))
    is_ruled = any(isinstance(part, x.Local) and part.index == parameter for part in parts(tests))
    return is_ruled and isinstance(first, ops.Ask | ops.AskWay)


def _is_picked(game: Game, lets: Mapping[int, x.Expr], options: x.Expr) -> bool:
    """Whether answers are offered by a condition that is worked out elsewhere: by `possible`, or by a define."""
    waiting, seen = [options], set[x.Expr]()
    while waiting:
        for part in parts(waiting.pop()):
            if isinstance(part, x.Filter) and any(isinstance(one, x.Possible | x.Invoke) for one in parts(part.test)):
                return True
            meant = game.defines[part.define].value if isinstance(part, x.Invoke) else None
            meant = lets.get(part.index) if isinstance(part, x.Local) else meant
            if meant is not None and meant not in seen:
                seen.add(meant)
                waiting.append(meant)
    return False
