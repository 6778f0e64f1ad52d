"""Built-in words about grids in plans: what stands next to what, in which line, in which group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.fast import plan as p
from rulekit.fast.board import count_word, is_kept
from rulekit.fast.grid import (
    WIDTH,
    along,
    beyond,
    call,
    cell_of,
    column_of_cell,
    each_on,
    each_piece,
    on_board,
    push_standing,
    row_of_cell,
    run_before,
    size_of,
    taken,
)
from rulekit.fast.maker import GRID, NOTHING, ONE, ZERO, Maker, add, binary, same
from rulekit.fast.values import something
from rulekit.fast.which_grid import list_there, the_grid, value_there
from rulekit.fast.words import LIST_WORDS, VALUE_WORDS
from rulekit.model import expr as x
from rulekit.model import words

SIDES = tuple(p.pair(*words.DIRECTIONS[name]) for name in words.ORTHOGONALS)


def given(m: Maker, e: x.Builtin, place: int) -> p.Expr:
    return m.atom(something(m, e.args[place], m.value(e.args[place])))


# ---------------------------------------------------------------- pieces or cells


def are_cells(m: Maker, e: x.Expr) -> bool:
    """Whether an expression gives a cell or cells, and not pieces that stand on them."""
    if isinstance(e, x.SpaceOf | x.HomeOf | x.CellAt | x.Cells):
        return True
    if isinstance(e, x.Builtin):
        return e.word in ("beside", "first_gap", "shifted") or (
            e.word in ("cycle", "slice") and are_cells(m, e.args[0])
        )
    if isinstance(e, x.Mapped):
        return are_cells(m, e.value)
    if isinstance(e, x.Listed):
        return bool(e.items) and are_cells(m, e.items[0])
    if isinstance(e, x.Filter | x.Without | x.Extreme | x.Ordered | x.End | x.ItemOf):
        return are_cells(m, e.of)
    if isinstance(e, x.Union):
        return are_cells(m, e.left)
    if isinstance(e, x.Choice):
        return are_cells(m, e.then) or are_cells(m, e.other)
    if isinstance(e, x.Invoke):
        kind = m.setting.game.defines[e.define].type
        return (kind.element if kind.is_set else kind).name == "cell"
    if isinstance(e, x.Local):
        return e.index in m.cells
    return isinstance(e, x.Element) and e.index in m.cell_elements


def cells_of(m: Maker, e: x.Expr) -> p.Expr:
    """The cells of a set of pieces or cells; pieces that stand nowhere have none."""
    if are_cells(m, e):
        return m.list(e)
    found = m.new()

    def one(piece: p.Expr) -> None:
        cell = m.atom(cell_of(m, piece))
        m.emit(p.If(binary("!=", cell, NOTHING), (p.Push(found, cell),)))

    m.over(e, one)
    return p.Get(found)


def _spot(m: Maker, e: x.Builtin) -> p.Expr:
    """The cell of a piece that must stand somewhere, or a cell itself."""
    at = given(m, e, 0)
    if are_cells(m, e.args[0]):
        return at
    cell = m.atom(cell_of(m, at))
    m.fault(same(cell, NOTHING), "not-placed")
    return cell


# ---------------------------------------------------------------- single cells and lines


def _empty(m: Maker, e: x.Builtin) -> p.Expr:
    return call(m, "is_empty", ("cell",), (given(m, e, 0),), _is_empty)


def _is_empty(m: Maker) -> None:
    place, cell = the_grid(m), p.Get("cell")
    inside = on_board(m, place, cell)
    if is_kept(m, place):
        m.when(inside, lambda: m.emit(p.Return(same(p.Word(count_word(m, place, cell)), ZERO))))
        m.emit(p.Return(ZERO))
    else:
        m.emit(p.Return(binary("&", inside, binary("==", taken(m, cell), ZERO))))


def _beside(m: Maker, e: x.Builtin) -> p.Expr:
    return beyond(m, the_grid(m), _spot(m, e), given(m, e, 1))


def _length(m: Maker, e: x.Builtin) -> p.Expr:
    offset = given(m, e, 0)
    column, row = m.atom(column_of_cell(offset)), m.atom(row_of_cell(offset))
    return add(binary("max", column, binary("-", ZERO, column)), binary("max", row, binary("-", ZERO, row)))


def _column(m: Maker, e: x.Builtin) -> p.Expr:
    return add((column_of_cell if e.word == "column" else row_of_cell)(given(m, e, 0)), ONE)


def _neighbours(m: Maker, e: x.Builtin) -> p.Expr:
    place, cell, found = the_grid(m), given(m, e, 0), m.new()

    def add_new(piece: p.Expr) -> None:
        m.when(p.Not(p.Has(p.Get(found), piece)), lambda: m.emit(p.Push(found, piece)))

    m.over(e.args[1], lambda way: each_on(m, place, m.atom(beyond(m, place, cell, way)), add_new))
    return p.Get(found)


def _touching(m: Maker, e: x.Builtin) -> p.Expr:
    here, others, ways = cells_of(m, e.args[0]), cells_of(m, e.args[1]), m.list(e.args[2])
    return call(m, "touching", ("cells", "others", "ways"), (here, others, ways), _touch)


def _touch(m: Maker) -> None:
    """A cell beyond the edge touches nothing."""
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


def _chain(m: Maker, e: x.Builtin) -> p.Expr:
    return run_before(m, the_grid(m), _spot(m, e), given(m, e, 1))


def _ahead(m: Maker, e: x.Builtin) -> p.Expr:
    return call(m, "ahead", ("start", "way"), (_spot(m, e), given(m, e, 1)), _further, "list")


def _further(m: Maker) -> None:
    place, found, cell, left = the_grid(m), m.new(), m.temp(), m.temp()
    start, way = p.Get("start"), p.Get("way")
    m.emit(p.Set(left, _reach_of_all(m, place, start)), p.Set(cell, beyond(m, place, start, way)))

    def step() -> None:
        done = binary("|", binary("<=", p.Get(left), ZERO), same(p.Get(cell), start))
        m.emit(p.Tick(), p.If(done, (p.Return(p.Get(found)),)))
        m.when(binary("==", on_board(m, place, p.Get(cell)), ZERO), lambda: m.emit(p.Return(p.Get(found))))
        push_standing(m, place, p.Get(cell), found)
        m.emit(p.Set(cell, beyond(m, place, p.Get(cell), way)), p.Set(left, binary("-", p.Get(left), ONE)))

    m.emit(p.Loop("again", m.collect(step)))


def _reach_of_all(m: Maker, place: Any, start: p.Expr) -> p.Expr:
    """After how many steps in one way nothing new can be met."""
    cells = m.new()
    m.emit(p.Push(cells, start))

    def one(piece: p.Expr) -> None:
        m.emit(p.If(binary("!=", cell_of(m, piece), NOTHING), (p.Push(cells, cell_of(m, piece)),)))

    each_piece(m, place, one)
    return reach(m, cells)


def reach(m: Maker, cells: str) -> p.Expr:
    place, size = the_grid(m), size_of(the_grid(m))
    if size is not None:
        from math import lcm

        return p.Const(lcm(*size) if place.edge == "wraps" else max(size))
    return call(m, "reach", ("cells",), (p.Get(cells),), _reach)


def _reach(m: Maker) -> None:
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


def _first_gap(m: Maker, e: x.Builtin) -> p.Expr:
    return call(m, "first_gap", ("start", "way"), (_spot(m, e), given(m, e, 1)), _gap)


def _gap(m: Maker) -> None:
    place, cell = the_grid(m), m.temp()
    m.emit(p.Set(cell, beyond(m, place, p.Get("start"), p.Get("way"))))

    def step() -> None:
        m.emit(p.Tick(), p.If(same(p.Get(cell), p.Get("start")), (p.Return(p.Get(cell)),)))
        m.emit(p.If(same(taken(m, p.Get(cell)), ZERO), (p.Return(p.Get(cell)),)))
        m.emit(p.Set(cell, beyond(m, place, p.Get(cell), p.Get("way"))))

    m.emit(p.Loop("again", m.collect(step)))


# ---------------------------------------------------------------- sets of pieces


def _depth(m: Maker, e: x.Builtin) -> p.Expr:
    piece, way, most = given(m, e, 0), given(m, e, 2), m.temp()
    cells = cells_of(m, e.args[1])
    m.fault(same(p.Size(cells), ZERO), "outside")
    m.emit(p.Set(most, NOTHING))
    m.each_in(cells, lambda cell: m.emit(p.Set(most, binary("max", p.Get(most), along(cell, way)))))
    mine = piece if are_cells(m, e.args[0]) else m.atom(cell_of(m, piece))
    m.fault(same(mine, NOTHING), "not-placed")
    return add(binary("-", p.Get(most), along(mine, way)), ONE)


def _shifted(m: Maker, e: x.Builtin) -> p.Expr:
    cells, way, steps, found = cells_of(m, e.args[0]), given(m, e, 1), given(m, e, 2), m.new()
    m.each_in(cells, lambda cell: m.emit(p.Push(found, beyond(m, the_grid(m), cell, way, steps))))
    return p.Get(found)


def _alike(m: Maker, e: x.Builtin) -> p.Expr:
    """Equal up to a shift where the board has no edges; pieces that look alike stand for each other."""
    pieces, flat = m.list(e.args[0]), m.list(e.args[1])
    m.fault(same(p.Size(flat), ZERO), "of-nothing")
    now, then = m.new(), m.new()

    def standing(piece: p.Expr) -> None:
        cell = m.atom(cell_of(m, piece))
        m.emit(p.If(binary("!=", cell, NOTHING), (p.Push(now, piece), p.Push(now, cell))))

    m.each_in(pieces, standing)
    last = binary("-", binary("//", p.Size(flat), p.Const(2)), ONE)

    def stood(i: p.Expr) -> None:
        at = m.atom(binary("*", i, p.Const(2)))
        cell = p.Item(flat, add(at, ONE))
        m.emit(p.If(binary("!=", cell, NOTHING), (p.Push(then, p.Item(flat, at)), p.Push(then, cell))))

    m.each_number(ZERO, last, stood)
    return p.Alike(_shape(m, now), _shape(m, then), False)


def _shape(m: Maker, flat: str) -> p.Expr:
    return call(m, "shape", ("pairs",), (p.Get(flat),), _shaped, "list")


def _shaped(m: Maker) -> None:
    """Looks and cells as one number each, cells counted from the corner of all."""
    pairs, found, left, top = p.Get("pairs"), m.new(), m.temp(), m.temp()
    last = m.atom(binary("-", binary("//", p.Size(pairs), p.Const(2)), ONE))
    m.emit(p.Set(left, p.Const(-p.NONE)), p.Set(top, p.Const(-p.NONE)))
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


def _looks(m: Maker) -> tuple[int, ...]:
    """A number for each thing, equal for pieces that may stand for each other: kind, owner and every trait."""
    seen: dict[Any, int] = {}
    made = []
    for number, thing in enumerate(m.setting.things):
        kind = m.setting.game.kinds[thing.kind]
        at = number - kind.base
        traits = tuple(values[at] for values in kind.traits.values() if 0 <= at < len(values))
        made.append(seen.setdefault((thing.kind, thing.owner, traits), len(seen)))
    return tuple(made)


GRID.update({"are_cells": are_cells})
VALUE_WORDS.update(
    {
        "empty": _empty,
        "beside": value_there(_beside),
        "length": _length,
        "column": _column,
        "row": _column,
        "touching": value_there(_touching),
        "first_gap": value_there(_first_gap),
        "depth": value_there(_depth),
        "alike": value_there(_alike),
    }
)
LIST_WORDS.update(
    {
        "neighbours": _neighbours,
        "chain": list_there(_chain),
        "ahead": list_there(_ahead),
        "shifted": list_there(_shifted),
    }
)
