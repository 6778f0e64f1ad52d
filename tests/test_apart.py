"""Blocks of `secretly each` that a plan must not run one after the other are refused, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest
from engines import plan_of, same_match

from rulekit.fast.layout import Unsupported
from rulekit.fast.python import PythonMachine
from rulekit.loading import load

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
    "what lies elsewhere": ("move top to player.aside", "change what is another's"),
    "another's card": ("remove first cycle(players, player).hand", "change what is another's"),
    "a count of all hands": (
        "raise player.score by count players.hand\n            move card to player.aside",
        "reads which cards or pieces",
    ),
    "another's place": (
        "move player.walker up by 1\n            raise player.score by (first players).walker.space",
        "reads which cards or pieces",
    ),
    "whose card it is": (
        "move card to player.aside\n            if top.owner is player: raise player.score by 1",
        "reads which cards or pieces",
    ),
}


def rules(folder: Path, do: str, hold: str = "edge stops") -> Path:
    path = folder / "apart.rules"
    path.write_text(RULES.format(do=do, hold=hold), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ALIKE)
def test_what_is_the_seat_s_own_may_move(tmp_path: Path, name: str) -> None:
    game = load(rules(tmp_path, ALIKE[name]))
    plan, storage = plan_of(game, {}, 3)
    for number in range(3):
        assert same_match(PythonMachine(plan), storage, game, {}, 3, f"apart-{number}#0") >= 9


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_may_be_another_s_is_refused(tmp_path: Path, name: str) -> None:
    do, why = OTHERWISE[name]
    game = load(rules(tmp_path, do))
    with pytest.raises(Unsupported, match=why):
        plan_of(game, {}, 3)


def test_pieces_that_are_in_each_other_s_way_are_refused(tmp_path: Path) -> None:
    game = load(rules(tmp_path, "move player.walker up by 1", "spaces 1..9 hold 1"))
    with pytest.raises(Unsupported, match="reads which cards or pieces"):
        plan_of(game, {}, 3)
