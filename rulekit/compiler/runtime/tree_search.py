"""Information-set Monte Carlo tree search: limits and weights, and how an answer is read from the trees.

Shared by the searches of all engines, which must agree in every number (Cowling, Powley, Whitehouse: Information Set
Monte Carlo Tree Search, 2012).  Answers are chosen by UCB1 (Auer, Cesa-Bianchi, Fischer, 2002).  A choice of several
things is a chain of choices in the tree: how many, then how many options are passed over before each.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log

from rulekit.compiler.runtime.protocols import Weighed
from rulekit.play.state import counter_rng

_MASK = 2**64 - 1
EXPLORATION = 0.6
"""The constant of UCB1: how much an answer gains by having been tried seldom; worths lie from 0 to 1."""
LEAD_WEIGHT = 0.1
"""How much of a worth is the lead in ranking values, the rest being the place."""
MAX_DEPTH = 200
"""Choices along the trees in one simulation."""
MAX_NODES = 1 << 17
"""Information sets in one search; further ones are left to chance."""
MAX_ANSWERS = 1 << 21
"""Answers of all of them together."""
SEARCH_SEED = 0x5EED
"""Sets the chance of the search itself apart from that of its matches."""
LOGS = tuple(log(max(number, 1)) for number in range(4096))
LOG_2 = log(2)
UNPLACED, DEFEATED = 1 << 40, 1 << 41
"""In place of a place, for seats that have none."""


def logarithm(number: int) -> float:
    """The natural logarithm, from a table, so that every engine has the same bits."""
    more = 0.0
    while number >= len(LOGS):
        number >>= 1
        more += LOG_2
    return LOGS[number] + more


def extended_key(key: int, value: int) -> int:
    """The hash of a sequence of values that has one value more."""
    return counter_rng.splitmix64((key + value) & _MASK)


def most_visited(answers: Callable[[int], list[tuple[int, float]]], key: int, sizes: tuple[int, int, int]) -> Weighed:
    """The set that was tried most, choice by choice; where nothing was tried, the first things.

    answers:  of the node with a key: how often each was tried, and what that came to; empty where there is none.
    sizes:    how many options there are, and the least and most of them that are chosen.
    """
    size, least, most = sizes
    wanted, visits, worth = _best(answers, key, most - least + 1)
    wanted += least
    key = extended_key(key, wanted + 1)
    places: list[int] = []
    at = 0
    while wanted > len(places):
        over, visits, worth = _best(answers, key, size - at - wanted + len(places) + 1)
        key = extended_key(key, over + 1)
        places.append(at + over)
        at += over + 1
    return Weighed(tuple(places), visits, worth)


def _best(answers: Callable[[int], list[tuple[int, float]]], key: int, size: int) -> tuple[int, int, float]:
    found = answers(key) if size > 1 else []
    if not found:
        return 0, 0, 0.0
    place = max(range(size), key=lambda at: found[at])
    return place, *found[place]
