"""The memory that a long series and a long search take: the most that a process of its own ever held.

    python -m benchmarks.memory games/foxy.rules --matches 1000000 --simulations 100000

Printed are MiB for a process that has compiled the game and played one match, for the series, and for the search.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

import rulekit
from benchmarks.contenders import NUMBER
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.wasm.stepping import stepping
from rulekit.tools.series import simulation

ROOT = Path(__file__).parent.parent
SEATS, AT_ONCE = 4, 10_000


def series(path: Path, matches: int) -> None:
    """As `simulate` plays them: counted, some rows at a time."""
    game = rulekit.load(path)
    made = simulation.series(game, {}, min(game.most, max(game.least, SEATS)), "1", "wasm")
    for first in range(0, matches, AT_ONCE):
        made.rows(first, min(AT_ONCE, matches - first), ())
    made.sums()


def search(path: Path, simulations: int) -> None:
    game = rulekit.load(path)
    plan, _ = lowered(game, {}, min(game.most, max(game.least, SEATS)), searching=True)
    machine = stepping(plan)
    machine.begin(NUMBER)
    machine.search([machine.saved()], NUMBER, 0, simulations)


WORKS = {"series": series, "search": search}


def peak(work: str, path: Path, count: int) -> float:
    """MiB, of a process that does this and nothing else."""
    command = [sys.executable, "-m", "benchmarks.memory", str(path), "--alone", work, str(count)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="rules files; those that ship unless said")
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--simulations", type=int, default=100_000)
    parser.add_argument("--alone", nargs=2, help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.alone:
        WORKS[wanted.alone[0]](wanted.files[0], int(wanted.alone[1]))
        # KiB on Linux, bytes on macOS.
        print(getrusage(RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "linux" else 1 << 20))
        return
    print(f"| MiB at most | one match | {wanted.matches:,} matches | {wanted.simulations:,} simulations |")
    print("|---|---|---|---|")
    for path in wanted.files or sorted(ROOT.glob("games/*.rules")):
        found = [peak("series", path, count) for count in (1, wanted.matches)]
        found.append(peak("search", path, wanted.simulations))
        print(f"| {path.stem} | " + " | ".join(f"{one:.0f}" for one in found) + " |", flush=True)


if __name__ == "__main__":
    main()
