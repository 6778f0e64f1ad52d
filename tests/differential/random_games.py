"""Games made by chance, and one match of each in the reference engine and in a compiled one.

Differential testing on random programs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan.ir import Plan
from rulekit.compiler.python.backend import PythonMachine
from rulekit.compiler.runtime.protocols import Machine
from rulekit.compiler.wasm import backend
from rulekit.loading import Loaded, examine_text
from rulekit.model.game import Game
from rulekit.play.state.value import Value
from rulekit.source import Source
from tests.differential.lockstep import same_match
from tests.generators.random_rules import rules_by_chance
from tests.generators.random_wide_rules import wide_rules_by_chance

ENGINES: dict[str, Callable[[Plan], Machine]] = {
    "python": PythonMachine,
    "wasm": lambda plan: backend.compiled(plan).machine(),
}

WIDE = 10_000
"""From this seed on games hold more, see `random_wide_rules`."""


@cache
def examined(seed: int) -> Loaded:
    text = rules_by_chance(seed) if seed < WIDE else wide_rules_by_chance(seed)
    return examine_text(Source(f"chance_{seed}.rules", text))


def agreed(seed: int) -> tuple[Game, dict[str, Value], int]:
    """The game of a seed, with options and a number of seats."""
    loaded, random = examined(seed), Random(seed)
    assert loaded.game is not None, loaded.findings
    options: dict[str, Value] = {"waste_first": random.random() < 0.5, "limit": random.randrange(1, 7)}
    return loaded.game, options, random.randrange(2, 5)


def compared(seed: int, engine: str) -> int:
    """Decisions of one match in which the engine and the reference agree."""
    game, options, seats = agreed(seed)
    plan, storage = lowered(game, options, seats)
    return same_match(ENGINES[engine](plan), storage, game, options, seats, f"chance-{seed}#0")
