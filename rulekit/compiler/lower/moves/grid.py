"""Lower grids: cells as packed pairs of coordinates, and the operations that move several pieces together.

A direction is a packed pair too, so that the next cell is a sum.  Occupants
come from the occupancy index, or from a scan of the pieces where there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.compiler.lower.analysis.abstract_interpretation import may_be_nothing
from rulekit.compiler.lower.builder.ir_builder import GRID, LISTS, OPS, VALUES, Builder, Write
from rulekit.compiler.lower.expressions.scalars import not_nothing, where_it_stands
from rulekit.compiler.lower.moves.arrival import arrive
from rulekit.compiler.lower.moves.grid_dispatch import for_grid_of, grids, the_grid
from rulekit.compiler.lower.moves.occupancy_index import count_word, is_indexed, is_unshared, put_piece, with_occupants
from rulekit.compiler.lower.moves.placement import has_reactions
from rulekit.compiler.lower.moves.spaces import each_piece
from rulekit.compiler.lower.storage.layout import encoded
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, negation, same, word
from rulekit.model import builtin_signatures, effects, ops
from rulekit.model import expr as x
from rulekit.model import game as model

HALF, WIDTH = p.Const(p.WIDTH // 2), p.Const(p.WIDTH)

# ---------------------------------------------------------------- cells


def row_of_cell(cell: p.Expr) -> p.Expr:
    return binary("-", binary("%", add(cell, HALF), WIDTH), HALF)


def column_of_cell(cell: p.Expr) -> p.Expr:
    return binary("//", add(cell, HALF), WIDTH)


def sides_of(place: model.Place) -> tuple[p.Const, ...]:
    """The ways over the sides of a cell."""
    return tuple(p.Const(p.pair(*way)) for way in builtin_signatures.sides(hexagonal=place.hexagonal))


def size_of(place: model.Place) -> tuple[int, int] | None:
    return None if place.width is None or place.height is None else (place.width, place.height)


def on_board(m: Builder, place: model.Place, cell: p.Expr) -> p.Expr:
    size = size_of(place)
    if size is None:
        return ONE
    cell = m.atom(cell)
    # A row above the board is, modulo the width, one far below it.
    down = binary("<", binary("%", cell, WIDTH), p.Const(size[1]))
    return binary("&", binary("&", binary("<=", ZERO, cell), binary("<", cell, p.Const(p.pair(size[0], 0)))), down)


def beyond(m: Builder, place: model.Place, cell: p.Expr, way: p.Expr, steps: p.Expr = ONE) -> p.Expr:
    """The cell so many steps further: modulo the size where the grid wraps, else perhaps off the board."""
    there = add(cell, binary("*", way, steps))
    size = size_of(place)
    if size is None or place.edge != "wraps":
        return there
    there = m.atom(there)
    column = binary("%", column_of_cell(there), p.Const(size[0]))
    return add(binary("*", column, WIDTH), binary("%", row_of_cell(there), p.Const(size[1])))


def cell_of(m: Builder, piece: p.Expr) -> p.Expr:
    return word(m.storage.pieces, piece)


def is_taken(m: Builder, cell: p.Expr) -> p.Expr:
    """Whether some piece stands on a cell."""
    place = the_grid(m)
    if is_indexed(m, place):
        cell = m.atom(cell)
        return binary("&", on_board(m, place, cell), binary("!=", p.Word(count_word(m, place, cell)), ZERO))
    return call_function(m, "taken", ("cell",), (cell,), _is_taken)


def _is_taken(m: Builder) -> None:
    def one(piece: p.Expr) -> None:
        m.emit(p.If(same(cell_of(m, piece), p.Get("cell")), (p.Return(ONE),)))

    each_piece(m, the_grid(m), one)
    m.emit(p.Return(ZERO))


def each_on(m: Builder, place: model.Place, cell: p.Expr, write: Callable[[p.Expr], Any]) -> None:
    """The pieces that stand on a cell, by number."""

    def among_all() -> None:
        each_piece(m, place, lambda piece: m.when(same(cell_of(m, piece), cell), lambda: write(piece)))

    if is_indexed(m, place):
        m.when(on_board(m, place, cell), lambda: with_occupants(m, place, cell, write, among_all))
    else:
        among_all()


def call_function(
    m: Builder,
    name: str,
    params: tuple[str, ...],
    args: tuple[p.Expr, ...],
    write: Callable[[Builder], Any],
    gives: str = "int",
) -> p.Expr:
    """The result of a plan function about the grid at hand.

    params:  those whose names end in `s` are sequences, the others integers.
    write:   writes its body when it is first called for.
    gives:   `int`, `list` or empty for no result.
    """
    return m.called(grid_function(m, name, params, write, gives), *args, gives=gives)


def grid_function(m: Builder, name: str, params: tuple[str, ...], write: Callable[[Builder], Any], gives: str) -> str:
    """The name of a plan function about the grid at hand, one version for each grid; parameters as above."""
    grid = the_grid(m)
    named = name if len(grids(m)) == 1 else f"{name}_{grids(m).index(grid)}"

    def made() -> p.Function:
        inner = Builder(m.program, named, grid=grid)
        write(inner)
        return inner.function("", gives, tuple((param, "list" if param.endswith("s") else "int") for param in params))

    return m.program.function(named, made)


# ---------------------------------------------------------------- moving together


def _settle(m: Builder, pieces: str, cells: str) -> None:
    """Move pieces simultaneously: all leave their cells before the first arrives."""
    function = grid_function(m, "settle", ("pieces", "cells"), _settled, "")
    m.emit(p.Do(None, function, (p.Get(pieces), p.Get(cells))))


def _settled(m: Builder) -> None:
    place, olds = the_grid(m), m.new()
    pieces, cells = p.Get("pieces"), p.Get("cells")
    last = binary("-", p.Size(pieces), ONE)

    def leave(i: p.Expr) -> None:
        old = m.atom(cell_of(m, p.Item(pieces, i)))
        stays = same(old, p.Item(cells, i))
        m.emit(p.Push(olds, old))
        m.when(p.Not(stays), lambda: put_piece(m, place, m.atom(p.Item(pieces, i)), NOTHING))

    m.each_number(ZERO, last, leave)

    def come(i: p.Expr) -> None:
        old = m.atom(p.Item(p.Get(olds), i))
        m.when(
            binary("!=", old, p.Item(cells, i)),
            lambda: _come(m, place, m.atom(p.Item(pieces, i)), old, p.Item(cells, i)),
        )

    m.each_number(ZERO, last, come)


def _come(m: Builder, place: model.Place, piece: p.Expr, old: p.Expr, cell: p.Expr) -> None:
    put_piece(m, place, piece, old)
    arrive(m, place, piece, goal(m, place, cell), ZERO, moved=False)


def goal(m: Builder, place: model.Place, cell: p.Expr) -> p.Expr:
    """The cell where a move ends: nothing beyond an edge that pieces leave, else a fault off the board."""
    if size_of(place) is None:
        return cell
    cell = m.atom(cell)
    inside = on_board(m, place, cell)
    if place.edge == "leaves":
        return p.Pick(inside, cell, NOTHING)
    assert place.edge in ("stops", "wraps"), place.edge
    m.fault(negation(m.atom(inside)), "off-the-board")
    return cell


def each_in_run(m: Builder, place: model.Place, start: p.Expr, way: p.Expr, write: Write) -> None:
    """Write something for each piece on the unbroken run of taken cells next to a cell, nearest first.

    Each further cell has a piece of its own, so that there are no more steps than pieces.
    """
    label, steps, found, here = m.fresh("e"), m.temp(prefix="i"), m.temp(), m.temp()
    most = len(m.setting.on_place.get(place.name, ()))

    def one(piece: p.Expr) -> None:
        m.emit(p.Set(found, ONE))
        write(piece)

    def step() -> None:
        m.emit(p.Set(here, beyond(m, place, p.Get(here), way)), p.Set(found, ZERO))
        m.when(may_be_next(place, p.Get(here), start), lambda: each_on(m, place, p.Get(here), one))
        m.emit(p.If(same(p.Get(found), ZERO), (p.Break(label),)))

    m.emit(p.Set(here, start), p.Count(label, steps, ONE, p.Const(most), m.collect(step)))


def may_be_next(place: model.Place, cell: p.Expr, start: p.Expr) -> p.Expr:
    """Whether a run that began at `start` may go on with a cell: where a grid wraps it comes back there."""
    return binary("!=", cell, start) if place.edge == "wraps" else ONE


def _push_run(m: Builder, op: ops.PushRun) -> None:
    piece, way = m.atom(not_nothing(m, op.piece)), m.atom(not_nothing(m, op.toward))
    place, start = the_grid(m), where_it_stands(m, piece)
    pieces, cells = m.new(), m.new()
    m.emit(p.Push(pieces, piece))
    each_in_run(m, place, start, way, lambda one: m.emit(p.Push(pieces, one)))
    if size_of(place) is None and is_unshared(m, place) and not has_reactions(m, place):
        # The run ends at a cell where nobody stands, and each piece leaves its cell to the one behind it.
        m.each_in(
            p.Get(pieces), lambda one: m.emit(p.Store(add(one, p.Const(m.storage.pieces)), add(cell_of(m, one), way)))
        )
        return
    _all_beyond(m, place, pieces, cells, way, ONE)
    _settle(m, pieces, cells)


def _all_beyond(m: Builder, place: model.Place, pieces: str, cells: str, way: p.Expr, steps: p.Expr) -> None:
    def one(piece: p.Expr) -> None:
        m.emit(p.Push(cells, beyond(m, place, m.atom(cell_of(m, piece)), way, steps)))

    m.each_in(p.Get(pieces), one)


def placed_pieces(m: Builder, e: x.Expr) -> str:
    """The pieces of a set that stand somewhere."""
    found = m.new()

    def one(piece: p.Expr) -> None:
        m.emit(p.If(binary("!=", cell_of(m, piece), NOTHING), (p.Push(found, piece),)))

    m.over(e, lambda piece: one(m.atom(piece)))
    return found


def _shift(m: Builder, op: ops.Shift) -> None:
    pieces = placed_pieces(m, op.pieces)
    by = m.value(op.by)
    if may_be_nothing(m, op.by):
        by = m.atom(by)
        m.fault(same(by, NOTHING), "of-nothing")
    way, steps = (m.atom(by), ONE) if op.toward is None else (m.atom(not_nothing(m, op.toward)), m.atom(by))
    cells = m.new()
    _all_beyond(m, the_grid(m), pieces, cells, way, steps)
    _settle(m, pieces, cells)


def distance_along(cell: p.Expr, way: p.Expr) -> p.Expr:
    """The dot product of a cell and a direction: how far along it the cell lies."""
    return add(binary("*", column_of_cell(cell), column_of_cell(way)), binary("*", row_of_cell(cell), row_of_cell(way)))


def _lane(cell: p.Expr, way: p.Expr) -> p.Expr:
    """The cross product of a cell and a direction: equal for the cells of one line in that direction."""
    return binary(
        "-", binary("*", column_of_cell(cell), row_of_cell(way)), binary("*", row_of_cell(cell), column_of_cell(way))
    )


def _compact(m: Builder, op: ops.Compact) -> None:
    pieces, way = placed_pieces(m, op.pieces), m.atom(not_nothing(m, op.toward))
    name = grid_function(m, "compact", ("pieces", "way"), _compacted, "")
    m.emit(p.Do(None, name, (p.Get(pieces), way)))


def _compacted(m: Builder) -> None:
    """Close up the pieces of each line to the foremost piece of all; lines in the order of their foremost pieces."""
    way, sorted_, keys, lanes = p.Get("way"), m.temp("list", "s"), m.new(), m.new()
    m.emit(p.Copy(sorted_, p.Get("pieces")))
    ruler = m.temp()
    m.emit(p.Set(ruler, NOTHING))

    def key(piece: p.Expr) -> None:
        far = m.atom(distance_along(m.atom(cell_of(m, piece)), way))
        m.emit(p.Push(keys, binary("-", ZERO, far)), p.Set(ruler, binary("max", p.Get(ruler), far)))

    m.each_in(p.Get("pieces"), key)
    m.emit(p.Sort(sorted_, p.Get(keys), 1))
    m.each_in(p.Get(sorted_), lambda piece: m.emit(p.Push(lanes, _lane(m.atom(cell_of(m, piece)), way))))
    moved, cells, free = m.new(), m.new(), m.temp()
    last = m.atom(binary("-", p.Size(p.Get(sorted_)), ONE))

    def lane(i: p.Expr) -> None:
        first = same(p.Find(p.Get(lanes), p.Item(p.Get(lanes), i)), i)
        m.when(first, lambda: close_up(i))

    def close_up(i: p.Expr) -> None:
        front = m.atom(cell_of(m, p.Item(p.Get(sorted_), i)))
        m.emit(
            p.Set(free, binary("//", binary("-", p.Get(ruler), distance_along(front, way)), distance_along(way, way)))
        )
        _back_on_board(m, the_grid(m), front, way, free)
        m.each_number(
            i, last, lambda j: m.when(same(p.Item(p.Get(lanes), j), p.Item(p.Get(lanes), i)), lambda: put(front, j))
        )

    def put(front: p.Expr, j: p.Expr) -> None:
        m.emit(p.Push(moved, p.Item(p.Get(sorted_), j)), p.Push(cells, add(front, binary("*", way, p.Get(free)))))
        m.emit(p.Set(free, binary("-", p.Get(free), ONE)))

    m.each_number(ZERO, last, lane)
    _settle(m, moved, cells)


def _back_on_board(m: Builder, place: model.Place, front: p.Expr, way: p.Expr, free: str) -> None:
    if size_of(place) is None:
        return
    label = m.fresh("w")

    def step() -> None:
        inside = on_board(m, place, add(front, binary("*", way, p.Get(free))))
        m.emit(p.If(inside, (p.Break(label),)), p.Set(free, binary("-", p.Get(free), ONE)))

    m.emit(p.Loop(label, m.collect(step)))


def _place(m: Builder, op: ops.Place) -> None:
    for_grid_of(m, tuple(x.Const(piece) for piece, _ in op.cells), lambda: _place_here(m, op))


def _place_here(m: Builder, op: ops.Place) -> None:
    pieces, cells = m.new(), m.new()
    for piece, cell in op.cells:
        m.emit(p.Push(pieces, p.Const(piece)), p.Push(cells, p.Const(p.pair(*cell))))
    _settle(m, pieces, cells)


# ---------------------------------------------------------------- cells by name


def _cell_at(m: Builder, e: x.CellAt) -> p.Expr:
    column, row = not_nothing(m, e.column), not_nothing(m, e.row)
    return add(binary("*", binary("-", column, ONE), WIDTH), binary("-", row, ONE))


def _cells(m: Builder, e: x.Cells) -> p.Expr:
    size = size_of(m.setting.places[e.place])
    if size is None:
        m.emit(p.Unwind(m.program.fault(f"no-end: {m.name}")))
        return m.program.row(((),), ZERO)
    return m.program.row((tuple(encoded((c, r)) for r in range(size[1]) for c in range(size[0])),), ZERO)


GRID["goal"] = goal
OPS.update(
    {
        ops.PushRun: lambda m, op: for_grid_of(m, effects.moved(op), lambda: _push_run(m, op)),
        ops.Shift: lambda m, op: for_grid_of(m, effects.moved(op), lambda: _shift(m, op)),
        ops.Compact: lambda m, op: for_grid_of(m, effects.moved(op), lambda: _compact(m, op)),
        ops.Place: _place,
    }
)
VALUES[x.CellAt] = _cell_at
LISTS[x.Cells] = _cells
