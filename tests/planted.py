"""One-token edits planted in the games that ship, ten in each, and whether their difference is found.

`python -m tests.planted` looks for each and says how far it had to go.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from rulekit import library
from rulekit.play import generator
from rulekit.tools.diff import Search, Version
from rulekit.tools.edits import Edit, Rules, edits, of_rules, rules_of
from tests.matches import GAMES


def planted(rules: Rules, count: int, seed: str = "planted") -> Iterator[tuple[Edit, Version]]:
    """So many changes of the rules, drawn by lot, each one a correct game."""
    found = list(edits(rules, of_rules))
    key, used = generator.stream_key(generator.seed_number(seed), rules.game.title), 0
    while count and found:
        place, used = generator.below(key, used, len(found))
        edit = found.pop(place)
        found = [other for other in found if other.span != edit.span]
        changed = rules.edited(edit)
        if changed is not None:
            count -= 1
            yield edit, Version(changed, {}, changed.game)


def seats_of(rules: Rules) -> tuple[int, ...]:
    return tuple(range(rules.game.least, min(rules.game.most, 6) + 1))


def look(path: Path, games: int, count: int) -> Iterator[tuple[Edit, Search, float]]:
    rules = rules_of(library.read(path))
    for edit, version in planted(rules, count):
        begun = time.perf_counter()
        search = Search(Version(rules, {}, rules.game), version, seats_of(rules), games, "planted")
        for _ in search.run():
            pass
        yield edit, search, time.perf_counter() - begun


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=1000)
    arguments.add_argument("--count", type=int, default=10)
    arguments.add_argument("--only", default="")
    chosen = arguments.parse_args()
    for path in GAMES:
        if chosen.only not in path.stem:
            continue
        for edit, search, took in look(path, chosen.games, chosen.count):
            best = search.best
            told = f"not found in {search.compared} matches"
            if best is not None:
                where = " from a position" if best.example is not None else ""
                told = f"{best.decisions} of {len(best.past)}{where}: {best.parting.what}"
            print(f"{edit}: {told} ({took:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
