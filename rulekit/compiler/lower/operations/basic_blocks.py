"""Lower a code, which is a flat list of operations with jumps, to plan functions.

The list is cut into basic blocks; each is lowered on its own, and
`structuring` turns their control-flow graph back into nested control.
"""

from __future__ import annotations

from functools import partial

from rulekit.compiler.lower.builder.ir_builder import AFTER_OPERATION, OPS, TERMINATORS, Builder, Program
from rulekit.compiler.lower.builder.loop_recognition import with_own_elements, with_recognised_loops
from rulekit.compiler.lower.builder.structuring import Terminator, structured, tidy
from rulekit.compiler.lower.counting.instrumentation import counted_round, counted_rule
from rulekit.compiler.lower.expressions.interned_sets import freeing
from rulekit.compiler.lower.expressions.specialization import Sorts, named_for, parameters
from rulekit.compiler.lower.operations.dynamic_scope import entry_statements
from rulekit.compiler.lower.operations.simultaneous_blocks import (
    FIRST,
    LAST,
    NEXT,
    asked_local,
    enclosing_block,
    entry_block,
    exit_block,
    head_block,
    tracks_answers,
)
from rulekit.compiler.lower.operations.verification import set_gate
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.passes.dead_stores import without_dead_stores
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ONE
from rulekit.model import ops
from rulekit.model.call_graph import run_by
from rulekit.model.control_flow import conditions_ahead
from rulekit.model.effects import may_move_cards, targets


def code_function(program: Program, code: int, sorts: Sorts, *, secret: bool = False) -> str:
    """The name of the function of a code, specialized for parameters of these sorts.

    secret:  called inside `secretly each`, where also what has one answer is asked.
    """
    name = named_for(f"code_{code}", sorts) + ("_apart" if secret else "")
    return program.function(name, lambda: _code_function(program, code, name, sorts, secret))


def _code_function(program: Program, number: int, name: str, sorts: Sorts, secret: bool) -> p.Function:
    code = program.setting.game.codes[number]
    m = Builder(program, name, code=number, rule=code.name, secret=secret)
    params = parameters(m, sorts)
    written = tidy(with_recognised_loops(structured(partial(_block, m, code, _starts(code)))))
    body = without_dead_stores(with_own_elements(written, m.types))
    stops = any(isinstance(op, ops.StopCode) and op.code == number for c in program.setting.game.codes for op in c.ops)
    known = {one for one, _ in params}
    return p.Function(
        name,
        params,
        tuple((local, kind) for local, kind in m.types.items() if local not in known),
        (*_begun(program, number, sorts), *body),
        catches=(p.Status.STOP + number,) if stops else (),
        bounds=bounds(program, number),
        origin=code.name,
    )


def _begun(program: Program, number: int, sorts: Sorts) -> list[p.Statement]:
    """The prologue of a function: count the entry, bind its steps, and reset the depth for the result."""
    deep = program.storage.deep
    alone = deep is not None and number == program.setting.game.result
    return [
        *counted_rule(program, number, bool(sorts) and sorts[0].is_thing),
        *([p.Store(p.Const(deep), ONE)] if deep is not None and alone else []),
        *entry_statements(program, number),
    ]


# ---------------------------------------------------------------- blocks


def _block(m: Builder, code: ops.Code, starts: set[int], start: int) -> tuple[list[p.Statement], Terminator | None]:
    """The statements of a basic block and its successors.

    starts: where all of them begin.
    start:  its first operation; `simultaneous_blocks` adds blocks with numbers of their own.
    """
    m.body, m.noted = [], set()
    m.lying.clear()
    if start >= LAST:
        exit_block(m, start - LAST)
        return m.body, Terminator((), (targets(code.ops[start - LAST])[0],))
    if start >= FIRST:
        return m.body, entry_block(m, code, start - FIRST)
    if start >= NEXT:
        return m.body, head_block(m, code, start - NEXT)
    place = start
    while True:
        op = code.ops[place]
        m.op, m.place, m.holds, m.worked_out = op, place, (), {}
        m.apart = m.secret or enclosing_block(code, place) is not None
        m.emit(*counted_round(m.program, m.code, place))
        set_gate(m, code, place)
        ending = TERMINATORS.get(type(op))
        if ending is not None:
            way = freeing(m, partial(ending, m, code, place, op))
            return m.body, way
        mark_open_condition(m, code, place, op)
        made = OPS.get(type(op))
        if made is None:
            raise Unsupported(type(op).__name__)
        freeing(m, partial(made, m, op))
        _after(m, code, op)
        if may_move_cards(op.effects) or run_by(m.setting.game, op):
            m.lying.clear()
        place += 1
        if place in starts:
            return m.body, Terminator((), (place,))


def mark_open_condition(m: Builder, code: ops.Code, place: int, op: ops.Op) -> None:
    """In a function that bounds: tell before each question whether some path still comes to a condition."""
    if bounds(m.program, m.code) and (op.effects.asks or run_by(m.setting.game, op)):
        m.emit(p.Live(p.AHEAD if conditions_ahead(m.setting.game, m.code, place) else p.STANDS_IN))


def bounds(program: Program, number: int) -> bool:
    """Whether a code has an `only if`, or may lie ahead of one and asks."""
    code = program.setting.game.codes[number]
    return code.has_only_if or (number in program.guarded and any(op.effects.asks for op in code.ops))


def _after(m: Builder, code: ops.Code, op: ops.Op) -> None:
    for follow in AFTER_OPERATION:
        follow(m, op)
    if (op.effects.asks or run_by(m.setting.game, op)) and tracks_answers(m, code, m.place):
        m.emit(p.Set(asked_local(code, m.place), ONE))


def _starts(code: ops.Code) -> set[int]:
    """Where basic blocks begin (leaders): at the targets of jumps."""
    found = {target for op in code.ops for target in targets(op)}
    for place, op in enumerate(code.ops):
        if isinstance(op, ops.SecretStart):
            found |= {place, place + 1, op.end}
    return found
