"""`apply` a second where moves are legal by what they bring about: this version against an older one, the same matches.

    python -m benchmarks.interpreter.legality --older CHECKOUT [--rules FILE] [--option rounds=100] [--rounds 5]

CHECKOUT has the older version installed in its `.venv`.  Interleaved rounds, one process for each contender, processor
time: the older version, this one without and with a legality oracle.  Of the oracle also what making its twin took, and
a first match with that in it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import statistics
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from rulekit.loading import load

HERE = Path(__file__)
KINGS = HERE.parent / "kings.rules"
"""As in `tests/cases/engines`, in words that the older version reads."""


# ---------------------------------------------------------------- one contender, in this version or an older one


def play(rules: str, options: dict[str, Any], way: str) -> None:
    """Matches by seed, as asked for: processor time in seconds, how many answers, a digest of all that was offered."""
    engine, game, more, made = import_module("rulekit.play.engine"), load(rules), {}, 0.0
    if way == "oracle":
        more = {"oracle": import_module("rulekit.compiler.legality.oracle").CompiledLegality(worth=0)}
        begun = time.process_time()
        engine.start(game, options, None, "made", **more)
        made = time.process_time() - begun
    print(json.dumps({"made": made}), flush=True)
    action = import_module("rulekit.play.state" if way == "older" else "rulekit.play.state.match_state").Action
    for line in sys.stdin:
        seed, most = line.split()
        begun, chance, offered, count = time.process_time(), random.Random(seed), hashlib.sha256(), 0
        state = engine.start(game, options, None, seed, **more).state
        while count < int(most) and (waiting := engine.decisions(state)):
            asked = waiting[0]
            offered.update(repr((asked.seat, asked.name, asked.options)).encode())
            chosen = tuple(chance.sample(asked.options, asked.least if asked.several else 1))
            state = engine.apply(state, action(asked.seat, chosen if asked.several else chosen[0])).state
            count += 1
        told = {"took": time.process_time() - begun, "count": count, "offered": offered.hexdigest()}
        print(json.dumps(told), flush=True)


# ---------------------------------------------------------------- the comparison


class Player:
    def __init__(self, python: Path, rules: Path, options: str, way: str) -> None:
        self.process = subprocess.Popen(
            [str(python), str(HERE), "--play", way, "--rules", str(rules), "--option", options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=python.parents[2],
        )
        self.made = float(self.told()["made"])

    def told(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def match(self, seed: str, most: int) -> dict[str, Any]:
        assert self.process.stdin is not None
        print(seed, most, file=self.process.stdin, flush=True)
        return self.told()


def compare(players: dict[str, Player], rounds: int, matches: int, most: int) -> None:
    rates: dict[str, list[float]] = {name: [] for name in players}
    for number in range(rounds):
        order = [*players][number % len(players) :] + [*players][: number % len(players)]
        done = {name: [players[name].match(f"{number}-{at}", most) for at in range(matches)] for name in order}
        offered = {tuple(one["offered"] for one in found) for found in done.values()}
        assert len(offered) == 1, "not the same matches"
        for name, found in done.items():
            rates[name].append(sum(one["count"] for one in found) / sum(one["took"] for one in found))
    for name, each in rates.items():
        ratios = [one / first for one, first in zip(each, rates["older"], strict=True)]
        shown = f"{min(ratios):.2f} to {max(ratios):.2f}"
        print(f"{name:8} {statistics.median(each):7.0f} a second, {statistics.median(ratios):.2f} ({shown})")
    made = players["oracle"].made
    answers = made * statistics.median(rates["plain"])
    print(f"making the twin takes {made * 1000:.0f} ms, as much as {answers:.0f} answers without it")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--older", type=Path)
    parser.add_argument("--rules", type=Path, default=KINGS)
    parser.add_argument("--option", default="rounds=100")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--matches", type=int, default=2)
    parser.add_argument("--decisions", type=int, default=200)
    parser.add_argument("--play", default="")
    args = parser.parse_args()
    if args.play:
        name, _, value = args.option.partition("=")
        play(str(args.rules), {name: int(value)} if name else {}, args.play)
        return
    here = Path(sys.executable)
    ways = {"older": args.older.resolve() / ".venv" / "bin" / "python", "plain": here, "oracle": here}
    players = {name: Player(python, args.rules.resolve(), args.option, name) for name, python in ways.items()}
    compare(players, args.rounds, args.matches, args.decisions)


if __name__ == "__main__":
    main()
