"""Lower built-in functions about sets of pieces that slide or jump together until they touch others.

Collision tests of a translated set of cells against all others, step by step.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiler.lower.builder.ir_builder import Builder
from rulekit.compiler.lower.expressions.builtins import LIST_BUILTINS, VALUE_BUILTINS
from rulekit.compiler.lower.moves.grid import (
    WIDTH,
    beyond,
    call_function,
    cell_of,
    column_of_cell,
    on_board,
    row_of_cell,
    sides_of,
    size_of,
)
from rulekit.compiler.lower.moves.grid_builtins import argument_atom, cells_of, length_of, max_steps
from rulekit.compiler.lower.moves.grid_dispatch import on_grid, the_grid
from rulekit.compiler.lower.moves.occupancy_index import is_unshared
from rulekit.compiler.lower.moves.spaces import each_piece
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, same
from rulekit.model import expr as x
from rulekit.model import game as model

PARAMS = ("cells", "others")


def _own_and_others(m: Builder, e: x.Builtin) -> tuple[p.Expr, p.Expr]:
    """The cells of a set of pieces, and those of all other pieces."""
    own, pieces, others = cells_of(m, e.args[0]), m.list(e.args[0]), m.new()
    is_apart = is_unshared(m, the_grid(m))

    def other(piece: p.Expr) -> None:
        cell = m.atom(cell_of(m, piece))
        outside = binary("&", binary("!=", cell, NOTHING), p.Not(p.Has(pieces, piece)))
        is_new = ONE if is_apart else p.Not(p.Has(p.Get(others), cell))
        m.emit(p.If(binary("&", outside, is_new), (p.Push(others, cell),)))

    each_piece(m, the_grid(m), other)
    return own, p.Get(others)


def _unless_free(
    m: Builder, place: model.Place, way: p.Expr, steps: p.Expr, value: p.Expr, *, inside: bool = False
) -> None:
    """Return `value` if the set, moved by so many steps, would overlap another piece or cross an edge that stops it.

    inside:  or any edge.
    """

    def one(cell: p.Expr) -> None:
        there = m.atom(beyond(m, place, cell, way, steps))
        blocked: p.Expr = p.Has(p.Get("others"), there)
        if size_of(place) is not None and (inside or place.edge != "leaves"):
            blocked = binary("|", blocked, binary("==", on_board(m, place, there), ZERO))
        m.emit(p.If(blocked, (p.Return(value),)))

    m.each_in(p.Get("cells"), one)


def _if_touching(m: Builder, place: model.Place, way: p.Expr, steps: p.Expr, value: p.Expr) -> None:
    def one(cell: p.Expr) -> None:
        there = m.atom(beyond(m, place, cell, way, steps))

        def sides() -> None:
            for side in sides_of(place):
                m.emit(p.If(p.Has(p.Get("others"), beyond(m, place, there, side)), (p.Return(value),)))

        m.when(on_board(m, place, there), sides)

    m.each_in(p.Get("cells"), one)


def _contact_steps(m: Builder, e: x.Builtin) -> p.Expr:
    most = m.value(e.args[2]) if e.args[2:] else NOTHING
    args = (*_own_and_others(m, e), argument_atom(m, e, 1), most)
    return call_function(m, "contact_steps", (*PARAMS, "way", "most"), args, _contact)


def _contact(m: Builder) -> None:
    place, way = the_grid(m), p.Get("way")

    def step(steps: p.Expr) -> None:
        m.when(binary("!=", steps, ZERO), lambda: _unless_free(m, place, way, steps, NOTHING))
        _if_touching(m, place, way, steps, steps)

    m.when(same(p.Get("most"), NOTHING), lambda: m.emit(p.Set("most", _max_slide(m))))
    m.each_number(ZERO, p.Get("most"), step)
    m.emit(p.Return(NOTHING))


def _max_slide(m: Builder) -> p.Expr:
    both = m.temp("list", "s")
    m.emit(p.Copy(both, p.Get("cells")))
    m.each_in(p.Get("others"), lambda cell: m.emit(p.Push(both, cell)))
    return m.atom(max_steps(m, both))


def _free_steps(m: Builder, e: x.Builtin) -> p.Expr:
    return call_function(m, "free_steps", (*PARAMS, "way"), (*_own_and_others(m, e), argument_atom(m, e, 1)), _free)


def _free(m: Builder) -> None:
    place, way = the_grid(m), p.Get("way")

    def step(steps: p.Expr) -> None:
        _unless_free(m, place, way, steps, binary("-", steps, ONE))

    m.each_number(ONE, _max_slide(m), step)
    m.emit(p.Return(NOTHING))


def _contact_jumps(m: Builder, e: x.Builtin) -> p.Expr:
    return call_function(m, "contact_jumps", PARAMS, _own_and_others(m, e), _jumps, "list")


def _jumps(m: Builder) -> None:
    """All translations that bring the set next to another piece: shortest first, then top to bottom, left to right.

    To stay is no jump.
    """
    place, found, keys = the_grid(m), m.new(), m.new()

    def other(cell: p.Expr) -> None:
        for side in sides_of(place):
            landing = m.atom(beyond(m, place, cell, side))
            inside = on_board(m, place, landing)
            m.when(inside, _all_jumps(m, place, found, landing))

    m.each_in(p.Get("others"), other)

    def key(jump: p.Expr) -> None:
        m.emit(*(p.Push(keys, part) for part in (length_of(m, jump), row_of_cell(jump), column_of_cell(jump))))

    m.each_in(p.Get(found), key)
    m.emit(p.Sort(found, p.Get(keys), 3), p.Return(p.Get(found)))


def _all_jumps(m: Builder, place: model.Place, found: str, landing: p.Expr) -> Callable[[], object]:
    return lambda: m.each_in(p.Get("cells"), lambda cell: _jump(m, place, found, cell, landing))


def _jump(m: Builder, place: model.Place, found: str, cell: p.Expr, landing: p.Expr) -> None:
    jump = m.atom(_offset(m, place, cell, landing))
    new = binary("&", binary("!=", jump, ZERO), p.Not(p.Has(p.Get(found), jump)))
    m.when(new, lambda: m.when(_lands(m, jump), lambda: m.emit(p.Push(found, jump))))


def _lands(m: Builder, jump: p.Expr) -> p.Expr:
    return call_function(m, "lands", (*PARAMS, "jump"), (p.Get("cells"), p.Get("others"), jump), _landing)


def _landing(m: Builder) -> None:
    _unless_free(m, the_grid(m), p.Get("jump"), ONE, ZERO, inside=True)
    m.emit(p.Return(ONE))


def _offset(m: Builder, place: model.Place, start: p.Expr, end: p.Expr) -> p.Expr:
    """The offset between two cells; on a grid that wraps the shorter way round."""
    size = size_of(place)
    if size is None or place.edge != "wraps":
        return binary("-", end, start)
    away = m.atom(binary("-", end, start))
    column = _nearer(m, column_of_cell(away), size[0])
    return add(binary("*", column, WIDTH), _nearer(m, row_of_cell(away), size[1]))


def _nearer(m: Builder, distance: p.Expr, round_: int) -> p.Expr:
    distance = m.atom(binary("%", distance, p.Const(round_)))
    far = binary("<", p.Const(round_), binary("*", distance, p.Const(2)))
    return p.Pick(far, binary("-", distance, p.Const(round_)), distance)


VALUE_BUILTINS.update({"contact_steps": on_grid(_contact_steps), "free_steps": on_grid(_free_steps)})
LIST_BUILTINS["contact_jumps"] = on_grid(_contact_jumps)
