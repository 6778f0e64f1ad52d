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
    made = call_function(m, "groups", ("items", "cells"), (p.Get(items), p.Get(cells)), _components, "list")
    return interned_all(m, made)


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
        m.emit(p.Tick(), p.If(binary("<=", p.Size(p.Get(group)), p.Get(next_)), (p.Break("grow"),)))
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
