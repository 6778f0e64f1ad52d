"""This version against an older one: the same matches of the same rules files, each in a process of its own.

    python -m benchmarks.versions FOLDER [--rounds 7]

FOLDER is a checkout of the older version with rulekit and wasmtime installed in its `.venv`; its rules files are
played by both.  It says where status and decisions of some match were not the same.
"""

from __future__ import annotations

import argparse
import math
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import define, field, frozen

HERE = Path(__file__).parent
SEATS = 4
SHIPPED = ("hornochsen", "foxy", "china_moon", "shear_panic")
OTHERS = ("goat_path", "kind_tiger", "magpies", "raft", "small_pond", "fuzzy_tiger")
"""Games that nobody looked at while the compiler was made faster, as far as the older version has them."""


@frozen
class Gain:
    """ratio: how many times as fast this version is, by round.  same: whether all matches were."""

    game: str
    ratios: tuple[float, ...]
    same: bool

    @property
    def median(self) -> float:
        return statistics.median(self.ratios)


@define(eq=False)
class Player:
    """See `benchmarks.player`."""

    python: Path
    rules: Path
    process: subprocess.Popen[str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.process = subprocess.Popen(
            [str(self.python), str(HERE / "player.py"), str(self.rules), str(SEATS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=self.python.parents[2] if self.python.parents[1].name == ".venv" else None,
        )
        assert self._line() == "ready", f"{self.python} does not play {self.rules}"

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def took(self, first: int, count: int) -> tuple[float, str]:
        """Seconds of processor, and a sum by which equal matches are known."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{first} {count}\n")
        self.process.stdin.flush()
        seconds, mark = self._line().split()
        return float(seconds), mark

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def gains(old: Path, games: Sequence[str], rounds: int, seconds: float) -> Iterator[Gain]:
    for name in games:
        rules = next(old / f"{folder}/{name}.rules" for folder in ("games", "examples") if name in _names(old / folder))
        before, now = Player(old / ".venv/bin/python", rules), Player(Path(sys.executable), rules)
        try:
            yield _gain(name, before, now, rounds, seconds)
        finally:
            before.end()
            now.end()


def _names(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.rules")}


def _gain(name: str, before: Player, now: Player, rounds: int, seconds: float) -> Gain:
    count, took = 8, 0.0
    while took < seconds / 4:
        count *= 2
        took, _ = now.took(0, count)
    count = max(1, int(count * seconds / took))
    ratios, same = [], True
    for number in range(rounds):
        first = number * count
        order = (before, now) if number % 2 else (now, before)
        found = {id(one): one.took(first, count) for one in order}
        (old, one), (new, other) = found[id(before)], found[id(now)]
        ratios.append(old / new)
        same = same and one == other
    return Gain(name, tuple(ratios), same)


def rows(old: Path, rounds: int, seconds: float) -> Iterator[str]:
    """The rows of the table, with the geometric means."""
    for names, kind, gate, aim in ((SHIPPED, "four that ship", 1.3, 2), (OTHERS, "six others", 1.3, 3)):
        found = []
        for one in gains(old, names, rounds, seconds):
            found.append(one.median)
            note = "" if one.same else ", other matches"
            spread = f"{min(one.ratios):.3g} to {max(one.ratios):.3g}"
            yield f"| {one.game}: this version / the older one{note} | {one.median:.3g} | {spread} | ≥ 1 | |"
        mean = math.exp(statistics.fmean(map(math.log, found)))
        spread = f"{min(found):.3g} to {max(found):.3g}"
        yield f"| {kind}: geometric mean | {mean:.3g} | {spread} | ≥ {gate:g} | ≥ {aim:g} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("older", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.4)
    wanted = parser.parse_args()
    for row in rows(wanted.older.absolute(), wanted.rounds, wanted.seconds):
        print(row, flush=True)


if __name__ == "__main__":
    main()
