"""Loops of the flow over a run of pieces: the pieces are walked where they stand, and no list is made of them.

Only where nothing moves inside the loop, else the rules mean the run as it was when the loop began.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.compiler.lower.analysis.cardinality import SMALL_SET
from rulekit.compiler.lower.builder.ir_builder import Builder
from rulekit.compiler.lower.moves.grid import beyond, each_on, may_be_next
from rulekit.compiler.lower.moves.grid_builtins import run_of
from rulekit.compiler.lower.moves.grid_dispatch import grids, the_grid
from rulekit.compiler.lower.moves.occupancy_index import is_indexed, is_written_once
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ONE, ZERO
from rulekit.model import effects, ops
from rulekit.model import expr as x
from rulekit.values import frozen


@frozen
class Walk:
    """Where it begins, which cell is none of the run, and in which direction it goes."""

    start: p.Expr
    way: p.Expr


def walk_over(m: Builder, e: x.Expr, inside: Iterable[ops.Op]) -> Walk | None:
    """The walk over a set; None if it is no run, or cannot be walked.  inside: what is done in the loop."""
    if m.counts_on_the_way(e) or not isinstance(e, x.Builtin) or e.word != "chain" or len(grids(m)) != 1:
        return None
    place = the_grid(m)
    few = len(m.setting.on_place.get(place.name, ())) <= SMALL_SET
    if not few or not is_indexed(m, place) or not is_written_once(m, place) or any(map(_may_move, inside)):
        return None
    return Walk(*run_of(m, e))


def _may_move(op: ops.Op) -> bool:
    row = op.effects
    return effects.may_call(row) or bool(row.removes or row.asks)


def step(m: Builder, walk: Walk, there: str, element: str, at: str) -> None:
    """On to the next piece from the cell that `at` is; `there` says whether there is one."""
    place = the_grid(m)
    cell = m.atom(beyond(m, place, p.Get(at), walk.way))

    def one(piece: p.Expr) -> None:
        m.emit(p.Set(element, piece), p.Set(there, ONE), p.Set(at, cell))

    m.emit(p.Set(there, ZERO))
    m.when(may_be_next(place, cell, walk.start), lambda: each_on(m, place, cell, one))
