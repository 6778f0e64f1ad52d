"""What an outcome says beside the ranking: by which numbers, which line ended the match, and who sees the numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit import Action, Game, State, apply, decisions, outcome, start, view
from rulekit.loading import examine_text
from rulekit.record import codec
from rulekit.source import Source
from tests.generators.random_matches import GAMES, game, steps

RACE = """game "Race"
    players 2
each player has
    counter points{seen}
    counter falls
setup
    each player
        set player.points to 7 - player.seat
        set player.falls to player.seat
play
    do finish
> RACE-1 After the first turn it is over.
action finish
    each player
        player always chooses step from [1, 2]
        if step is 2
            end game                                                                    @RACE-1
result
    {result}
"""


def race(result: str, seen: str = "") -> Game:
    loaded = examine_text(Source("race.rules", RACE.format(result=result, seen=seen)))
    assert loaded.game is not None, loaded.findings
    return loaded.game


def ended(rules: Game, *answers: int) -> State:
    state = start(rules, seats=2).state
    for answer in answers:
        state = apply(state, Action(decisions(state)[0].seat, answer)).state
    return state


@pytest.mark.parametrize(
    ("result", "scores"),
    [
        ("rank players by highest points", ((6,), (5,))),
        ("rank players by lowest points", ((6,), (5,))),
        ("rank players by lowest falls then highest points", ((1, 6), (2, 5))),
        ("rank players where it.seat is 2 by lowest points", (None, (5,))),
        ("rank players", (None, None)),
    ],
)
def test_scores_are_the_numbers_by_which_seats_were_ranked(result: str, scores: object) -> None:
    end = outcome(ended(race(result), 2))
    assert end is not None
    assert end.scores == scores


def test_an_outcome_names_the_line_that_ended_the_match() -> None:
    end = outcome(ended(race("rank players"), 1, 2))
    assert end is not None
    assert (end.rule, end.clauses) == ("finish", ("RACE-1",))


def test_a_match_whose_play_comes_to_its_end_says_so() -> None:
    end = outcome(ended(race("rank players"), 1, 1))
    assert end is not None
    assert (end.rule, end.clauses) == ("game", ())


def test_scores_that_nobody_may_see_are_in_no_view() -> None:
    state = ended(race("rank players by highest points", ", seen by owner"), 2)
    end = outcome(state)
    assert end is not None
    assert end.scores == ((6,), (5,))
    for seat in (0, 1):
        shown = view(state, seat).outcome
        assert shown is not None
        assert shown.scores == (None, None)


def test_a_saved_end_says_the_same() -> None:
    rules = race("rank players by highest points")
    state = ended(rules, 2)
    assert outcome(codec.restore(codec.dump(state), rules)) == outcome(state)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_scores_agree_with_the_ranking(path: Path) -> None:
    rules, last = game(path), None
    for _, _, last in steps(rules, min(3, rules.most), "scores"):
        pass
    assert last is not None
    end = outcome(last.state)
    assert end is not None
    assert end.rule
    assert len(end.scores) == min(3, rules.most)
    scored = [place for place in end.ranking if all(end.scores[seat] is not None for seat in place)]
    for place in scored:
        assert len({end.scores[seat] for seat in place}) == 1
