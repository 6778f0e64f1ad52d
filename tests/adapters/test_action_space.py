"""Indices of answers: a fixed number for a game, and at every position just those are allowed that the engine takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit import LimitError, RuleError, limits, load_text, start
from rulekit.adapters.action_space import DONE, PAGE, action_space
from rulekit.adapters.answering import Position, after, allowed
from tests.adapters import proofs
from tests.adapters.proofs import FILES, positions
from tests.generators.random_matches import game
from tests.sizes import some

POSITIONS = 40
"""Of a game, at which every index and every answer is tried."""
each_game = pytest.mark.parametrize("file", some(FILES, 4), ids=lambda file: file.stem)


@each_game
def test_what_is_allowed_is_taken_and_what_is_taken_is_allowed(file: Path) -> None:
    proofs.masks_are_sound(positions(game(file), "both ways", POSITIONS))


@each_game
def test_every_answer_that_the_engine_takes_can_be_given(file: Path) -> None:
    proofs.all_answers_can_be_given(positions(game(file), "reached", POSITIONS))


@each_game
def test_a_game_has_as_many_indices_in_every_match(file: Path) -> None:
    rules = game(file)
    spaces = [action_space(start(rules, seed=seed).state.setting) for seed in ("a", "b")]
    assert spaces[0] == spaces[1]
    firsts = [(block.first, block.size) for block in spaces[0].blocks.values()]
    assert [first for first, _ in firsts] == [2 + sum(size for _, size in firsts[:at]) for at in range(len(firsts))]
    assert len({spaces[0].meaning(index) for index in range(spaces[0].size)}) == spaces[0].size


MANY = """game "Many"
    players 1
counter chosen 0..9999
result: rank players
play
    starter chooses n from {numbers}
    set chosen to n
"""


def test_of_many_options_the_page_is_chosen_first() -> None:
    state = start(load_text(MANY.format(numbers="0..2 * 617"), "many.rules")).state
    position, space = Position(state), action_space(state.setting)
    assert space.blocks["play", "n"].values is None
    pages = allowed(space, position, 0)
    assert len(pages) == 13
    position = after(space, position, 0, max(pages))
    assert len(allowed(space, position, 0)) == 1235 - 12 * PAGE
    assert after(space, position, 0, max(allowed(space, position, 0))).state.values == (1234,)


def test_numbers_within_known_bounds_have_an_index_each() -> None:
    state = start(load_text(MANY.format(numbers="3..chosen + 7 - 2"), "few.rules")).state
    assert action_space(state.setting).blocks["play", "n"].values is None, "chosen may be 9999"
    state = start(load_text(MANY.format(numbers="3..max(4, 7 - 2)"), "few.rules")).state
    assert action_space(state.setting).blocks["play", "n"].values == (3, 4, 5)


ONLY_IF = """game "Only if"
    players 1
cards deck of card
    | card |
    | 1..4 |
pile stock of card starts deck
define worth is sum of number over stock
result: rank players
play
    starter chooses 1..3 picked from stock
    remove picked
    only if worth is 5
"""


def test_a_set_that_an_only_if_refuses_cannot_be_begun_or_closed() -> None:
    state = start(load_text(ONLY_IF, "only_if.rules")).state
    position, space = Position(state), action_space(state.setting)
    assert meant(position) == ["1", "2", "3", "4"]
    position = after(space, position, 0, space.blocks["play", "picked"].first)
    assert meant(position) == ["4"], "10 less 5 is 1 and 4, or 2 and 3"
    position = after(space, position, 0, max(allowed(space, position, 0)))
    assert meant(position) == ["done"], "nor may a third be taken"


def meant(position: Position) -> list[str]:
    space = action_space(position.state.setting)
    return [space.meaning(index).split(": ")[-1] for index in sorted(allowed(space, position, 0))]


def test_a_set_is_closed_by_done_or_by_being_full() -> None:
    state = start(load_text(ONLY_IF.replace("    only if worth is 5\n", ""), "sets.rules")).state
    position, space = Position(state), action_space(state.setting)
    assert DONE not in allowed(space, position, 0)
    first = space.blocks["play", "picked"].first
    position = after(space, position, 0, first + 1)
    assert meant(position) == ["done", "1", "3", "4"]
    full = after(space, after(space, position, 0, first), 0, first + 3)
    assert full.state.over
    assert after(space, position, 0, DONE).state.over


NOTHING = """game "Nothing"
    players 1
cards deck of card
    | card |
    | 1..4 |
counter cap 0..4
each player has
    pile hand of card starts deck, seen by owner
play
    secretly each player
        player chooses (0..cap) picked from player.hand
        remove picked
result: rank players
"""


def test_where_none_may_be_chosen_the_set_can_only_be_closed() -> None:
    position = Position(start(load_text(NOTHING, "nothing.rules")).state)
    assert meant(position) == ["done"]


FAR = """game "Far"
    players 1
cards deck of card
    | card |
    | 1..16 |
pile stock of card starts deck
result: rank players
play
    starter chooses 1..{most} picked from stock
    remove picked
    only if count stock is {left}
"""


def test_sets_are_tried_up_to_a_limit() -> None:
    """Among 65,535 sets the one that is taken may be the last."""
    position = Position(start(load_text(FAR.format(left=15, most=16), "near.rules")).state)
    assert len(meant(position)) == 16
    position = Position(start(load_text(FAR.format(left=0, most=16), "far.rules")).state)
    with pytest.raises(LimitError, match=f"more than {limits.SETS_TRIED} sets"):
        meant(position)


def test_where_every_set_is_refused_it_is_the_fault_of_the_rules() -> None:
    position = Position(start(load_text(FAR.format(left=16, most=4).replace("1..16 |", "1..4 |"), "never.rules")).state)
    with pytest.raises(RuleError, match="no choice could meet"):
        meant(position)


def test_of_many_things_each_of_a_set_has_its_page() -> None:
    text = MANY.replace("chooses n from {numbers}", "chooses 2 n from 0..chosen + 250").replace(
        "    set chosen to n\n", ""
    )
    position = Position(start(load_text(text, "many.rules")).state)
    for first in (102, 5):
        can = sorted(allowed(action_space(position.state.setting), position, 0))
        assert len(can) == 3, "pages"
        assert not position.state.over
        space = action_space(position.state.setting)
        position = after(space, position, 0, can[first // PAGE])
        assert DONE not in allowed(space, position, 0)
        position = after(space, position, 0, space.blocks["play", "n"].first + first % PAGE)
    assert position.state.over
