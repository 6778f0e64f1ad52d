"""Lower control flow: the operations that end a basic block (terminators), loops, and bindings of locals."""

from __future__ import annotations

from rulekit.compiler.lower.analysis.abstract_interpretation import known_of, known_of_element, may_be_nothing, shape
from rulekit.compiler.lower.analysis.cardinality import distinct, max_size
from rulekit.compiler.lower.builder.environment import bound, bound_list
from rulekit.compiler.lower.builder.ir_builder import OPS, TERMINATORS, Builder
from rulekit.compiler.lower.builder.loop_recognition import Cursor
from rulekit.compiler.lower.builder.structuring import Terminator
from rulekit.compiler.lower.expressions.interned_sets import keep_named
from rulekit.compiler.lower.expressions.ordering import decide_order
from rulekit.compiler.lower.expressions.sets import cursor_of, holds_never
from rulekit.compiler.lower.moves.walks import step, walk_over
from rulekit.compiler.lower.operations import decisions, verification
from rulekit.compiler.lower.operations.basic_blocks import mark_open_condition
from rulekit.compiler.lower.operations.dynamic_scope import skip
from rulekit.compiler.lower.operations.simultaneous_blocks import asked_local, tracks_answers
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ONE, ZERO, same
from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.values import evolve

FEW_LISTED = range(2, 4)
"""So many things that are listed stand in locals as a loop goes through them."""

# ---------------------------------------------------------------- operations that end a block


def _return(m: Builder, code: ops.Code, place: int, op: ops.Return) -> None:
    if m.code == m.setting.game.result:
        verification.check(m)
    m.emit(p.Return())


def _stop(m: Builder, code: ops.Code, place: int, op: ops.StopCode) -> None:
    m.emit(p.Unwind(p.Const(p.Status.STOP + op.code)))


def _end_game(m: Builder, code: ops.Code, place: int, op: ops.EndGame) -> None:
    ending = p.Const(m.storage.ending)
    m.fault(p.Word(ending), "end-game")
    m.emit(p.Store(ending, ONE), p.Unwind(p.Const(p.Status.END)))


def _jump(m: Builder, code: ops.Code, place: int, op: ops.Jump) -> Terminator:
    return Terminator((), (op.to,))


def _unless(m: Builder, code: ops.Code, place: int, op: ops.Unless) -> Terminator:
    test = m.value(op.test)
    if isinstance(test, p.Const):
        return Terminator((), (place + 1 if test.value else op.to,))
    return Terminator((test,), (place + 1, op.to))


def _each_next(m: Builder, code: ops.Code, place: int, op: ops.EachNext) -> Terminator:
    if op.items in m.empty:
        return Terminator((), (op.exit,))
    element, position, there = f"v{op.element}", f"v{op.position}", m.temp()
    m.types[position] = m.types[element] = "int"
    if op.items in m.walks:
        step(m, m.walks[op.items], there, element, position)
    else:
        m.emit(Cursor(there, element, position, *m.cursors[op.items]))
    items = m.listed.get(op.items, ())
    value: p.Expr = items[-1] if items else p.Get(element)
    for number in reversed(range(len(items) - 1)):
        value = p.Pick(same(p.Get(element), p.Const(number)), items[number], value)
    m.locals[op.element] = evolve(m.locals[op.element], value=value)
    return Terminator((p.Get(there),), (place + 1, op.exit))


def _enter_step(m: Builder, code: ops.Code, place: int, op: ops.EnterStep) -> Terminator:
    at = m.program.steps.get((m.code, op.step))
    if at is None:
        return Terminator((), (place + 1,))
    skipped = m.temp()
    m.emit(p.Set(skipped, p.Word(p.Const(at))), p.Store(p.Const(at), ZERO))
    return Terminator((p.Get(skipped),), (op.end, place + 1))


def _ask_way(m: Builder, code: ops.Code, place: int, op: ops.AskWay) -> Terminator:
    mark_open_condition(m, code, place, op)
    chosen = decisions.ask_way(m, op)
    if tracks_answers(m, code, place):
        m.emit(p.Set(asked_local(code, place), ONE))
    tests = tuple(same(chosen, p.Const(number)) for number in range(len(op.ways) - 1))
    return Terminator(tests, tuple(start for _, _, start in op.ways))


# ---------------------------------------------------------------- operations that go on


def _let(m: Builder, op: ops.Let | ops.Declassify) -> None:
    """An element of a set of sets stays an interned number until its elements are needed."""
    known = known_of(m, op.value)
    is_one_of_sets = known.shape == 1 and isinstance(op.value, x.ItemOf)
    if known.shape == 2 or is_one_of_sets:
        keep_named(m)
    if is_one_of_sets:
        known = evolve(known, maybe=may_be_nothing(m, op.value))
    elif known.shape:
        known = evolve(known, most=max_size(m, op.value), distinct=distinct(m, op.value))
        m.locals[op.local] = evolve(known, value=bound_list(m, op.local, *m.made(op.value)))
        return
    m.locals[op.local] = evolve(known, value=bound(m, op.local, m.value(op.value)))


def _few_listed(m: Builder, op: ops.EachStart) -> tuple[p.Expr, None, p.Expr] | None:
    """A few things that are listed stand in locals, and the loop goes through their numbers."""
    over = op.over
    if not isinstance(over, x.Listed) or len(over.items) not in FEW_LISTED or shape(m, over) > 1:
        return None
    values = [m.value(item) for item in over.items]
    m.listed[op.items] = tuple(p.Get(m.temp()) for _ in values)
    m.emit(*(p.Set(local.local, value) for local, value in zip(m.listed[op.items], values, strict=True)))
    return ZERO, None, p.Const(len(values) - 1)


def _each_start(m: Builder, op: ops.EachStart) -> None:
    """Start a loop over a set."""
    if holds_never(m, op.over):
        m.over(op.over, lambda _: None)
        m.empty.add(op.items)
        return
    decide_order(m, op.over, whole=True)
    position = f"v{op.position}"
    m.types[position] = "int"
    code = m.setting.game.codes[m.code]
    after = code.ops[m.place + 1]
    assert isinstance(after, ops.EachNext)
    walk = walk_over(m, op.over, code.ops[m.place + 2 : after.exit])
    if walk is not None:
        m.walks[op.items] = walk
        m.emit(p.Set(position, walk.start))
    else:
        m.cursors[op.items] = _few_listed(m, op) or cursor_of(m, op.over)
        m.emit(p.Set(position, m.cursors[op.items][0]))
    m.locals[after.element] = known_of_element(m, op.over, ZERO)
    if m.locals[after.element].shape:
        keep_named(m, after.exit)


TERMINATORS.update(
    {
        ops.Return: _return,
        ops.StopCode: _stop,
        ops.EndGame: _end_game,
        ops.Jump: _jump,
        ops.Unless: _unless,
        ops.EachNext: _each_next,
        ops.EnterStep: _enter_step,
        ops.AskWay: _ask_way,
    }
)
OPS.update({ops.Let: _let, ops.Declassify: _let, ops.EachStart: _each_start, ops.Skip: skip})
