"""Mastermind: how the 1296 codes answer the first guess 1122, as Knuth counted them.

D. E. Knuth, The Computer as Master Mind, Journal of Recreational Mathematics 9 (1976).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rulekit import Action, Event, State, apply, decisions, start
from tests import paths
from tests.generators.random_matches import game

MASTERMIND = game(paths.EXAMPLES / "mastermind.rules")
FIRST_GUESS = (1, 1, 2, 2)
KNUTH = {
    (0, 0): 256, (0, 1): 256, (0, 2): 96, (0, 3): 16, (0, 4): 1,
    (1, 0): 256, (1, 1): 208, (1, 2): 36,
    (2, 0): 114, (2, 1): 32, (2, 2): 4,
    (3, 0): 20, (4, 0): 1,
}  # fmt: skip
"""By how many are right in colour and place, and how many in colour only, how many codes are left."""


def coded(state: State, pegs: int) -> Iterator[State]:
    """The positions after every code."""
    if not pegs:
        yield state
        return
    asked = decisions(state)[0]
    for colour in asked.options:
        yield from coded(apply(state, Action(asked.seat, colour)).state, pegs - 1)


def said(state: State, guess: Iterable[int]) -> tuple[object, ...]:
    """What the maker says of a guess."""
    events: tuple[Event, ...] = ()
    for colour in guess:
        step = apply(state, Action(1, colour))
        state, events = step.state, step.events
    return tuple(event.get("value") for event in events if event.name == "reveal")


def test_the_first_guess_leaves_as_many_codes_as_knuth_counted() -> None:
    begun = start(MASTERMIND, seats=2, seed="codes").state
    assert Counter(said(state, FIRST_GUESS) for state in coded(begun, 4)) == KNUTH
