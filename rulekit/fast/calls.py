"""Which rules may run which."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.model import game as model
from rulekit.model import ops

MOVES = (ops.MovePiece, ops.Travel, ops.GoHome, ops.Swap, ops.PushRun, ops.Shift, ops.Compact, ops.Place)
"""Operations to which rules may react."""


def callees(game: model.Game, code: ops.Code) -> set[int]:
    """Codes that a code may run: called, performed, reacting or tried."""
    found: set[int] = set()
    for op in code.ops:
        if isinstance(op, ops.Call):
            found.add(op.code)
        elif isinstance(op, ops.Perform):
            found |= member_codes(game)
        elif isinstance(op, MOVES):
            found |= reacting_codes(game)
    return found


def member_codes(game: model.Game) -> set[int]:
    """What printed things do for their owners."""
    return {member.code for kind in game.kinds.values() for member in kind.members if member.code is not None}


def reacting_codes(game: model.Game) -> set[int]:
    return {reaction.code for reaction in game.reactions}


def reachable(game: model.Game, codes: Iterable[int]) -> set[int]:
    """These codes and all that they may run."""
    waiting, found = list(codes), set[int]()
    while waiting:
        code = waiting.pop()
        if code not in found:
            found.add(code)
            waiting += callees(game, game.codes[code])
    return found


def guarded(game: model.Game) -> frozenset[int]:
    """Codes in which a question may have an `only if` ahead of it, in them or around them."""
    return frozenset(reachable(game, [number for number, code in enumerate(game.codes) if code.has_only_if]))
