"""How an answer is read from the trees of a search, the same for all engines.

The search itself is made of functions of the plan, see `lower.search`.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import pack, unpack

from rulekit.compiler.runtime.protocols import Asked, Weighed
from rulekit.play.state import counter_rng

_MASK = 2**64 - 1
Answers = Callable[[int, int], list[int]]
"""What is known of the answers of the node with a key, of which there are so many: for each how often it was tried, and
what that came to, as `ir.Real` has it; empty where there is no such node."""


def weighed(answers: Answers, key: int, asked: Asked, *, several: bool) -> list[Weighed]:
    """How the answers to a question fared: all of one thing; of several the set that was tried most.

    key:  of the question's node, as an integer with these 64 bits.
    """
    if several:
        return [most_visited(answers, key, (len(asked.options), asked.least, asked.most))]
    size = len(asked.options)
    found = _tried(answers, key, size) if size > 1 else [(0, 0.0)]
    return [Weighed((place,), visits, worth) for place, (visits, worth) in enumerate(found)]


def most_visited(answers: Answers, key: int, sizes: tuple[int, int, int]) -> Weighed:
    """The set that was tried most, choice by choice; where nothing was tried, the first things.

    sizes:    how many options there are, and the least and most of them that are chosen.
    """
    size, least, most = sizes
    wanted, visits, worth = _best(answers, key, most - least + 1)
    wanted += least
    key = counter_rng.output(key & _MASK, wanted)
    places: list[int] = []
    at = 0
    while wanted > len(places):
        over, visits, worth = _best(answers, key, size - at - wanted + len(places) + 1)
        key = counter_rng.output(key, over)
        places.append(at + over)
        at += over + 1
    return Weighed(tuple(places), visits, worth)


def _best(answers: Answers, key: int, size: int) -> tuple[int, int, float]:
    found = _tried(answers, key, size) if size > 1 else []
    if not found:
        return 0, 0, 0.0
    place = max(range(size), key=lambda at: found[at])
    return place, *found[place]


def _tried(answers: Answers, key: int, size: int) -> list[tuple[int, float]]:
    cells = answers(key, size)
    worths = unpack(f"<{len(cells) // 2}d", pack(f"<{len(cells) // 2}q", *cells[1::2]))
    return list(zip(cells[::2], worths, strict=True))
