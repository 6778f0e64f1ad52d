"""Every clause of the games that ship: whether a witness was found, proved by a change of its part, or why not.

    python -m tests.soak.witnesses --games 300 --only foxy

prints a line for each clause that has a part in the rules, and sums up.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from rulekit import library
from rulekit.tools.coverage.reachability_witness import WitnessSearch
from rulekit.tools.examples.mutation_operators import Rules, rules_of
from tests.generators.random_matches import GAMES


@frozen
class Looked:
    """What came of one clause.

    kind:  scenario or match, if it was proved; else the reason why there is no witness.
    told:  the change that proves it, or the reason in words.
    """

    clause: str
    kind: str
    told: str
    seconds: float


def clauses_with_a_part(rules: Rules) -> Iterator[str]:
    return (clause for clause in rules.game.clauses if WitnessSearch(rules, clause, 0).is_done_by_rules)


def look(rules: Rules, clause: str, games: int) -> Looked:
    begun = time.process_time()
    search = WitnessSearch(rules, clause, games)
    for _ in search.run():
        pass
    took = time.process_time() - begun
    if search.found is None:
        return Looked(clause, search.why_not.id, str(search.why_not), took)
    assert search.found.proof is not None, clause
    proof = search.found.proof
    assert clause in proof.edit.nearest, proof.edit
    kind = "match" if search.found.example is None else "scenario"
    return Looked(clause, kind, f"{proof.edit} ({proof.divergence.what})", took)


def sums(found: list[Looked]) -> str:
    kinds = Counter(each.kind for each in found)
    seconds = sum(each.seconds for each in found)
    return (
        f"{len(found)} clauses: {', '.join(f'{kind} {count}' for kind, count in kinds.most_common())}; {seconds:.0f} s"
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--games", type=int, default=300, help="matches looked through for a clause")
    arguments.add_argument("--only", default="", help="a part of a game's name")
    chosen = arguments.parse_args()
    every = list[Looked]()
    for path in GAMES:
        if chosen.only in path.stem:
            found = _game(path, chosen.games)
            print(f"{path.stem}: {sums(found)}", flush=True)
            every += found
    print(sums(every))


def _game(path: Path, games: int) -> list[Looked]:
    rules, found = rules_of(library.read(path)), list[Looked]()
    for clause in clauses_with_a_part(rules):
        found.append(look(rules, clause, games))
        print(f"  {clause}: {found[-1].kind}: {found[-1].told}", flush=True)
    return found


if __name__ == "__main__":
    main()
