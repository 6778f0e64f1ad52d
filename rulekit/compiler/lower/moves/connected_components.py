"""Connected components of pieces on a grid, by sides, found by flood fill.

A component is a bitset with a bit for each piece, or an interned set where
there are too many pieces.
"""

from __future__ import annotations

from rulekit.compiler.lower.builder.ir_builder import GRID, NOTHING, ONE, ZERO, Builder, add, binary, same
from rulekit.compiler.lower.expressions import interned_sets
from rulekit.compiler.lower.expressions.builtins import LIST_BUILTINS
from rulekit.compiler.lower.moves.grid import beyond, call_function, cell_of, sides_of
from rulekit.compiler.lower.moves.grid_builtins import are_cells
from rulekit.compiler.lower.moves.grid_dispatch import grids, on_grid, the_grid
from rulekit.compiler.lower.storage.layout import WIDE, Restart
from rulekit.compiler.plan import ir as p
from rulekit.model import expr as x

# ---------------------------------------------------------------- components as bitsets


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
    if m.storage.wide:
        return _interned_groups(m, e)
    if not _by_number(m, e.args[0]):
        raise Restart(WIDE)
    return call_function(m, "groups", ("pieces",), (m.list(e.args[0]),), _components, "list")


def _by_number(m: Builder, of: x.Expr) -> bool:
    """Whether pieces surely come in the order of their numbers, which a bitset does not record."""
    while isinstance(of, x.Filter | x.Without | x.Extreme):
        of = of.of
    return isinstance(of, x.AllOf | x.GroupOf)


def _components(m: Builder) -> None:
    place, left, found = the_grid(m), m.new(), m.new()
    edge, group, at, first = m.new(), m.temp(), m.temp(), first_piece(m)
    digits = tuple(2**n for n in range(60))

    def stands(piece: p.Expr) -> None:
        m.emit(p.If(binary("!=", cell_of(m, piece), NOTHING), (p.Push(left, piece),)))

    m.each_in(p.Get("pieces"), stands)

    def take(place_: p.Expr) -> None:
        """Move a piece from those left to the component."""
        piece = m.atom(p.Item(p.Get(left), place_))
        digit = m.program.entry(digits, binary("-", piece, p.Const(first)))
        m.emit(p.Push(edge, cell_of(m, piece)), p.Set(group, add(p.Get(group), digit)), p.Drop(left, place_))

    def one_group() -> None:
        m.emit(p.If(same(p.Size(p.Get(left)), ZERO), (p.Return(p.Get(found)),)))
        m.emit(p.New(edge), p.Set(group, ZERO))
        take(ZERO)
        m.emit(p.Loop("grow", m.collect(grow)), p.Push(found, p.Get(group)))

    def grow() -> None:
        """Take the next piece left that stands next to one of the component, or on its cell."""
        m.emit(p.Tick(), p.Set(at, ZERO))
        m.emit(p.Loop("look", m.collect(look)))

    def look() -> None:
        m.emit(p.If(binary("<=", p.Size(p.Get(left)), p.Get(at)), (p.Break("grow"),)))
        cell = m.atom(cell_of(m, p.Item(p.Get(left), p.Get(at))))
        near: p.Expr = p.Has(p.Get(edge), cell)
        for side in sides_of(place):
            near = binary("|", near, p.Has(p.Get(edge), beyond(m, place, cell, side)))
        found_one = m.collect(lambda: take(p.Get(at)))
        m.emit(p.If(near, (*found_one, p.Again("grow"))))
        m.emit(p.Set(at, add(p.Get(at), ONE)))

    m.emit(p.Loop("again", m.collect(one_group)))


# ---------------------------------------------------------------- components as interned sets


def _interned_groups(m: Builder, e: x.Builtin) -> p.Expr:
    items, cells = m.new(), m.new()
    are_there = are_cells(m, e.args[0])

    def one(item: p.Expr) -> None:
        cell = item if are_there else m.atom(cell_of(m, item))
        m.emit(p.If(binary("!=", cell, NOTHING), (p.Push(items, item), p.Push(cells, cell))))

    m.over(e.args[0], one)
    args = p.Get(items), p.Get(cells)
    return interned_sets.interned_all(
        m, call_function(m, "groups", ("items", "cells"), args, _components_in_order, "list")
    )


def _components_in_order(m: Builder) -> None:
    """Components by their first members, each preceded by its size, with its members in the order of the argument."""
    left, found, group, keys = m.new(), m.new(), m.temp("list", "s"), m.temp("list", "s")
    last = binary("-", p.Size(p.Get("items")), ONE)
    m.each_number(ZERO, last, lambda i: m.emit(p.Push(left, i)))

    def one_group() -> None:
        m.emit(p.If(same(p.Size(p.Get(left)), ZERO), (p.Return(p.Get(found)),)), p.New(group))
        _grow(m, left, group)
        m.emit(p.Copy(keys, p.Get(group)), p.Sort(group, p.Get(keys), 1), p.Push(found, p.Size(p.Get(group))))
        m.each_in(p.Get(group), lambda i: m.emit(p.Push(found, p.Item(p.Get("items"), i))))

    m.emit(p.Loop("again", m.collect(one_group)))


def _grow(m: Builder, left: str, group: str) -> None:
    """Take the first of those left and all that are connected with it: breadth-first flood fill."""
    place, at, cells = the_grid(m), m.temp(), p.Get("cells")
    m.emit(p.Push(group, p.Item(p.Get(left), ZERO)), p.Drop(left, ZERO), p.Set(at, ZERO))

    def next_one() -> None:
        m.emit(p.Tick(), p.If(binary("<=", p.Size(p.Get(group)), p.Get(at)), (p.Break("grow"),)))
        cell = m.atom(p.Item(cells, p.Item(p.Get(group), p.Get(at))))
        near = m.new()
        m.emit(p.Push(near, cell))
        for side in sides_of(place):
            m.emit(p.Push(near, beyond(m, place, cell, side)))
        _take(m, left, group, near)
        m.emit(p.Set(at, add(p.Get(at), ONE)))

    m.emit(p.Loop("grow", m.collect(next_one)))


def _take(m: Builder, left: str, group: str, near: str) -> None:
    """Take all those left that stand on one of these cells."""
    at = m.temp()
    m.emit(p.Set(at, ZERO))

    def look() -> None:
        m.emit(p.If(binary("<=", p.Size(p.Get(left)), p.Get(at)), (p.Break("look"),)))
        one = m.atom(p.Item(p.Get(left), p.Get(at)))
        here = p.Has(p.Get(near), p.Item(p.Get("cells"), one))
        m.emit(p.If(here, (p.Push(group, one), p.Drop(left, p.Get(at)), p.Again("look"))))
        m.emit(p.Set(at, add(p.Get(at), ONE)))

    m.emit(p.Loop("look", m.collect(look)))


GRID.update({"members": members})


LIST_BUILTINS.update({"groups": on_grid(_groups)})
