"""Lower calls of codes: direct ones, dispatch by printed card, and tests whether a code can be carried out."""

from __future__ import annotations

from rulekit.compiler.lower.analysis.abstract_interpretation import element_maybe, interval_of, may_be_nothing, shape
from rulekit.compiler.lower.analysis.cardinality import SMALL_SET, distinct, max_size
from rulekit.compiler.lower.builder import verdicts
from rulekit.compiler.lower.builder.ir_builder import GRID, OPS, VALUES, Builder, binary, same
from rulekit.compiler.lower.builder.recursion_depth import enter_rule, leave_rule
from rulekit.compiler.lower.expressions.scalars import not_nothing
from rulekit.compiler.lower.operations.basic_blocks import APART, REPEATED, code_function, member_codes
from rulekit.compiler.lower.operations.dynamic_scope import reset_bindings, restore_bindings, save_bindings
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.plan import ir as p
from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.call_graph import performed


def _call(m: Builder, op: ops.Call) -> None:
    sorts, args = arguments(m, op.args)
    deep, before = enter_rule(m), save_bindings(m, [op.code])
    m.emit(p.Do(None, code_function(m.program, op.code, sorts, secret=m.apart), args))
    restore_bindings(m, before)
    leave_rule(m, deep)


def _perform(m: Builder, op: ops.Perform) -> None:
    thing = m.atom(not_nothing(m, op.thing))
    sorts, (owner,) = arguments(m, (op.owner,))
    known = interval_of(m, op.thing)
    printed = 0 <= known[0] <= known[1] < m.setting.copy_base and not may_be_nothing(m, op.thing)
    sorts += "k" if printed else "n"
    row = m.atom(m.program.entry(tuple(m.setting.row_of), thing, known))
    can_run = performed(m.setting.game, op)
    cases = sorted(case for case in member_codes(m.setting.game) if case[1] in can_run)
    deep, before = enter_rule(m), save_bindings(m, [code for _, code in cases])
    _one_of(m, cases, row, sorts, (m.atom(owner),) if printed else (m.atom(owner), thing))
    restore_bindings(m, before)
    leave_rule(m, deep)


def _one_of(m: Builder, cases: list[tuple[int, int]], row: p.Expr, sorts: str, args: tuple[p.Expr, ...]) -> None:
    """Dispatch on the printed card by binary search."""
    if not cases:
        return
    if len(cases) > 2:
        middle = len(cases) // 2
        below = binary("<", row, p.Const(cases[middle][0]))
        lower, upper = cases[:middle], cases[middle:]
        m.when(below, lambda: _one_of(m, lower, row, sorts, args), lambda: _one_of(m, upper, row, sorts, args))
        return
    id_, code = cases[0]
    run = p.Do(None, code_function(m.program, code, sorts, secret=m.apart), args)
    m.when(same(row, p.Const(id_)), lambda: m.emit(run), lambda: _one_of(m, cases[1:], row, sorts, args))


def _possible(m: Builder, e: x.Possible) -> p.Expr:
    sorts, args = arguments(m, e.args)
    result, before = m.temp(), save_bindings(m, [])
    reset_bindings(m)
    handed = tuple(m.atom(arg) for arg in args)
    m.emit(p.Try(result, code_function(m.program, e.code, sorts), handed))
    verdicts.note_possible(m, e.code, sorts, handed, p.Get(result))
    restore_bindings(m, before)
    return p.Get(result)


def arguments(m: Builder, args: tuple[x.Expr, ...]) -> tuple[str, tuple[p.Expr, ...]]:
    """The sorts of arguments, as in `basic_blocks.code_function`, and the arguments themselves."""
    sorts, made = "", []
    for arg in args:
        if shape(m, arg) > 1:
            raise Unsupported("sets of sets")
        cells = GRID["are_cells"](m, arg)
        if shape(m, arg) and cells:
            sorts += _set_sort(m, arg, "h" if element_maybe(m, arg) else "g")
            made.append(m.list(arg))
        elif shape(m, arg):
            got = p.Get(m.own(arg)) if isinstance(arg, x.Stored) else m.list(arg)
            if isinstance(got, p.Row) and m.program.universes.get(got.table) == range(m.setting.players):
                sorts, made = sorts + "b", [*made, got.at]
                continue
            few = "f" if max_size(m, arg) <= SMALL_SET else "m"
            sorts += _set_sort(m, arg, "l" if element_maybe(m, arg) else few)
            made.append(got)
        elif cells:
            sorts += "d" if may_be_nothing(m, arg) else "c"
            made.append(m.value(arg))
        else:
            low, high = interval_of(m, arg)
            printed = 0 <= low <= high < m.setting.copy_base < len(m.setting.things)
            sorts += "o" if may_be_nothing(m, arg) else "p" if printed else "n"
            made.append(m.value(arg))
    return sorts, tuple(made)


def _set_sort(m: Builder, arg: x.Expr, sort: str) -> str:
    return APART[REPEATED.index(sort)] if distinct(m, arg) else sort


OPS.update({ops.Call: _call, ops.Perform: _perform})
VALUES.update({x.Possible: _possible})
