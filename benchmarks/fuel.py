"""How many WebAssembly instructions a match costs: exact and repeatable, where a clock on a shared machine is neither.

    python -m benchmarks.fuel
    python -m benchmarks.fuel games/foxy.rules --matches 1000

wasmtime counts them as fuel.  Printed is the mean of a series by random answers with a fixed seed, for the plain plan
and for the one that counts what comes up; two runs of the same program print the same text.
"""

from __future__ import annotations

import argparse
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import rulekit
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan.ir import Plan
from rulekit.compiler.wasm.memory_layout import EXCHANGE
from rulekit.compiler.wasm.module import text

ROOT = Path(__file__).parent.parent
SEED = 7
SEATS = 4
TANK = 2**62
"""More fuel than any series needs."""
ROOM = EXCHANGE // 16
"""Matches of which status and decisions find room where the module writes them."""
HEAD = ("game", "seats", "decisions a match", "plain", "counting")


def spent(plan: Plan, matches: int) -> tuple[int, int]:
    """Instructions and decisions of a series, in all.

    The module is started here, not by `wasm.WasmMachine`: counting costs time, and already the start needs fuel.
    Errors: a trap of wasmtime, for a match without end.
    """
    import wasmtime

    config = wasmtime.Config()
    config.memory_may_move = False
    config.consume_fuel = True
    engine = wasmtime.Engine(config)
    written = text(plan)
    store = wasmtime.Store(engine)
    store.set_fuel(TANK)
    never = wasmtime.Func(store, wasmtime.FuncType([], []), lambda: None)
    exports: Any = wasmtime.Instance(store, wasmtime.Module(engine, written.text), [never]).exports(store)
    start, used, decisions, first = written.layout.exchange, 0, 0, 0
    while first < matches:
        before = store.get_fuel()
        exports["playouts"](store, SEED, first, min(matches - first, ROOM), 0)
        used += before - store.get_fuel()
        done = exports["done"].value(store)
        numbers = struct.unpack(f"<{2 * done}q", exports["memory"].read(store, start, start + 16 * done))
        decisions += sum(numbers[1::2])
        first += done
    return used, decisions


def rows(paths: Sequence[Path], matches: int) -> Iterator[tuple[str, ...]]:
    for path in paths:
        game = rulekit.load(path)
        seats = min(game.most, max(game.least, SEATS))
        try:
            plans = [lowered(game, {}, seats, counting=counting)[0] for counting in (False, True)]
        except Unsupported as fault:
            yield path.stem, str(seats), f"no plan: {fault}", "", ""
            continue
        (plain, decisions), (counting, _) = (spent(plan, matches) for plan in plans)
        yield path.stem, str(seats), f"{decisions / matches:.2f}", f"{plain / matches:.1f}", f"{counting / matches:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="rules files; those that ship unless said")
    parser.add_argument("--matches", type=int, default=200)
    arguments = parser.parse_args()
    paths = arguments.files or sorted([*ROOT.glob("games/*.rules"), *ROOT.glob("examples/*.rules")])
    print(f"instructions a match, mean of {arguments.matches} matches, seed {SEED}")
    for one in (HEAD, *rows(paths, arguments.matches)):
        print(f"{one[0]:<16} {one[1]:>5} {one[2]:>18} {one[3]:>12} {one[4]:>12}", flush=True)


if __name__ == "__main__":
    main()
