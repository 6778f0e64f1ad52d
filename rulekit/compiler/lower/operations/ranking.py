"""Lower the result of a game: places of the players, shared by equals, and defeats in their order."""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiler.lower.builder.ir_builder import OPS, Builder
from rulekit.compiler.lower.expressions.ordering import keys_of
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, same, word
from rulekit.model import ops


def _rank(m: Builder, op: ops.Rank) -> None:
    """Place the players not placed or defeated yet, best first; equal keys share a place."""
    seats = m.new()
    storage = m.storage

    def one(seat: p.Expr) -> None:
        free = binary("&", same(word(storage.rank, seat), NOTHING), same(word(storage.defeated, seat), NOTHING))
        m.when(free, lambda: m.emit(p.Push(seats, seat)))

    m.over(op.players, one)
    made = keys_of(m, seats, op.slot, op.keys, op.players) if op.keys else None
    order = m.new()
    if made is not None:
        last = binary("-", p.Size(p.Get(seats)), ONE)
        m.each_number(ZERO, last, lambda i: m.emit(p.Push(order, i)))
        m.emit(p.Sort(order, made, len(op.keys)))
    _give_places(m, seats, made, len(op.keys), order)


def _give_places(m: Builder, seats: str, made: p.Expr | None, width: int, order: str) -> None:
    places, before = p.Const(m.storage.places), m.temp()
    m.emit(p.Set(before, p.Const(-1)))

    def in_turn(i: p.Expr) -> None:
        at = i if made is None else m.atom(p.Item(p.Get(order), i))
        seat = m.atom(p.Item(p.Get(seats), at))
        if m.setting.teams:
            m.when(same(word(m.storage.rank, seat), NOTHING), lambda: one(at, seat))
        else:
            one(at, seat)

    def one(at: p.Expr, seat: p.Expr) -> None:
        new: p.Expr = same(p.Get(before), p.Const(-1))
        if made is not None:
            for number in range(width):
                mine = p.Item(made, add(binary("*", at, p.Const(width)), p.Const(number)))
                new = binary("|", new, _differs(made, width, number, before, mine))
        m.when(new, lambda: m.emit(p.Store(places, p.Binary("+", p.Word(places), ONE))))
        m.emit(p.Set(before, ZERO if made is None else at))
        for_team(m, seat, lambda mate: m.emit(p.Store(add(mate, p.Const(m.storage.rank)), p.Word(places))))
        if made is not None and m.storage.leads is not None:
            # Keys are smallest for the best; the first ranking counts.
            first = p.Item(made, binary("*", p.Get(before), p.Const(width)))
            leads, value = p.Const(m.storage.leads), binary("-", ZERO, first)

            def lead(mate: p.Expr) -> None:
                at = add(mate, leads)
                m.when(same(p.Word(at), NOTHING), lambda: m.emit(p.Store(at, value)))

            for_team(m, seat, lead)

    m.each_number(ZERO, binary("-", p.Size(p.Get(seats)), ONE), in_turn)


def for_team(m: Builder, seat: p.Expr, do: Callable[[p.Expr], None]) -> None:
    """Do the same for all players of a seat's team; for the seat alone where there are none."""
    if not m.setting.teams:
        do(seat)
        return
    teams, own = m.setting.team_numbers(), m.atom(seat)
    team = m.atom(m.program.entry(teams, own))

    def mate(other: p.Expr) -> None:
        m.when(same(m.program.entry(teams, other), team), lambda: do(other))

    m.each_number(ZERO, p.Const(m.setting.players - 1), mate)


def _differs(made: p.Expr, width: int, number: int, before: str, mine: p.Expr) -> p.Expr:
    at = p.Binary("max", p.Get(before), ZERO)
    other = p.Item(made, add(binary("*", at, p.Const(width)), p.Const(number)))
    return binary("!=", mine, other)


def _defeat(m: Builder, op: ops.Defeat) -> None:
    count = p.Const(m.storage.defeats)

    def one(seat: p.Expr) -> None:
        at = m.atom(add(seat, p.Const(m.storage.defeated)))

        def lose() -> None:
            m.emit(p.Store(at, p.Word(count)), p.Store(count, p.Binary("+", p.Word(count), ONE)))

        m.when(same(p.Word(at), NOTHING), lose)

    m.each_in(p.Get(m.held(op.players)), lambda seat: for_team(m, seat, one))


def _together(m: Builder, op: ops.Together) -> None:
    """What all reach is a counter, and is read where a match is counted and searched."""


OPS.update({ops.Rank: _rank, ops.Defeat: _defeat, ops.Together: _together})
