"""Games made by chance, and small ones with every construct: what holds of the shipped games holds of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

from rulekit import RuleError, State, start
from rulekit.adapters.answering import Position
from tests import paths
from tests.adapters import proofs
from tests.differential.random_games import CELLS, WIDE, agreed
from tests.generators.random_matches import game
from tests.sizes import some

PROOFS = (
    proofs.masks_are_sound,
    proofs.all_answers_can_be_given,
    proofs.numbers_are_bounded,
    proofs.views_are_told_apart,
)
SMALL = sorted((paths.CASES / "engines").glob("*.rules"))
each_proof = pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.__name__)
Proof = Callable[[Iterable[Position]], None]


def positions(state: State, name: str) -> list[Position]:
    """Some of a match, up to where a rule cannot be carried out: that happens in games by chance."""
    found: list[Position] = []
    with suppress(RuleError):
        found.extend(islice(proofs.met(state, name, 60), 6))
    return found


def holds(proof: Proof, found: list[Position]) -> None:
    """A position from which a rule cannot be carried out shows nothing."""
    with suppress(RuleError):
        proof(found)


@each_proof
@pytest.mark.parametrize("first", [0, WIDE, CELLS])
def test_it_holds_in_games_made_by_chance(first: int, proof: Proof) -> None:
    met = 0
    for seed in range(first, first + 4):
        rules, options, seats = agreed(seed)
        found = positions(start(rules, options, seats, f"chance {seed}").state, str(seed))
        met += len(found)
        holds(proof, found)
    assert met > 10


@each_proof
@pytest.mark.parametrize("file", some(SMALL, 2), ids=lambda file: file.stem)
def test_it_holds_in_small_games(file: Path, proof: Proof) -> None:
    holds(proof, positions(start(game(file)).state, file.stem))
