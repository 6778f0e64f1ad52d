"""Chance for Python, many outputs at once.

One output of the generator costs Python some twenty operations on numbers of
64 bits.  Here a block of them lies in one long number, 128 bits to each, so
that every operation is done for the whole block: five times as fast.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain
from struct import Struct

from attrs import define, field, frozen

from rulekit.play.state import counter_rng

LANE = 128
_MASK = 2**64 - 1
NEAR = 2**64 - 2**32
"""Below this an output favours nothing, as long as numbers below at most 2^32 are drawn."""


@frozen
class _Lanes:
    """Numbers with one entry for each output of a block.

    ones:   1.  low: the lower half of a lane.  steps: how far outputs lie from the first, times the generator's step.
    near:   what lifts an output from `NEAR` on out of the lower half.
    """

    ones: int
    low: int
    steps: int
    near: int
    struct: Struct


@cache
def _lanes(count: int, step: int) -> _Lanes:
    ones = sum(1 << LANE * place for place in range(count))
    steps = sum((place * step * counter_rng.GOLDEN & _MASK) << LANE * place for place in range(count))
    return _Lanes(ones, ones * _MASK, steps, ones * 2**32, Struct(f"<{2 * count}Q"))


def outputs(key: int, first: int, step: int, count: int) -> tuple[tuple[int, ...], bool]:
    """Outputs first, first + step, … of a stream, and whether one of them is `NEAR` or above."""
    lanes = _lanes(count, step)
    low = lanes.low
    z = (lanes.steps + lanes.ones * (key + (first + 1) * counter_rng.GOLDEN & _MASK)) & low
    z = ((z ^ z >> 30) & low) * counter_rng.FIRST_FACTOR & low
    z = ((z ^ z >> 27) & low) * counter_rng.SECOND_FACTOR & low
    z = (z ^ z >> 31) & low
    is_near = bool((z + lanes.near) & ~low)
    return lanes.struct.unpack(z.to_bytes(16 * count, "little"))[::2], is_near


class _Near(int):
    """An output that may have to be passed over, depending on what it is divided by."""

    key: int
    index: int

    def __mod__(self, n: int) -> int:
        return counter_rng.below(self.key, self.index, n)[0]


class Spent(Exception):
    """There is no decision left: the run ends, whatever catches what unwinds."""


@define(eq=False)
class Budget:
    """So many decisions all seats may make; what is made ahead for them is never more."""

    left: int
    seats: list[Seat] = field(factory=list)
    is_spent: bool = False

    def granted(self, wanted: int) -> int:
        """How many may be made now, at least one; if need be others give back what they have not taken."""
        free = self.left - sum(seat.made for seat in self.seats)
        if free < 1:
            for seat in self.seats:
                seat.give_back()
            free = self.left - sum(seat.made for seat in self.seats)
        if free < 1:
            self.is_spent = True
            raise Spent
        return min(wanted, free)


@define(eq=False)
class Seat:
    """A seat that answers by chance: the first outputs of its decisions one after the other.

    size:   how many are made at once.  made: how many have been made.
    """

    key: int
    size: int
    budget: Budget
    made: int = 0
    known: list[int] = field(factory=list)
    block: Iterator[int] = field(factory=lambda: iter(()))

    def turns(self) -> Iterator[int]:
        return chain.from_iterable(self._blocks())

    def _blocks(self) -> Iterator[Iterator[int]]:
        while True:
            first, size = self.made, self.budget.granted(self.size)
            block, is_near = outputs(self.key, first * counter_rng.TURN, counter_rng.TURN, size)
            self.made += size
            self.known = self._marked(block, first) if is_near else list(block)
            self.block = iter(self.known)
            yield self.block

    def begin(self, key: int) -> None:
        """Another match; as many are made at once as were needed in the one before."""
        self.give_back()
        self.size = min(self.made // 16 * 16 + 16, 256)
        self.key, self.made = key, 0

    def give_back(self) -> None:
        """What has not been taken will be made anew if it is wanted."""
        rest: int = self.block.__length_hint__()  # type: ignore[attr-defined]
        if rest:
            del self.known[-rest:]
            self.made -= rest

    def _marked(self, block: tuple[int, ...], first: int) -> list[int]:
        marked: list[int] = []
        for turn, value in enumerate(block, first):
            near = _Near(value)
            near.key, near.index = self.key, turn * counter_rng.TURN
            marked.append(value if value < NEAR else near)
        return marked

    def taken(self) -> int:
        """How many decisions it has made."""
        return self.made - self.block.__length_hint__()  # type: ignore[attr-defined, no-any-return]


@define(eq=False)
class Stream:
    """A stream of draws: its first outputs, as many as have been needed."""

    key: int
    known: list[int] = field(factory=list)

    def draw(self, index: int, n: int) -> tuple[int, int]:
        """What `generator.below` gives."""
        while index >= len(self.known):
            self.known += outputs(self.key, len(self.known), 1, 64 if self.known else 16)[0]
        value = self.known[index]
        if value < NEAR and n <= 2**32:
            return value % n, index + 1
        return counter_rng.below(self.key, index, n)
