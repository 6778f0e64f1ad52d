"""How an answer is read from the trees of a search, the same for all engines.

The search itself is made of functions of the plan, see `lower.search`.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack, unpack
from typing import Protocol

from rulekit.compiler.runtime.questions import Asked, Weighed


class Nodes(Protocol):
    """The nodes that a machine remembers, by their keys."""

    def answers(self, key: int, size: int) -> Sequence[Sequence[int]]:
        """Of each answer of a node with so many how often it was tried, and what that came to, as `ir.Real` has it.

        Empty where there is no such node."""

    def behind(self, key: int, place: int) -> int:
        """The key of the node behind an answer of a node that there is, see `ir.Search`."""


def weighed(nodes: Nodes, key: int, asked: Asked, *, several: bool) -> list[Weighed]:
    """How the answers to a question fared: all of one thing; of several the set that was tried most.

    key:  of the question's node.
    """
    if several:
        return [most_visited(nodes, key, (len(asked.options), asked.least, asked.most))]
    size = len(asked.options)
    found = _tried(nodes, key, size) if size > 1 else [(0, 0.0)]
    return [Weighed((place,), visits, worth) for place, (visits, worth) in enumerate(found)]


def most_visited(nodes: Nodes, key: int, sizes: tuple[int, int, int]) -> Weighed:
    """The set that was tried most, choice by choice; where nothing was tried, the first things.

    sizes:    how many options there are, and the least and most of them that are chosen.
    """
    size, least, most = sizes
    best = _Best(nodes, key)
    wanted = least + best.choice(most - least + 1)
    places: list[int] = []
    at = 0
    while wanted > len(places):
        at += best.choice(size - at - wanted + len(places) + 1)
        places.append(at)
        at += 1
    return Weighed(tuple(places), best.visits, best.worth)


class _Best:
    """The way from a node on by the choices that were tried most; the last one's visits and worth."""

    def __init__(self, nodes: Nodes, key: int) -> None:
        self.nodes, self.key, self.known = nodes, key, True
        self.visits, self.worth = 0, 0.0

    def choice(self, size: int) -> int:
        """The next choice among so many; the first one where nothing is known."""
        if size == 1 or not self.known:
            return 0
        found = _tried(self.nodes, self.key, size)
        self.known = bool(found)
        if not found:
            self.visits, self.worth = 0, 0.0
            return 0
        place = max(range(size), key=lambda at: found[at])
        self.visits, self.worth = found[place]
        self.key, self.known = self.nodes.behind(self.key, place), self.visits > 0
        return place


def _tried(nodes: Nodes, key: int, size: int) -> list[tuple[int, float]]:
    return [(visits, unpack("<d", pack("<q", total))[0]) for visits, total in nodes.answers(key, size)]
