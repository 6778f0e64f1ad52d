"""Breakpoints: the positions of a match in which an action is about to begin, between its decisions.

The game is instrumented with a question that has one answer before each call,
and the match played again with it; so every such position can be taken hold
of.  Actions that are only tried, and secret blocks, are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.types import NUMBER, UNKNOWN
from rulekit.play import engine
from rulekit.play.machine.closure_compilation import evaluate
from rulekit.play.machine.working_state import thaw
from rulekit.play.state.external_values import outward
from rulekit.play.state.match_state import Action, State
from rulekit.play.state.value import Value
from rulekit.tools.analysis.rule_instrumentation import instrumented
from rulekit.tools.analysis.statement_coverage import secret_places
from rulekit.tools.analysis.type_reconstruction import ExpressionTypes
from rulekit.tools.examples.scenario_writer import CannotSay, value_text
from rulekit.tools.examples.step_pauses import tried
from rulekit.values import evolve, frozen

_NAME = "a pause of ours"


@frozen
class Breakpoint:
    """An action about to begin.

    call:   as a scenario calls it.
    after:  how many decisions of the match were made before.
    """

    state: State
    call: str
    after: int


def with_breakpoints(game: model.Game) -> model.Game:
    """The game with a question before each call that can be told alone."""
    apart, blind = secret_places(game)
    never = blind | tried(game) | {game.main, game.result}

    def insert(code: int, pc: int, op: ops.Op) -> list[ops.Op]:
        if not isinstance(op, ops.Call) or code in never or op.code == game.result or (code, pc) in apart:
            return []
        local, one = game.codes[code].locals, x.Const((0,))
        return [ops.Ask(local, _NAME, x.Const(0), one, manner="always", type=NUMBER)]

    made = instrumented(game, insert)
    return evolve(made, codes=tuple(evolve(code, locals=code.locals + 1) for code in made.codes))


def breakpoints(
    game: model.Game, options: Mapping[str, Value], seats: int, seed: str, actions: Sequence[Action]
) -> Iterator[Breakpoint]:
    """The breakpoints of a match with these decisions, in order.  Errors: `RuleError` where the match has one."""
    types = ExpressionTypes(game)
    state = engine.start(with_breakpoints(game), options, seats, seed).state
    left = list(actions)
    while waiting := engine.decisions(state):
        if waiting[0].name == _NAME:
            call = _call(state, types)
            if call:
                yield Breakpoint(state, call, len(actions) - len(left))
            state = engine.apply(state, Action(0, 0)).state
        elif left:
            state = engine.apply(state, left.pop(0)).state
        else:
            return


def _call(state: State, types: ExpressionTypes) -> str:
    """The call that comes next; "" where an argument has no words."""
    m = thaw(state)
    frame, codes = m.frames[-1], state.setting.game.codes
    m.locals = frame.locals
    op = codes[frame.code].ops[frame.pc + 1]
    assert isinstance(op, ops.Call), op
    try:
        args = [_value_text(state, types, op.code, place, evaluate(m, arg)) for place, arg in enumerate(op.args)]
    except CannotSay:
        return ""
    name = codes[op.code].name
    return f"{name}({', '.join(args)})" if args else name


def _value_text(state: State, types: ExpressionTypes, code: int, place: int, value: Any) -> str:
    kind = types.of(x.Local(place), code)
    if kind == UNKNOWN:
        raise CannotSay(f"argument {place + 1}")
    return value_text(state, outward(state.setting, kind, value))
