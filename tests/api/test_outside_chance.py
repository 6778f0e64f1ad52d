"""Chance that comes from outside: what each question is for, and how many follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit import CHANCE, Action, Game, apply, decisions, start
from rulekit.loading import examine_text
from rulekit.source import Source
from tests.generators.random_matches import GAMES, Answers, game

ROLLS = """game "Rolls"
    players 2
die cube: 1..6
cards deck of card
    | card |
    | 1..5 |
pile stock of card starts deck, seen by nobody
each player has
    pile hand of card, seen by owner
play
    roll 3 dice as three from cube
    draw 2 picked from 1..4
    shuffle stock
    each player
        move first stock to player.hand
        move first stock to player.hand
    end game
result: rank players
"""


def rolls() -> Game:
    loaded = examine_text(Source("rolls.rules", ROLLS))
    assert loaded.game is not None, loaded.findings
    return loaded.game


def test_a_question_of_chance_says_what_it_is_for_and_how_many_follow() -> None:
    state, asked = start(rolls(), seed=None).state, []
    while waiting := decisions(state):
        asked.append((waiting[0].source, waiting[0].follow, len(waiting[0].options)))
        state = apply(state, Action(CHANCE, waiting[0].options[0])).state
    dice, drawn, dealt = asked[:3], asked[3:5], asked[5:]
    assert dice == [("cube", 2, 6), ("cube", 1, 6), ("cube", 0, 6)]
    assert [follow for _, follow, _ in drawn] == [1, 0]
    assert {source for source, _, _ in dealt} == {"stock"}
    assert [count for *_, count in dealt] == [5, 4, 3, 2]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_what_follows_is_never_more_than_was_said(path: Path) -> None:
    answers, state, said = Answers("chance"), start(game(path), seed=None).state, (("", -1))
    for _ in range(150):
        waiting = decisions(state)
        if not waiting:
            break
        decision = waiting[0]
        assert (decision.seat == CHANCE) == bool(decision.source)
        if decision.seat == CHANCE and said[0] == decision.source and said[1] > 0:
            assert decision.follow < said[1]
        said = (decision.source, decision.follow)
        state = apply(state, Action(decision.seat, answers.to(decision))).state
