"""Whether `diff` names the clause of an edit, for a list of edits planted by hand in the games that ship.

    python -m tests.editors.named tests/editors/planted_edits.txt --only foxy

tells of each edit what its list says, what is named first, and the seconds of
the processor; in the end how often a clause of the list is among the first two.
A line of a list holds, between tabs: game, kind, clauses, old text, new text.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from rulekit import library
from rulekit.source import Source
from rulekit.tools.compare.clause_attribution import changes_behind, named_first
from rulekit.tools.compare.differential_testing import Search
from rulekit.tools.compare.shrinking import Version
from rulekit.tools.examples.mutation_operators import Rules, rules_of
from tests.editors.planted import seats_of
from tests.paths import GAMES


@frozen
class Planted:
    """An edit as its list has it."""

    game: str
    kind: str
    clauses: tuple[str, ...]
    old: str
    new: str

    def rules(self) -> tuple[Rules, Rules]:
        """The game, and the game with the edit."""
        source = library.read(GAMES / f"{self.game}.rules")
        return rules_of(source), rules_of(Source(f"{self.game}_edited.rules", self.applied(source.text)))

    def applied(self, text: str) -> str:
        """The text of the game with the edit."""
        assert text.count(self.old) == 1, self
        return text.replace(self.old, self.new)


def planted(path: Path) -> Iterator[Planted]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            game, kind, clauses, *texts = line.split("\t")
            old, new = (text.replace("\\n", "\n") for text in texts)
            yield Planted(game, kind, tuple(clauses.split()), old, new)


def looked(a: Rules, b: Rules, games: int = 1000) -> tuple[Search, tuple[str, ...]]:
    """The search for a difference, as the command makes it, and the clauses that are named."""
    search = Search(Version(a, {}, a.game), Version(b, {}, b.game), seats_of(a), games, "diff")
    for _ in search.run():
        pass
    found = search.best
    if found is None:
        return search, ()
    changes = changes_behind(search.a, search.b, found, f"{search.seed}#{found.number}", lambda: True)
    return search, named_first(changes, a.game, found.clauses[0])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("list", type=Path)
    arguments.add_argument("--only", default="", help="a part of a game's name")
    chosen = arguments.parse_args()
    every = [edit for edit in planted(chosen.list) if chosen.only in edit.game]
    hits = 0
    for number, edit in enumerate(every, 1):
        begun = time.process_time()
        search, clauses = looked(*edit.rules())
        named = bool(set(edit.clauses) & set(clauses[:2]))
        hits += named
        what = "nothing differs" if search.best is None else str(search.best.divergence.what)
        told = f"{'ok' if named else 'MISSED'} {what}: {', '.join(clauses[:4])}"
        place = f"{number}. {edit.game} {edit.kind} {' '.join(edit.clauses)}"
        print(f"{place}: {told} ({time.process_time() - begun:.1f} s)", flush=True)
    print(f"{hits} of {len(every)} named")


if __name__ == "__main__":
    main()
