"""Every operation declares its effects, and what it declares matters."""

from __future__ import annotations

import pytest

from rulekit.model.effects import Effects
from rulekit.model.ops import Op
from rulekit.values import frozen
from tests.operations.mutate_effects import Mutant, is_noticed, mutants

UNNOTICED = {
    "Ask.source: without options": "what was chosen counts as another's then, which only makes a plan more careful",
    "Swap.moves: without left": "what else the line reads already makes the plan careful",
    "SwapCards.takes: without left": "the other card tells as much: each leaves its pile",
    "SwapCards.takes: without right": "the other card tells as much: each leaves its pile",
}
"""Entries that nothing notices if they are missing, with the reason; `mutate_effects --declared` finds no others."""
FEW = [mutant for mutant in mutants() if mutant.declared and str(mutant) not in UNNOTICED][::14]
"""A sample for every day; all of them are for `python -m tests.operations.mutate_effects`."""


def test_a_class_of_operations_declares_its_effects() -> None:
    with pytest.raises(TypeError, match="Hop does not declare its effects"):

        @frozen
        class Hop(Op):
            far: int


def test_effects_name_fields_of_their_operation() -> None:
    with pytest.raises(TypeError, match=r"Hop has no field \['piece'\]"):

        @frozen
        class Hop(Op):
            far: int

            effects = Effects(moves=("piece",))


@pytest.mark.parametrize("mutant", FEW, ids=str)
def test_a_changed_declaration_is_noticed(mutant: Mutant) -> None:
    assert is_noticed(mutant)


def test_what_is_not_noticed_is_declared() -> None:
    assert {str(mutant) for mutant in mutants() if mutant.declared} > UNNOTICED.keys()
