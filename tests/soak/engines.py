"""Every engine plays the same matches, under everything that can be agreed.

    python -m tests.soak.engines --decisions 10000 --engine wasm --seed 1

For each game, or of an example that `--game` names, combinations of options and seats in turn, until so many
decisions were compared.  Prints one line of JSON a game; a combination that
no plan can say is counted and named.

    python -m tests.soak.engines --playouts 200

Instead plays so many random matches under every combination of everything
that can be agreed, in WebAssembly: no rule may fail, no invariant break, no
match go on for ever.

    python -m tests.soak.engines --files 1000 [--budget 1500]

Instead makes so many rules files by chance, and plays matches of each in the
interpreter, the plain evaluator of plans and WebAssembly: the same decisions,
positions, ends and sums.  From number 10000 on they hold more,
from 20000 on cells and ways that are handed over too; from 30000 on they
are about large sets, grids of every sort, piles and moves that are legal by
what they bring about; from 40000 on about an `only if` on every path through an action.  With a budget
a decision may take so many steps, and every engine must run out of them at the same one; `failures` counts these
matches (`endless`) and those in which a rule failed, by the code of the error.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from unittest.mock import patch

from rulekit import limits
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan.ir import Plan, Status
from rulekit.play.state import counter_rng
from tests import paths
from tests.differential.lockstep import plan_of, same_match
from tests.differential.random_games import compared, summed_alike
from tests.generators.combinations import Combination, every
from tests.generators.handmade_plans import ENGINES
from tests.generators.random_matches import GAMES, game

EXAMPLES = sorted(paths.EXAMPLES.glob("*.rules"))


def soak(path: Path, engine: str, decisions: int, seed: str, each: int = 1) -> dict[str, object]:
    """Compares until enough decisions are done, so many matches of each combination; raises at the first difference."""
    combinations = list(every(path, game(path)))
    key, used = counter_rng.stream_key(counter_rng.seed_number(seed), path.stem), 0
    done = matches = 0
    refused: set[str] = set()
    begun = time.perf_counter()
    while done < decisions:
        place, used = counter_rng.below(key, used, len(combinations))
        seeds = [f"{seed}-{matches}#{number}" for number in range(each)]
        done, matches = done + _one(combinations[place], engine, seeds, refused), matches + each
        if sys.stderr.isatty():
            print(f"\r\x1b[K{path.stem}: {done:,} of {decisions:,} decisions", end="", file=sys.stderr)
    took = round(time.perf_counter() - begun, 1)
    return {"game": path.stem, "engine": engine, "matches": matches, "decisions": done, "seconds": took,
            "refused": sorted(refused)}  # fmt: skip


def _one(combination: Combination, engine: str, seeds: list[str], refused: set[str]) -> int:
    rules, options = game(combination.path), dict(combination.options)
    try:
        plan, storage = plan_of(rules, options, combination.players)
    except Unsupported as fault:
        refused.add(f"{fault}: {combination.options}")
        return 0
    machine = ENGINES[engine](plan)
    return sum(same_match(machine, storage, rules, options, combination.players, seed) for seed in seeds)


def played(path: Path, count: int, seed: str) -> dict[str, object]:
    """Matches under every combination; names those in which one did not come to its end, with its status."""
    combinations = list(every(path, game(path)))
    bad: list[str] = []
    refused: set[str] = set()
    matches = decisions = 0
    for done, one in enumerate(combinations):
        try:
            plan, _ = lowered(game(path), dict(one.options), one.players, checked=True)
        except Unsupported as fault:
            refused.add(f"{fault}: {one}")
            continue
        ends = ENGINES["wasm"](plan).playouts(counter_rng.seed_number(seed), 0, count, ())
        matches, decisions = matches + len(ends), decisions + sum(asked for _, asked in ends)
        bad += [f"{one} seed {seed}#{i}: {_why(plan, status)}" for i, (status, _) in enumerate(ends) if status]
        if sys.stderr.isatty():
            print(f"\r\x1b[K{path.stem}: {done:,} of {len(combinations):,}", end="", file=sys.stderr)
    return {"game": path.stem, "combinations": len(combinations), "matches": matches, "decisions": decisions,
            "bad": bad[:10], "bad_in_all": len(bad), "refused": sorted(refused)}  # fmt: skip


def by_chance(
    first: int, files: int, each: int, engines: list[str], budget: int = limits.STEPS_PER_DECISION
) -> dict[str, object]:
    """Matches of games made by chance in these engines and the reference; raises at the first difference."""
    decisions = least = 0
    failures = Counter[str]()
    with patch.object(limits, "STEPS_PER_DECISION", budget):
        for seed in range(first, first + files):
            try:
                (asked,) = {compared(seed, engine, each, failures) for engine in engines}
                summed_alike(seed)
            except AssertionError as fault:
                raise AssertionError(f"file {seed}: {fault}") from fault
            decisions, least = decisions + asked, min(least or asked, asked)
            if sys.stderr.isatty():
                print(f"\r\x1b[K{seed - first + 1:,} of {files:,} files", end="", file=sys.stderr)
    matches = {code: count // len(engines) for code, count in sorted(failures.items())}
    return {"files": files, "engines": ["interpreter", *engines], "decisions": decisions, "fewest": least,
            "budget": budget, "failures": matches}  # fmt: skip


def _why(plan: Plan, status: int) -> str:
    return plan.faults[status - Status.FAULT] if status >= Status.FAULT else Status(status).name


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=10_000)
    parser.add_argument("--engine", choices=sorted(ENGINES), help="For games wasm is meant, for files all.")
    parser.add_argument("--game", choices=[path.stem for path in (*GAMES, *EXAMPLES)])
    parser.add_argument(
        "--each", type=int, default=1, help="Matches of one combination, or of one file, before the next."
    )
    parser.add_argument("--seed", default="1")
    parser.add_argument("--files", type=int, help="Rules files made by chance, in place of the games.")
    parser.add_argument("--first", type=int, default=0, help="The number of the first of them.")
    parser.add_argument("--budget", type=int, default=limits.STEPS_PER_DECISION, help="Steps for each decision.")
    parser.add_argument("--playouts", type=int, help="Matches for every combination, in place of comparing.")
    wanted = parser.parse_args()
    if wanted.files:
        engines = [wanted.engine] if wanted.engine else sorted(ENGINES)
        print(json.dumps(by_chance(wanted.first, wanted.files, wanted.each, engines, wanted.budget)), flush=True)
        return 0
    for path in GAMES if wanted.game is None else [one for one in (*GAMES, *EXAMPLES) if one.stem == wanted.game]:
        if wanted.playouts:
            made = played(path, wanted.playouts, wanted.seed)
        else:
            made = soak(path, wanted.engine or "wasm", wanted.decisions, wanted.seed, wanted.each)
        print(json.dumps(made), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
