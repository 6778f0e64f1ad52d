"""Interpreter, Python and WebAssembly play the same match: position, chance, questions, options, end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from engines import plan_of, same_match
from matches import GAMES, game

from rulekit.fast import wasm
from rulekit.fast.machine import Machine
from rulekit.fast.plan import Plan
from rulekit.fast.python import PythonMachine

BACKENDS: dict[str, Callable[[Plan], Machine]] = {
    "python": PythonMachine,
    "wasm": lambda plan: wasm.compiled(plan).machine(),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_engine_plays_the_same_match(path: Path, backend: str) -> None:
    rules = game(path)
    for seats in range(rules.least, min(rules.most, 6) + 1):
        plan, storage = plan_of(rules, {}, seats)
        machine = BACKENDS[backend](plan)
        assert same_match(machine, storage, rules, {}, seats, f"same-{seats}#0") > 0
