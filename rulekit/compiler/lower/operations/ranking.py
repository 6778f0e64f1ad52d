"""Lower the result of a game: places of the players, shared by equals, and defeats in their order."""

from __future__ import annotations

from rulekit.compiler.lower.builder.ir_builder import NOTHING, ONE, OPS, ZERO, Builder, add, binary, same, word
from rulekit.compiler.lower.expressions.ordering import sort
from rulekit.compiler.plan import ir as p
from rulekit.model import ops


def _rank(m: Builder, op: ops.Rank) -> None:
    """Place the players not placed or defeated yet, best first; equal keys share a place."""
    seats = m.new()
    storage = m.storage

    def one(seat: p.Expr) -> None:
        free = binary("&", same(word(storage.rank, seat), NOTHING), same(word(storage.defeated, seat), NOTHING))
        m.when(free, lambda: m.emit(p.Push(seats, seat)))

    m.over(op.players, one)
    keys = m.new()
    m.emit(p.Copy(keys, p.Get(seats)))
    made = sort(m, seats, op.slot, op.keys, op.players) if op.keys else None
    m.emit(p.Sort(keys, _with_places(m, made, keys, len(op.keys)), len(op.keys))) if made is not None else None
    _give_places(m, seats, made, len(op.keys), keys)


def _with_places(m: Builder, made: p.Expr, keys: str, width: int) -> p.Expr:
    """Let `keys` hold the index of the keys of each seat, in the new order (a permutation); gives `made`."""
    m.emit(p.New(keys))
    count = binary("//", p.Size(made), p.Const(width))
    m.each_number(ZERO, binary("-", count, ONE), lambda i: m.emit(p.Push(keys, i)))
    return made


def _give_places(m: Builder, seats: str, made: p.Expr | None, width: int, order: str) -> None:
    places, before = p.Const(m.storage.places), m.temp()
    m.emit(p.Set(before, p.Const(-1)))

    def one(i: p.Expr) -> None:
        new: p.Expr = same(p.Get(before), p.Const(-1))
        at = ZERO if made is None else m.atom(p.Item(p.Get(order), i))
        if made is not None:
            for number in range(width):
                mine = p.Item(made, add(binary("*", at, p.Const(width)), p.Const(number)))
                new = binary("|", new, _differs(made, width, number, before, mine))
        m.when(new, lambda: m.emit(p.Store(places, p.Binary("+", p.Word(places), ONE))))
        m.emit(p.Set(before, at))
        seat = p.Item(p.Get(seats), i)
        m.emit(p.Store(add(seat, p.Const(m.storage.rank)), p.Word(places)))
        if made is not None and m.storage.leads is not None:
            # Keys are smallest for the best; the first ranking counts.
            first = p.Item(made, binary("*", p.Get(before), p.Const(width)))
            lead, value = add(seat, p.Const(m.storage.leads)), binary("-", ZERO, first)
            m.when(same(p.Word(lead), NOTHING), lambda: m.emit(p.Store(lead, value)))

    m.each_number(ZERO, binary("-", p.Size(p.Get(seats)), ONE), one)


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

    m.each_in(p.Get(m.held(op.players)), one)


OPS.update({ops.Rank: _rank, ops.Defeat: _defeat})
