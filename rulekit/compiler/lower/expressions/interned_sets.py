"""Sets of sets: members too large for a bitset are interned in an arena of the function at hand.

An interned set is the position in the arena where it begins: its size, then
its elements.  Equal sets are stored once (hash-consing, here by linear
search), so that they are equal if their numbers are.  The arena lives as long
as the function, and is emptied where no named local refers to it any more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.compiler.lower.builder.ir_builder import ONE, ZERO, Builder, Program, add, binary, same
from rulekit.compiler.plan import ir as p

ARENA = "kept"


def interned(m: Builder, of: p.Expr) -> p.Expr:
    """The number of a set, which is interned if it is new."""
    m.types[ARENA] = "list"
    m.keeps += 1
    number = m.temp()
    m.emit(p.Do(number, m.program.function("find_kept", lambda: _find(m.program)), (p.Get(ARENA), of)))

    def keep() -> None:
        m.emit(p.Set(number, p.Size(p.Get(ARENA))), p.Push(ARENA, p.Size(of)))
        m.each_in(of, lambda item: m.emit(p.Push(ARENA, item)))

    m.when(binary("<", p.Get(number), ZERO), keep)
    return p.Get(number)


def members(m: Builder, number: p.Expr) -> p.Expr:
    """The elements of an interned set, as a new sequence."""
    m.types[ARENA] = "list"
    number, found = m.atom(number), m.new()
    size = m.atom(p.Item(p.Get(ARENA), number))
    m.each_number(ONE, size, lambda i: m.emit(p.Push(found, p.Item(p.Get(ARENA), binary("+", number, i)))))
    return p.Get(found)


def interned_all(m: Builder, flat: p.Expr) -> p.Expr:
    """The numbers of several sets.

    flat:  the sets one behind the other, each preceded by its size.
    """
    found, one, at = m.new(), m.temp("list", "s"), m.temp()
    m.emit(p.Set(at, ZERO))
    label = m.fresh("w")

    def step() -> None:
        m.emit(p.If(binary("<=", p.Size(flat), p.Get(at)), (p.Break(label),)), p.New(one))
        size = m.atom(p.Item(flat, p.Get(at)))
        m.each_number(ONE, size, lambda i: m.emit(p.Push(one, p.Item(flat, binary("+", p.Get(at), i)))))
        m.emit(p.Set(at, add(binary("+", p.Get(at), size), ONE)), p.Push(found, interned(m, p.Get(one))))

    m.emit(p.Loop(label, m.collect(step)))
    return p.Get(found)


def _find(program: Program) -> p.Function:
    """The position of an equal set with the same order, or -1."""
    m = Builder(program, "find_kept")
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
    return m.function("", "int", (("everything", "list"), ("of", "list")))


# ---------------------------------------------------------------- lifetime


def keep_named(m: Builder, until: int | None = None) -> None:
    """A local refers to interned sets from this operation on, up to place `until` or the end of the function."""
    if m.storage.wide:
        m.named_sets.append((m.place, until))


def freeing(m: Builder, write: Callable[[], Any]) -> Any:
    """Write an operation; the arena is emptied before it if the operation interns sets and no local refers to any."""
    before, start = m.keeps, len(m.body)
    result = write()
    place = m.place
    used = any(since < place and (until is None or place < until) for since, until in m.named_sets)
    if m.keeps > before and not used:
        m.body.insert(start, p.New(ARENA))
    return result
