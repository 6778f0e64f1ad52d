"""The numbers and conditions of the games that ship changed: what no example notices, whether what is proposed does.

Mutation testing of a game's examples.

    python -m tests.editors.pinned --games 300

Each proposed example is added to the text of the file, as an editor would do
it, and must hold there and fail once the rules are changed.  Beside that,
what became of the edits of `tests.editors.planted`.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from attrs import define, field

from rulekit import library
from rulekit.loading import RulesError
from rulekit.source import Source
from rulekit.tools.coverage.mutation_testing import MutationTest, Survivor
from rulekit.tools.examples import runner
from rulekit.tools.examples.mutation_operators import Edit, Rules, rules_of
from rulekit.tools.examples.scenario_writer import Example
from tests.editors.planted import planted
from tests.generators.random_matches import GAMES

NAME = "a proposed example"


def kills(rules: Rules, edit: Edit, example: Example) -> bool:
    """Whether an example holds at the end of the file, and with the change fails or cannot even be."""
    text = f"{rules.source.text.rstrip()}\n\n{example.text(NAME, edit.clauses[:1])}"
    try:
        more = rules_of(Source(rules.source.name, text))
    except RulesError:
        return False
    changed = more.edited(edit)
    return _passes(more) and (changed is None or not _passes(changed))


def _passes(rules: Rules) -> bool:
    (scenario,) = (scenario for scenario in rules.game.scenarios if scenario.name == NAME)
    return runner.run(rules.game, scenario).passed


@define
class Pinned:
    """What came of one game.

    failing:  proposed examples that do not hold, or that the change does not break.
    bare:     changes that no example notices and for which none was found.
    planted:  the edits of `tests.editors.planted` that no example notices.
    """

    path: Path
    games: int
    tried: int = 0
    noticed: int = 0
    proposed: int = 0
    failing: list[Survivor] = field(factory=list)
    bare: list[Survivor] = field(factory=list)
    planted: list[Edit] = field(factory=list)

    def run(self) -> None:
        rules = rules_of(library.read(self.path))
        pinning = MutationTest(rules, self.games)
        changes = pinning.changes()
        for done, _ in enumerate(pinning.run(changes), 1):
            if done % 50 == 0:
                print(f"  {self.path.stem}: {done} of {len(changes)}", flush=True)
        self.tried, self.noticed = pinning.tried, pinning.noticed
        for each in pinning.survivors:
            if each.example is None:
                self.bare.append(each)
                continue
            self.proposed += 1
            if not kills(rules, each.edit, each.example):
                self.failing.append(each)
        missed = {str(each.edit) for each in pinning.survivors}
        self.planted = [edit for edit, _ in planted(rules, 10) if str(edit) in missed]

    def told(self) -> str:
        return (
            f"{self.path.stem}: {self.tried} changes, {self.noticed} noticed, {self.proposed} with a new example, "
            f"{len(self.failing)} of them to no avail, {len(self.bare)} without; "
            f"of the ten planted edits {len(self.planted)} unnoticed"
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--games", type=int, default=300, help="matches for a proposal")
    arguments.add_argument("--only", default="", help="a part of a game's name")
    chosen = arguments.parse_args()
    for path in GAMES:
        if chosen.only not in path.stem:
            continue
        begun, made = time.process_time(), Pinned(path, chosen.games)
        made.run()
        print(f"{made.told()}; {time.process_time() - begun:.0f} s", flush=True)
        for each in made.failing:
            print(f"  to no avail: {each.edit}", flush=True)
        for each in made.bare:
            why = f"nothing differs in {each.found.games} matches"
            if each.found.parts:
                why = "only what may be agreed" if each.found.agreed else "parts where no example can begin"
            print(f"  without: {each.edit}: {why}", flush=True)


if __name__ == "__main__":
    main()
