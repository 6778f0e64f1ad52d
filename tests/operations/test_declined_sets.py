"""A set that somebody declined to choose, read as one: a broken rule in both engines, never a fault of ours."""

from __future__ import annotations

import pytest

from rulekit import load_text
from tests.differential.lockstep import plan_of, same_match
from tests.plans.evaluator import Evaluator

RULES = """game "Declined"
    players 2
grid board 3 by 3
pieces 3 stones of stone on board
counter n
flag f
value kept of stone
each stone has
    counter mark
each player has
    counter score
action act(those of stones): raise n by count those
define size(those of stones) is count those
play
    move stones[1] to board[1, 1]
    move stones[2] to board[1, 2]
    move stones[3] to board[3, 3]
    starter may chooses group from groups(stones where it.placed)
    {line}
result: rank players by highest score
"""
READ = [
    "raise n by count group",
    "if any group: raise n by 1",
    "if no group: raise n by 1",
    "if all (group where it.placed): raise n by 1",
    "raise n by sum of it.mark over group",
    "raise n by most of it.mark over group",
    "raise n by least of it.mark over group",
    "if stones[1] in group: raise n by 1",
    "if stones[1] not in group: raise n by 1",
    "if group is stones: raise n by 1",
    "if group is [stones[1]]: raise n by 1",
    "if any (group where it.mark is 0): raise n by 1",
    "if any (group whose mark is 0): raise n by 1",
    "if any (group except stones[1]): raise n by 1",
    "if any (stones except group): raise n by 1",
    "set kept to first group",
    "set kept to last group",
    "set kept to group[1]",
    "raise n by count group[2..]",
    "set kept to first (group by lowest mark)",
    "if any (group with highest mark): raise n by 1",
    "each s in group: raise n by 1",
    "move group to board[2, 2]",
    "remove group",
    "do act(group)",
    "raise n by size(group)",
    "let copy be group",
    "raise n by count (group + stones)",
    "raise n by count (stones + group)",
    "starter chooses s from group",
    "starter chooses 1..2 s from group",
    "draw s from group",
    "draw 2 s from group",
    "raise n by count (group.space)",
    "raise n by sum of it over group.mark",
    "raise n by count groups(group)",
    "if touching(group, stones, orthogonals): raise n by 1",
    "if any (stones where it in group): raise n by 1",
    "reveal group",
    "secretly each s in players: set s.score to count group",
    "if possible act(group): raise n by 1",
    "if first group is stones[1]: raise n by 1",
    "only if any group",
    "only if count group is 0",
    "swap first group for stones[1]",
    "set f to any group",
    "raise n by count going_round(group, 1)",
]
ASKED = ["if group is none: raise n by 1", "if group is not none: raise n by count group"]
"""Here somebody asks whether there is a set, and no rule is broken."""
SEEDS = range(6)


@pytest.mark.parametrize("line", [*READ, *ASKED])
def test_engines_agree(line: str) -> None:
    game = load_text(RULES.replace("{line}", line))
    plan, storage = plan_of(game, {}, 2)
    machine = Evaluator(plan)
    for seed in SEEDS:
        same_match(machine, storage, game, {}, 2, f"declined {seed}")
