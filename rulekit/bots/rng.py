"""A bot's random number generator (RNG): a stream of the counter generator of `play.state.counter_rng`.

The same seed and stream give the same numbers, whatever else is drawn in the match.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from rulekit.play.state import counter_rng
from rulekit.values import define

T = TypeVar("T")
_PARTS = 2**53


@define(eq=False)
class Rng:
    """key: of the stream.  used: how many of its outputs are spent."""

    key: int
    used: int = 0

    @classmethod
    def of(cls, seed: str, stream: str) -> Rng:
        return cls(counter_rng.stream_key(counter_rng.seed_number(seed), stream))

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each as likely as any other."""
        value, self.used = counter_rng.below(self.key, self.used, n)
        return value

    def uniform(self) -> float:
        """A number from 0 to below 1, each multiple of 2⁻⁵³ as likely as any other."""
        return self.below(_PARTS) / _PARTS

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def weighted_index(self, weights: Sequence[float]) -> int:
        """An index into the weights, drawn in proportion to them; at least one weight is above 0."""
        left = self.uniform() * sum(weights)
        last = 0
        for place, weight in enumerate(weights):
            if weight > 0:
                last = place
                if left < weight:
                    return place
                left -= weight
        return last
