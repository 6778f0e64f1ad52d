"""Instrumentation: what counts in a plan, behind every question and at the beginning of every rule."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.lower.counting.counters import Counters, Group
from rulekit.compiler.lower.counting.ranking_key import standing
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, same, word

_OUTSIDE = p.Not(p.Trying())
"""What is tried does not count: so no try has to take back what is counted."""


def increment(at: p.Expr, by: p.Expr = ONE) -> p.Store:
    """A word of the storage grows."""
    return p.Store(at, p.Binary("+", p.Word(at), by))


# ---------------------------------------------------------------- rules


def counted_rule(program: Program, code: int, owner: bool) -> list[p.Statement]:
    """What counts a rule, for the beginning of its function.

    owner:  whether its first parameter is a seat, maybe nothing.
    """
    counters = program.counters
    if counters is None:
        return []
    made: list[p.Statement] = []
    group = counters.groups[-1]
    if code in group.domain.numbers:
        entry = group.first + group.domain.numbers.index(code)
        made += _counted_rule(counters, entry, owner and group.told.owned[entry - group.first])
    return [p.If(_OUTSIDE, tuple(made))] if made else []


def counted_round(program: Program, code: int, place: int) -> list[p.Statement]:
    """The statements that count a round, for the place before an operation: none where no round begins there."""
    counters = program.counters
    if counters is None or counters.round_start != (code, place):
        return []
    made: list[p.Statement] = [increment(p.Const(counters.rounds)), *_noted_beginner(program, counters)]
    if counters.ranking_key is not None:
        made.append(p.Do(None, program.function("counted_lead", lambda: _lead(program, counters)), ()))
    return [p.If(_OUTSIDE, tuple(made))]


def _counted_rule(counters: Counters, entry: int, owned: bool) -> list[p.Statement]:
    at = counters.entries + entry * counters.seats
    if not owned:
        return [increment(p.Const(at))]
    owner = p.Get("v0")
    somebody = binary("&", binary("<=", ZERO, owner), binary("<", owner, p.Const(counters.seats)))
    return [p.If(somebody, (increment(add(owner, p.Const(at))),))]


def _noted_beginner(program: Program, counters: Counters) -> list[p.Statement]:
    """In the first round: who begins, where the rules may change that later."""
    if not counters.sheet.begins:
        return []
    first = same(p.Word(p.Const(counters.began)), NOTHING)
    return [p.If(first, (p.Store(p.Const(counters.began), p.Word(p.Const(program.storage.starter))),))]


def _lead(program: Program, counters: Counters) -> p.Function:
    """Whether another player leads alone than who did so last."""
    m = Builder(program, "counted_lead")
    who = _leader(m, program, counters)
    last = p.Const(counters.leader)

    def alone() -> None:
        other = binary("&", binary("!=", p.Word(last), NOTHING), binary("!=", p.Word(last), p.Get(who)))
        m.emit(p.If(other, (increment(p.Const(counters.changes)),)), p.Store(last, p.Get(who)))

    m.when(binary("!=", p.Get(who), NOTHING), alone)
    return m.function()


def _leader(m: Builder, program: Program, counters: Counters) -> str:
    """Who alone stands best, or nothing."""
    name, best, who, now = standing(program), m.temp(), m.temp(), m.temp()
    m.emit(p.Do(best, name, (ZERO,)), p.Set(who, ZERO))
    for seat in range(1, counters.seats):
        m.emit(p.Do(now, name, (p.Const(seat),)))
        ahead = (p.Set(best, p.Get(now)), p.Set(who, p.Const(seat)))
        level = p.If(same(p.Get(now), p.Get(best)), (p.Set(who, NOTHING),))
        m.emit(p.If(binary("<", p.Get(best), p.Get(now)), ahead, (level,)))
    return who


# ---------------------------------------------------------------- answers


def count_answer(m: Builder, asked: p.Ask | p.AskSeveral) -> None:
    """What counts behind a question."""
    if m.program.counters is not None:
        m.emit(p.If(_OUTSIDE, tuple(_behind(m, m.program.counters, asked))))


def _behind(m: Builder, counters: Counters, asked: p.Ask | p.AskSeveral) -> Iterator[p.Statement]:
    question = m.program.asks[asked.ask]
    op = (question.code, question.place)
    seat = m.temp(prefix="counted_seat")
    yield p.Set(seat, asked.seat)
    size = p.Size(asked.options)
    for one in counters.questions:
        if one.op == op:
            yield from (increment(p.Const(one.word)), increment(p.Const(one.word + 1), size))
            most = p.Const(one.word + 2)
            yield p.If(binary("<", p.Word(most), size), (p.Store(most, size),))
    for group in counters.groups:
        if group.told.kind == "answer" and group.op == op:
            yield from _answer(m, counters, group, asked, p.Get(seat))
    if any(group.told.kind == "space" for group in counters.groups):
        held = m.program.function("counted_spaces", lambda: _spaces(m.program, counters))
        yield p.Do(None, held, (p.Get(seat),))


def _answer(
    m: Builder, counters: Counters, group: Group, asked: p.Ask | p.AskSeveral, seat: p.Expr
) -> Iterator[p.Statement]:
    if isinstance(asked, p.AskSeveral):
        label, local = m.fresh("counted_each"), m.temp(prefix="counted_one")
        yield p.Each(label, local, p.Get(asked.local), (_came(m.program, counters, group, p.Get(local), seat),))
        return
    local = m.temp(prefix="counted_one")
    yield p.Set(local, p.Item(asked.options, p.Get(asked.local)))
    yield _came(m.program, counters, group, p.Get(local), seat)


def _came(program: Program, counters: Counters, group: Group, value: p.Expr, seat: p.Expr) -> p.Statement:
    entry = group.domain.expression(program, value)
    first = p.Const(counters.entries + group.first * counters.seats)
    at = p.Binary("+", p.Binary("+", binary("*", entry, p.Const(counters.seats)), seat), first)
    return increment(at)


def _spaces(program: Program, counters: Counters) -> p.Function:
    """Where the pieces of a seat, and those of everybody, stand when it decides."""
    m = Builder(program, "counted_spaces")
    setting = program.setting
    seat = p.Get("counted_seat")
    for group in counters.groups:
        if group.told.kind != "space":
            continue
        variable = setting.game.variables[group.op[0]]
        first = program.storage.pieces + setting.piece_first[group.op[0]]
        for number in range(variable.count):
            owned = binary("*", seat, p.Const(variable.count)) if variable.owner else ZERO
            space = m.temp()
            m.emit(p.Set(space, word(first + number, owned)))
            m.emit(_came(program, counters, group, p.Get(space), seat))
    return m.function("counted_seat")
