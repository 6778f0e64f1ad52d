"""What seats may change of their own inside `secretly each`: nobody else may see that before all have finished."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.model import call_graph, ops
from rulekit.model import game as model

_PIECES = ("piece", "group")


def changed_apart(game: model.Game) -> frozenset[int]:
    """The variables that some block of `secretly each` may change."""
    return frozenset(found for op in _operations(game) for found in _changed(game, op))


def _operations(game: model.Game) -> Iterator[ops.Op]:
    """All that may run inside the blocks."""
    inside = [code.ops[place] for code in game.codes for place in ops.secret_blocks(code)]
    yield from inside
    for code in call_graph.reachable(game, {called for op in inside for called in call_graph.run_by(game, op)}):
        yield from game.codes[code].ops


def _changed(game: model.Game, op: ops.Op) -> Iterator[int]:
    row = op.effects
    for name in (*row.writes, *row.fills, *row.shuffles):
        yield getattr(op, name).variable
    forms: tuple[str, ...] = ("pile",) if row.takes or row.fills else ()
    if row.moves or row.along or row.lifts or row.removes:
        forms = (*forms, *_PIECES)
    if row.exchanges:
        forms = ("pile", *_PIECES)
    yield from (index for index, variable in enumerate(game.variables) if variable.form in forms)
