"""Layered graph drawing of a course: columns by the longest way from a start, forks side by side, folded into rows.

Each layer is a column; a space lies in the lane of the space before it, and
what leaves a fork spreads over lanes of its own.  The columns are folded into
bands like a snake, never at a fork.  A course that comes back to where it
began is laid around a rectangle instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.values import frozen


@frozen
class Laid:
    """Where spaces lie, in units of one space, by their place in the course; and how much room they take.

    bands: by space where the band begins, downwards, in which it lies.
    """

    at: tuple[tuple[float, float], ...]
    width: float
    height: float
    bands: tuple[float, ...]


_BETWEEN = 0.45
"""Room between two bands, in spaces."""


def laid_out(links: Sequence[Sequence[int]], across: int) -> Laid:
    """links: by space those that follow it; across: how many columns fit."""
    layers = _layers(links)
    if layers is None:
        return _around(len(links), across)
    lanes = _lanes(links, layers)
    return _folded(layers, lanes, max(across, 2))


def _layers(links: Sequence[Sequence[int]]) -> list[int] | None:
    """By space the length of the longest way to it; None if some way leads back."""
    before = [0] * len(links)
    for following in links:
        for space in following:
            before[space] += 1
    layer, ready = [0] * len(links), [space for space, count in enumerate(before) if not count]
    for space in ready:
        for after in links[space]:
            layer[after] = max(layer[after], layer[space] + 1)
            before[after] -= 1
            if not before[after]:
                ready.append(after)
    return layer if len(ready) == len(links) else None


def _lanes(links: Sequence[Sequence[int]], layers: list[int]) -> list[float]:
    """By space how far below the middle it lies: below or above each other in its layer, in the order of the file."""
    lane = [0.0] * len(links)
    for layer in range(max(layers, default=0) + 1):
        here = [space for space, own in enumerate(layers) if own == layer]
        here.sort(key=lambda space: (_middle(links, lane, space), space))
        for number, space in enumerate(here):
            lane[space] = number - (len(here) - 1) / 2
    return lane


def _middle(links: Sequence[Sequence[int]], lane: list[float], space: int) -> float:
    """Where those lie from which one comes to a space."""
    before = [lane[other] for other, following in enumerate(links) if space in following]
    return sum(before) / len(before) if before else 0


def _folded(layers: list[int], lanes: list[float], across: int) -> Laid:
    """The layers in bands of at most so many columns, each second one running back."""
    bands = _bands(layers, across)
    at, band_of, top, widest = [(0.0, 0.0)] * len(layers), [0.0] * len(layers), 0.0, 0
    for number, (first, last) in enumerate(bands):
        here = [space for space, layer in enumerate(layers) if first <= layer <= last]
        high, low = min(lanes[space] for space in here), max(lanes[space] for space in here)
        widest = max(widest, last - first + 1)
        for space in here:
            column, band_of[space] = layers[space] - first, top
            at[space] = (across - 1 - column if number % 2 else column, top + lanes[space] - high)
        top += low - high + 1 + _BETWEEN
    width = across if len(bands) > 1 else widest
    return Laid(tuple(at), width, top - _BETWEEN, tuple(band_of))


def _bands(layers: list[int], across: int) -> list[tuple[int, int]]:
    """First and last layer of each band, which ends where one space alone follows one alone, if it can."""
    count = [layers.count(layer) for layer in range(max(layers) + 1)]
    bands: list[tuple[int, int]] = []
    first = 0
    while first < len(count):
        last = min(first + across, len(count)) - 1
        if last < len(count) - 1:
            calm = [at for at in range(first, last + 1) if count[at] == 1 and count[at + 1] == 1]
            last = max(calm, default=last)
        bands.append((first, last))
        first = last + 1
    return bands


def _around(count: int, across: int) -> Laid:
    """Spaces in the order of the file along the sides of a rectangle, clockwise from the upper left corner."""
    width = max(2, min(across, -(-count // 4) + 1))
    height = max(2, -(-(count - 2 * width) // 2) + 2)
    edge = [(x, 0) for x in range(width)] + [(width - 1, y) for y in range(1, height)]
    edge += [(x, height - 1) for x in range(width - 2, -1, -1)] + [(0, y) for y in range(height - 2, 0, -1)]
    return Laid(tuple((float(x), float(y)) for x, y in edge[:count]), width, height, (0.0,) * count)
