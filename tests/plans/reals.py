"""Cells, reals and hashes for the evaluator of plans, as `rulekit.compiler.plan.ir` says them."""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, isfinite, sqrt
from operator import add, lt, mul, sub, truediv
from struct import pack, unpack

from attrs import define, field

from rulekit.play.state import counter_rng

_ARITHMETIC: dict[str, Callable[..., float]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": truediv,
    "max": lambda *reals: max(reals, key=lambda real: (real, copysign(1, real))),
    "sqrt": sqrt,
}


@define(eq=False)
class Cells:
    """So many cells; one that was never set is 0."""

    count: int
    values: dict[int, int] = field(factory=dict)

    def get(self, at: int) -> int:
        assert 0 <= at < self.count, f"there is no cell {at} of {self.count}"
        return self.values.get(at, 0)

    def set(self, at: int, value: int) -> None:
        assert 0 <= at < self.count, f"there is no cell {at} of {self.count}"
        self.values[at] = value


def signed(value: int) -> int:
    """An integer with the same last 64 bits."""
    return (value + 2**63) % 2**64 - 2**63


def hashed(key: int, value: int) -> int:
    return signed(counter_rng.output(key, value))


def real(bits: int) -> float:
    return float(unpack("<d", pack("<q", bits))[0])


def bits(real: float) -> int:
    assert isfinite(real), f"{real} is no number"
    return int(unpack("<q", pack("<d", real))[0])


def reckoned(op: str, *operands: int | None) -> int:
    """What a `Real` gives; one that has no right operand has None there."""
    given = [operand for operand in operands if operand is not None]
    if op == "float":
        return bits(float(*given))
    return int(lt(*map(real, given))) if op == "<" else bits(_ARITHMETIC[op](*map(real, given)))
