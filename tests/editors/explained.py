"""Random matches explained whole: what is told without a clause, and what is refused without a reason.

`python -m tests.editors.explained --games 100` plays so many of each game that ships.
"""

from __future__ import annotations

import argparse
import time

from attrs import define, field

from rulekit import Game, State, decisions
from rulekit.play.state.match_state import Step
from rulekit.tools.analysis.type_reconstruction import ExpressionTypes
from rulekit.tools.explain.execution_trace import Caused, Reader, Tracer
from rulekit.tools.explain.why_not import refused
from tests.generators.random_matches import GAMES, game, seat_counts, steps


@define
class Told:
    """How many events and refusals a match had, and those that lack something."""

    events: int = 0
    refused: int = 0
    without: list[object] = field(factory=list)

    def add(self, reader: Reader, step: Step, types: ExpressionTypes) -> None:
        for entry in reader.told(step.events, step.state.setting):
            if isinstance(entry, Caused):
                self.events += 1
                if not ((entry.clauses or entry.decided_by) and entry.causes):
                    self.without.append(entry)
        self._refused(step.state, types)

    def _refused(self, state: State, types: ExpressionTypes) -> None:
        for decision in decisions(state):
            for each in refused(state, decision.seat, types):
                self.refused += 1
                if not (str(each.reason) and each.clauses):
                    self.without.append(each)


def explained(rules: Game, seats: int, name: str, most: int = 10_000) -> Told:
    """One random match, every event and every refusal of its first decisions."""
    tracer, types, told = Tracer(rules), ExpressionTypes(rules), Told()
    reader = tracer.reader()
    for _, _, step in steps(tracer.traced, seats, name, most):
        told.add(reader, step, types)
    return told


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=100)
    arguments.add_argument("--only", default="", help="a part of a game's name")
    chosen = arguments.parse_args()
    count = chosen.games
    for path in GAMES:
        if chosen.only not in path.stem:
            continue
        rules, begun = game(path), time.perf_counter()
        seats = seat_counts(rules)
        told = [explained(rules, seats[number % len(seats)], f"why {number}") for number in range(count)]
        without = [entry for each in told for entry in each.without]
        events, missing = sum(each.events for each in told), sum(each.refused for each in told)
        print(f"{path.stem}: {count} matches, {events} events, {missing} refused, {len(without)} without", end="")
        print(f" clause or reason, {time.perf_counter() - begun:.0f} s", *without[:5], sep="\n  ", flush=True)


if __name__ == "__main__":
    main()
