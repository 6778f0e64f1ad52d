"""What OpenSpiel wants to know of a game before its first match: read from its declarations, never from a match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit import limits
from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.game import PUBLIC, Game


def _operations(game: Game) -> Iterator[ops.Op]:
    for code in game.codes:
        yield from code.ops


def has_chance(game: Game) -> bool:
    """Whether something can be left to chance."""
    return any(op.effects.draws or op.effects.shuffles for op in _operations(game))


def has_secrets(game: Game) -> bool:
    """Whether a seat can know something that another may not: something is hidden, or decided in secret."""
    is_hidden = any(variable.seen != PUBLIC for variable in game.variables)
    return is_hidden or any(
        isinstance(op, ops.SecretStart) or getattr(op, "secretly", False) for op in _operations(game)
    )


def all_can_lose(game: Game) -> bool:
    """Whether all players can win or lose together: by reaching something, or where a rule can defeat all at once."""
    return game.together is not None or any(
        isinstance(op, ops.Defeat) and not _leaves_somebody(op.players) for op in _operations(game)
    )


def _leaves_somebody(players: x.Expr) -> bool:
    is_one = isinstance(players, x.Listed) and len(players.items) == 1
    return is_one or (isinstance(players, x.Without) and isinstance(players.of, x.Seats))


def most_outcomes(game: Game) -> int:
    """How many answers chance can have to choose from, at most."""
    if not has_chance(game):
        return 0
    things = sum(member.copies for kind in game.kinds.values() for member in kind.members)
    return max([things, 1, *(_width(game, op) for op in _operations(game) if isinstance(op, ops.Draw))])


def _width(game: Game, op: ops.Draw) -> int:
    """How many values there are to draw from, at most; of printed things 0, since all of them are counted anyway."""
    kind: Any = op.type
    element = kind.element if op.amount is not None else kind
    if element.name == "player":
        return limits.SEATS
    is_counted = element.name == "thing" and not game.kinds[element.kind].piece
    return _listed(op.source, 0 if is_counted else limits.SET)


def _listed(source: x.Expr, otherwise: int) -> int:
    match source:
        case x.Interval(x.Const(int(low)), x.Const(int(high))):
            return high - low + 1
        case x.Listed():
            return len(source.items)
        case x.Filter() | x.Without() | x.Ordered() | x.Extreme():
            return _listed(source.of, otherwise)
    return otherwise
