"""Sets inside sets, where a member is too large for one number: kept in a sequence of the function at hand.

A member is the place where it begins there: its size, and what is in it.  Equal
ones are kept once, so that numbers are equal where sets are.  Nothing of it
outlives the function; what no name stands for any more makes room.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.fast import plan as p
from rulekit.fast.maker import ONE, ZERO, Maker, Program, add, binary, same

KEPT = "kept"


def kept(m: Maker, of: p.Expr) -> p.Expr:
    """The number of a set, which is kept from here on."""
    m.types[KEPT] = "list"
    m.keeps += 1
    number, find = m.temp(), m.program.function("find_kept", lambda: _find(m.program))
    m.emit(p.Do(number, find, (p.Get(KEPT), of)))

    def keep() -> None:
        m.emit(p.Set(number, p.Size(p.Get(KEPT))), p.Push(KEPT, p.Size(of)))
        m.each_in(of, lambda item: m.emit(p.Push(KEPT, item)))

    m.when(binary("<", p.Get(number), ZERO), keep)
    return p.Get(number)


def members(m: Maker, number: p.Expr) -> p.Expr:
    m.types[KEPT] = "list"
    number, found = m.atom(number), m.new()
    size = m.atom(p.Item(p.Get(KEPT), number))
    m.each_number(ONE, size, lambda i: m.emit(p.Push(found, p.Item(p.Get(KEPT), binary("+", number, i)))))
    return p.Get(found)


def numbers(m: Maker, flat: p.Expr) -> p.Expr:
    """Of sets one behind the other, each behind its size, the numbers."""
    found, one, at = m.new(), m.temp("list", "s"), m.temp()
    m.emit(p.Set(at, ZERO))
    label = m.fresh("w")

    def step() -> None:
        m.emit(p.If(binary("<=", p.Size(flat), p.Get(at)), (p.Break(label),)), p.New(one))
        size = m.atom(p.Item(flat, p.Get(at)))
        m.each_number(ONE, size, lambda i: m.emit(p.Push(one, p.Item(flat, binary("+", p.Get(at), i)))))
        m.emit(p.Set(at, add(binary("+", p.Get(at), size), ONE)), p.Push(found, kept(m, p.Get(one))))

    m.emit(p.Loop(label, m.collect(step)))
    return p.Get(found)


def _find(program: Program) -> p.Function:
    """Where an equal set is kept, in the same order, or -1."""
    m = Maker(program, "find_kept")
    at, everything, of = m.temp(), p.Get("everything"), p.Get("of")
    m.emit(p.Set(at, ZERO))

    def look() -> None:
        m.emit(p.If(binary("<=", p.Size(everything), p.Get(at)), (p.Return(p.Const(-1)),)))
        size = m.atom(p.Item(everything, p.Get(at)))
        m.when(same(size, p.Size(of)), lambda: compare(size))
        m.emit(p.Set(at, add(binary("+", p.Get(at), size), ONE)))

    def compare(size: p.Expr) -> None:
        equal = m.temp()
        m.emit(p.Set(equal, ONE))

        def item(i: p.Expr) -> None:
            there = p.Item(everything, add(binary("+", p.Get(at), i), ONE))
            m.emit(p.If(binary("!=", there, p.Item(of, i)), (p.Set(equal, ZERO),)))

        m.each_number(ZERO, binary("-", size, ONE), item)
        m.emit(p.If(p.Get(equal), (p.Return(p.Get(at)),)))

    m.emit(p.Loop("again", m.collect(look)))
    params = (("everything", "list"), ("of", "list"))
    return p.Function("find_kept", params, tuple(m.types.items()), tuple(m.body), gives="int")


# ---------------------------------------------------------------- how long they are kept


def named(m: Maker, until: int | None = None) -> None:
    """From the operation at hand on a name stands for such sets, up to a place or as long as the function runs."""
    if m.storage.wide:
        m.named_sets.append((m.place, until))


def making_room(m: Maker, write: Callable[[], Any]) -> Any:
    """Write an operation; what was kept before goes, if no name stands for it there."""
    before, start = m.keeps, len(m.body)
    result = write()
    place = m.place
    used = any(since < place and (until is None or place < until) for since, until in m.named_sets)
    if m.keeps > before and not used:
        m.body.insert(start, p.New(KEPT))
    return result
