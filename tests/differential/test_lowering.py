"""What the plan leaves out because it cannot matter: games in which it would."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.compiler.plan.traversal import calls
from rulekit.loading import load
from tests.compiler.process_replay import canonical
from tests.differential.lockstep import plan_of, same_match
from tests.generators.handmade_plans import ENGINES

GIVEN_AWAY = """game "Given away"
    players 3
cards deck of card
    | card | worth |
    | 1..4 | 1     |
each player has
    pile hand of card starts deck
    pile shown of card
    counter score -999..999
play
    each round in 1..6
        each player
            player chooses card from player.hand "Which?"
            player chooses other from players "To whom?"
            move card to {to}
        each player: raise player.score by count player.hand
        each player: move player.shown to player.hand
result
    rank players by highest score
"""

TAKEN_OFF = """game "Taken off"
    players 2
track path 0..6
each player has
    piece pawn on path at 1
play
    repeat
        each player
            player chooses n from 0..3 "How far?"
            {take}
            move player.pawn up by n
            if player.pawn is 6: end game
result
    rank players by highest pawn
"""

BROUGHT_BACK = """game "Brought back"
    players 2
grid board 3 by 3
    {hold}
each player has
    pieces 3 stones of stone on board
    counter score 0..999
setup
    each player: move player.stones[1] to board[player.seat, 3]
play
    each round in 1..5
        {each} player
            let stone be player.stones[1]
            player chooses
                "away": remove stone
                "there and back"
                    remove stone
                    move stone to board[player.seat, 1]
                "on"
                    player chooses other from player.stones
                    move other to board[player.seat, 2]
        each player
            raise player.score by count (player.stones where it.placed) + 10 * count player.stones
            if any neighbours(board[player.seat, 2], [north]): raise player.score by 100
    end game
result: rank players by highest score
"""

PUSHED = """game "Pushed"
    players 4
track path {spaces}
    further is up, nearer is down
    spaces {limited} hold 1
    full pushes {way}
    edge {edge}
each player has
    piece pawn on path at {start}
    counter score -999..999
play
    each round in 1..8
        each player
            player chooses n from 0..3 "How far?"
            player chooses
                "up": move player.pawn up by n
                "down": move player.pawn down by n
                "three": move player.pawn to 3
        each one in players with lowest pawn: raise one.score by 1
        each one in players with highest (pawn - score): raise one.score by 2
        if any (players whose pawn is 0): raise (first players).score by count (players whose pawn in 1..3)
result
    rank players by highest score
"""

NAMED = """game "Named"
    players 3
cards deck of card
    | card  | worth |
    | 1..9  | 1     |
define holders(card) is players where card in it.shown
define seen is deck as card where any holders(card) by highest number
define low is deck as card where any holders(card) by lowest worth
each player has
    pile hand of card starts deck
    pile shown of card
    counter score -999..999
play
    each round in 1..5
        each player
            player chooses card from player.hand "Which?"
            move card to player.shown
        each card in seen
            each one in holders(card): raise one.score by card.number
        each card in low: raise (first players).score by count holders(card)
result
    rank players by highest score
"""

LEFT = """game "Left"
    players 2
counter heap 0..10 starts 10
each player has
    counter points 0..
play
    repeat
        each player
            player chooses taken from 1..(min(3, heap))
            lower heap by taken
            if heap is 0
                raise player.points by 1
                end game
result
    rank players by highest points
"""

NOBODY = """game "Nobody"
    players 2
each player has
    counter points 0..
play
    each round in 1..4
        each player
            player chooses n from 1..8
            if n is 8
                each one in {set}: raise one.points by 1
result
    rank players by highest points
"""

SHEETS = """game "Sheets"
    players 2
each player has
    list sheet of 0..9 for 1..3 starts none{seen}
    list other of 0..9 for 1..3 starts none
    counter points 0..
define filled(those of player) is count (those.sheet where it is not none)
play
    each box in 1..3
        secretly each player
            player chooses n from 0..5 "Your number?"
            if n above 1: set player.sheet[box] to n
            if n is 5 and player.sheet[1] is not none: raise player.sheet[1] by 1
            if n is 4: set player.sheet[box] to player.sheet[4 - box]
    reveal players.sheet
    each player
        let mine be player.sheet
        each box in 1..3
            set player.other[box] to mine[box]
            if mine[box] is not none and mine[box] above 2: raise player.points by mine[box]
            if {reckoned}: raise player.points by 1
        raise player.points by sum of it over (mine where it is not none)
        if last mine is none or any (mine where it is none): raise player.points by 20
result
    rank players by highest points
"""


def pushed(limited: str, way: str, start: int, edge: str = "stops", spaces: str = "0..6") -> str:
    return PUSHED.format(limited=limited, way=way, start=start, edge=edge, spaces=spaces)


GAMES = {
    "the element of a loop is read behind it": LEFT,
    "cards stay": GIVEN_AWAY.format(to="player.shown"),
    "cards are given away": GIVEN_AWAY.format(to="other.hand"),
    "nothing is off the board": TAKEN_OFF.format(take="announce_nothing").replace("            announce_nothing\n", ""),
    "a piece is taken off the board": TAKEN_OFF.format(take="if n is 2: remove player.pawn"),
    "a piece is brought back": BROUGHT_BACK.format(each="each", hold=""),
    "a piece is brought back where one has room": BROUGHT_BACK.format(each="each", hold="spaces board hold 1"),
    "all bring a piece back at once": BROUGHT_BACK.format(each="secretly each", hold=""),
    "a push ends": pushed("1..4", "nearer", start=6),
    "a push may be stopped": pushed("0..4", "nearer", start=6),
    "a push upwards": pushed("2..5", "further", start=1),
    "a push upwards may be stopped": pushed("2..6", "further", start=1),
    "an edge that bounces stops a push": pushed("0..4", "nearer", start=6, edge="bounces"),
    "an open track has no other end to wrap to": pushed("0..4", "nearer", start=6, edge="wraps", spaces="0.."),
    "a push goes round": pushed("0..4", "nearer", start=6, edge="wraps"),
    "a push leaves": pushed("0..4", "nearer", start=6, edge="leaves"),
    "members are named": NAMED,
    "members are named by all of them": NAMED.replace("any holders(card)", "card in players.shown"),
    "members are not named by all of them": NAMED.replace("any holders(card)", "card not in players.shown"),
    "nobody is a member": NOBODY.format(set="[player, answered_last]"),
    "nobody is a member of the others": NOBODY.format(set="cycle([player, answered_last], player)"),
    "nobody is a member at a place": NOBODY.format(set="[player, answered_last][1..2]"),
    "a list is empty at first": SHEETS.format(seen="", reckoned="mine[box] is 3"),
    "a list that others do not see is": SHEETS.format(seen=", seen by owner", reckoned="mine[box] is 3"),
    "nothing is reckoned with": SHEETS.format(seen="", reckoned="mine[box] + 0 is 3"),
    "nothing is compared with a number": SHEETS.format(seen="", reckoned="player.other[box] above 2"),
    "nothing is summed up": SHEETS.format(seen="", reckoned="(sum of it over mine) is 9"),
    "nothing is the most": SHEETS.format(seen="", reckoned="(most of it over player.other) is 5"),
}


@pytest.mark.parametrize("name", GAMES)
def test_what_is_left_out_does_not_matter(tmp_path: Path, name: str) -> None:
    path = tmp_path / "left_out.rules"
    path.write_text(GAMES[name], encoding="utf-8")
    rules = load(path)
    plan, storage = plan_of(rules, {}, rules.least)
    for machine in (make(plan) for make in ENGINES.values()):
        decided = [same_match(machine, storage, rules, {}, rules.least, f"{name}-{number}#0") for number in range(12)]
        assert max(decided) > 2


OFFERED = """game "Offered"
    players 2
grid board 3 by 2
    spaces board hold 1
each player has
    pieces 2 men of man on board
list bag of 0..9 for 1..3 starts 1
counter points 0..999
define forward(player) is if player is first players then [south, southeast] else [north, northeast]
define same(way of direction) is [way, way]
define kept(n of number) is bag where it below n
define open is board where it.empty
define on_board(player) is player.men where it.placed
play
    each round in 1..4
        each player
            player chooses one from {options}
            raise points by 1
            if round is 1: move player.men[1] to board[player.seat, 1]
            if round is 2: move player.men[2] to board[player.seat, 2]
result
    rank players by highest points
"""

APART = {
    "cells of a board": "board",
    "cells that a define leaves": "open",
    "ways that a define lists by seat": "forward(player)",
    "some of what a define lists": "forward(player) where it is not south",
    "numbers listed": "[3, 1, 2]",
    "ways that have one name": "diagonals",
}
"""Options of which none can stand there twice, however they are said."""

TWICE = {
    "a number listed twice": "[3, 1, 3]",
    "one way twice by a define": "same(if round above 2 then south else north)",
    "one way twice, on one side of a choice": "if round above 2 then [south, south] else [north, east]",
    "one way twice, on the other side": "if round above 2 then [north, east] else [south, south]",
    "numbers kept in a list": "bag",
    "numbers that a define finds in a list": "kept(2)",
    "what may be the same way": "[south, if round above 2 then south else north]",
}
"""Options of which some stand there twice, and are offered once."""


def _searched(options: str, path: Path) -> tuple[bool, int]:
    """Whether the plan looks for an option among those before it; and the fewest decisions of some matches."""
    path.write_text(OFFERED.replace("{options}", options), encoding="utf-8")
    rules = load(path)
    plan, storage = plan_of(rules, {}, 2)
    decided = [
        same_match(make(plan), storage, rules, {}, 2, f"{number}#0") for make in ENGINES.values() for number in range(3)
    ]
    return "Has{" in canonical(plan.functions), min(decided)


@pytest.mark.parametrize("name", APART)
def test_what_cannot_be_offered_twice_is_not_looked_for(tmp_path: Path, name: str) -> None:
    searched, decided = _searched(APART[name], tmp_path / "apart.rules")
    assert not searched
    assert decided > 2


@pytest.mark.parametrize("name", TWICE)
def test_what_could_be_offered_twice_is_looked_for(tmp_path: Path, name: str) -> None:
    assert _searched(TWICE[name], tmp_path / "twice.rules")[0]


TWO_KINDS = """game "Two kinds"
    players 2
action gain(who of player)
    raise who.score by 1
kind deed
    deed up "Up": do gain(owner)
    deed down "Down": lower owner.score by 1
kind gift
    gift coin "Coin": raise owner.score by 5
    gift ring "Ring": do gain(owner)
cards deck of card
    | card | gives |
    | 1..2 | coin  |
    | 3..4 | ring  |
each player has
    counter score -99..99 starts 0
    pile hand of card starts deck
action first_deed(who of player, deed of deed): do deed for who
action first_gift(who of player, gift of gift): do gift for who
play
    each round in 1..3
        each player
            do gain(player)
            player chooses deed from [up, down] "What?"
            do first_deed(player, deed)
            player chooses card from player.hand "Which?"
            do first_gift(player, card.gives)
result
    rank players by highest score
"""


def test_what_a_thing_does_is_made_once_and_for_its_kind_alone(tmp_path: Path) -> None:
    path = tmp_path / "two_kinds.rules"
    path.write_text(TWO_KINDS, encoding="utf-8")
    rules = load(path)
    plan, storage = plan_of(rules, {}, 2)
    for number, make in enumerate(ENGINES.values()):
        same_match(make(plan), storage, rules, {}, 2, f"{number}#0")
    made = {one.origin: one for one in plan.functions}
    assert len(made) == len(plan.functions)
    done = {
        name: sorted(one for one in made if made[one].name in calls(made[name]))
        for name in ("first_deed", "first_gift")
    }
    assert done == {"first_deed": ["deed down", "deed up"], "first_gift": ["gift coin", "gift ring"]}
