"""Plans made by chance do the same in every engine."""

from __future__ import annotations

from typing import Any

import pytest

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import statements
from tests.generators.handmade_plans import ENGINES
from tests.generators.random_plans import plan_by_chance
from tests.plans.evaluator import Evaluator
from tests.plans.validator import faults
from tests.sizes import some

SEEDS = range(200)


def by_size(machine: Any, number: int, seat: int, options: tuple[int, ...], least: int, most: int) -> Any:
    """An answer that depends on all that was asked."""
    mark = sum(options) + machine.decisions() + seat
    return mark % len(options) if number == 0 else tuple(range(least + mark % (most - least + 1)))


def runs(machine: Any) -> Any:
    for hook in (None, by_size):
        for seed in (1, 2**63 + 5):
            status = machine.play(seed, hook)
            yield status, machine.decisions(), machine.words(), machine.lists()
    yield machine.playouts(7, 2, 3, (0, 9, 11)), machine.sums(), machine.sums()


def test_plans_by_chance_are_valid() -> None:
    for seed in SEEDS:
        assert faults(plan_by_chance(seed)) == [], seed


@pytest.mark.parametrize("seed", some(SEEDS, 3))
def test_engines_agree(seed: int) -> None:
    plan = plan_by_chance(seed)
    results = {name: list(runs(make(plan))) for name, make in ENGINES.items()}
    assert len({str(result) for result in results.values()}) == 1, results


def test_plans_by_chance_do_something() -> None:
    """Each statement stands in many of them, and many of each kind come to their end."""
    kinds: dict[str, int] = {}
    ends: dict[int, int] = {}
    for seed in SEEDS:
        plan = plan_by_chance(seed)
        for kind in {type(s).__name__ for f in plan.functions for s in statements(f.body)}:
            kinds[kind] = kinds.get(kind, 0) + 1
        status = Evaluator(plan).play(1)
        ends[status] = ends.get(status, 0) + 1
    assert set(kinds) == {one.__name__ for one in p.Statement.__subclasses__() if one.__module__ == p.__name__}
    assert min(kinds.values()) > len(SEEDS) // 20, kinds
    assert ends[0] > len(SEEDS) // 3, ends
    assert len(ends) > 4, ends
