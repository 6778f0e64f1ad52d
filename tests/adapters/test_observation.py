"""Observations: what a view shows as numbers, each between its bounds, and two views never look the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit import Action, Outcome, apply, load_text, start
from rulekit.adapters.answering import Position
from rulekit.adapters.spaces import Spaces, received, rewards, spaces
from tests import paths
from tests.adapters import proofs
from tests.adapters.proofs import FILES, positions
from tests.generators.random_matches import game
from tests.sizes import some

POSITIONS = 60
each_game = pytest.mark.parametrize("file", some(FILES, 4), ids=lambda file: file.stem)


@each_game
def test_every_number_lies_between_its_bounds(file: Path) -> None:
    proofs.numbers_are_bounded(positions(game(file), "bounds", POSITIONS))


@each_game
def test_views_that_differ_are_told_apart(file: Path) -> None:
    proofs.views_are_told_apart(positions(game(file), "apart", POSITIONS))


@each_game
def test_spaces_are_the_same_in_every_match(file: Path) -> None:
    first, second = (next(positions(game(file), seed, 1)).state.setting for seed in "ab")
    assert names(spaces(first)) == names(spaces(second))


def names(of: Spaces) -> tuple[object, ...]:
    return of.actions, of.observations.names, of.observations.bounds


def test_a_number_has_a_name() -> None:
    state = start(load_text((paths.EXAMPLES / "mastermind.rules").read_text())).state
    state = apply(state, Action(0, 5)).state
    of = spaces(state.setting)
    told = {seat: dict(zip(of.observations.names, received(of, Position(state), seat).observation)) for seat in (0, 1)}
    assert [told[seat]["red.code 1 number"] for seat in (0, 1)] == [5, 0]
    assert [told[seat]["red.code hidden"] for seat in (0, 1)] == [0, 1]
    assert [told[seat]["asked setup colour"] for seat in (0, 1)] == [1, 0]


@pytest.mark.parametrize(
    ("ranking", "defeated", "worth"),
    [
        (((1,), (0,)), (), (-1, 1)),
        (((0, 1),), (), (0, 0)),
        (((2,), (0, 1)), (), (-0.5, -0.5, 1)),
        (((0,), (2,)), (1,), (1, -1, 0)),
        (((0, 1, 2),), (2,), (0.5, 0.5, -1)),
        ((), (0, 1), (-1, -1)),
        (((0,),), (), (1,)),
        (((2,), (1,), (0, 3)), (3,), (-1, 1)),
    ],
)
def test_places_are_worth_as_much_as_they_are_high(
    ranking: tuple[tuple[int, ...], ...], defeated: tuple[int, ...], worth: tuple[float, ...]
) -> None:
    assert rewards(Outcome(ranking, defeated, ()), len(worth)) == worth
