"""Histograms: how often a number of every match had each value, or lay in each range of values.

Takes counts and gives bins that state their own bounds, so that a range is never shown as an exact value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from rulekit.compiler.lower.counting.schema import EDGES
from rulekit.values import frozen

MAX_EXACT_VALUES = 128
"""Histograms of more different values than these show ranges."""
_MAX_RANGES = 32


@frozen
class HistogramBin:
    """Matches in which a number lay from `low` to `high`, both included."""

    low: int
    high: int
    count: int

    @property
    def is_exact(self) -> bool:
        return self.low == self.high


def bins_of_values(counts: Mapping[int, int]) -> list[HistogramBin]:
    """Return one bin for each value, or ranges of equal width if there are many values."""
    values = sorted(counts)
    if len(values) <= MAX_EXACT_VALUES:
        return [HistogramBin(value, value, counts[value]) for value in values]
    least, most = values[0], values[-1]
    width = next(width for width in _round_numbers() if most // width - least // width < _MAX_RANGES)
    totals: dict[int, int] = {}
    for value in values:
        start = value // width * width
        totals[start] = totals.get(start, 0) + counts[value]
    return [HistogramBin(max(start, least), min(start + width - 1, most), total) for start, total in totals.items()]


def _round_numbers() -> Iterator[int]:
    return (factor * 10**power for power in count() for factor in (1, 2, 5))


def bins_of_edges(counts: Sequence[int], least: int, most: int) -> list[HistogramBin]:
    """Return the bins of `EDGES` that are not empty, cut to the least and the most value that came up."""
    used = [place for place, number in enumerate(counts) if number]
    bins = []
    for place in used:
        low = least if place == used[0] else EDGES[place]
        high = most if place == used[-1] else EDGES[place + 1] - 1
        bins.append(HistogramBin(low, high, counts[place]))
    return bins


def quantile_bounds(bins: Sequence[HistogramBin], part: float) -> tuple[int, int]:
    """Return the least and the greatest value that this quantile can have; equal if it is exact."""
    left = part * sum(one.count for one in bins)
    for one in bins:
        left -= one.count
        if left <= 0:
            return one.low, one.high
    return bins[-1].low, bins[-1].high
