"""One-token edits planted in the games that ship, ten in each, and whether their difference is found.

Mutants, as in mutation testing; the search for differences is what is tested.

    python -m tests.editors.planted --jobs 2

looks for each, tells how far it had to go, and sums up: how many show within
ten decisions, and which do not.  Ctrl-C sums up what is known by then.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from attrs import frozen

from rulekit import library
from rulekit.play.state import counter_rng
from rulekit.tools.compare.differential_testing import Search
from rulekit.tools.compare.shrinking import FEW, Difference, Version
from rulekit.tools.examples.mutation_operators import Edit, Rules, edits, rule_variants, rules_of
from tests.generators.random_matches import GAMES


def planted(rules: Rules, count: int, seed: str = "planted") -> Iterator[tuple[Edit, Version]]:
    """So many changes of the rules, drawn by lot, each one a correct game."""
    found = list(edits(rules, rule_variants))
    key, used = counter_rng.stream_key(counter_rng.seed_number(seed), rules.game.title), 0
    while count and found:
        place, used = counter_rng.below(key, used, len(found))
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


@frozen
class Looked:
    """What came of one edit.  decisions: None where no difference was found in so many matches."""

    edit: str
    decisions: int | None
    told: str


def looked(path: Path, games: int, number: int) -> Looked:
    """The edit with this number among those of its game."""
    rules = rules_of(library.read(path))
    *_, (edit, version) = planted(rules, number + 1)
    begun = time.perf_counter()
    search = Search(Version(rules, {}, rules.game), version, seats_of(rules), games, "planted")
    for _ in search.run():
        pass
    place = f"{path.stem}:{edit.span.line}:{edit.span.column}: `{edit.old}` becomes `{edit.new}`"
    took = f"({time.perf_counter() - begun:.1f} s)"
    if search.best is None:
        return Looked(place, None, f"not found in {search.compared} matches {took}")
    return Looked(place, search.best.decisions, f"{_way(search.best)} {took}")


def _way(found: Difference) -> str:
    where = "from a position" if found.example is not None else "from the start"
    return f"{found.decisions} of {len(found.past)} {where}: {found.divergence.what}"


def _all(games: int, count: int, only: str, jobs: int) -> Iterator[Looked]:
    with ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool:
        paths = [path for path in GAMES if only in path.stem]
        waiting = [pool.submit(looked, path, games, number) for path in paths for number in range(count)]
        try:
            for future in waiting:
                yield future.result()
        finally:
            for future in waiting:
                future.cancel()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--games", type=int, default=1000, help="matches for each edit")
    arguments.add_argument("--count", type=int, default=10, help="edits in each game")
    arguments.add_argument("--only", default="", help="a part of a game's name")
    arguments.add_argument("--jobs", type=int, default=1, help="processes at work")
    chosen = arguments.parse_args()
    begun, done = time.perf_counter(), list[Looked]()
    try:
        for one in _all(chosen.games, chosen.count, chosen.only, chosen.jobs):
            done.append(one)
            print(f"{len(done)}. {one.edit}: {one.told}", flush=True)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    near = [one for one in done if one.decisions is not None and one.decisions <= FEW]
    took = time.perf_counter() - begun
    print(f"{len(near)} of {len(done)} edits show within {FEW} decisions; {took:.0f} s. The others:")
    print(*(f"  {one.edit}: {one.told}" for one in done if one not in near), sep="\n")


if __name__ == "__main__":
    main()
