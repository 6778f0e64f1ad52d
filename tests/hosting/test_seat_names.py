"""Seats that nobody has named are called by colours, or by numbers where players have colours in the game."""

from __future__ import annotations

import pytest

from rulekit.hosting.seat_names import named
from tests.generators.random_matches import game
from tests.paths import GAMES


@pytest.mark.parametrize(
    ("file", "given", "names"),
    [
        ("foxy", ["", "", ""], ["red", "blue", "green"]),
        ("foxy", ["Ann", "", ""], ["Ann", "blue", "green"]),
        ("foxy", ["blue", "", "Ann"], ["blue", "green", "Ann"]),
        ("shear_panic", ["", "Ann", ""], ["Player 1", "Ann", "Player 3"]),
        ("shear_panic", ["Player 2", ""], ["Player 2", "Player 1"]),
    ],
)
def test_seats_without_a_name_get_one(file: str, given: list[str], names: list[str]) -> None:
    assert named(game(GAMES / f"{file}.rules"), given, "Player {}".format) == names
