"""Comparisons with `none` of what is never none."""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.diagnostics import Problems
from rulekit.model import builtin_signatures, ops
from rulekit.model import expr as x
from rulekit.model.game import Game
from rulekit.model.traversal import parts
from rulekit.model.types import CELL
from rulekit.source import Span

_NUMBERS = (x.NumberOf, x.Ordinal, x.Count, x.Arithmetic, x.Negative, x.Fold)
_FLAGS = (x.Not, x.Some, x.Both, x.Either, x.Compare, x.Same, x.Among, x.Placed, x.Possible)
_SETS = (
    x.GroupOf, x.AllOf, x.Seats, x.Spaces, x.Cells, x.Mapped, x.Filter, x.Without, x.Union, x.Extreme, x.Ordered,
    x.Listed, x.Interval,
)  # fmt: skip
_ALWAYS = (*_NUMBERS, *_FLAGS, *_SETS, x.CellAt, x.SpaceOf, x.PieceOf, x.Lookup, x.Direction)
_HELD = ("pile", "list", "counter", "flag")
"""Forms of variables that always hold something, if it is an empty set."""


def check(game: Game, problems: Problems) -> None:
    """Warns of `is none` and `is not none` behind what always is something."""
    for code in game.codes:
        lets = {op.local: op.value for op in code.ops if isinstance(op, ops.Let)}
        _check_part(game, code.ops, lets, problems)
    for whole in (*(define.value for define in game.defines), *(invariant.test for invariant in game.invariants)):
        _check_part(game, whole, {}, problems)


def _check_part(game: Game, whole: object, lets: Mapping[int, x.Expr], problems: Problems) -> None:
    """lets: by local the value that a name stands for."""
    for same in (part for part in parts(whole) if isinstance(part, x.Same)):
        for side, other in ((same.left, same.right), (same.right, same.left)):
            meant = side
            while isinstance(meant, x.Local) and meant.index in lets:
                meant = lets[meant.index]
            if isinstance(other, x.Const) and other.value is None and _is_something(game, meant):
                answer = "always holds" if same.negate else "never holds"
                title = f"this is never none, so the comparison {answer}"
                problems.warn("never-none", title, same.span, hint=_hint(game, meant, side, negate=same.negate))


def _is_something(game: Game, e: x.Expr) -> bool:
    if isinstance(e, x.Builtin):
        word = builtin_signatures.WORDS[e.word]
        return not word.may_be_nothing and word.gives != "same"
    if isinstance(e, x.Stored):
        return game.variables[e.variable].form in _HELD
    if isinstance(e, x.Invoke):
        return _is_something(game, game.defines[e.define].value)
    if isinstance(e, x.Choice):
        return _is_something(game, e.then) and _is_something(game, e.other)
    return isinstance(e, _ALWAYS)


def _hint(game: Game, e: x.Expr, side: x.Expr, *, negate: bool) -> str:
    """What was meant: whether a cell lies on the board, whether a set has members."""
    while isinstance(e, x.Invoke):
        e = game.defines[e.define].value
    boards = [place.name for place in game.places.values() if place.form == "grid"]
    is_cell = isinstance(e, x.CellAt) or (isinstance(e, x.Builtin) and builtin_signatures.WORDS[e.word].type == CELL)
    asked = _text(game, side.span)
    if boards and is_cell and asked:
        word = "in" if negate else "not in"
        return f"a cell beyond the edge is not in the board: write `{asked} {word} {boards[0]}`"
    is_set = isinstance(e, _SETS) or (isinstance(e, x.Stored) and game.variables[e.variable].form == "pile")
    return f"to ask whether it has members write `{'any' if negate else 'no'} ({asked})`" if is_set and asked else ""


def _text(game: Game, span: Span) -> str:
    """How an expression of one line is written."""
    text = dict(game.sources).get(span.source, "")
    lines = text.split("\n")[span.line - 1 : span.end_line]
    return lines[0][span.column - 1 : span.end_column - 1] if len(lines) == 1 else ""
