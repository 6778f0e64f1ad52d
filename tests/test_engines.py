"""Interpreter, Python and WebAssembly play the same match: position, chance, questions, options, end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from engines import plan_of, same_match
from matches import GAMES, game

from rulekit.fast import wasm
from rulekit.fast.lower import lowered
from rulekit.fast.machine import Machine
from rulekit.fast.plan import Plan, Status
from rulekit.fast.python import PythonMachine
from rulekit.loading import load

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


BROKEN = """game "Broken"
    players 2
each player has
    counter wealth 0..50
play
    repeat
        each player
            player chooses n from 1..2 "How many?"
            raise player.wealth by n
            if player.wealth above 40: end game
result
    rank players by highest wealth
invariant "nobody is rich": no (players where it.wealth above 30)
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_checked_plan_finds_what_breaks_an_invariant(tmp_path: Path, backend: str) -> None:
    path = tmp_path / "broken.rules"
    path.write_text(BROKEN, encoding="utf-8")
    rules = load(path)
    plan, _ = lowered(rules, {}, 2, checked=True)
    machine = BACKENDS[backend](plan)
    assert machine.play(1) >= Status.FAULT
    assert plan.faults[machine.play(1) - Status.FAULT] == "invariant 0: invariants"
    unchecked, _ = lowered(rules, {}, 2)
    assert BACKENDS[backend](unchecked).play(1) == Status.DONE
