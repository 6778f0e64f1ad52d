"""A choice offers only what can still meet each `only if` that some path from it comes to, loops included."""

from __future__ import annotations

import pytest

from rulekit import decisions, start
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan.ir import Status
from rulekit.loading import examine_text
from rulekit.model.game import Game
from rulekit.source import Source
from rulekit.tools.series.simulation import series
from tests.differential.lockstep import same_match
from tests.differential.random_games import PATHS, agreed, compared
from tests.generators.handmade_plans import ENGINES

FILE = """game "Paths"
    players 1
counter spot 0..9
counter passed 0..9
play
    do walk(starter)
action walk(player)
{}
result: rank players
"""
NOT_TWO = """only if spot is not 2
        player always chooses n from 1..3
        set spot to n"""
PATHS_THROUGH_LOOPS = {
    "each": f"""    each jump in 1..3
        {NOT_TWO}""",
    "while": f"""    while passed below 3
        raise passed by 1
        {NOT_TWO}""",
    "repeat": f"""    repeat
        if passed is 3: stop repeat
        raise passed by 1
        {NOT_TWO}""",
    "next": """    each jump in 1..3
        if jump is 2: next jump
        only if spot is not 2
        player always chooses n from 1..3
        set spot to n""",
    "stop": """    each jump in 1..9
        only if spot is not 2
        player always chooses n from 1..3
        set spot to n
        if jump is 3: stop jump""",
    "nested": """    each far in 1..2
        only if spot is not 2
        each near in 1..2
            player always chooses n from 1..3
            set spot to if near is 2 then n else 0""",
    "way": """    each jump in 1..3
        only if spot is not 2
        player always chooses "Which?"
            "far"
                player always chooses n from 1..3
                set spot to n
            "near": set spot to 1""",
    "call": """    each jump in 1..3
        only if spot is not 2
        do leap(player)
action leap(player)
    player always chooses n from 1..3
    set spot to n""",
}


def game(body: str) -> Game:
    loaded = examine_text(Source("paths.rules", FILE.format(body)))
    assert loaded.game is not None, loaded.findings
    return loaded.game


@pytest.mark.parametrize("shape", PATHS_THROUGH_LOOPS)
def test_a_condition_at_the_head_of_a_loop_binds_the_choice_of_the_pass_before(shape: str) -> None:
    rules = game(PATHS_THROUGH_LOOPS[shape])
    plan, storage = lowered(rules, {}, 1)
    for engine in ENGINES:
        machine = ENGINES[engine](plan)
        assert {status for status, _ in machine.playouts(1, 0, 20, ())} == {Status.DONE}, engine
        assert same_match(machine, storage, rules, {}, 1, shape) >= 2


def test_the_first_pass_offers_what_the_second_can_begin_with() -> None:
    asked = decisions(start(game(PATHS_THROUGH_LOOPS["each"])).state)[0]
    assert asked.options == (1, 3)


def test_a_condition_that_no_path_comes_to_binds_nothing() -> None:
    body = """    player always chooses which from 1..2
    if which is 1
        player always chooses n from 1..3
        set spot to n
    else
        only if passed is 0"""
    step = start(game(body))
    assert decisions(step.state)[0].options == (1, 2)


@pytest.mark.parametrize("seed", [PATHS + 11, PATHS + 20])
def test_paths_by_chance_are_played_alike_and_fail_nowhere(seed: int) -> None:
    assert all(compared(seed, engine) >= 20 for engine in ENGINES)
    rules, options, seats = agreed(seed)
    assert {row[0] for row in series(rules, options, seats, "paths").rows(0, 20, ())} == {Status.DONE}
