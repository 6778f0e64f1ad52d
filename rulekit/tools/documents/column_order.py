"""The order in which people read what stands on a page: columns one after the other, from left to right.

Also called: recursive X-Y cut.  A region that a gutter parts from top to foot is
read column by column; one that none parts falls into bands, one below the
other, each as high as one gutter reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
Rectangle = tuple[float, float, float, float]
"""left, bottom, right, top."""
_GUTTER, _LEADING = 6.0, 0.0
"""Points that part two columns, and two bands."""
_MOST = 500
"""A page in more pieces is a drawing, and read from its top."""


def reading_order(pieces: Sequence[T], rectangle: Callable[[T], Rectangle]) -> list[T]:
    """The pieces of a page in the order in which they are read."""
    made = [(rectangle(piece), piece) for piece in pieces]
    if len(made) > _MOST:
        return [piece for _, piece in sorted(made, key=lambda one: (-one[0][3], one[0][0]))]
    return [piece for _, piece in _read(made)]


def _read(pieces: list[tuple[Rectangle, T]]) -> Iterator[tuple[Rectangle, T]]:
    columns = _columns(pieces)
    if len(columns) > 1:
        for column in columns:
            yield from _read(column)
        return
    bands = _bands(pieces)
    if len(bands) == 1:
        yield from sorted(pieces, key=lambda one: (-one[0][3], one[0][0]))
        return
    for band in bands:
        yield from _read(band)


def _columns(pieces: list[tuple[Rectangle, T]]) -> list[list[tuple[Rectangle, T]]]:
    """The pieces between one gutter and the next."""
    return _parted(sorted(pieces, key=lambda one: one[0][0]), lambda at: (at[0], at[2]), _GUTTER)


def _bands(pieces: list[tuple[Rectangle, T]]) -> list[list[tuple[Rectangle, T]]]:
    """Rows of pieces, from the top; those in which the same gutter goes on are one."""
    rows = _parted(sorted(pieces, key=lambda one: -one[0][3]), lambda at: (-at[3], -at[1]), _LEADING)
    bands: list[list[tuple[Rectangle, T]]] = []
    for row in rows:
        if bands and len(_columns(bands[-1] + row)) > 1:
            bands[-1] = bands[-1] + row
        else:
            bands.append(row)
    return bands


def _parted(
    pieces: list[tuple[Rectangle, T]], ends: Callable[[Rectangle], tuple[float, float]], gap: float
) -> list[list[tuple[Rectangle, T]]]:
    """Sorted pieces, cut where nothing stands over a stretch of at least `gap`."""
    made: list[list[tuple[Rectangle, T]]] = []
    reached = float("-inf")
    for one in pieces:
        first, last = ends(one[0])
        if made and first - reached <= gap:
            made[-1].append(one)
        else:
            made.append([one])
        reached = max(reached, last)
    return made
