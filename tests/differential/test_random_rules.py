"""Games made by chance are played alike by interpreter, evaluator and WebAssembly."""

from __future__ import annotations

import re

import pytest

from tests.differential.random_games import CELLS, GRIDS, WIDE, compared, examined
from tests.generators.handmade_plans import ENGINES
from tests.generators.random_cell_rules import cell_rules_by_chance
from tests.generators.random_grid_rules import SIZES, grid_rules_by_chance
from tests.operations.samples import kinds as operations

SEEDS = range(12)
MANY = range(40)
WORDS = (
    "roll .* dice as",
    "roll .* different",
    " until ",
    "reveal whether",
    "reveal .* as ",
    "to the top of",
    "to the bottom of",
    "from the top of",
    "seen by others",
    "seen by (?!others|owner|nobody)",
    "list .* for [a-z]",
    "^when .* reaches ",
    r"\ball \(",
    r"\ball of ",
    r'"[^"]*\{',
    "^ +else: ",
    " is .* or ",
    "going_round",
    r"\[[a-z0-9_]+\.\.\]",
)
"""How newer words of the language are found in a text."""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", SEEDS)
def test_games_by_chance_are_played_alike(seed: int, engine: str) -> None:
    assert compared(seed, engine) >= 20


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(WIDE, WIDE + 8))
def test_games_that_hold_more_are_played_alike(seed: int, engine: str) -> None:
    assert compared(seed, engine) >= 20


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(CELLS, CELLS + 8))
def test_games_that_hand_over_cells_are_played_alike(seed: int, engine: str) -> None:
    assert compared(seed, engine) >= 20


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(GRIDS, GRIDS + 8))
def test_games_about_large_sets_are_played_alike(seed: int, engine: str) -> None:
    assert compared(seed, engine) >= 10


def test_games_about_large_sets_have_grids_of_every_sort_and_sets_of_every_size() -> None:
    texts = [grid_rules_by_chance(seed) for seed in range(GRIDS, GRIDS + 100)]
    sorts = (
        "unbounded",
        "hexagonal",
        "edge wraps",
        "hold 1",
        "17 by 17",
        "if possible move_of",
        "groups(",
        "free where",
    )
    assert not {sort for sort in sorts if not any(sort in text for text in texts)}
    sizes = {max(map(int, re.findall(r"^    \| (?:\d+\.\.)?(\d+) \|", text, re.M))) for text in texts}
    assert sizes == set(SIZES)


def test_games_by_chance_hold_what_the_language_has() -> None:
    kinds: dict[str, int] = {}
    for seed in MANY:
        game = examined(seed).game
        assert game is not None, examined(seed).findings
        for kind in {type(op).__name__ for code in game.codes for op in code.ops}:
            kinds[kind] = kinds.get(kind, 0) + 1
    every = set(operations()) - {"Place"}
    assert set(kinds) == every, every ^ set(kinds)
    assert min(kinds.values()) >= 3, kinds


def test_each_newer_word_is_in_one_file_in_fifty_at_least() -> None:
    texts = [cell_rules_by_chance(seed) for seed in range(CELLS, CELLS + 100)]
    rare = {word for word in WORDS if sum(bool(re.search(word, text, re.M)) for text in texts) < len(texts) / 50}
    assert not rare
