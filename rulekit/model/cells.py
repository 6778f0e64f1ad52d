"""Cells of a grid by column and row: `board[3, 1]`."""

from __future__ import annotations

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.infer import INFER, expect, unknown
from rulekit.model.types import CELL, NUMBER, UNKNOWN, Type
from rulekit.model.world import Scope, Typed
from rulekit.syntax import nodes


def _cell_at(scope: Scope, node: nodes.CellAt, wanted: Type | None) -> Typed:
    place = scope.world.places.get(node.of.name) if isinstance(node.of, nodes.Word) else None
    if place is None or place.form != "grid":
        hint = "a set has its items by one number: `S[2]`"
        scope.world.error("wrong-type", "only a grid has cells by column and row", node.span, hint)
        return Typed(unknown(node.span), UNKNOWN)
    column, row = (expect(scope, side, NUMBER) for side in (node.column, node.row))
    _check_on_board(scope, place, (column, row), node)
    return Typed(x.CellAt(column, row, span=node.span), CELL)


def _check_on_board(scope: Scope, place: model.Place, numbers: tuple[x.Expr, x.Expr], node: nodes.CellAt) -> None:
    """Adds `off-the-board` for a cell written in numbers that a grid with an end in every match does not have."""
    sides = (place.width, place.height) if place.bounded is None else (None, None)
    for number, size, word in zip(numbers, sides, ("column", "row"), strict=True):
        value = number.value if isinstance(number, x.Const) else None
        if isinstance(value, int) and size is not None and not 1 <= value <= size:
            title = f"`{place.name}` has the {word}s 1 to {size}, not {value}"
            scope.world.error("off-the-board", title, node.span)


INFER[nodes.CellAt] = _cell_at
