"""How bots do against `random`, game by game: `python -m tests.soak.bots --matches 20`.

Each match has one such bot, in turn at every seat, and `random` at the others.  Told are the share of wins (a shared
victory counts as its part) beside what `random` would get in its place, with a Wilson score
interval that misses one time in twenty, and how often no history was found that fits what the bot had been told.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from math import sqrt
from pathlib import Path

from attrs import define, frozen

from rulekit import Action, Game, apply, decisions, load, outcome, start
from rulekit.bots.bot import Bot
from rulekit.bots.players import registry
from rulekit.bots.players.belief_bot import BeliefBot
from rulekit.bots.seated_bots import SeatedBots
from tests import paths

GAMES = sorted(paths.GAMES.glob("*.rules"))


@frozen
class Ended:
    """won: 1 for a victory, a part of it if it was shared.  lost: decisions without any history that fits."""

    won: float
    decisions: int
    lost: int


@define
class Sums:
    matches: int = 0
    won: float = 0.0
    decisions: int = 0
    lost: int = 0

    def add(self, one: Ended) -> None:
        self.matches += 1
        self.won += one.won
        self.decisions += one.decisions
        self.lost += one.lost


def match(rules: Game, seats: int, kind: str, seat: int, seed: str) -> Ended:
    """One match with this bot at a seat and `random` at the others."""
    step = start(rules, seats=seats, seed=seed)
    names = step.state.setting.seats[:seats]
    bots: dict[int, Bot] = {
        each: registry.seated(kind if each == seat else registry.RANDOM, rules, {}, names, each, seed)
        for each in range(seats)
    }
    table, mine, lost = SeatedBots(bots), bots[seat], 0
    table.tell(step.state, step.events)
    count = 0
    while waiting := decisions(step.state):
        asked, value = waiting[0], table.answer(step.state, waiting[0])
        if asked.seat == seat and isinstance(mine, BeliefBot) and mine.had_choice:
            lost += not mine.belief.now().particles
        count += 1
        step = apply(step.state, Action(asked.seat, value))
        table.answered(asked, value)
        table.tell(step.state, step.events, asked.seat)
    end = outcome(step.state)
    assert end is not None
    return Ended((seat in end.winners) / max(1, len(end.winners)), count, lost)


def interval(won: float, matches: int) -> tuple[float, float]:
    """Wilson's, for a share."""
    part, z = won / matches, 1.96
    middle, whole = part + z * z / (2 * matches), 1 + z * z / matches
    half = z * sqrt(part * (1 - part) / matches + z * z / (4 * matches * matches))
    return (middle - half) / whole, (middle + half) / whole


def report(path: Path, seats: int, kind: str, matches: int, seed: str) -> Iterator[str]:
    rules, sums, begun = load(path), Sums(), time.perf_counter()
    for number in range(matches):
        sums.add(match(rules, seats, kind, number % seats, f"{seed}#{number}"))
        low, high = interval(sums.won, sums.matches)
        taken = time.perf_counter() - begun
        yield (
            f"{path.stem}, {seats} seats, {kind}: {sums.matches} matches, won {100 * sums.won / sums.matches:.1f}% "
            f"({100 * low:.1f} to {100 * high:.1f}; by chance {100 / seats:.1f}%), without a history {sums.lost}, "
            f"{taken / sums.matches:.1f} s and {sums.decisions / sums.matches:.0f} decisions a match"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--bot", default="mcts:200")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", default="soak")
    parser.add_argument("games", nargs="*", help="their names; all that ship if none is given")
    wanted = parser.parse_args()
    for path in GAMES:
        if wanted.games and path.stem not in wanted.games:
            continue
        line = ""
        for line in report(path, wanted.seats, wanted.bot, wanted.matches, wanted.seed):
            print(f"\r\x1b[K{line}", end="", flush=True)
        print()


if __name__ == "__main__":
    main()
