"""What was there before: what makes two situations one, how often each was there, and that all engines agree."""

from __future__ import annotations

import pytest

from rulekit import RuleError, dump, load_text, position, restore, start, view
from rulekit.loading import examine_text
from rulekit.play.view import REFEREE
from rulekit.source import Source
from rulekit.values import evolve
from tests.differential.lockstep import plan_of, same_match
from tests.generators.handmade_plans import ENGINES
from tests.generators.random_matches import game as loaded
from tests.generators.random_matches import steps
from tests.paths import CASES

_HEAD = """game "Before"
    players 2
kind side: light as "L", dark as "D"
grid board 3 by 3
    spaces board hold 1
pieces stones of stone on board
    | stone | side  |
    | a     | light |
    | b     | light |
    | c     | dark  |
each stone has
    flag turned
    value holder of player
value mover of player
counter clock 0..9
counter found
history stones_only of stones for 1..3
history placed of (stones where it.placed) for 1..3
history with_mover of stones, mover for 1..3
play
    move a to board[1, 1]
    move c to board[2, 2]
    note stones_only
    note placed
    note with_mover
    raise clock by 1
"""

_OTHERS = """    note x
grid sky unbounded
pieces plain of cloud on sky
    | cloud |
    | d     |
cards deck of card
    | card |
    | 1..9 |
pile stock of card starts deck
grid low 2 by 2
pieces hidden of rat on low
    | rat |
    | e   |
each rat has
    counter fear 0..3, seen by nobody
pieces many of ant on low
    | ant |
    | g   |
each ant has
    counter load 0..9999
"""


def _ended(lines: list[str], asked: str) -> int:
    """What is asked behind some lines, which follow the first situation."""
    body = "".join(f"    {line}\n" for line in (*lines, f"set found to {asked}"))
    state = start(load_text(f"{_HEAD}{body}result: rank players\n"), seats=2).state
    (found,) = (seen.shown for seen in view(state, REFEREE).values if seen.path == "found")
    assert isinstance(found, int)
    return found


@pytest.mark.parametrize(
    ("lines", "history", "times"),
    [
        ([], "stones_only", 1),
        (["move a to board[1, 2]"], "stones_only", 0),
        (["move a to board[1, 2]", "move a to board[1, 1]"], "stones_only", 1),
        (["swap a for c"], "stones_only", 0),
        (["remove a", "move b to board[1, 1]"], "stones_only", 0),
        (["move b to board[1, 2]", "note stones_only", "swap a for b"], "stones_only", 1),
        (["move b to board[1, 2]"], "stones_only", 0),
        (["set c.turned to yes"], "stones_only", 0),
        (["set b.holder to first players"], "stones_only", 0),
        (["set b.holder to first players"], "placed", 1),
        (["set a.holder to first players"], "placed", 0),
        (["set mover to first players"], "stones_only", 1),
        (["set mover to first players"], "with_mover", 0),
        (["note stones_only"], "stones_only", 2),
        (["move a to board[2, 1]", "note stones_only", "move a to board[1, 1]"], "stones_only", 1),
    ],
)
def test_a_situation_is_what_is_compared_and_nothing_else(lines: list[str], history: str, times: int) -> None:
    assert _ended(lines, f"seen_before({history})") == times


def test_one_more_than_there_is_room_for_is_an_error() -> None:
    assert _ended(["note placed"] * 2, "seen_before(placed)") == 3
    with pytest.raises(RuleError, match="`placed` has room for 3 situations, and this is one more"):
        _ended(["note placed"] * 3, "seen_before(placed)")


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_agree_on_positions_at_every_decision(engine: str) -> None:
    rules = loaded(CASES / "engines" / "history.rules")
    plan, storage = plan_of(rules, {}, 2)
    machine = ENGINES[engine](plan)
    assert sum(same_match(machine, storage, rules, {}, 2, f"{engine} {number}") for number in range(3)) == 300


def test_what_was_noted_is_saved_and_shown_and_tells_positions_apart() -> None:
    rules = loaded(CASES / "engines" / "history.rules")
    later = next(step.state for number, (_, _, step) in enumerate(steps(rules, 2, "before")) if number == 9)
    assert restore(dump(later), rules) == later
    assert position(rules, view(later, REFEREE), begin=None).state.values == later.values
    (slot,) = (at for at in range(len(later.values)) if later.setting.path(at) == "plain")
    forgotten = evolve(later, values=(*later.values[:slot], None, *later.values[slot + 1 :]))
    assert forgotten != later


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("history x of stones for 80", "not-a-literal"),
        ("history x of stones for 2..80", "not-a-literal"),
        ("history x of first stones for 1..80", "wrong-type"),
        ("history x of plain for 1..80", "wrong-type"),
        ("history x of stock for 1..80", "wrong-type"),
        ("history x of hidden for 1..80", "wrong-type"),
        ("history x of many for 1..80", "too-many"),
        ("history x of seen_before(x) for 1..80", "recursion"),
        ("each player has\n    history x of stones for 1..80", "wrong-type"),
    ],
)
def test_what_cannot_be_compared_is_told(line: str, code: str) -> None:
    found = examine_text(Source("text.rules", f"{_HEAD}{_OTHERS}result: rank players\n{line}\n")).findings
    assert code in {one.code for one in found}
