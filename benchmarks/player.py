"""Plays series of one game in a process of its own, by whichever version of rulekit its Python has.

Reads lines of two numbers, the first match and how many; writes for each the seconds of processor that they took and a
sum over their statuses and numbers of decisions, by which equal matches are known.  Needs nothing of this folder, since
an older version runs it too.
"""

from __future__ import annotations

import sys
import time
from importlib import import_module
from typing import Any

SEED = 7


def machine(path: str, seats: int) -> Any:
    import rulekit

    game = rulekit.load(path)
    seats = min(game.most, max(game.least, seats))
    try:
        pipeline, backend = import_module("rulekit.compiler.pipeline"), import_module("rulekit.compiler.wasm.backend")
    except ImportError:
        pipeline, backend = import_module("rulekit.fast.lower"), import_module("rulekit.fast.wasm")
    return backend.compiled(pipeline.lowered(game, {}, seats)[0]).machine()


def main() -> None:
    one = machine(sys.argv[1], int(sys.argv[2]))
    print("ready", flush=True)
    for line in sys.stdin:
        first, count = map(int, line.split())
        before = time.process_time()
        rows = one.playouts(SEED, first, count, ())
        took = time.process_time() - before
        print(took, hash(tuple(tuple(row[:2]) for row in rows)), flush=True)


if __name__ == "__main__":
    main()
