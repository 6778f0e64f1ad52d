"""Connected components of pieces on a grid, by sides, found by flood fill.

A component is a bitset with a bit for each piece, or an interned set where
there are too many pieces.
"""

from __future__ import annotations

from functools import partial, reduce

from rulekit.compiler.lower.builder.ir_builder import GRID, NOTHING, ONE, ZERO, Builder, add, binary, same
from rulekit.compiler.lower.expressions import interned_sets
from rulekit.compiler.lower.expressions.builtins import LIST_BUILTINS
from rulekit.compiler.lower.moves.grid import beyond, call_function, cell_of, sides_of
from rulekit.compiler.lower.moves.grid_builtins import are_cells
from rulekit.compiler.lower.moves.grid_dispatch import grids, on_grid, the_grid
from rulekit.compiler.lower.storage.layout import WIDE, Restart
from rulekit.compiler.plan import ir as p
from rulekit.model import expr as x


def first_piece(m: Builder) -> int:
    """The piece of bit 0.

    Errors:  `Restart` if there are too many pieces for a bitset.
    """
    first, last = _first_and_last(m)
    if last - first >= 60:
        raise Restart(WIDE)
    return first


def _first_and_last(m: Builder) -> tuple[int, int]:
    pieces = [piece for grid in grids(m) for piece in m.setting.on_place.get(grid.name, ())]
    return min(pieces, default=0), max(pieces, default=0)


def members(m: Builder, group: p.Expr) -> p.Expr:
    """The pieces of a component, by number."""
    if m.storage.wide:
        return interned_sets.members(m, group)
    first = first_piece(m)
    _, last = _first_and_last(m)
    digits = tuple(2**n for n in range(last - first + 1))
    group, found = m.atom(group), m.new()

    def one(piece: p.Expr) -> None:
        digit = m.program.entry(digits, binary("-", piece, p.Const(first)))
        inside = binary("%", binary("//", group, digit), p.Const(2))
        m.emit(p.If(binary("==", inside, ONE), (p.Push(found, piece),)))

    m.each_number(p.Const(first), p.Const(last), one)
    return p.Get(found)


def _groups(m: Builder, e: x.Builtin) -> p.Expr:
    if not m.storage.wide and not _by_number(m, e.args[0]):
        raise Restart(WIDE)
    items, cells = m.new(), m.new()
    are_there = are_cells(m, e.args[0])

    def one(item: p.Expr) -> None:
        cell = item if are_there else m.atom(cell_of(m, item))
        m.emit(p.If(binary("!=", cell, NOTHING), (p.Push(items, item), p.Push(cells, cell))))

    m.over(e.args[0], one)
    made = call_function(m, "groups", ("items", "cells"), (p.Get(items), p.Get(cells)), _components, "list")
    return interned_sets.interned_all(m, made) if m.storage.wide else made


def _by_number(m: Builder, of: x.Expr) -> bool:
    """Whether pieces surely come in the order of their numbers, which a bitset does not record."""
    while isinstance(of, x.Filter | x.Without | x.Extreme):
        of = of.of
    return isinstance(of, x.AllOf | x.GroupOf)


def _components(m: Builder) -> None:
    """Components by their first members: as bitsets, or each as its size and its members as they came."""
    left, found, group = m.new(), m.new(), m.temp("list", "s")
    add_one = _in_order if m.storage.wide else _as_bits
    last = binary("-", p.Size(p.Get("items")), ONE)
    m.each_number(ZERO, last, lambda i: m.emit(p.Push(left, i)))

    def one_group() -> None:
        m.emit(p.If(same(p.Size(p.Get(left)), ZERO), (p.Return(p.Get(found)),)), p.New(group))
        _grow(m, left, group)
        add_one(m, found, group)

    m.emit(p.Loop("again", m.collect(one_group)))


def _in_order(m: Builder, found: str, group: str) -> None:
    keys = m.temp("list", "s")
    m.emit(p.Copy(keys, p.Get(group)), p.Sort(group, p.Get(keys), 1), p.Push(found, p.Size(p.Get(group))))
    m.each_in(p.Get(group), lambda i: m.emit(p.Push(found, p.Item(p.Get("items"), i))))


def _as_bits(m: Builder, found: str, group: str) -> None:
    bits, digits, first = m.temp(), tuple(2**n for n in range(60)), p.Const(first_piece(m))
    m.emit(p.Set(bits, ZERO))

    def one(i: p.Expr) -> None:
        digit = m.program.entry(digits, binary("-", p.Item(p.Get("items"), i), first))
        m.emit(p.Set(bits, add(p.Get(bits), digit)))

    m.each_in(p.Get(group), one)
    m.emit(p.Push(found, p.Get(bits)))


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


GRID.update({"members": members})


LIST_BUILTINS.update({"groups": on_grid(_groups)})
