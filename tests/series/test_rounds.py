"""Rounds of a match: passes of the outermost loop of `play`, whatever is called in it."""

from __future__ import annotations

import pytest

from rulekit.loading import load_text
from rulekit.model.rounds import round_start
from rulekit.tools.estimation.aggregates import Tally
from rulekit.tools.series.simulation import series
from tests.extras import needs

HEAD = """game "Rounds"
    players 2
counter left 0..7 starts 7
each player has
    counter score
    counter plan 0..2, seen by owner
"""
TAIL = """action bonus
    each player: raise player.score by 1
action settle(player)
    raise player.score by 1
action turn(player)
    player chooses x from 1..2
    raise player.score by x
result: rank players by highest score
"""
PLAYS = {
    "a score is raised in an action that the loop calls": (
        3,
        """play
    each round in 1..3
        each pick in 1..4
            each player: do turn(player)
        do bonus
""",
    ),
    "the same without a call": (
        3,
        """play
    each round in 1..3
        each pick in 1..4
            each player: do turn(player)
        each player: raise player.score by 1
""",
    ),
    "the game ends in the branch that calls": (
        4,
        """play
    repeat
        each player
            do turn(player)
            lower left by 1
            if left is 0
                do settle(player)
                end game
""",
    ),
    "several loops over players in a round": (
        5,
        """play
    each round in 1..5
        each player: raise player.score by 1
        secretly each player
            player chooses n from 1..2
            set player.plan to n
        each number in 1..3
            each player: raise player.score by 1
        do bonus
""",
    ),
    "the loop stands in an action": (
        7,
        """play
    each player: do turn(player)
    do main_part
action main_part
    while left above 0
        do turn(starter)
        lower left by 1
        do bonus
""",
    ),
    "a pass that ends before anything is done": (
        7,
        """play
    repeat
        let over be left is 0
        if over
            do settle(starter)
            end game
        each player: do turn(player)
        lower left by 1
""",
    ),
    "a loop that goes on early": (
        7,
        """play
    repeat
        if left is 0: stop repeat
        lower left by 1
        if left mod 2 is 0: next repeat
        each player: do turn(player)
""",
    ),
    "several loops, of which the last asks nothing": (
        4,
        """play
    each pick in 1..2
        each player: do turn(player)
    each day in 1..4
        each player: do turn(player)
    each number in 1..3
        do bonus
""",
    ),
}


def tally(engine: str, play: str) -> Tally:
    one = series(load_text(HEAD + play + TAIL), {}, 2, "r", engine)
    made = Tally(one.counters.sheet)
    made.add(0, one.rows(0, 3, ()), one.sums())
    assert made.finished == 3
    return made


@pytest.mark.parametrize("engine", [pytest.param("wasm", marks=needs("wasmtime")), "interpreter"])
@pytest.mark.parametrize("name", PLAYS)
def test_a_round_is_a_pass_of_the_outermost_loop(name: str, engine: str) -> None:
    wanted, play = PLAYS[name]
    rounds = tally(engine, play).measure("rounds")
    assert rounds is not None
    assert (rounds.least, rounds.most) == (wanted, wanted)


def test_loops_over_players_alone_are_no_rounds() -> None:
    assert tally("interpreter", "play\n    each player: do turn(player)\n    do bonus\n").measure("rounds") is None


@needs("wasmtime")
def test_engines_look_at_the_lead_in_the_same_places() -> None:
    _, play = PLAYS["the same without a call"]
    assert tally("wasm", play).cells == tally("interpreter", play).cells


def test_a_round_that_begins_by_looking_at_a_shuffled_pile_is_counted_once() -> None:
    text = """game "Order"
    players 2
cards deck of card
    | card | copies |
    | 1..3 | 2      |
pile stock of card starts deck
each player has
    pile hand of card, seen by owner
setup: shuffle stock
play
    each round in 1..3
        deal 1 from the top of stock to starter.hand
        shuffle stock
        starter chooses n from 1..2
result: rank players
"""
    for engine in ("wasm", "interpreter"):
        one = series(load_text(text), {}, 2, "o", engine)
        made = Tally(one.counters.sheet)
        made.add(0, one.rows(0, 3, ()), one.sums())
        rounds = made.measure("rounds")
        assert rounds is not None
        assert (rounds.least, rounds.most) == (3, 3)


def test_actions_that_call_one_another_twice_are_looked_at_once() -> None:
    levels = "\n".join(f"action a{n}\n    do a{n - 1}\n    do a{n - 1}" for n in range(1, 40))
    text = (
        f'game "X"\n    players 2\ncounter n\naction a0: raise n by 1\n{levels}\nplay: do a39\nresult: rank players\n'
    )
    assert round_start(load_text(text)) is None
