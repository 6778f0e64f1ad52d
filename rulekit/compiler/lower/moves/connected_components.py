"""Connected components of pieces on a grid, by sides, found by flood fill."""

from __future__ import annotations

from functools import partial, reduce

from rulekit.compiler.lower.builder.ir_builder import Builder
from rulekit.compiler.lower.expressions.builtins import LIST_BUILTINS
from rulekit.compiler.lower.expressions.interned_sets import interned_all
from rulekit.compiler.lower.moves.grid import beyond, call_function, cell_of, sides_of
from rulekit.compiler.lower.moves.grid_builtins import are_cells
from rulekit.compiler.lower.moves.grid_dispatch import on_grid, the_grid
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, same
from rulekit.model import expr as x


def _groups(m: Builder, e: x.Builtin) -> p.Expr:
    items, cells = m.new(), m.new()
    are_there = are_cells(m, e.args[0])

    def one(item: p.Expr) -> None:
        cell = item if are_there else m.atom(cell_of(m, item))
        m.emit(p.If(binary("!=", cell, NOTHING), (p.Push(items, item), p.Push(cells, cell))))

    m.over(e.args[0], one)
    few = not are_there and len(m.setting.on_place.get(the_grid(m).name, ())) < len(_BITS)
    name, write = ("groups_of_few", _components_of_few) if few else ("groups", _components)
    return interned_all(m, call_function(m, name, ("items", "cells"), (p.Get(items), p.Get(cells)), write, "list"))


_BITS = tuple(1 << place for place in range(62))


def _components_of_few(m: Builder) -> None:
    """The same by bits: of what is left, of what is in the group, and of whose neighbours are to be looked at."""
    left, group, next_, near, size, found = (*(m.temp() for _ in range(5)), m.new())
    place, items, cells = the_grid(m), p.Get("items"), p.Get("cells")

    def bit(at: p.Expr) -> p.Expr:
        return m.program.entry(_BITS, at)

    def put(mask: str, sign: str, more: p.Expr) -> p.Set:
        return p.Set(mask, p.Binary(sign, p.Get(mask), more))

    def first_of(mask: str) -> p.Expr:
        at, label, one = m.temp(), m.fresh("e"), m.temp(prefix="x")
        m.emit(p.Each(label, one, p.Bits(0, p.Get(mask)), (p.Set(at, p.Get(one)), p.Break(label))))
        return p.Get(at)

    def one_group() -> None:
        m.emit(p.If(same(p.Get(left), ZERO), (p.Return(p.Get(found)),)), p.Set(size, ZERO))
        first = bit(first_of(left))
        m.emit(p.Set(next_, first), p.Set(group, first), put(left, "-", first), p.Loop("grow", m.collect(next_one)))
        m.emit(p.Push(found, p.Get(size)))
        m.each_in(p.Bits(0, p.Get(group)), lambda i: m.emit(p.Push(found, p.Item(items, i))))

    def next_one() -> None:
        m.emit(p.If(same(p.Get(next_), ZERO), (p.Break("grow"),)), put(size, "+", ONE), p.Set(near, ZERO))
        at = first_of(next_)
        cell = m.atom(p.Item(cells, at))
        sides = (cell, *(m.atom(beyond(m, place, cell, side)) for side in sides_of(place)))

        def look(i: p.Expr) -> None:
            here = m.atom(p.Item(cells, i))
            m.emit(p.If(reduce(partial(binary, "|"), (same(here, side) for side in sides)), (put(near, "+", bit(i)),)))

        m.each_in(p.Bits(0, p.Get(left)), look)
        more = binary("-", p.Get(near), bit(at))
        m.emit(put(left, "-", p.Get(near)), put(group, "+", p.Get(near)), put(next_, "+", more))

    m.emit(p.Set(left, binary("-", bit(p.Size(items)), ONE)), p.Loop("again", m.collect(one_group)))


def _components(m: Builder) -> None:
    """Components by their first members, each as its size and its members as they came."""
    left, found, group = m.new(), m.new(), m.temp("list", "s")
    last = binary("-", p.Size(p.Get("items")), ONE)
    m.each_number(ZERO, last, lambda i: m.emit(p.Push(left, i)))

    def one_group() -> None:
        m.emit(p.If(same(p.Size(p.Get(left)), ZERO), (p.Return(p.Get(found)),)), p.New(group))
        _grow(m, left, group)
        m.emit(p.Sort(group, p.Get(group), 1), p.Push(found, p.Size(p.Get(group))))
        m.each_in(p.Get(group), lambda i: m.emit(p.Push(found, p.Item(p.Get("items"), i))))

    m.emit(p.Loop("again", m.collect(one_group)))


def _grow(m: Builder, left: str, group: str) -> None:
    """Take the first of those left and all that are connected with it: breadth-first flood fill."""
    place, next_, at, cells = the_grid(m), m.temp(), m.temp(), p.Get("cells")
    m.emit(p.Push(group, p.Item(p.Get(left), ZERO)), p.Drop(left, ZERO), p.Set(next_, ZERO))

    def next_one() -> None:
        m.emit(p.If(binary("<=", p.Size(p.Get(group)), p.Get(next_)), (p.Break("grow"),)))
        cell = m.atom(p.Item(cells, p.Item(p.Get(group), p.Get(next_))))
        near = (cell, *(m.atom(beyond(m, place, cell, side)) for side in sides_of(place)))
        m.emit(p.Set(at, ZERO), p.Loop("look", m.collect(lambda: look(near))))
        m.emit(p.Set(next_, add(p.Get(next_), ONE)))

    def look(near: tuple[p.Expr, ...]) -> None:
        """Take the one at hand if it stands on one of these cells, or go on to the next."""
        m.emit(p.If(binary("<=", p.Size(p.Get(left)), p.Get(at)), (p.Break("look"),)))
        one = m.atom(p.Item(p.Get(left), p.Get(at)))
        here = m.atom(p.Item(cells, one))
        taken = (p.Push(group, one), p.Drop(left, p.Get(at)), p.Again("look"))
        m.emit(p.If(reduce(partial(binary, "|"), (same(here, cell) for cell in near)), taken))
        m.emit(p.Set(at, add(p.Get(at), ONE)))

    m.emit(p.Loop("grow", m.collect(next_one)))


LIST_BUILTINS.update({"groups": on_grid(_groups)})
