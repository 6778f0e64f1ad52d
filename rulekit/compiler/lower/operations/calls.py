"""Lower calls of codes: direct ones, dispatch by printed card, and tests whether a code can be carried out."""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiler.lower.analysis.abstract_interpretation import interval_of, may_be_nothing, shape
from rulekit.compiler.lower.builder import verdicts
from rulekit.compiler.lower.builder.ir_builder import OPS, VALUES, Builder, Known
from rulekit.compiler.lower.builder.recursion_depth import enter_rule, leave_rule
from rulekit.compiler.lower.expressions.scalars import not_nothing
from rulekit.compiler.lower.expressions.specialization import ONE_THING, Sorts, arguments
from rulekit.compiler.lower.operations.basic_blocks import code_function
from rulekit.compiler.lower.operations.dynamic_scope import reset_bindings, restore_bindings, save_bindings
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import binary, same
from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.call_graph import performed


def _call(m: Builder, op: ops.Call) -> None:
    sorts, args = _handed(m, op.args)
    deep, before = enter_rule(m), save_bindings(m, [op.code])
    m.emit(p.Do(None, code_function(m.program, op.code, sorts, secret=m.apart), args))
    restore_bindings(m, before)
    leave_rule(m, deep)


def _perform(m: Builder, op: ops.Perform) -> None:
    thing = m.atom(not_nothing(m, op.thing))
    sorts, (owner,) = _handed(m, (op.owner,))
    known = interval_of(m, op.thing)
    printed = 0 <= known[0] <= known[1] < m.setting.copy_base and not may_be_nothing(m, op.thing)
    row = m.atom(m.program.entry(tuple(m.setting.row_of), thing, known))
    can_run = performed(m.setting.game, op)
    cases = sorted(
        (kind.base + place, member.code)
        for kind in m.setting.game.kinds.values()
        for place, member in enumerate(kind.members)
        if member.code is not None and member.code in can_run
    )
    deep, before = enter_rule(m), save_bindings(m, [code for _, code in cases])
    owner = m.atom(owner)

    def perform(member: int, code: int) -> None:
        known = Known(p.Const(member), reach=(member, member), maybe=False) if printed else ONE_THING
        function = code_function(m.program, code, (*sorts, known), secret=m.apart)
        m.emit(p.Do(None, function, (owner,) if printed else (owner, thing)))

    _one_of(m, cases, row, perform)
    restore_bindings(m, before)
    leave_rule(m, deep)


def _one_of(m: Builder, cases: list[tuple[int, int]], row: p.Expr, perform: Callable[[int, int], None]) -> None:
    """Dispatch on the printed card by binary search."""
    if not cases:
        return
    if len(cases) > 2:
        middle = len(cases) // 2
        below = binary("<", row, p.Const(cases[middle][0]))
        lower, upper = cases[:middle], cases[middle:]
        m.when(below, lambda: _one_of(m, lower, row, perform), lambda: _one_of(m, upper, row, perform))
        return
    m.when(same(row, p.Const(cases[0][0])), lambda: perform(*cases[0]), lambda: _one_of(m, cases[1:], row, perform))


def _possible(m: Builder, e: x.Possible) -> p.Expr:
    sorts, args = _handed(m, e.args)
    result, before = m.temp(), save_bindings(m, [])
    reset_bindings(m)
    handed = tuple(m.atom(arg) for arg in args)
    begun = m.temp()
    m.emit(*([p.Set(begun, p.Spent())] if m.program.verdicts else []))
    m.emit(p.Try(result, code_function(m.program, e.code, sorts), handed))
    verdicts.note_possible(m, e.code, sorts, handed, p.Get(result), binary("-", p.Spent(), p.Get(begun)))
    restore_bindings(m, before)
    return p.Get(result)


def _handed(m: Builder, args: tuple[x.Expr, ...]) -> tuple[Sorts, tuple[p.Expr, ...]]:
    if any(shape(m, arg) > 1 for arg in args):
        raise Unsupported("sets of sets")
    return arguments(m, args, changes=True)


OPS.update({ops.Call: _call, ops.Perform: _perform})
VALUES.update({x.Possible: _possible})
