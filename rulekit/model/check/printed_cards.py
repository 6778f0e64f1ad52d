"""Check for printed cards that are moved or removed as if they lay somewhere.

`deck[2]` and the members of a kind are what is printed; real cards are copies
in piles.  Input are lowered codes; output are findings.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.resolve.symbol_table import World
from rulekit.source import Span

_HINT = "name one that lies in a pile, such as `first (PILE where it is CARD)`"


def check(world: World, codes: tuple[ops.Code, ...]) -> None:
    """Adds `not-a-copy` where all that a line takes from piles are printed cards."""
    for code in codes:
        taking = [(op, getattr(op, field)) for op in code.ops for field in op.effects.takes]
        printed = _printed_locals(code) if taking else frozenset()
        for op, taken in taking:
            span = taken.span if taken.span.line else op.span
            if _is_printed(taken, printed) and not _is_reported(world, span):
                world.error("not-a-copy", "this is a printed card, not one that lies somewhere", span, _HINT)


def _is_reported(world: World, span: Span) -> bool:
    """Whether something else is wrong on this line: one fault is reported once."""
    return any((at.span.source, at.span.line) == (span.source, span.line) for at in world.problems.found)


def _printed_locals(code: ops.Code) -> frozenset[int]:
    """The locals that hold nothing but printed cards, wherever they are bound."""
    bound = dict[int, list[ops.Op]]()
    for op in code.ops:
        if op.effects.binds:
            bound.setdefault(getattr(op, op.effects.binds), []).append(op)
    handed = range(code.parameters)
    printed = frozenset(local for local in bound if local not in handed)
    while True:
        # The greatest fixed point: a loop hands its items on to its element.
        kept = frozenset(local for local in printed if all(_binds_printed(op, printed) for op in bound[local]))
        if kept == printed:
            return printed
        printed = kept


def _binds_printed(op: ops.Op, printed: frozenset[int]) -> bool:
    source = getattr(op, op.effects.source) if op.effects.source else None
    if isinstance(source, int):
        return source in printed
    return source is not None and _is_printed(source, printed)


def _is_printed(e: x.Expr, printed: frozenset[int]) -> bool:
    """Whether an expression can stand for nothing but printed cards.  printed: locals that hold no others."""
    if isinstance(e, x.AllOf | x.Lookup):
        return True
    if isinstance(e, x.Local):
        return e.index in printed
    parts = tuple(_parts(e))
    return bool(parts) and all(_is_printed(part, printed) for part in parts)


def _parts(e: x.Expr) -> Iterator[x.Expr]:
    """The expressions from which its things come; none where that is not known."""
    match e:
        case x.Filter() | x.Without() | x.Ordered() | x.Extreme() | x.End() | x.ItemOf():
            yield e.of
        case x.Union():
            yield from (e.left, e.right)
        case x.Choice():
            yield from (e.then, e.other)
        case x.Listed():
            yield from e.items
