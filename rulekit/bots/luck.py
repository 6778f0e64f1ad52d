"""A bot's own chance: numbers from a stream of our generator, so that the same seed gives the same thoughts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from attrs import define

from rulekit.play import generator

T = TypeVar("T")
_PARTS = 2**53


@define(eq=False)
class Luck:
    """key: of the stream.  used: how many of its outputs are spent."""

    key: int
    used: int = 0

    @classmethod
    def of(cls, seed: str, stream: str) -> Luck:
        return cls(generator.stream_key(generator.seed_number(seed), stream))

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        value, self.used = generator.below(self.key, self.used, n)
        return value

    def part(self) -> float:
        """A number from 0 on, below 1."""
        return self.below(_PARTS) / _PARTS

    def one_of(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def weighted(self, weights: Sequence[float]) -> int:
        """A place among the weights, of which some is above 0, as likely as its weight says."""
        left = self.part() * sum(weights)
        last = 0
        for place, weight in enumerate(weights):
            if weight > 0:
                last = place
                if left < weight:
                    return place
                left -= weight
        return last
