"""Of a condition the clauses of those parts of its line that make it hold, or fail, as things stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulekit.model import expr as x
from rulekit.model.traversal import children, parts

Eval = Callable[[x.Expr], Any]
"""What an expression is worth, or None if that cannot be said."""


def cited(e: x.Expr, value_of: Eval) -> tuple[str, ...]:
    """The clauses that the deciding parts of an expression cite: of an `or` that holds those of the half that does."""
    return tuple(dict.fromkeys(_cited(e, value_of)))


def _cited(e: object, value_of: Eval) -> Iterator[str]:
    if hasattr(e, "slot"):  # Of what is asked of each member of a set all parts can decide.
        yield from (clause for part in parts(e) for clause in part.cites)
        return
    for part in _deciding(e, value_of):
        yield from _cited(part, value_of)
    if isinstance(e, x.Expr):
        yield from e.cites


def _deciding(e: object, value_of: Eval) -> Iterator[object]:
    if isinstance(e, x.Choice):
        yield from (e.test, e.then if value_of(e.test) else e.other)
    elif isinstance(e, x.Both | x.Either):
        settles = isinstance(e, x.Either)
        halves = [half for half in (e.left, e.right) if bool(value_of(half)) is settles]
        yield from halves[:1] or (e.left, e.right)
    else:
        yield from children(e)
