"""Lower reactions: rules that run when a piece lands, enters, leaves or reaches.

Moves append to an event queue (`placement`).  Behind each operation the queue
is drained: all reactions to its events are collected first, then called in
that order.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulekit.compiler.lower.analysis.abstract_interpretation import shape
from rulekit.compiler.lower.analysis.intervals import places_of
from rulekit.compiler.lower.builder.ir_builder import AFTER_OPERATION, Builder, Program
from rulekit.compiler.lower.builder.recursion_depth import check_depth, depth_word, leave_rule
from rulekit.compiler.lower.expressions.scalars import not_nothing
from rulekit.compiler.lower.expressions.specialization import ONE_THING, Sorts
from rulekit.compiler.lower.moves.placement import has_reactions, landing_queue
from rulekit.compiler.lower.operations.basic_blocks import code_function
from rulekit.compiler.lower.operations.dynamic_scope import restore_bindings, save_bindings
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, same
from rulekit.model import effects, ops
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.values import evolve


def react(m: Builder, op: ops.Op) -> None:
    """Call the event handler behind an operation that may have moved pieces to which something reacts."""
    if not m.setting.game.reactions or not effects.may_react(op.effects):
        return
    # Of what names no piece, any may be moved.
    names = {name for piece in effects.moved(op) or (x.Const(None),) for name in places_of(m, piece)}
    if any(has_reactions(m, m.setting.game.places[name]) for name in names):
        name = "react_apart" if m.apart else "react"
        m.emit(p.Do(None, m.program.function(name, lambda: _function(m.program, name, m.apart)), ()))


def _function(program: Program, name: str, apart: bool) -> p.Function:
    m = Builder(program, name, apart=apart)
    noted = p.Const(landing_queue(program))
    took, empty, calls = m.temp("list", "s"), m.new(), m.new()
    m.emit(p.Copy(took, p.Stored(noted)), p.Fill(noted, p.Get(empty)))
    last = binary("-", binary("//", p.Size(p.Get(took)), p.Const(4)), ONE)
    m.each_number(ZERO, last, lambda i: _landing(m, took, calls, m.atom(binary("*", i, p.Const(4)))))
    last = binary("-", binary("//", p.Size(p.Get(calls)), p.Const(3)), ONE)
    count = m.atom(binary("//", p.Size(p.Get(calls)), p.Const(3)))
    deep = check_depth(m, count)

    def one(i: p.Expr) -> None:
        if deep is not None:
            m.emit(p.Store(depth_word(m), binary("-", binary("+", deep, count), i)))
        _run(m, calls, m.atom(binary("*", i, p.Const(3))))

    m.each_number(ZERO, last, one)
    leave_rule(m, deep)
    return evolve(m.function(), returns=deep is not None)


# ---------------------------------------------------------------- events and reactions to them


def _landing(m: Builder, took: str, calls: str, at: p.Expr) -> None:
    piece, old, space, moved = (m.atom(p.Item(p.Get(took), add(at, p.Const(n)))) for n in range(4))
    for number, reaction in enumerate(m.setting.game.reactions):
        pieces = tuple(int(thing.kind == reaction.kind) for thing in m.setting.things)
        write = partial(_concerned, m, reaction, calls, (p.Const(number), piece), old, space, moved)
        m.when(m.program.entry(pieces, piece), write)


def _concerned(
    m: Builder,
    reaction: model.Reaction,
    calls: str,
    call: tuple[p.Expr, p.Expr],
    old: p.Expr,
    space: p.Expr,
    moved: p.Expr,
) -> None:
    def note(at: p.Expr) -> None:
        m.emit(*(p.Push(calls, value) for value in (*call, at)))

    if reaction.word == "reaches":
        there = binary("&", binary("!=", old, NOTHING), binary("!=", space, NOTHING))
        m.when(binary("&", there, moved), lambda: _marks(m, reaction, old, space, note))
        return
    if reaction.word == "lands":
        m.when(_within(m, reaction, space), lambda: note(space))
        return
    first, then = (space, old) if reaction.word == "enters" else (old, space)
    m.when(
        _within(m, reaction, first),
        lambda: m.when(same(_within(m, reaction, then), ZERO), lambda: note(first)),
    )


def _within(m: Builder, reaction: model.Reaction, space: p.Expr) -> p.Expr:
    result = m.temp()
    m.emit(p.Set(result, ZERO))
    m.when(binary("!=", space, NOTHING), lambda: m.emit(p.Set(result, _is_inside(m, reaction, space))))
    return p.Get(result)


def _is_inside(m: Builder, reaction: model.Reaction, space: p.Expr) -> p.Expr:
    low, high = reaction.low, reaction.high
    if low is None:
        return ONE
    if shape(m, low):
        return p.Has(m.list(low), space)
    test = binary("<=", not_nothing(m, low), space)
    return test if high is None else binary("&", test, binary("<=", space, not_nothing(m, high)))


def _marks(m: Builder, reaction: model.Reaction, old: p.Expr, space: p.Expr, note: Callable[[p.Expr], None]) -> None:
    """Note each marked space that a forward journey passed or reached, nearest first; of an open range its first."""
    assert reaction.low is not None

    def passed(at: p.Expr) -> None:
        m.when(binary("&", binary("<", old, at), binary("<=", at, space)), lambda: note(at))

    if shape(m, reaction.low):
        marks = m.own(reaction.low)
        m.emit(p.Sort(marks, p.Get(marks), 1))
        m.each_in(p.Get(marks), passed)
        return
    low = m.atom(m.value(reaction.low))
    if reaction.is_open:
        passed(low)
        return
    high = low if reaction.high is None else m.atom(m.value(reaction.high))
    m.each_number(binary("max", low, add(old, ONE)), binary("min", high, space), note)


def _run(m: Builder, calls: str, at: p.Expr) -> None:
    number, piece, space = (m.atom(p.Item(p.Get(calls), add(at, p.Const(n)))) for n in range(3))
    for which, reaction in enumerate(m.setting.game.reactions):
        run = p.Do(None, code_function(m.program, reaction.code, _sorts(m, reaction), secret=m.apart), (piece, space))
        before = save_bindings(m, [reaction.code])
        m.emit(p.If(same(number, p.Const(which)), (run,)))
        restore_bindings(m, before)


def _sorts(m: Builder, reaction: model.Reaction) -> Sorts:
    """The sorts of what a reaction is told: the piece, and its space or cell."""
    setting = m.setting
    names = {name for piece, name in setting.piece_place.items() if setting.things[piece].kind == reaction.kind}
    return ONE_THING, evolve(ONE_THING, cells=any(setting.places[name].form == "grid" for name in names))


AFTER_OPERATION.append(react)
