"""What must hold at every position of every game: masks sound both ways, numbers between bounds, views told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import pytest

from rulekit import Action, Decision, Game, IllegalAction, State, Value, apply, decisions, notation, start, view
from rulekit.adapters.action_space import WAIT, Complete, action_space
from rulekit.adapters.answering import IllegalIndex, Position, after, allowed, mask
from rulekit.adapters.spaces import received, spaces
from rulekit.play.view import View
from tests import paths
from tests.generators.random_matches import Answers
from tests.secrecy.received import body, plain

FILES = sorted([*paths.GAMES.glob("*.rules"), *paths.EXAMPLES.glob("*.rules")])


def positions(rules: Game, seed: str, most: int) -> Iterator[Position]:
    """Positions of matches by chance with different numbers of seats, from different moments and their ends."""
    found = 0
    for number in range(most):
        step = start(rules, seats=min(rules.most, rules.least + number % 3), seed=f"{seed} {number}")
        for position in met(step.state, f"{seed} {number}"):
            yield position
            found += 1
            if found >= most:
                return


def met(state: State, seed: str, most: int = 10_000) -> Iterator[Position]:
    """Positions of the rest of a match that is answered by indices, by chance, and its end."""
    answers, position, space = Answers(f"indices {seed}"), Position(state), action_space(state.setting)
    for _ in range(most):
        if position.is_over:
            break
        if answers.below(6) == 0:
            yield position
        asked = position.to_act()
        seat = asked[answers.below(len(asked))]
        can = sorted(allowed(space, position, seat))
        position = after(space, position, seat, can[answers.below(len(can))])
    yield position


# ---------------------------------------------------------------- masks


def masks_are_sound(found: Iterable[Position]) -> None:
    """Each index that is allowed is taken, each other one refused; who is not asked may wait and nothing else."""
    for position in found:
        space = action_space(position.state.setting)
        for seat in range(position.state.setting.players):
            one = mask(space, position, seat)
            for index in range(space.size):
                if one[index] and index != WAIT:
                    after(space, position, seat, index)
                else:
                    with pytest.raises(IllegalIndex):
                        after(space, position, seat, index)
            assert one[WAIT] == (position.asked(seat) is None)


def all_answers_can_be_given(found: Iterable[Position], most: int = 3000) -> None:
    """Indices lead to exactly the answers that the engine takes.  most: questions with more sets are passed over."""
    for position in found:
        for decision in decisions(position.state):
            taken = set()
            for number, answer in enumerate(answers_of(position.state, decision)):
                taken.add(told(answer))
                if number > most:
                    break
            else:
                assert {told(answer) for answer in reachable(Position(position.state), decision.seat)} == taken


def told(answer: Value) -> str:
    """An answer as text, a set in one order."""
    return notation(tuple(sorted(answer, key=notation)) if isinstance(answer, tuple) else answer)


def reachable(position: Position, seat: int) -> Iterator[Value]:
    """All answers to which indices lead."""
    space = action_space(position.state.setting)
    for to in allowed(space, position, seat).values():
        if isinstance(to, Complete):
            yield to.answer
        else:
            yield from reachable(Position(position.state, (to,)), seat)


def answers_of(state: State, decision: Decision) -> Iterator[Value]:
    """All answers that the engine takes, found by trying."""
    tried: Iterator[Value] = iter(decision.options)
    if decision.several:
        counts = range(decision.least, decision.most + 1)
        tried = (one for count in counts for one in combinations(decision.options, count))
    for answer in tried:
        try:
            apply(state, Action(decision.seat, answer))
        except IllegalAction:
            continue
        yield answer


# ---------------------------------------------------------------- observations


def numbers_are_bounded(found: Iterable[Position]) -> None:
    """As many numbers as there are names, each between its bounds."""
    for position in found:
        of = spaces(position.state.setting)
        for seat in range(position.state.setting.players):
            numbers = received(of, position, seat).observation
            bounds = zip(of.observations.names, numbers, of.observations.bounds, strict=True)
            assert [(name, one) for name, one, (low, high) in bounds if not low <= one <= high] == []


def views_are_told_apart(found: Iterable[Position]) -> None:
    """Two views that differ never look the same."""
    seen: dict[tuple[object, ...], bytes] = {}
    for position in found:
        setting = position.state.setting
        of = spaces(setting)
        for seat in range(setting.players):
            now = received(of, Position(position.state), seat)
            known = body(plain(shown(view(position.state, seat))))
            assert seen.setdefault((setting.seats, *now.observation, *now.mask), known) == known


def shown(of: View) -> list[object]:
    """What changes in a view while a match goes on; ways and prompts are told by the name of their question."""
    questions = [(one.rule, one.name, one.options, one.least, one.most, one.values) for one in of.asked]
    return [of.seat, of.starter, of.values, of.waiting, of.turn, questions]
