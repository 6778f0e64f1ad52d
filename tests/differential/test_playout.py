"""A match played at once comes to the same end, after the same decisions and steps, as one that stops at each."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit import Game, State, load
from rulekit.bots.players.random_bot import RandomAnswers, RandomBot
from rulekit.loading import examine_text
from rulekit.play.machine.working_state import freeze
from rulekit.play.playout import played
from rulekit.play.state.errors import RuleError
from rulekit.source import Source
from tests.differential.random_games import examined
from tests.generators.random_matches import GAMES, game, seat_counts
from tests.sizes import quick

End = tuple[State | str, int, list[int]]

ANSWERED = """
game "Answered"
    players 2..4

flag early

each player has
    counter mark 0..9
    counter turns 0..9

play
    repeat: do round

action round
    secretly each player
        set player.turns to player.turns + 1
        if answered_last is player: set player.mark to 1
        if player.turns above 1 or player is first players
            player chooses number from 1..3 "Which number?"
            if answered_last is player: set player.mark to 2
            if number is 3 and answered_last is first players: set player.mark to 3
            player chooses other from 4..6 "And which other?"
            set player.turns to min(player.turns + other mod 2, 9)
    if any (players where it.turns above 7): end game

result
    rank players by highest mark then lowest turns
"""


def stopping(rules: Game, seats: int, seed: str) -> End:
    """The end, or what went wrong; how many steps it took; how often each seat was asked."""
    step = rulekit.start(rules, seats=seats, seed=seed)
    state, names = step.state, step.state.setting.seats
    bots, turns = [RandomBot(seed, name) for name in names], [0] * len(names)
    try:
        while waiting := rulekit.decisions(state):
            asked = waiting[0]
            value = bots[asked.seat].answer(asked, turns[asked.seat])
            turns[asked.seat] += 1
            state = rulekit.apply(state, rulekit.Action(asked.seat, value)).state
    except RuleError as fault:
        return str(fault), 0, turns
    return state, state.steps, turns


def at_once(rules: Game, seats: int, seed: str) -> End:
    names = rulekit.start(rules, seats=seats, seed=seed).state.setting.seats
    answers = RandomAnswers(seed, names)
    try:
        end = freeze(played(rules, {}, seats, seed, answers))
    except RuleError as fault:
        return str(fault), 0, answers.turns
    return end, end.steps, answers.turns


@pytest.mark.parametrize("path", quick(GAMES), ids=lambda path: path.stem)
def test_games_that_ship_end_alike(path: Path) -> None:
    fresh = load(path)
    for seats in seat_counts(fresh):
        for number in range(2):
            seed = f"at once {seats}#{number}"
            end = stopping(game(path), seats, seed)
            assert isinstance(end[0], State), end
            assert at_once(fresh, seats, seed) == end, seed


@pytest.mark.parametrize("seed", range(30))
def test_games_made_by_chance_end_alike(seed: int) -> None:
    rules = examined(seed).game
    assert rules is not None
    for number in range(3):
        assert at_once(rules, rules.least, f"#{number}") == stopping(rules, rules.least, f"#{number}"), number


def test_a_secret_block_knows_who_answered_last() -> None:
    found = examine_text(Source("answered.rules", ANSWERED))
    assert found.game is not None, found.findings
    rules = found.game
    for seats in (2, 3, 4):
        for number in range(10):
            end = stopping(rules, seats, f"last#{number}")
            assert at_once(rules, seats, f"last#{number}") == end
            assert isinstance(end[0], State), end
