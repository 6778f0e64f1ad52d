"""Instrumentation: a game with operations of our own inserted between those of its rules.

What is inserted says or counts something and changes nothing that a rule
could read; so the matches stay the same in every engine, and no engine needs
to know that it is being watched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulekit.model import ops
from rulekit.model.effects import retargeted
from rulekit.model.game import Game
from rulekit.values import evolve

Insert = Callable[[int, int, ops.Op], Sequence[ops.Op]]
"""What to put before an operation, by the place of its code, its place in it, and itself."""
Entry = Callable[[int], Sequence[ops.Op]]
"""What to put where a code begins; a loop that goes back to its first operation does not come by there."""


def instrumented(game: Game, insert: Insert, entry: Entry = lambda index: ()) -> Game:
    """The game with `insert` asked before every operation; the main code, whose places others know, stays as it is."""
    codes = [
        code if index == game.main else _extended(index, code, insert, entry) for index, code in enumerate(game.codes)
    ]
    return evolve(game, codes=tuple(codes))


def _extended(index: int, code: ops.Code, insert: Insert, entry: Entry) -> ops.Code:
    made = list(entry(index))
    scopes = [code.scopes[0]] * len(made)
    places: list[int] = []
    for pc, op in enumerate(code.ops):
        places.append(len(made))
        before = [evolve(extra, span=op.span, cites=op.cites, own=op.own) for extra in insert(index, pc, op)]
        made += [*before, op]
        scopes += [code.scopes[pc]] * (len(before) + 1)
    # A jump leads to what is now before its old goal.
    led = tuple(retargeted(op, lambda field, number, old: places[old]) for op in made)
    return evolve(code, ops=led, scopes=tuple(scopes))
