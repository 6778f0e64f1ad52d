"""Games made by chance, and one match of each in the reference engine and in those that run plans.

Differential testing on random programs.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan.ir import Status
from rulekit.loading import Loaded, examine_text
from rulekit.model.game import Game
from rulekit.play.state.counter_rng import seed_number
from rulekit.play.state.value import Value
from rulekit.source import Source
from rulekit.tools.series.simulation import series
from tests.differential.lockstep import same_match
from tests.generators.handmade_plans import ENGINES
from tests.generators.random_cell_rules import cell_rules_by_chance
from tests.generators.random_grid_rules import grid_rules_by_chance
from tests.generators.random_path_rules import path_rules_by_chance
from tests.generators.random_rules import rules_by_chance
from tests.generators.random_wide_rules import wide_rules_by_chance

WIDE = 10_000
"""From this seed on games hold more, see `random_wide_rules`."""
CELLS = 20_000
"""From this one on cells, ways and sets of them are handed over too, see `random_cell_rules`."""
GRIDS = 30_000
"""From this one on games are about large sets, grids of every sort and tries, see `random_grid_rules`."""
PATHS = 40_000
"""From this one on games are about conditions on every path through an action, see `random_path_rules`."""
MAKERS = {
    PATHS: path_rules_by_chance,
    GRIDS: grid_rules_by_chance,
    CELLS: cell_rules_by_chance,
    WIDE: wide_rules_by_chance,
    0: rules_by_chance,
}


@cache
def examined(seed: int) -> Loaded:
    text = next(made for first, made in MAKERS.items() if seed >= first)(seed)
    return examine_text(Source(f"chance_{seed}.rules", text))


def agreed(seed: int) -> tuple[Game, dict[str, Value], int]:
    """The game of a seed, with options and a number of seats."""
    loaded, random = examined(seed), Random(seed)
    assert loaded.game is not None, loaded.findings
    options: dict[str, Value] = {"waste_first": random.random() < 0.5, "limit": random.randrange(1, 7)}
    return loaded.game, options, random.randrange(2, 5)


def compared(seed: int, engine: str, matches: int = 1, failures: Counter[str] | None = None) -> int:
    """Decisions of so many matches, one after the other, in which the engine and the reference agree."""
    game, options, seats = agreed(seed)
    plan, storage = lowered(game, options, seats)
    machine, names = ENGINES[engine](plan), (f"chance-{seed}#{number}" for number in range(matches))
    return sum(same_match(machine, storage, game, options, seats, name, failures) for name in names)


def summed_alike(seed: int) -> None:
    """A match of a series ends after as many decisions in every engine, in the same way, and has the same sums."""
    game, options, seats = agreed(seed)
    plan, _ = lowered(game, options, seats, counting=True)
    name = f"chance-{seed}"
    reference = series(game, options, seats, name, "interpreter")
    wanted = reference.rows(0, 1, ()), reference.sums()
    for engine, make in ENGINES.items():
        machine = make(plan)
        status, *rest = machine.playouts(seed_number(name), 0, 1, ())[0]
        # The reference engine says in words what is wrong.
        assert ([(min(status, Status.FAULT), *rest)], machine.sums()) == wanted, engine
