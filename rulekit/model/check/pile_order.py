"""Piles whose order the rules make: `deal` takes out of them at random all the same, which is seldom meant."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.diagnostics import Problems
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops


def check(game: model.Game, problems: Problems) -> None:
    """Warns of each `deal` out of a whole pile whose order was made since it was shuffled last, or anywhere else."""
    moves = [op for code in game.codes for op in code.ops if isinstance(op, ops.MoveToPile)]
    everywhere = {op.to.variable for op in moves if op.ahead}
    for code in game.codes:
        for name, op in _dealt_anyhow(code, everywhere):
            title = f"`deal` takes out of `{game.variables[name].name}` at random, though rules make an order there"
            hint = "write `from the top of` before the pile, or `shuffle` it first"
            problems.warn("order-lost", title, op.span, hint=hint)


def _dealt_anyhow(code: ops.Code, everywhere: set[int]) -> Iterator[tuple[int, ops.Deal]]:
    """The deals of a code out of a pile that has an order, in the order of its lines."""
    ordered, sorted_ones = set(everywhere), _sorted_elements(code)
    for op in code.ops:
        if isinstance(op, ops.Shuffle):
            ordered.discard(op.pile.variable)
        elif isinstance(op, ops.MoveToPile) and (op.ahead or _is_sorted(op, sorted_ones)):
            ordered.add(op.to.variable)
        elif isinstance(op, ops.Deal) and isinstance(op.source, x.Stored) and op.source.variable in ordered:
            yield op.source.variable, op


def _is_sorted(op: ops.MoveToPile, sorted_ones: set[int]) -> bool:
    """Whether it puts down things in an order that was asked for, at once or one after the other."""
    things = op.things
    return isinstance(things, x.Ordered) or (isinstance(things, x.Local) and things.index in sorted_ones)


def _sorted_elements(code: ops.Code) -> set[int]:
    """The elements of loops over what was sorted."""
    starts = {op.items for op in code.ops if isinstance(op, ops.EachStart) and isinstance(op.over, x.Ordered)}
    return {op.element for op in code.ops if isinstance(op, ops.EachNext) and op.items in starts}
