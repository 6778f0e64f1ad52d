"""Blocks of `secretly each` that a plan runs one after the other come to the same as all at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.loading import load
from tests.differential.lockstep import plan_of, same_match
from tests.plans.evaluator import Evaluator

RULES = """game "Apart"
    players 3
cards deck of card
    | card | copies |
    | 1..4 | 6      |
track road 0..99
    {hold}
pile stock of card starts deck
each player has
    piece walker on road at 0
    pile hand of card
    pile aside of card
    counter score 0..99
setup
    shuffle stock
    each player: deal 5 from stock to player.hand
play
    let top be first stock
    each round in 1..3
        secretly each player
            player chooses card from player.hand
            {do}
        each player: move player.aside to player.hand
result: rank players by highest score
"""
ALIKE = {
    "the chosen card": "move card to player.aside",
    "what a query finds": "move first (player.hand except [card]) to player.aside",
    "each of a set": "each one in player.hand: move one to player.aside",
    "a card by a name": "let other be card\n            remove other",
    "two of the own": "swap card for last player.hand",
    "a card in the own pile": "if card.owner is player: raise player.score by 1",
    "what others change": "set player.score to (count (players where it.score below 2)) + 1",
    "the own piece": "move player.walker up by card.number",
}
OTHERWISE = {
    "what lies elsewhere": "move top to player.aside",
    "another's card": "remove first cycle(players, player).hand",
    "a pile of all": "move stock to player.hand",
    "another's number": "set (last players).score to 1",
    "another's answer": "starter chooses other from player.hand",
    "a count of all hands": "raise player.score by count players.hand\n            move card to player.aside",
    "another's place": "move player.walker up by 1\n            raise player.score by (first players).walker.space",
    "whose card it is": "move card to player.aside\n            if top.owner is player: raise player.score by 1",
    "the card of another pile": "swap card for first (first players).hand",
    "its order": "move last player.hand to player.hand\n            if first (last players).hand is 1: remove card",
}
"""What of it breaks the rules does so in every engine."""


def rules(folder: Path, do: str, hold: str = "edge stops") -> Path:
    path = folder / "apart.rules"
    path.write_text(RULES.format(do=do, hold=hold), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ALIKE)
def test_what_is_the_seat_s_own_may_move(tmp_path: Path, name: str) -> None:
    game = load(rules(tmp_path, ALIKE[name]))
    plan, storage = plan_of(game, {}, 3)
    for number in range(3):
        assert same_match(Evaluator(plan), storage, game, {}, 3, f"apart-{number}#0") >= 9


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_may_be_another_s_stands_as_it_did_when_all_began(tmp_path: Path, name: str) -> None:
    game = load(rules(tmp_path, OTHERWISE[name]))
    plan, storage = plan_of(game, {}, 3)
    assert storage.apart_for is not None
    for number in range(3):
        same_match(Evaluator(plan), storage, game, {}, 3, f"apart-{number}#0")


@pytest.mark.parametrize("hold", ["full stacks", "full swaps", "full goes_on", "full refuses"])
def test_pieces_may_be_in_each_other_s_way(tmp_path: Path, hold: str) -> None:
    game = load(rules(tmp_path, "move player.walker up by card.number", f"spaces 1..9 hold 1\n    {hold}"))
    plan, storage = plan_of(game, {}, 3)
    for number in range(3):
        same_match(Evaluator(plan), storage, game, {}, 3, f"apart-{number}#0")
