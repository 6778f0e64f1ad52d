"""What each optimisation of the compiler brings: games are compiled without it, and play the same matches.

    python -m benchmarks.switches
    python -m benchmarks.switches games/foxy.rules --only filters --rounds 9

Printed are, for each game, how much it costs to be without: instructions of WebAssembly, which are exact, and
processor time, the median of ratios within interleaved rounds; then the geometric means, the most useful first.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import rulekit
from benchmarks.fuel import SEATS, SEED, spent
from rulekit.compiler.lower.expressions import bitsets
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.wasm import backend

ROOT = Path(__file__).parent.parent
BOARDS = ("tic_tac_toe", "connect_four", "breakthrough")
Off = tuple[str, str, Any]
"""A module of the compiler, a name there, and what stands for it where the optimisation is off."""


def _never(*_: object) -> bool:
    return False


def _nothing(*_: object) -> None:
    return None


def _unchanged(_: object, body: Any, *__: object) -> Any:
    return body


SWITCHES: dict[str, tuple[Off, ...]] = {
    "bitsets and constant rows": (("lower.builder.ir_builder", "FEW", (_nothing,)),),
    "sets in locals as bits": (
        ("lower.expressions.bitsets", "row_of_bits", lambda m, of, mask: m.program.row(bitsets.power_set(of), mask)),
    ),
    "loops over bits": (("wasm.statements", "_universe_from", _nothing),),
    "counting without jumps": (("wasm.statements", "is_cheap", _never),),
    "loop unswitching": (("lower.expressions.sets", "_leading", lambda test: (None, test)),),
    "query inversion": (("lower.expressions.bitsets", "inverted", _nothing),),
    "pieces that stand somewhere": (("lower.storage.layout", "always_placed", lambda _: frozenset()),),
    "cards that nobody has twice": (("lower.storage.layout", "unique_kinds", lambda _: frozenset()),),
    "sets without duplicates": (
        ("lower.operations.decisions", "distinct", _never),
        ("lower.moves.grid_builtins", "distinct", _never),
    ),
    "walks": (("lower.moves.grid_builtins", "is_written_once", _never),),
    "unrolling": (("wasm.functions", "unrolled", _unchanged),),
    "room by length": (("wasm.functions", "rooms", lambda *_: {}),),
    "filters": (("wasm.functions", "filtered", lambda _: ([], [])),),
}


class Player:
    """A game compiled with some of the optimisations off."""

    def __init__(self, path: Path, off: Sequence[Off], matches: int) -> None:
        game = rulekit.load(path)
        with ExitStack() as stack:
            for module, name, other in off:
                stack.enter_context(patch.object(import_module(f"rulekit.compiler.{module}"), name, other))
            plan = lowered(game, {}, min(game.most, max(game.least, SEATS)))[0]
            self.machine = backend.compiled(plan).machine()
            self.instructions = spent(plan, matches)[0]

    def seconds(self, first: int, count: int) -> tuple[float, int]:
        """Of processor; and a sum by which equal matches are known."""
        before = time.process_time()
        rows = self.machine.playouts(SEED, first, count, ())
        return time.process_time() - before, hash(tuple(rows))


def compared(
    path: Path, names: Sequence[str], matches: int, rounds: int, seconds: float
) -> Iterator[tuple[float, ...]]:
    """For each switch how many times as many instructions, and how much time, it takes without."""
    whole, others = Player(path, (), matches), [Player(path, SWITCHES[name], matches) for name in names]
    took, count = 0.0, 8
    while took < seconds / 4:
        count *= 2
        took, _ = whole.seconds(0, count)
    count, found = max(1, int(count * seconds / took)), [list[float]() for _ in names]
    for number in range(rounds):
        base, mark = whole.seconds(number * count, count)
        for place, one in enumerate(others):
            without, same = one.seconds(number * count, count)
            assert same == mark, f"{path.stem}: other matches without {names[place]}"
            found[place].append(without / base)
    for one, ratios in zip(others, found, strict=True):
        yield one.instructions / whole.instructions, statistics.median(ratios)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="rules files; those that ship and three boards unless said")
    parser.add_argument("--only", action="append", choices=SWITCHES, help="only this one; may be repeated")
    parser.add_argument("--matches", type=int, default=100, help="of which instructions are counted")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.1, help="of processor, a round")
    wanted = parser.parse_args()
    names = wanted.only or [*SWITCHES]
    boards = [ROOT / f"examples/{name}.rules" for name in BOARDS]
    all_ratios: list[list[tuple[float, ...]]] = []
    for path in wanted.files or [*sorted(ROOT.glob("games/*.rules")), *boards]:
        all_ratios.append([*compared(path, names, wanted.matches, wanted.rounds, wanted.seconds)])
        for name, (instructions, processor) in zip(names, all_ratios[-1], strict=True):
            print(f"{path.stem:<16} without {name:<30} {instructions:6.2f} {processor:6.2f}", flush=True)
    means = [
        (*(statistics.geometric_mean(one[place][part] for one in all_ratios) for part in (1, 0)), name)
        for place, name in enumerate(names)
    ]
    for processor, instructions, name in sorted(means, reverse=True):
        print(f"{'all':<16} without {name:<30} {instructions:6.2f} {processor:6.2f}")


if __name__ == "__main__":
    main()
