"""What a match is worth to each seat at its end, in numbers that OpenSpiel can add up.

Either by place, from 1 for the first to -1 for the last; or by score: how far the number by which a seat is ranked
first is ahead of the mean of all.  Both add up to 0 where several play; but where a rule can defeat all at once, they
lose together, and each gets -1.
"""

from __future__ import annotations

from rulekit.model import ops
from rulekit.model.game import Game
from rulekit.play.state.match_state import Outcome

PLACES, SCORES = "places", "scores"
WAYS = (PLACES, SCORES)


class NoScores(ValueError):
    """A game does not rank its seats by numbers, so that there are no scores."""


def by_place(end: Outcome, count: int, *, all_lose: bool) -> list[float]:
    """1 for the first place, -1 for the last, evenly between; shared places have their mean.  Who is defeated is last.

    all_lose:  whether all get -1 if all are defeated, and do not just share the last place.
    """
    if len(end.defeated) == count and (all_lose or count == 1):
        return [-1.0] * count
    if count == 1:
        return [1.0]
    worth, better = [0.0] * count, 0
    standing = [tuple(seat for seat in place if seat < count and seat not in end.defeated) for place in end.ranking]
    for place in (*standing, tuple(seat for seat in end.defeated if seat < count)):
        for seat in place:
            worth[seat] = 1 - 2 * (better + (len(place) - 1) / 2) / (count - 1)
        better += len(place)
    return worth


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
