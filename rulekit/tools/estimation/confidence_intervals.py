"""Confidence intervals (95 %) from exact integer sums: shares, means, ratios and slopes.

A share has the Wilson score interval, a mean that of the normal approximation,
a ratio the variance of its linearisation (delta method), a slope that of least
squares.  What is summed must be independent from match to match.
"""

from __future__ import annotations

import math

from rulekit.values import frozen

Z = 1.959964
"""95 of 100 draws of the normal distribution lie within so many standard deviations."""


@frozen
class Estimate:
    """An estimate and the interval in which the true value lies in 95 of 100 series."""

    value: float
    low: float
    high: float

    @property
    def known(self) -> bool:
        return not math.isnan(self.value)


UNKNOWN = Estimate(math.nan, math.nan, math.nan)


def share(hits: int, of: int) -> Estimate:
    """A share of `of` independent matches.  Source: Wilson's score interval (1927)."""
    if of == 0:
        return Estimate(math.nan, 0.0, 1.0)
    part, square = hits / of, Z * Z
    centre = (part + square / (2 * of)) / (1 + square / of)
    half = Z * math.sqrt(part * (1 - part) / of + square / (4 * of * of)) / (1 + square / of)
    return Estimate(part, max(0.0, centre - half), min(1.0, centre + half))


def mean(count: int, total: int, squares: int) -> Estimate:
    """Of `count` values with this sum and sum of squares.  Source: the normal approximation."""
    if count == 0:
        return UNKNOWN
    middle = total / count
    half = Z * deviation(count, total, squares) / math.sqrt(count)
    return Estimate(middle, middle - half, middle + half)


def deviation(count: int, total: int, squares: int) -> float:
    """The standard deviation of single values, from exact sums."""
    if count < 2:
        return 0.0
    return math.sqrt((squares * count - total * total) / (count * (count - 1)))


def ratio(t: int, tt: int, u: int, uu: int, tu: int) -> Estimate:
    """sum(T) / sum(U) over independent matches.  Source: the linearised variance of a ratio (delta method).

    t, u:  the sums of T and U; tt, uu, tu: those of T * T, U * U and T * U.
    """
    if u == 0:
        return UNKNOWN
    value = t / u
    spread = max(0.0, tt - 2 * value * tu + value * value * uu)
    half = Z * math.sqrt(spread) / u
    return Estimate(value, value - half, value + half)


def slope(count: int, x: int, xx: int, xy: int, y: int) -> Estimate:
    """The regression slope of `count` points of which y is 0 or 1, from their sums.  Source: least squares."""
    width = xx * count - x * x
    if count < 3 or width == 0:
        return UNKNOWN
    value = (xy * count - x * y) / width
    left = max(0.0, (y * count - y * y) - value * (xy * count - x * y))
    half = Z * math.sqrt(left / (count - 2) / width)
    return Estimate(value, value - half, value + half)
