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
from rulekit.model import effects, ops
from rulekit.model.call_graph import run_by
from rulekit.model.control_flow import conditions_ahead
from rulekit.model.effects import may_move_cards, targets
from rulekit.values import define


def code_function(program: Program, code: int, sorts: Sorts, *, secret: bool = False) -> str:
    """The name of the function of a code, specialized for parameters of these sorts.

    secret:  called inside `secretly each`, where also what has one answer is asked.
    """
    name = named_for(f"code_{code}", sorts) + ("_apart" if secret else "")
    return program.function(name, lambda: _code_function(program, code, name, sorts, secret))


def _code_function(program: Program, number: int, name: str, sorts: Sorts, secret: bool) -> p.Function:
    code = program.setting.game.codes[number]
    m = Builder(program, name, code=number, rule=code.name, secret=secret, counts=True)
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
    place, steps = start, _Steps(m, start)
    while True:
        op = code.ops[place]
        m.op, m.place, m.holds, m.worked_out = op, place, (), {}
        m.apart = m.secret or enclosing_block(code, place) is not None
        m.emit(*counted_round(m.program, m.code, place))
        set_gate(m, code, place)
        ending = TERMINATORS.get(type(op))
        steps.add(op, place)
        if ending is not None:
            steps.flush()
            way = freeing(m, partial(ending, m, code, place, op))
            return m.body, way
        if _leaves(m, op):
            steps.flush()
        mark_open_condition(m, code, place, op)
        made = OPS.get(type(op))
        if made is None:
            raise Unsupported(type(op).__name__)
        freeing(m, partial(made, m, op))
        _after(m, code, op)
        if _leaves(m, op):
            steps.flush()
        if may_move_cards(op.effects) or run_by(m.setting.game, op):
            m.lying.clear()
        place += 1
        if place in starts:
            steps.flush()
            return m.body, Terminator((), (place,))


@define(eq=False)
class _Steps:
    """The steps of successive operations of a block, counted together before the first of them.

    place:   the operation with which the block begins.  at: where in its body the steps are counted.
    """

    m: Builder
    place: int
    at: int = 0
    total: int = 0
    checked: bool = False

    def add(self, op: ops.Op, place: int) -> None:
        self.total += self.m.costs.code_costs(self.m.code)[place]
        self.checked = self.checked or _must_check(self.m, op, place)

    def flush(self) -> None:
        """Count what was added; what follows is counted anew, behind what was written by now."""
        if self.total or self.checked:
            is_checked = self.checked or self.total > UNCHECKED
            self.m.body.insert(self.at, p.Spend(p.Const(self.total), is_checked))
        self.at, self.total, self.checked = len(self.m.body), 0, False


def _must_check(m: Builder, op: ops.Op, place: int) -> bool:
    """Return whether it is looked here at how many steps were counted.

    So that between two looks no more is done than a code of these operations may do without loops in loops: at
    questions that may be tried, in codes that call others twice, in each pass of a loop that may have no end, and where
    one begins that is large, calls, or stands in another.
    """
    flat = m.setting.game.codes[m.code].ops
    if op.effects.asks and m.program.tries:
        return True
    if isinstance(op, ops.EachStart):
        after = flat[place + 1]
        assert isinstance(after, ops.EachNext)
        is_large = m.costs.bound(op.over, LARGE) >= LARGE
        return is_large or _is_in_loop(flat, place) or any(_may_call(m, one) for one in flat[place : after.exit])
    if place == 0 and sum(_may_call(m, one) for one in flat) > 1:
        return True
    return not isinstance(op, ops.EachNext) and any(
        isinstance(one, ops.Jump) and one.to == place for one in flat[place:]
    )


UNCHECKED = 50_000
"""No more steps are counted at once without a look at how many there were."""
LARGE = 64
"""A set of fewer members is gone through without a look at the steps."""


def _is_in_loop(flat: tuple[ops.Op, ...], place: int) -> bool:
    return any(isinstance(op, ops.Jump) and op.to <= place < at for at, op in enumerate(flat))


def _may_call(m: Builder, op: ops.Op) -> bool:
    return bool(effects.may_call(op.effects) or run_by(m.setting.game, op))


def _leaves(m: Builder, op: ops.Op) -> bool:
    """Return whether others may run in the middle of an operation, or the block may be left in it."""
    return isinstance(op, ops.OnlyIf) or bool(op.effects.asks or run_by(m.setting.game, op))


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
