"""Lower built-in functions about grids: neighbours, contact, runs, gaps, lines, and equality of formations."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rulekit.compiler.lower.analysis.abstract_interpretation import known_here, sources
from rulekit.compiler.lower.analysis.cardinality import distinct
from rulekit.compiler.lower.builder.environment import named
from rulekit.compiler.lower.builder.ir_builder import GRID, Builder, Known, Write
from rulekit.compiler.lower.expressions.builtins import (
    LIST_BUILTINS,
    LOOP_BUILTINS,
    UNORDERED,
    VALUE_BUILTINS,
    Each,
    collected,
)
from rulekit.compiler.lower.expressions.scalars import not_nothing, where_it_stands
from rulekit.compiler.lower.moves.grid import (
    WIDTH,
    beyond,
    call_function,
    cell_of,
    column_of_cell,
    distance_along,
    each_in_run,
    each_on,
    is_taken,
    on_board,
    row_of_cell,
    size_of,
)
from rulekit.compiler.lower.moves.grid_dispatch import grids, on_grid, the_grid
from rulekit.compiler.lower.moves.occupancy_index import count_word, is_indexed, is_written_once
from rulekit.compiler.lower.moves.spaces import each_piece
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, same
from rulekit.model import builtin_signatures
from rulekit.model import expr as x
from rulekit.model.types import CELL


def argument_atom(m: Builder, e: x.Builtin, place: int) -> p.Expr:
    """An argument that must not be nothing, in a local or as a constant; place: from 0."""
    return m.atom(not_nothing(m, e.args[place]))


# ---------------------------------------------------------------- pieces or cells


def are_cells(m: Builder, e: x.Expr) -> bool:
    """Whether an expression gives a cell or cells, not pieces; types alone do not tell, since both are integers."""
    if isinstance(e, x.SpaceOf | x.HomeOf | x.CellAt | x.Cells):
        return True
    if isinstance(e, x.Builtin):
        word = builtin_signatures.WORDS[e.word]
        return are_cells(m, e.args[0]) if word.gives == "same" else CELL in (word.type, word.type.element)
    if isinstance(e, x.Mapped):
        return _gives_cells(m, e)
    if isinstance(e, x.Listed):
        return any(are_cells(m, item) for item in e.items)
    if found := (e.of,) if isinstance(e, x.End | x.ItemOf) else sources(e):
        return any(are_cells(m, one) for one in found)
    if isinstance(e, x.Invoke):
        kind = m.setting.game.defines[e.define].type
        return (kind.element if kind.is_set else kind).name == "cell"
    return isinstance(e, x.Local | x.Element) and known_here(m, e).cells


def _gives_cells(m: Builder, e: x.Mapped) -> bool:
    """Whether cells are made of each of a set; what each one is holds in there alone."""
    with named(m, m.locals, {**m.elements, e.slot: Known(ZERO, cells=are_cells(m, e.of))}):
        return are_cells(m, e.value)


def cells_of(m: Builder, e: x.Expr) -> p.Expr:
    """The cells of a set of pieces or cells; pieces off the board are left out."""
    if are_cells(m, e):
        return m.list(e)
    found = m.new()

    def one(piece: p.Expr) -> None:
        cell = m.atom(cell_of(m, piece))
        m.emit(p.If(binary("!=", cell, NOTHING), (p.Push(found, cell),)))

    m.over(e, one)
    return p.Get(found)


def _cell_argument(m: Builder, e: x.Builtin) -> p.Expr:
    """The cell that the first argument gives: a cell, or that of a piece, which must be on the board."""
    at = argument_atom(m, e, 0)
    return at if are_cells(m, e.args[0]) else m.atom(where_it_stands(m, at))


# ---------------------------------------------------------------- single cells and lines


def _empty(m: Builder, e: x.Builtin) -> p.Expr:
    place, of = the_grid(m), e.args[0]
    if size_of(place) is None and isinstance(of, x.Builtin) and of.word == "first_gap":
        # Where nothing ends, no line is full.
        run_of(m, of)
        return ONE
    cell = argument_atom(m, e, 0)
    taken = p.Word(count_word(m, place, cell)) if is_indexed(m, place) else is_taken(m, cell)
    return binary("&", on_board(m, place, cell), same(taken, ZERO))


def _beside(m: Builder, e: x.Builtin) -> p.Expr:
    return beyond(m, the_grid(m), _cell_argument(m, e), argument_atom(m, e, 1))


def _length(m: Builder, e: x.Builtin) -> p.Expr:
    return length_of(m, argument_atom(m, e, 0))


def length_of(m: Builder, offset: p.Expr) -> p.Expr:
    """How many steps an offset is, over the sides of cells."""
    column, row = m.atom(column_of_cell(offset)), m.atom(row_of_cell(offset))
    return add(binary("max", column, binary("-", ZERO, column)), binary("max", row, binary("-", ZERO, row)))


def _column(m: Builder, e: x.Builtin) -> p.Expr:
    return add((column_of_cell if e.word == "column" else row_of_cell)(argument_atom(m, e, 0)), ONE)


def _neighbours(m: Builder, e: x.Builtin) -> p.Expr:
    if _meets_once(m, e):
        return collected(m, e, _each_neighbour)
    found = m.new()

    def add_new(piece: p.Expr) -> None:
        m.when(p.Not(p.Has(p.Get(found), piece)), lambda: m.emit(p.Push(found, piece)))

    _each_neighbour(m, e, add_new)
    return p.Get(found)


def _each_neighbour(m: Builder, e: x.Builtin, write: Write) -> None:
    place, cell = the_grid(m), argument_atom(m, e, 0)
    m.over(e.args[1], lambda way: each_on(m, place, m.atom(beyond(m, place, cell, way)), write))


def _meets_once(m: Builder, e: x.Builtin) -> bool:
    """Whether no two of the directions lead to the same cell."""
    return the_grid(m).edge != "wraps" and distinct(m, e.args[1])


def _walked(each: Each, may_walk: Callable[[Builder, x.Builtin], bool]) -> Each:
    """A loop over pieces as they stand, if it is written once; else over a list of them."""

    def made(m: Builder, e: x.Builtin, write: Write) -> None:
        if len(grids(m)) == 1 and is_written_once(m, the_grid(m)) and may_walk(m, e):
            each(m, e, write)
        else:
            m.each_in(m.list(e), write)

    return made


def _touching(m: Builder, e: x.Builtin) -> p.Expr:
    here, others, ways = cells_of(m, e.args[0]), cells_of(m, e.args[1]), m.list(e.args[2])
    return call_function(m, "touching", ("cells", "others", "ways"), (here, others, ways), _touch)


def _touch(m: Builder) -> None:
    """Whether some cell has one of the others next to it; cells off the board touch nothing."""
    place = the_grid(m)
    others: p.Expr = p.Get("others")
    if size_of(place) is not None:
        inside = m.new()
        m.each_in(p.Get("others"), lambda one: m.when(on_board(m, place, one), lambda: m.emit(p.Push(inside, one))))
        others = p.Get(inside)

    def cell(one: p.Expr) -> None:
        m.each_in(p.Get("ways"), lambda way: look(one, way))

    def look(one: p.Expr, way: p.Expr) -> None:
        m.emit(p.If(p.Has(others, beyond(m, place, one, way)), (p.Return(ONE),)))

    m.each_in(p.Get("cells"), lambda one: m.when(on_board(m, place, one), lambda: cell(one)))
    m.emit(p.Return(ZERO))


def _each_of_chain(m: Builder, e: x.Builtin, write: Write) -> None:
    each_in_run(m, the_grid(m), *run_of(m, e), write)


def run_of(m: Builder, e: x.Builtin) -> tuple[p.Expr, p.Expr]:
    """Next to which cell a run begins, and in which direction it goes."""
    return _cell_argument(m, e), argument_atom(m, e, 1)


def _ahead(m: Builder, e: x.Builtin) -> p.Expr:
    return call_function(m, "ahead", ("start", "way"), (_cell_argument(m, e), argument_atom(m, e, 1)), _further, "list")


def _further(m: Builder) -> None:
    if size_of(the_grid(m)) is None:
        _on_ray(m)
        return
    place, found, cell, left = the_grid(m), m.new(), m.temp(), m.temp()
    start, way = p.Get("start"), p.Get("way")
    m.emit(p.Set(left, max_steps(m, "")), p.Set(cell, beyond(m, place, start, way)))

    def step() -> None:
        done = binary("|", binary("<=", p.Get(left), ZERO), same(p.Get(cell), start))
        m.emit(p.If(done, (p.Return(p.Get(found)),)))
        m.when(binary("==", on_board(m, place, p.Get(cell)), ZERO), lambda: m.emit(p.Return(p.Get(found))))
        each_on(m, place, p.Get(cell), lambda piece: m.emit(p.Push(found, piece)))
        m.emit(p.Set(cell, beyond(m, place, p.Get(cell), way)), p.Set(left, binary("-", p.Get(left), ONE)))

    m.emit(p.Loop("again", m.collect(step)))


def _on_ray(m: Builder) -> None:
    found, far = m.new(), m.new()
    noted = p.Push(far, p.Get("along"))
    _each_on_ray(m, p.Get("start"), p.Get("way"), lambda piece: m.emit(p.Push(found, piece), noted))
    m.emit(p.If(binary("<", ONE, p.Size(p.Get(found))), (p.Sort(found, p.Get(far), 1),)), p.Return(p.Get(found)))


def _each_on_ray(m: Builder, start: p.Expr, way: p.Expr, write: Write) -> None:
    """On a grid without edges nobody walks: each piece is asked whether it stands on the ray, and how far `along`."""
    across, down = (m.atom(part(way)) for part in (column_of_cell, row_of_cell))
    m.types["along"] = "int"

    def one(part: Callable[[p.Expr], p.Expr], sign: p.Expr, piece: p.Expr) -> None:
        off = m.atom(binary("-", cell_of(m, piece), start))
        m.emit(p.Set("along", binary("*", part(off), sign)))
        in_line = same(binary("*", way, p.Get("along")), off)
        ahead = binary("&", in_line, binary("<", ZERO, p.Get("along")))
        m.when(binary("&", ahead, binary("!=", cell_of(m, piece), NOTHING)), lambda: write(piece))

    def every(part: Callable[[p.Expr], p.Expr], sign: p.Expr) -> None:
        each_piece(m, the_grid(m), partial(one, part, sign))

    m.when(across, lambda: every(column_of_cell, across), lambda: every(row_of_cell, down))


def _each_ahead(m: Builder, e: x.Builtin, write: Write) -> None:
    if len(grids(m)) == 1 and size_of(the_grid(m)) is None:
        _each_on_ray(m, *run_of(m, e), write)
    else:
        m.each_in(m.list(e), write)


def max_steps(m: Builder, cells: str) -> p.Expr:
    """After how many steps in one direction nothing new is met: by the size of the grid, or the extent of cells."""
    place, size = the_grid(m), size_of(the_grid(m))
    if size is not None:
        from math import lcm

        return p.Const(lcm(*size) if place.edge == "wraps" else max(size))
    return call_function(m, "reach", ("cells",), (p.Get(cells),), _extent)


def _extent(m: Builder) -> None:
    names = [m.temp() for _ in range(4)]
    m.emit(*(p.Set(name, NOTHING) for name in names))
    parts: tuple[Callable[[p.Expr], p.Expr], ...] = (column_of_cell, row_of_cell)

    def one(cell: p.Expr) -> None:
        for number, part in enumerate(parts):
            value = m.atom(part(cell))
            lowest, highest = names[2 * number : 2 * number + 2]
            m.emit(p.Set(highest, binary("max", p.Get(highest), value)))
            m.emit(p.Set(lowest, binary("max", p.Get(lowest), binary("-", ZERO, value))))

    m.each_in(p.Get("cells"), one)
    m.emit(p.If(same(p.Size(p.Get("cells")), ZERO), (p.Return(ONE),)))
    spans = [add(p.Get(names[0]), p.Get(names[1])), add(p.Get(names[2]), p.Get(names[3]))]
    m.emit(p.Return(add(binary("max", *spans), ONE)))


def _first_gap(m: Builder, e: x.Builtin) -> p.Expr:
    return call_function(m, "first_gap", ("start", "way"), (_cell_argument(m, e), argument_atom(m, e, 1)), _gap)


def _gap(m: Builder) -> None:
    place, cell = the_grid(m), m.temp()
    m.emit(p.Set(cell, beyond(m, place, p.Get("start"), p.Get("way"))))

    def step() -> None:
        m.emit(p.If(same(p.Get(cell), p.Get("start")), (p.Return(p.Get(cell)),)))
        m.emit(p.If(same(is_taken(m, p.Get(cell)), ZERO), (p.Return(p.Get(cell)),)))
        m.emit(p.Set(cell, beyond(m, place, p.Get(cell), p.Get("way"))))

    m.emit(p.Loop("again", m.collect(step)))


# ---------------------------------------------------------------- sets of pieces


def _depth(m: Builder, e: x.Builtin) -> p.Expr:
    piece, way, most = argument_atom(m, e, 0), argument_atom(m, e, 2), m.temp()
    cells = cells_of(m, e.args[1])
    m.fault(same(p.Size(cells), ZERO), "outside")
    m.emit(p.Set(most, NOTHING))
    m.each_in(cells, lambda cell: m.emit(p.Set(most, binary("max", p.Get(most), distance_along(cell, way)))))
    mine = piece if are_cells(m, e.args[0]) else m.atom(cell_of(m, piece))
    m.fault(same(mine, NOTHING), "not-placed")
    return add(binary("-", p.Get(most), distance_along(mine, way)), ONE)


def _shifted(m: Builder, e: x.Builtin) -> p.Expr:
    cells, way, steps, found = cells_of(m, e.args[0]), argument_atom(m, e, 1), argument_atom(m, e, 2), m.new()
    m.each_in(cells, lambda cell: m.emit(p.Push(found, beyond(m, the_grid(m), cell, way, steps))))
    return p.Get(found)


def _alike(m: Builder, e: x.Builtin) -> p.Expr:
    """Whether pieces stand as they stood in a snapshot: up to translation where the grid has no edges, and up to
    exchange of indistinguishable pieces.
    """
    pieces, flat = m.list(e.args[0]), m.list(e.args[1])
    m.fault(same(p.Size(flat), ZERO), "of-nothing")
    return call_function(m, "alike", ("pieces", "pairs"), (pieces, flat), _stand_alike)


def _stand_alike(m: Builder) -> None:
    """Most that are not alike differ in the sum of their cells, plain or weighed by class, whatever the shift."""
    count, classes, cells, weighed = (m.temp() for _ in range(4))
    looks, free = _looks(m), size_of(the_grid(m)) is None

    def stands(piece: p.Expr, cell: p.Expr) -> None:
        tally("+", piece, cell)
        look = m.program.entry(looks, piece)
        m.emit(p.Set(count, add(p.Get(count), ONE)), p.Set(classes, p.Binary("+", p.Get(classes), look)))

    def tally(sign: str, piece: p.Expr, cell: p.Expr) -> None:
        weight = binary("*", cell, m.program.entry(looks, piece))
        m.emit(p.Set(cells, p.Binary(sign, p.Get(cells), cell)), p.Set(weighed, p.Binary(sign, p.Get(weighed), weight)))

    _each_standing(m, stands)
    _each_that_stood(m, partial(tally, "-"))
    # A shift adds as much for each piece: to the sums in proportion.
    left = binary("*", p.Get(weighed), p.Get(count)) if free else p.Get(weighed)
    right = binary("*", p.Get(cells), p.Get(classes)) if free else ZERO
    m.emit(p.If(binary("!=", left, right), (p.Return(ZERO),)))
    m.emit(p.Return(p.Alike(_shape(m, _each_standing), _shape(m, _each_that_stood), False)))


WritePair = Callable[[p.Expr, p.Expr], Any]
"""Writes something for a piece and its cell."""


def _each_standing(m: Builder, write: WritePair) -> None:
    def one(piece: p.Expr) -> None:
        cell = m.atom(cell_of(m, piece))
        m.when(binary("!=", cell, NOTHING), lambda: write(piece, cell))

    m.each_in(p.Get("pieces"), one)


def _each_that_stood(m: Builder, write: WritePair) -> None:
    def one(i: p.Expr) -> None:
        at = m.atom(binary("*", i, p.Const(2)))
        cell = m.atom(p.Item(p.Get("pairs"), add(at, ONE)))
        m.when(binary("!=", cell, NOTHING), lambda: write(m.atom(p.Item(p.Get("pairs"), at)), cell))

    m.each_number(ZERO, binary("-", binary("//", p.Size(p.Get("pairs")), p.Const(2)), ONE), one)


def _shape(m: Builder, each: Callable[[Builder, WritePair], None]) -> p.Expr:
    flat = m.new()
    each(m, lambda piece, cell: m.emit(p.Push(flat, piece), p.Push(flat, cell)))
    return call_function(m, "shape", ("pairs",), (p.Get(flat),), _shaped, "list")


def _shaped(m: Builder) -> None:
    """The canonical form of a formation: for each piece a number, from its class and its cell from the corner."""
    pairs, found, left, top = p.Get("pairs"), m.new(), m.temp(), m.temp()
    last = m.atom(binary("-", binary("//", p.Size(pairs), p.Const(2)), ONE))
    # No cell is as far away; of a formation without pieces these are the corner, which must be within the integers.
    m.emit(p.Set(left, WIDTH), p.Set(top, WIDTH))
    free = size_of(the_grid(m)) is None

    def corner(i: p.Expr) -> None:
        cell = m.atom(p.Item(pairs, add(binary("*", i, p.Const(2)), ONE)))
        m.emit(p.Set(left, binary("min", p.Get(left), column_of_cell(cell))))
        m.emit(p.Set(top, binary("min", p.Get(top), row_of_cell(cell))))

    if free:
        m.each_number(ZERO, last, corner)
    else:
        m.emit(p.Set(left, ZERO), p.Set(top, ZERO))
    origin = m.temp()
    m.emit(p.Set(origin, add(binary("*", p.Get(left), WIDTH), p.Get(top))))
    looks = _looks(m)

    def one(i: p.Expr) -> None:
        at = m.atom(binary("*", i, p.Const(2)))
        cell = binary("-", p.Item(pairs, add(at, ONE)), p.Get(origin))
        look = m.program.entry(looks, p.Item(pairs, at))
        m.emit(p.Push(found, add(binary("*", cell, p.Const(1024)), look)))

    m.each_number(ZERO, last, one)
    m.emit(p.Return(p.Get(found)))


def _looks(m: Builder) -> tuple[int, ...]:
    """The class of each thing: equal for indistinguishable ones, which have the same kind, owner and traits."""
    seen: dict[Any, int] = {}
    made = []
    for number, thing in enumerate(m.setting.things):
        kind = m.setting.game.kinds[thing.kind]
        at = number - kind.base
        traits = tuple(values[at] for values in kind.traits.values() if 0 <= at < len(values))
        made.append(seen.setdefault((thing.kind, thing.owner, traits), len(seen)))
    return tuple(made)


GRID.update({"are_cells": are_cells})
VALUE_BUILTINS.update(
    {
        "empty": _empty,
        "beside": on_grid(_beside),
        "length": _length,
        "column": _column,
        "row": _column,
        "touching": on_grid(_touching),
        "first_gap": on_grid(_first_gap),
        "depth": on_grid(_depth),
        "alike": on_grid(_alike),
    }
)
LOOP_BUILTINS.update(
    {
        "neighbours": _walked(_each_neighbour, _meets_once),
        "chain": _walked(_each_of_chain, lambda m, e: True),
    }
)
UNORDERED["ahead"] = _each_ahead
LIST_BUILTINS.update(
    {
        "neighbours": _neighbours,
        "chain": on_grid(lambda m, e: collected(m, e, _each_of_chain)),
        "ahead": on_grid(_ahead),
        "shifted": on_grid(_shifted),
    }
)
