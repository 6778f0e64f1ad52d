"""What a match is worth to each seat at its end, in numbers that OpenSpiel can add up.

Either by place, from 1 for the first to -1 for the last; or by score: how far the number by which a seat is ranked
first is ahead of the mean of all.  Both add up to 0 where several play; but where a rule can defeat all at once, they
lose together, and each gets -1.
"""

from __future__ import annotations

from rulekit.adapters.spaces import rewards
from rulekit.errors import BadInput
from rulekit.model import ops
from rulekit.model.game import Game
from rulekit.play.state.match_state import Outcome

PLACES, SCORES = "places", "scores"
WAYS = (PLACES, SCORES)


class NoScores(BadInput, ValueError):
    """A game does not rank its seats by numbers, so that there are no scores."""


def by_place(end: Outcome, count: int, *, is_zero_sum: bool) -> list[float]:
    """As `rewards`; where they must add up to 0, and all were defeated one after the other, all share one place."""
    worth = list(rewards(end, count))
    return [0.0] * count if is_zero_sum and sum(worth) < -1 else worth


def by_score(game: Game, end: Outcome, margin: float) -> list[float]:
    """How far each is ahead of the mean; of a single seat its score.

    Errors: `NoScores`; `ValueError` for a score further from the mean than it may be.
    """
    sign = -1 if lowest_first(game) else 1
    first = [sign * numbers[0] for numbers in end.scores if numbers]
    if len(first) < len(end.scores):
        raise NoScores(f"not everybody is ranked by a number at this end of {game.title}")
    mean = sum(first) / len(first) if len(first) > 1 else 0
    ahead = [score - mean for score in first]
    if max(map(abs, ahead)) > margin:
        raise ValueError(f"a score is {max(map(abs, ahead))} from the mean: give a larger `margin` than {margin}")
    return ahead


def lowest_first(game: Game) -> bool:
    """Whether the lower of two first numbers is the better one.  Errors: `NoScores`."""
    ways = {op.keys[0][1] for code in game.codes for op in code.ops if isinstance(op, ops.Rank) and op.keys}
    if len(ways) != 1:
        raise NoScores(f"{game.title} does not rank players by one number first")
    return ways.pop()


def check_way(game: Game, way: str) -> str:
    """The way in which a match is to be worth something, if this game can do it.  Errors: `ValueError`, `NoScores`."""
    if way not in WAYS:
        raise ValueError(f"`returns` is one of {', '.join(WAYS)}, not {way}")
    if way == SCORES:
        lowest_first(game)
    return way
