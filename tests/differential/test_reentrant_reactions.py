"""Reactions that come back to themselves: as deep as the reference engine takes them, and no deeper."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.loading import load
from tests import paths
from tests.differential.lockstep import plan_of, same_match
from tests.generators.handmade_plans import ENGINES
from tests.generators.random_matches import game

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


def test_the_pawns_of_hornochsen_stop_together() -> None:
    rules = game(paths.GAMES / "hornochsen.rules")
    options = {"past_goal": "capped"}
    plan, storage = plan_of(rules, options, 3)
    for machine in (make(plan) for make in ENGINES.values()):
        assert same_match(machine, storage, rules, options, 3, "capped-1#0") > 20
