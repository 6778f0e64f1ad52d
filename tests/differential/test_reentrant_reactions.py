"""Reactions that come back to themselves: as deep as the reference engine takes them, and no deeper."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.loading import load
from tests.differential.lockstep import plan_of, same_match
from tests.generators.handmade_plans import ENGINES

STEPS = """game "Steps"
    players 2
track path 0..{length}
    further is up
each player has
    piece pawn on path at 0
    counter jumps 0..9999
when pawn lands on 3..{last}
    if pawn.owner.jumps below {most}
        raise pawn.owner.jumps by 1
        {move}
play
    each round in 1..6
        each player
            player chooses n from 0..4 "How far?"
            move player.pawn to n
            if player.pawn above 3: raise player.jumps by 1
result
    rank players by highest jumps
"""

GOAL = """game "Goal"
    players 3
track path 0..
    forward is up
    spaces 1.. hold 1
    full stacks if occupant is 30
    full goes_on
each player has
    piece pawn on path at 0
when pawn lands on 31..: move pawn to 30
play
    while any (players where it.pawn below 30)
        each player
            player chooses n from 0..7 "How far?"
            move player.pawn forward by n
result
    rank players by highest pawn
"""

GAMES = {
    "a few": STEPS.format(length=400, last=399, most=9, move="move pawn up by 1"),
    "too many": STEPS.format(length=400, last=399, most=9000, move="move pawn up by 1"),
    "on the spot": STEPS.format(length=400, last=399, most=60, move="move pawn to pawn"),
}


@pytest.mark.parametrize("name", GAMES)
def test_reactions_come_back_as_deep_as_they_may(tmp_path: Path, name: str) -> None:
    path = tmp_path / "steps.rules"
    path.write_text(GAMES[name], encoding="utf-8")
    rules = load(path)
    plan, storage = plan_of(rules, {}, 2)
    for machine in (make(plan) for make in ENGINES.values()):
        decided = [same_match(machine, storage, rules, {}, 2, f"{name}-{number}#0") for number in range(8)]
        assert max(decided) > 1


def test_pawns_that_are_taken_back_to_the_goal_stop_there_together(tmp_path: Path) -> None:
    path = tmp_path / "goal.rules"
    path.write_text(GOAL, encoding="utf-8")
    rules = load(path)
    plan, storage = plan_of(rules, {}, 3)
    for machine in (make(plan) for make in ENGINES.values()):
        assert same_match(machine, storage, rules, {}, 3, "goal-1#0") > 20
