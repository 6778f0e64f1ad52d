"""Control flow within a code: which operations can still run after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.model import ops
from rulekit.model.effects import targets
from rulekit.model.game import Game


def conditions_ahead(game: Game, code: int, pc: int) -> tuple[ops.OnlyIf, ...]:
    """Each `only if` on some path from an operation of a code to its end, in the order of the text from there.

    pc:  the operation before which the code waits, or 0; those that only come before it on every path are left out.
    """
    known: dict[tuple[int, int], tuple[ops.OnlyIf, ...]] = game.kept.setdefault("conditions ahead", {})
    if (code, pc) not in known:
        known[code, pc] = tuple(_conditions(game.codes[code].ops, pc))
    return known[code, pc]


def _conditions(code: Sequence[ops.Op], start: int) -> Iterator[ops.OnlyIf]:
    reached = reachable(code, start)
    for at in (*range(start, len(code)), *range(start)):
        op = code[at]
        if at in reached and isinstance(op, ops.OnlyIf):
            yield op


def reachable(code: Sequence[ops.Op], start: int) -> frozenset[int]:
    """The places of the operations on all paths from one, itself included; a loop leads back to those before it."""
    waiting, found = [start], set[int]()
    while waiting:
        at = waiting.pop()
        if at not in found:
            found.add(at)
            waiting += successors(code, at)
    return frozenset(found)


def successors(code: Sequence[ops.Op], at: int) -> tuple[int, ...]:
    """The places of the operations that can come right after one in the same code."""
    op = code[at]
    following = (at + 1,) if op.effects.continues and at + 1 < len(code) else ()
    return (*following, *targets(op))
