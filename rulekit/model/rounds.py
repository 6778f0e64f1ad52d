"""Rounds of a match: the loop that makes them, found by structure, and the operation at which each begins.

A round is one pass of the outermost loop of `play`, whatever is called in it.  Loops over players alone are turns and
no rounds.  Of several outermost loops, such as one that seats pieces before one that plays, the last that asks
anything counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.model import ops
from rulekit.model.call_graph import Place, reachable
from rulekit.model.effects import targets
from rulekit.model.game import Game
from rulekit.model.types import PLAYER
from rulekit.values import frozen

_KEPT = "round start"


@frozen
class _Loop:
    """A loop of a code.  first: where each pass begins; backs: the jumps back there."""

    code: int
    first: int
    backs: tuple[int, ...]

    @property
    def last(self) -> int:
        return max(self.backs)


def round_start(game: Game) -> Place | None:
    """The operation with which each round begins; None where `play` has no loop but over players."""
    if _KEPT not in game.kept:
        loops = _outermost_loops(game, _play(game), {})
        asking = [loop for loop in loops if _asks(game, loop)]
        last = (asking or loops)[-1:]
        game.kept[_KEPT] = None if not last else (last[0].code, _beginning(game.codes[last[0].code].ops, last[0]))
    found: Place | None = game.kept[_KEPT]
    return found


def _play(game: Game) -> int:
    """The code of `play`, which is called last."""
    calls = [op.code for op in game.codes[game.main].ops if isinstance(op, ops.Call)]
    return calls[-1] if calls else game.main


def _outermost_loops(game: Game, code: int, known: dict[int, tuple[_Loop, ...]]) -> tuple[_Loop, ...]:
    """Return the loops of a code that stand in no other, and of what it calls outside them; none over players.

    Each stands where it comes last.  known: results by code, since actions may call one another many times over.
    """
    if code in known:
        return known[code]
    known[code] = ()  # Where it calls itself nothing is added.
    found: dict[_Loop, None] = {}
    flat = game.codes[code].ops
    backs = dict[int, list[int]]()
    for place, op in enumerate(flat):
        if isinstance(op, ops.Jump) and op.to <= place:
            backs.setdefault(op.to, []).append(place)
    # Who leads within a secret block depends on who is looked at first, so that no round begins there.
    secret = ops.secret_blocks(game.codes[code])
    loops = {first: _Loop(code, first, tuple(jumps)) for first, jumps in backs.items() if first not in secret}
    place = 0
    while place < len(flat):
        op, loop = flat[place], loops.get(place)
        if loop is not None:
            if not _is_over_players(op):
                found[loop] = None
            place = loop.last
        elif isinstance(op, ops.Call) and place not in secret:
            for called in _outermost_loops(game, op.code, known):
                found.pop(called, None)
                found[called] = None
        place += 1
    known[code] = tuple(found)
    return known[code]


def _is_over_players(op: ops.Op) -> bool:
    return isinstance(op, ops.EachNext) and op.kind == PLAYER


def _asks(game: Game, loop: _Loop) -> bool:
    """Whether anybody may be asked anything in a loop."""
    flat = game.codes[loop.code].ops[loop.first : loop.last + 1]
    called = reachable(game, [op.code for op in flat if isinstance(op, ops.Call)])
    performs = any(op.effects.performs for op in flat)
    return performs or any(op.effects.asks for op in (*flat, *(op for code in called for op in game.codes[code].ops)))


def _beginning(flat: Sequence[ops.Op], loop: _Loop) -> int:
    """The first operation of a pass behind the tests that may end the loop before anything is done in it."""
    inside = _leads_back(flat, loop)
    place = loop.first
    while True:
        op = flat[place]
        if isinstance(op, ops.Let | ops.EachNext):
            place += 1
        elif isinstance(op, ops.Unless) and (place + 1 in inside) != (op.to in inside):
            place = place + 1 if place + 1 in inside else op.to
        else:
            return place


def _leads_back(flat: Sequence[ops.Op], loop: _Loop) -> frozenset[int]:
    """The operations of a loop from which its next pass can be reached."""
    found = set(loop.backs)
    while True:
        more = {
            place
            for place in range(loop.first, loop.last + 1)
            if place not in found and any(goal in found for goal in _successors(flat, place) if goal > loop.first)
        }
        if not more:
            return frozenset(found)
        found |= more


def _successors(flat: Sequence[ops.Op], place: int) -> Iterator[int]:
    op = flat[place]
    yield from targets(op)
    if op.effects.continues:
        yield place + 1
