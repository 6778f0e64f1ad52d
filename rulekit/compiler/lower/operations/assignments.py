"""Lower assignments to variables, and operations that are only seen, such as `reveal`."""

from __future__ import annotations

from rulekit.compiler.lower.analysis.abstract_interpretation import interval_of, may_be_nothing, shape
from rulekit.compiler.lower.analysis.side_effects import has_effects
from rulekit.compiler.lower.builder.ir_builder import ANY, OPS, Builder
from rulekit.compiler.lower.expressions.scalars import not_nothing, owner_index
from rulekit.compiler.lower.expressions.sequences import list_number, target_list
from rulekit.compiler.lower.moves import ownership_checks
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, add, binary, same, word
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops


def _assign(m: Builder, op: ops.Assign) -> None:
    variable = m.setting.game.variables[op.target.variable]
    if variable.form == "list":
        _assign_item(m, op, variable)
        return
    if variable.form == "snapshot":
        _assign_snapshot(m, op)
        return
    if variable.form not in ("counter", "flag", "value"):
        raise Unsupported(f"a change of a {variable.form}")
    owner = owner_index(m, variable, op.target.of)
    at = add(owner, p.Const(m.storage.word_base[op.target.variable]))
    if not isinstance(at, p.Const):
        at = m.atom(at)
    value = m.value(op.value)
    if variable.form == "counter":
        value = _in_bounds(m, variable, op.value, value)
    ownership_checks.check_variable(m, variable, owner)
    m.emit(p.Store(at, value))


def _assign_snapshot(m: Builder, op: ops.Assign) -> None:
    """Store pieces and their cells in turn, as one list; the value of another snapshot is copied."""
    to = target_list(m, op.target)
    ownership_checks.check_list(m, to)
    if isinstance(op.value, x.Stored) and m.setting.game.variables[op.value.variable].form == "snapshot":
        m.emit(p.Fill(to, p.Get(m.own(op.value))))
        return
    taken = m.new()
    if op.value != x.Const(None):
        m.over(op.value, lambda piece: m.emit(p.Push(taken, piece), p.Push(taken, word(m.storage.pieces, piece))))
    m.emit(p.Fill(to, p.Get(taken)))


def _in_bounds(m: Builder, variable: model.Variable, e: x.Expr, value: p.Expr) -> p.Expr:
    """The value, after a range check that faults outside the bounds, and for nothing where that may not be stored."""
    low, high = variable.low, variable.high
    known = interval_of(m, e)
    least = ANY[0] if low is None else low
    most = ANY[1] if high is None else high
    tests: list[p.Expr] = []
    value = m.atom(value)
    empty_too = variable.may_be_empty and may_be_nothing(m, e)
    if may_be_nothing(m, e) or known[0] < least:
        below = binary("<", value, p.Const(least))
        tests.append(binary("&", binary("!=", value, NOTHING), below) if empty_too else below)
    if known[1] > most:
        tests.append(binary("<", p.Const(most), value))
    for test in tests:
        m.fault(test, "out-of-bounds")
    return value


def _assign_item(m: Builder, op: ops.Assign, variable: model.Variable) -> None:
    of = m.atom(list_number(m, op.target.variable, op.target.of))
    assert op.target.index is not None
    ownership_checks.check_list(m, of)
    index = m.atom(not_nothing(m, op.target.index))
    value = m.value(op.value)
    m.fault(binary("|", binary("<", index, ONE), binary("<", p.Size(p.Stored(of)), index)), "outside")
    m.emit(p.Put(of, binary("-", index, ONE), _in_bounds(m, variable, op.value, value)))


def _set_starter(m: Builder, op: ops.SetStarter) -> None:
    seat = m.atom(m.value(op.value))
    if may_be_nothing(m, op.value):
        m.fault(same(seat, NOTHING), "not-a-starter")
    if m.setting.neutrals:
        m.fault(binary("<=", p.Const(m.setting.players), seat), "not-a-starter")
    m.emit(p.Store(p.Const(m.storage.starter), seat))


def _announce(m: Builder, op: ops.Announce) -> None:
    only_seen(m, op.what)
    only_seen(m, op.to)


def _reveal(m: Builder, op: ops.Reveal) -> None:
    for e in (op.things, *(of for _, of in op.targets)):
        if e is not None:
            only_seen(m, e)


def only_seen(m: Builder, e: x.Expr) -> None:
    """An expression that is only shown: evaluated for its effects alone, such as a fault (else dead code)."""

    def write() -> None:
        (m.list if shape(m, e) else m.value)(e)

    if has_effects(m.program, m.collect(write)):
        write()


OPS.update(
    {
        ops.Assign: _assign,
        ops.SetStarter: _set_starter,
        ops.Reveal: _reveal,
        ops.Announce: _announce,
    }
)
