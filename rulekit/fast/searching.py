"""What searches of all engines have in common: numbers, and how a choice of several things is told again."""

from __future__ import annotations

from collections.abc import Callable
from math import log

from rulekit.fast.machine import Weighed
from rulekit.play import generator

_MASK = 2**64 - 1
CURIOSITY = 0.6
"""How much an answer gains by having been tried seldom; worths lie from 0 to 1."""
LEAD = 0.1
"""How much of a worth is the lead in ranking values, the rest being the place."""
DEEPEST = 200
"""Choices along the trees in one simulation."""
NODES = 1 << 17
"""Information sets in one search; further ones are left to chance."""
ANSWERS = 1 << 21
"""Answers of all of them together."""
LUCK = 0x5EED
"""Sets the chance of the search itself apart from that of its matches."""
LOGS = tuple(log(max(number, 1)) for number in range(4096))
LOG_2 = log(2)
UNPLACED, DEFEATED = 1 << 40, 1 << 41
"""In place of a place, for seats that have none."""


def logarithm(number: int) -> float:
    """From a table, so that it is the same everywhere."""
    more = 0.0
    while number >= len(LOGS):
        number >>= 1
        more += LOG_2
    return LOGS[number] + more


def mixed_in(key: int, value: int) -> int:
    return generator.splitmix64((key + value) & _MASK)


def tried_most(answers: Callable[[int], list[tuple[int, float]]], key: int, sizes: tuple[int, int, int]) -> Weighed:
    """The set that was tried most, choice by choice; where nothing was tried, the first things.

    answers:  of the node with a key: how often each was tried, and what that came to; empty where there is none.
    sizes:    how many options there are, and the least and most of them that are chosen.
    """
    size, least, most = sizes
    wanted, visits, worth = _best(answers, key, most - least + 1)
    wanted += least
    key = mixed_in(key, wanted + 1)
    places: list[int] = []
    at = 0
    while wanted > len(places):
        over, visits, worth = _best(answers, key, size - at - wanted + len(places) + 1)
        key = mixed_in(key, over + 1)
        places.append(at + over)
        at += over + 1
    return Weighed(tuple(places), visits, worth)


def _best(answers: Callable[[int], list[tuple[int, float]]], key: int, size: int) -> tuple[int, int, float]:
    found = answers(key) if size > 1 else []
    if not found:
        return 0, 0, 0.0
    place = max(range(size), key=lambda at: found[at])
    return place, *found[place]
