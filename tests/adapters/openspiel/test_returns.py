"""What a match is worth at its end, by place and by score."""

from __future__ import annotations

import pytest

from rulekit import Game, Outcome, load_text
from rulekit.adapters.openspiel.returns import NoScores, by_place, by_score, check_way

RULES = """game "Returns"
    players 2..3
each player has
    counter points 0..
play
    each player: player chooses n from 1..2
result: rank {by}
"""


def ranked(by: str) -> Game:
    return load_text(RULES.format(by=by))


def ended(*scores: int | None, defeated: tuple[int, ...] = ()) -> Outcome:
    told = tuple(None if score is None else (score,) for score in scores)
    return Outcome(((0,), (1,)), defeated, (0,), (), told, "play", ())


def test_places_add_up_to_nothing() -> None:
    assert by_place(ended(1, 1), 2, is_zero_sum=True) == [1, -1]


def test_all_who_are_defeated_lose_where_a_rule_can_defeat_them_together_and_else_share() -> None:
    end = ended(1, 1, defeated=(0, 1))
    assert (by_place(end, 2, is_zero_sum=False), by_place(end, 2, is_zero_sum=True)) == ([-1, -1], [0, 0])


@pytest.mark.parametrize(("by", "worth"), [("highest", [2, -2]), ("lowest", [-2, 2])])
def test_scores_are_told_from_their_mean_and_the_better_ones_are_above_it(by: str, worth: list[float]) -> None:
    assert by_score(ranked(f"players by {by} points"), ended(7, 3), 2) == worth


def test_there_are_no_scores_where_nothing_ranks_or_somebody_is_not_ranked() -> None:
    with pytest.raises(NoScores, match="does not rank players by one number first"):
        check_way(ranked("players"), "scores")
    with pytest.raises(NoScores, match="not everybody is ranked"):
        by_score(ranked("players by highest points"), ended(7, None), 10)
