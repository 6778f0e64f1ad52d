"""What is kept of a position is what would be worked out anew, and no change of a position goes unsaid."""

from __future__ import annotations

from typing import Any

import pytest

from rulekit.model.state_dependence import reading
from rulekit.play import engine
from rulekit.play.machine import memo
from rulekit.play.machine.working_state import Machine
from rulekit.play.meaning import grid, operators
from tests import paths
from tests.engine.test_persistent_states import answered, small, whole
from tests.generators.random_matches import game

NOTHING, PLACES = False, True
"""As `Reading.places`; None for what is not kept."""
READINGS = {
    "far(cell of cell, way of direction) is beside(cell, way).column": NOTHING,
    "far(man) is beside(man, north).column": PLACES,
    "far(cell of cell) is sum of it.row over (board where beside(it, north) is cell)": NOTHING,
    "far(cell of cell) is any (men where beside(it, north) is cell)": PLACES,
    "far(number of number) is 2 * near(number) + worth": NOTHING,
    "far is count (board where it.empty)": PLACES,
    "far is score": PLACES,
    "far is first players": PLACES,
    "far is count deck": None,
    "far is marks[1]": None,
    "far is seen_before(before)": None,
}
BOARD = """
option worth "Worth?" 1..3 default 1
grid board 3 by 3
pieces 2 men of man on board
counter score 0..9
list marks of 0..3 for 1..4
cards cards of card
    | card | copies |
    | 1..3 | 2      |
pile deck of card starts cards
history before of men for 1..9
define near(number of number) is number + 1
define {}
play
    set score to 1
"""
PLAYED = {"go": 8, "honeycomb": 12, "draughts": 25, "reversi": 4, "raft": 20, "open_hand": 10}
"""Examples, and how many decisions of each."""


@pytest.mark.parametrize("define", READINGS)
def test_what_a_define_reads(define: str) -> None:
    rules, wanted = small(BOARD.format(define)), READINGS[define]
    place = next(place for place, one in enumerate(rules.defines) if one.name == "far")
    found = reading(rules, place)
    assert (None if found is None else found.places) is wanted


def match(name: str) -> list[Any]:
    """How a match of an example goes."""
    rules = game(paths.EXAMPLES / f"{name}.rules")
    seats, most = rules.least, PLAYED[name]
    # What other matches kept of positions is let go.
    rules.kept.pop("tables", None)
    step = engine.start(rules, seats=seats, seed="kept")
    found = [whole(step)]
    while not step.state.over and len(found) < most:
        step = engine.apply(step.state, answered(step.state, len(found)))
        found.append(whole(step))
    return found


@pytest.mark.parametrize("name", PLAYED)
def test_matches_go_as_they_do_where_nothing_is_kept(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = match(name)
    # Meanings are kept with their table, which `match` makes anew.
    monkeypatch.setattr(operators, "reading", lambda rules, number: None)
    assert match(name) == kept


@pytest.mark.parametrize("name", PLAYED)
def test_every_change_of_a_position_is_said(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0

    def checked(m: Machine) -> dict[Any, Any]:
        nonlocal looked
        looked += 1
        if (before := m.memo) is not None:
            m.memo = None
            now = memo.memo_of(m)
            # What was let go in between is nobody's position any more.
            assert now is before or all(one is not before for one in m.setting.positions.values())
            m.memo = before
        return memo.memo_of(m)

    monkeypatch.setattr(operators, "memo_of", checked)
    monkeypatch.setattr(grid, "memo_of", checked)
    match(name)
    assert looked or name == "open_hand"
