"""Interpreter, Python and WebAssembly play the same match: position, chance, questions, options, end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from engines import plan_of, same_match
from matches import GAMES, game

from rulekit.fast import wasm
from rulekit.fast.layout import Unsupported
from rulekit.fast.machine import Machine
from rulekit.fast.plan import Plan
from rulekit.fast.python import PythonMachine

INTERPRETED = {"shear_panic"}
"""Games with words that no plan says yet: the reference engine plays them."""
BACKENDS: dict[str, Callable[[Plan], Machine]] = {
    "python": PythonMachine,
    "wasm": lambda plan: wasm.compiled(plan).machine(),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("path", [path for path in GAMES if path.stem not in INTERPRETED], ids=lambda path: path.stem)
def test_every_engine_plays_the_same_match(path: Path, backend: str) -> None:
    rules = game(path)
    for seats in range(rules.least, min(rules.most, 6) + 1):
        plan, storage = plan_of(rules, {}, seats)
        machine = BACKENDS[backend](plan)
        assert same_match(machine, storage, rules, {}, seats, f"same-{seats}#0") > 0


@pytest.mark.parametrize("name", sorted(INTERPRETED))
def test_what_a_plan_cannot_say_is_refused(name: str) -> None:
    path = next(path for path in GAMES if path.stem == name)
    with pytest.raises(Unsupported):
        plan_of(game(path), {}, game(path).least)
