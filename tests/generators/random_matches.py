"""Random matches for tests: every game that ships, any number of seats, answers from a counted generator."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rulekit import Action, Decision, Game, State, Step, Value, apply, decisions, load, start
from rulekit.play.state import counter_rng
from rulekit.play.state.errors import Refused
from tests import paths

GAMES = sorted(paths.GAMES.glob("*.rules"))


@cache
def game(path: Path) -> Game:
    return load(path)


class Answers:
    """Legal answers, the same for the same name."""

    def __init__(self, name: str) -> None:
        self._key = counter_rng.stream_key(counter_rng.seed_number(name), "answers")
        self._index = 0

    def below(self, n: int) -> int:
        value, self._index = counter_rng.below(self._key, self._index, n)
        return value

    def to(self, decision: Decision) -> Value:
        if not decision.several:
            return decision.options[self.below(len(decision.options))]
        left = list(decision.options)
        count = decision.least + self.below(decision.most - decision.least + 1)
        return tuple(left.pop(self.below(len(left))) for _ in range(count))


def steps(rules: Game, seats: int, name: str, most: int = 10_000) -> Iterator[tuple[State, Action | None, Step]]:
    """A random match as (state before, action, step); first the start with no action."""
    answers = Answers(name)
    step = start(rules, seats=seats, seed=name, checked=True)
    yield step.state, None, step
    for _ in range(most):
        waiting = decisions(step.state)
        if not waiting:
            return
        decision = waiting[answers.below(len(waiting))]
        before = step.state
        action, step = taken(before, decision, answers)
        yield before, action, step


def taken(state: State, decision: Decision, answers: Answers) -> tuple[Action, Step]:
    """An answer by chance and what follows it; what an `only if` refuses is answered again."""
    for _ in range(1000):
        action = Action(decision.seat, answers.to(decision))
        try:
            return action, apply(state, action)
        except Refused as refusal:
            if refusal.code != "refused":
                raise
    raise AssertionError(f"a thousand answers to {decision} were refused")


def seat_counts(rules: Game) -> list[int]:
    return sorted({rules.least, min(rules.least + 1, rules.most), min(rules.most, 5)})
