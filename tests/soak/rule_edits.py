"""Edits the rules of games that ship under running matches: each match goes on, or is told where and why it cannot.

    python -m tests.soak.rule_edits --edits 100

Each edit that was planted by hand is written into a game's file while a match of it is played, and the file is read
again.  A match that goes on must replay whole under the new rules, one that does not must keep the old and go on; the
clause that is told is compared with those of the edit.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path

from attrs import define, field

from rulekit.hosting.host import Host
from rulekit.hosting.store import Store
from rulekit.hosting.table import Table
from rulekit.loading import load
from rulekit.record.log import HUMAN, parse
from rulekit.record.replay import replay
from tests.generators.random_matches import Answers
from tests.hosting.tables import play
from tests.paths import GAMES, ROOT
from tests.soak.planted_edits import Edit, applied, edits

LISTS = tuple(ROOT / "tests" / "differential" / f"planted_edits{more}.txt" for more in ("", "_more"))
MATCHES, LONGEST = 3, 60


@define
class Told:
    """What became of matches.  counts: over, parted, named (by a clause of the edit) and broken (no game)."""

    counts: Counter[str] = field(factory=Counter)
    lines: list[str] = field(factory=list)


def tried(edit: Edit, folder: Path, seed: str, told: Told) -> None:
    """One edit under a few matches, each further on than the one before."""
    text = (GAMES / f"{edit.game}.rules").read_text(encoding="utf-8")
    file = folder / f"{edit.game}.rules"
    file.write_text(text, encoding="utf-8")
    with Host(Store(":memory:")) as host:
        running: list[Table] = []
        game = load(file)
        for number in range(1, MATCHES + 1):
            made = host.create(str(file), (HUMAN,) * min(game.most, max(3, game.least)), seed=f"{seed} {number}")
            table = host.table(made.match)
            play(host, table, number * LONGEST // MATCHES, Answers(f"{seed} {number}"))
            running += [table] if table.match.outcome() is None else []
        before = [(table.state, table.header.rules) for table in running]
        file.write_text(applied(edit, text), encoding="utf-8")
        done = host.reload(str(file))
        if done.problem:
            told.counts["broken"] += 1
            assert [(table.state, table.header.rules) for table in running] == before
            return
        for table in running:
            check(host, table, edit, told)


def check(host: Host, table: Table, edit: Edit, told: Told) -> None:
    """A match after its rules were changed."""
    new = load(table.file)
    again = replay(parse(table.log()), new)
    parted = table.parted
    if parted is None:
        assert again.fault is None, f"{edit}: goes on, but does not hold: {again.fault}"
        assert again.same_rules
        told.counts["over"] += 1
    else:
        assert again.fault is not None, f"{edit}: parts, but holds"
        assert (again.fault.decision, again.same_rules) == (parted.decision, False)
        named = bool(set(parted.clauses[:2]) & set(edit.clauses))
        told.counts["parted"] += 1
        told.counts["named"] += named
        told.lines.append(f"{edit}: decision {parted.decision}, {' '.join(parted.clauses[:4])}, {named}")
    kept = replay(parse(table.log()), table.game)
    assert (kept.fault, kept.same_rules) == (None, True)
    went, fault = len(table.match.history), table.fault
    play(host, table, 1, Answers("on"))
    assert len(table.match.history) == went + 1 or table.match.outcome() is not None or table.fault != fault, f"{edit}"


def soak(count: int, seed: str = "edits") -> Told:
    """So many edits, in turn over the lists."""
    listed = [edit for path in LISTS for edit in edits(path.read_text(encoding="utf-8"))]
    told, step = Told(), max(1, len(listed) // count)
    with tempfile.TemporaryDirectory() as folder:
        for edit in listed[::step][:count]:
            tried(edit, Path(folder), seed, told)
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=100)
    parser.add_argument("--seed", default="edits")
    chosen = parser.parse_args()
    told = soak(chosen.edits, chosen.seed)
    print("\n".join(told.lines))
    words = ", ".join(f"{count} {word}" for word, count in sorted(told.counts.items()))
    print(f"{chosen.edits} edits: {words}")


if __name__ == "__main__":
    main()
