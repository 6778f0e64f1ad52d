"""Sets of sets: the members are interned in an arena of the function at hand.

An interned set is the position in the arena where it begins: its size, then
its elements.  Equal sets are stored once (hash-consing, here by linear
search), so that they are equal if their numbers are.  The arena lives as long
as the function, and is emptied where no named local refers to it any more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.compiler.lower.builder.ir_builder import GRID, Builder, Program
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ONE, ZERO, add, binary, same

ARENA = "kept"


def interned(m: Builder, of: p.Expr) -> p.Expr:
    """The number of a set, which is interned if it is new."""
    m.types[ARENA] = "list"
    return _interned(m, of, ZERO, p.Size(of), p.Size(p.Get(ARENA)))


def _interned(m: Builder, of: p.Expr, first: p.Expr, size: p.Expr, end: p.Expr) -> p.Expr:
    """That of the entries of a sequence from `first` on; it may be one that stands in the arena before `end`."""
    m.keeps += 1
    number, function = m.temp(), m.program.function("find_kept", lambda: _find(m.program))
    m.emit(p.Do(number, function, (p.Get(ARENA), of, first, size, end)))

    def keep() -> None:
        m.emit(p.Set(number, p.Size(p.Get(ARENA))), p.Push(ARENA, size))
        last = binary("-", add(first, size), ONE)
        m.each_number(first, last, lambda i: m.emit(p.Push(ARENA, p.Item(of, i))))

    m.when(binary("<", p.Get(number), ZERO), keep)
    return p.Get(number)


def members(m: Builder, number: p.Expr) -> p.Expr:
    """The elements of an interned set, as a new sequence."""
    m.types[ARENA] = "list"
    number, found = m.atom(number), m.new()
    size = m.atom(p.Item(p.Get(ARENA), number))
    m.sizes[p.Get(found)] = size
    m.each_number(ONE, size, lambda i: m.emit(p.Push(found, p.Item(p.Get(ARENA), binary("+", number, i)))))
    return p.Get(found)


def interned_all(m: Builder, flat: p.Expr) -> p.Expr:
    """The numbers of several sets, no two of them equal.

    flat:  the sets one behind the other, each preceded by its size.
    """
    found, at, end, label = m.new(), m.temp(), m.temp(), m.fresh("w")
    m.types[ARENA] = "list"
    m.emit(p.Set(at, ZERO), p.Set(end, p.Size(p.Get(ARENA))))

    def step() -> None:
        m.emit(p.If(binary("<=", p.Size(flat), p.Get(at)), (p.Break(label),)))
        size = m.atom(p.Item(flat, p.Get(at)))
        m.emit(p.Push(found, _interned(m, flat, add(p.Get(at), ONE), size, p.Get(end))))
        m.emit(p.Set(at, add(binary("+", p.Get(at), size), ONE)))

    m.emit(p.Loop(label, m.collect(step)))
    return p.Get(found)


def _find(program: Program) -> p.Function:
    """The position of an equal set with the same order, or -1."""
    m = Builder(program, "find_kept")
    at, everything, of, first, wanted = m.temp(), *map(p.Get, ("everything", "of", "first", "wanted"))
    m.emit(p.Set(at, ZERO))

    def look() -> None:
        m.emit(p.If(binary("<=", p.Get("end"), p.Get(at)), (p.Return(p.Const(-1)),)))
        size = m.atom(p.Item(everything, p.Get(at)))
        m.when(same(size, wanted), lambda: m.emit(p.Block("other", m.collect(compare))))
        m.emit(p.Set(at, add(binary("+", p.Get(at), size), ONE)))

    def compare() -> None:
        def item(i: p.Expr) -> None:
            there = p.Item(everything, add(binary("+", p.Get(at), i), ONE))
            m.emit(p.If(binary("!=", there, p.Item(of, binary("+", first, i))), (p.Break("other"),)))

        m.each_number(ZERO, binary("-", wanted, ONE), item)
        m.emit(p.Return(p.Get(at)))

    m.emit(p.Loop("again", m.collect(look)))
    return m.function("first wanted end", "int", (("everything", "list"), ("of", "list")))


# ---------------------------------------------------------------- lifetime


def keep_named(m: Builder, until: int | None = None) -> None:
    """A local refers to interned sets from this operation on, up to place `until` or the end of the function."""
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


GRID["members"] = members
