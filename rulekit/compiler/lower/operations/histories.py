"""Lower `note` and `seen_before`: situations as numbers, one behind the other in a list of the storage.

A number of a piece is worked out from what `play.state.position_codes` declares.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.compiler.lower.builder.ir_builder import OPS, Builder
from rulekit.compiler.lower.expressions.builtins import VALUE_BUILTINS
from rulekit.compiler.lower.expressions.sequences import target_list
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, same, word
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.play.state.position_codes import Digit, PieceCode, code_of, width


def _situation(m: Builder, variable: model.Variable, values: Iterable[x.Expr]) -> p.Expr:
    """What a history compares, as it is now, in a sequence of its own."""
    found = m.new()
    for one, value in zip(variable.compared, values, strict=True):
        if one.kind:
            _pieces(m, found, code_of(m.setting, one.kind), value)
        else:
            m.emit(p.Push(found, _printed(m, value) if one.printed else m.value(value)))
    return p.Get(found)


def _printed(m: Builder, value: x.Expr) -> p.Expr:
    thing = m.atom(m.value(value))
    return p.Pick(same(thing, NOTHING), NOTHING, m.program.entry(tuple(m.setting.row_of), binary("max", thing, ZERO)))


def _pieces(m: Builder, found: str, code: PieceCode, pieces: x.Expr) -> None:
    """The numbers of pieces in order; those that stand nowhere only where something is said of each of them."""
    numbers = m.new()

    def one(piece: p.Expr) -> None:
        piece = m.atom(piece)
        space = m.atom(word(m.storage.pieces, piece))
        stands = p.Pick(same(space, NOTHING), p.Const(code.nowhere), space) if code.digits else space
        push = m.collect(lambda: m.emit(p.Push(numbers, _number(m, code, piece, stands))))
        m.emit(*push) if code.digits else m.emit(p.If(binary("!=", space, NOTHING), push))

    m.over(pieces, one)
    m.emit(p.Sort(numbers, p.Get(numbers), 1))
    m.each_in(p.Get(numbers), lambda number: m.emit(p.Push(found, number)))
    missing = binary("-", p.Const(code.width), p.Size(p.Get(numbers)))
    m.each_number(ONE, missing, lambda _: m.emit(p.Push(found, p.Const(-1))))


def _number(m: Builder, code: PieceCode, piece: p.Expr, stands: p.Expr) -> p.Expr:
    things = range(len(m.setting.things))
    look = m.program.entry(tuple(code.looks.get(thing, 0) for thing in things), piece)
    number = add(binary("*", stands, p.Const(code.several)), look)
    for digit in code.digits:
        number = add(binary("*", number, p.Const(digit.size)), _told(m, digit, piece))
    return number


def _told(m: Builder, digit: Digit, piece: p.Expr) -> p.Expr:
    variable = m.setting.game.variables[digit.variable]
    first = m.setting.kind_base[variable.owner]
    value = m.atom(word(m.storage.word_base[digit.variable] - first, piece))
    told = add(value, p.Const(1 - digit.low))
    if digit.is_direction:
        corner = m.atom(add(value, p.Const(p.pair(1, 1))))
        column = m.atom(binary("//", corner, p.Const(p.WIDTH)))
        told = add(binary("-", corner, binary("*", column, p.Const(p.WIDTH - 3))), ONE)
    return p.Pick(same(value, NOTHING), ZERO, told)


def _note(m: Builder, op: ops.Note) -> None:
    variable = m.setting.game.variables[op.target.variable]
    now, to = _situation(m, variable, op.values), target_list(m, op.target)
    full = p.Const(variable.last * width(m.setting, variable))
    m.fault(binary("<=", full, p.Size(p.Stored(to))), "out-of-bounds")
    m.each_in(now, lambda number: m.emit(p.Add(to, number)))


def _seen_before(m: Builder, e: x.Builtin) -> p.Expr:
    assert isinstance(e.args[0], x.Stored)
    variable = m.setting.game.variables[e.args[0].variable]
    size, now, before = width(m.setting, variable), _situation(m, variable, e.args[1:]), m.list(e.args[0])
    found = m.temp()
    m.emit(p.Set(found, ZERO))

    def situation(number: p.Expr) -> None:
        label, first = m.fresh("f"), m.atom(binary("*", number, p.Const(size)))

        def compared(i: p.Expr) -> None:
            differs = binary("!=", p.Item(now, i), p.Item(before, add(first, i)))
            m.emit(p.If(differs, (p.Break(label),)))

        def whole() -> None:
            m.each_number(ZERO, p.Const(size - 1), compared)
            m.emit(p.Set(found, add(p.Get(found), ONE)))

        m.emit(p.Block(label, m.collect(whole)))

    last = binary("-", binary("//", p.Size(before), p.Const(max(size, 1))), ONE)
    m.each_number(ZERO, last, situation)
    return p.Get(found)


OPS[ops.Note] = _note
VALUE_BUILTINS["seen_before"] = _seen_before
