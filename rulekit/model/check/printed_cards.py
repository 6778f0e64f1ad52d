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
from rulekit.values import frozen

_HINT = "name one that lies in a pile, such as `first (PILE where it is CARD)`"


def check(world: World, codes: tuple[ops.Code, ...]) -> None:
    """Add `not-a-copy` where all that a line takes from piles are printed cards."""
    cards = _PrintedCards.of_world(world)
    for code in codes:
        taking = [(op, getattr(op, field)) for op in code.ops for field in op.effects.takes]
        printed = cards.printed_locals(code) if taking else frozenset()
        for op, taken in taking:
            span = taken.span if taken.span.line else op.span
            if cards.is_printed(taken, printed) and not _is_reported(world, span):
                world.error("not-a-copy", "this is a printed card, not one that lies somewhere", span, _HINT)


def _is_reported(world: World, span: Span) -> bool:
    """Whether something else is wrong on this line: one fault is reported once."""
    return any((at.span.source, at.span.line) == (span.source, span.line) for at in world.problems.found)


@frozen
class _PrintedCards:
    """Printed cards of a game, and the expressions that can stand for nothing else.

    ids:      the printed members of kinds of cards.
    defines:  the values of defines.
    """

    ids: frozenset[int]
    defines: dict[int, x.Expr]

    @classmethod
    def of_world(cls, world: World) -> _PrintedCards:
        cards = [kind for kind in world.kinds.values() if kind.copied]
        ids = frozenset(id_ for kind in cards for id_ in range(kind.base, kind.base + len(kind.members)))
        return cls(ids, {index: define.value for index, define in world.resolved.values()})

    def printed_locals(self, code: ops.Code) -> frozenset[int]:
        """The locals that hold nothing but printed cards, wherever they are bound."""
        bound = dict[int, list[ops.Op]]()
        for op in code.ops:
            if op.effects.binds:
                bound.setdefault(getattr(op, op.effects.binds), []).append(op)
        handed = range(code.parameters)
        printed = frozenset(local for local in bound if local not in handed)
        while True:
            # The greatest fixed point: a loop hands its items on to its element.
            kept = frozenset(local for local in printed if all(self._binds_printed(op, printed) for op in bound[local]))
            if kept == printed:
                return printed
            printed = kept

    def _binds_printed(self, op: ops.Op, printed: frozenset[int]) -> bool:
        source = getattr(op, op.effects.source) if op.effects.source else None
        if isinstance(source, int):
            return source in printed
        return source is not None and self.is_printed(source, printed)

    def is_printed(self, e: x.Expr, printed: frozenset[int]) -> bool:
        """Whether an expression of things is always printed cards.  printed: locals that hold no others."""
        match e:
            case x.AllOf() | x.Lookup():
                return True
            case x.Const(value):
                return self._are_cards(value if isinstance(value, tuple) else (value,))
            case x.Trait():
                rows = [value if isinstance(value, tuple) else (value,) for value in e.values]
                return self._are_cards(tuple(value for row in rows for value in row if value is not None))
            case x.Local(index):
                return index in printed
            case x.Invoke(define, args):
                given = frozenset(place for place, arg in enumerate(args) if self.is_printed(arg, printed))
                return self.is_printed(self.defines[define], given)
        parts = tuple(_parts(e))
        return bool(parts) and all(self.is_printed(part, printed) for part in parts)

    def _are_cards(self, values: tuple[x.Value, ...]) -> bool:
        return bool(values) and all(value in self.ids for value in values)


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
