"""Dispatch on the grid that an operation concerns, and multiversioning of functions by grid.

A game with one grid needs none of it.  With several, the grid is that of the
first piece: code is written once for each possible grid, and a table by piece
decides at run time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.compiler.lower.analysis.abstract_interpretation import element_interval, interval_of, shape
from rulekit.compiler.lower.builder.ir_builder import GRID, Builder
from rulekit.compiler.lower.moves.spaces import for_place_of
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ZERO, same
from rulekit.model import expr as x
from rulekit.model import game as model


def grids(m: Builder) -> list[model.Place]:
    return [place for place in m.setting.places.values() if place.form == "grid"]


def the_grid(m: Builder) -> model.Place:
    """The grid for which code is being written: the only one, or the one chosen by `for_grid_of`."""
    if m.grid is not None:
        return m.grid
    (grid,) = grids(m)
    return grid


def for_grid_of(m: Builder, pieces: tuple[x.Expr, ...], write: Callable[[], Any]) -> None:
    """Call `write` for the grid of the first of these pieces, once for each possible grid."""
    found = _possible(m, pieces) if len(grids(m)) > 1 else grids(m)

    def here(place: model.Place) -> None:
        outer, m.grid = m.grid, place
        write()
        m.grid = outer

    for_place_of(m, [place.name for place in found], _first(m, pieces) if len(found) > 1 else NOTHING, here)


def _possible(m: Builder, pieces: tuple[x.Expr, ...]) -> list[model.Place]:
    """The grids on which the result of the first expression about pieces may stand."""
    for e in pieces:
        if not GRID["are_cells"](m, e):
            low, high = element_interval(m, e) if shape(m, e) else interval_of(m, e)
            names = {name for piece, name in m.setting.piece_place.items() if low <= piece <= high}
            return [place for place in grids(m) if place.name in names] or grids(m)[:1]
    return grids(m)[:1]


def _first(m: Builder, pieces: tuple[x.Expr, ...]) -> p.Expr:
    """The first piece; thing 0, which is on no grid, if there is none."""
    first = m.temp()
    m.emit(p.Set(first, ZERO))
    for e in reversed([e for e in pieces if not GRID["are_cells"](m, e)]):
        if not shape(m, e):
            m.emit(p.Set(first, m.value(e)))
        else:
            of = m.list(e)
            m.emit(p.If(p.Not(same(p.Size(of), ZERO)), (p.Set(first, p.Item(of, ZERO)),)))
    m.emit(p.If(same(p.Get(first), NOTHING), (p.Set(first, ZERO),)))
    return p.Get(first)


def on_grid(word: Callable[[Builder, x.Builtin], p.Expr]) -> Callable[[Builder, x.Builtin], p.Expr]:
    """A built-in function, evaluated on the grid of its first pieces."""

    def made(m: Builder, e: x.Builtin) -> p.Expr:
        if len(grids(m)) == 1:
            return word(m, e)
        result, keep = (m.temp("list", "s"), p.Copy) if shape(m, e) else (m.temp(), p.Set)
        for_grid_of(m, e.args[:2], lambda: m.emit(keep(result, word(m, e))))
        return p.Get(result)

    return made
