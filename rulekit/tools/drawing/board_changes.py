"""What changed on a board since somebody looked, marked in the texts that are shown.

Compares two boards as one reader sees them, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rulekit.tools.drawing.text_board import Board, Grid, Space, Table, Track
from rulekit.values import evolve

MARK = "*"
"""Stands behind what is new."""
_BETWEEN = ", "
"""Between the things of a list."""


def marked(board: Board, before: Board) -> Board:
    """The same board; what stood otherwise before has the mark behind it."""
    tracks, grids = {one.name: one for one in before.tracks}, {one.name: one for one in before.grids}
    tables, shared = {one.name: one for one in before.tables}, dict(before.shared)
    return evolve(
        board,
        tracks=tuple(_track(track, tracks) for track in board.tracks),
        grids=tuple(_grid(grid, grids) for grid in board.grids),
        tables=tuple(_table(table, tables) for table in board.tables),
        shared=tuple((name, _text(text, shared.get(name))) for name, text in board.shared),
        off=tuple(_text(piece, piece if piece in before.off else None) for piece in board.off),
    )


def has_marks(board: Board) -> bool:
    """Whether anything is marked as new."""
    grids = (text for grid in board.grids for row in grid.rows for text in row)
    tables = (text for table in board.tables for row in table.rows for text in row[1:])
    pieces = (piece for track in board.tracks for space in track.spaces for piece in space.pieces)
    return any(MARK in text for text in (*grids, *tables, *pieces, *board.off, *dict(board.shared).values()))


def _text(text: str, before: str | None) -> str:
    """A text, or each thing of a list that is new in it; a list that only lacks something has the mark at its end."""
    if text == before:
        return text
    things, left = text.split(_BETWEEN), Counter((before or "").split(_BETWEEN))
    if len(things) == 1:
        return f"{text}{MARK}"
    shown = [_thing(thing, left) for thing in things]
    return _BETWEEN.join(shown) if shown != things else f"{text} {MARK}"


def _thing(thing: str, left: Counter[str]) -> str:
    left[thing] -= 1
    return thing if left[thing] >= 0 else f"{thing}{MARK}"


def _track(track: Track, before: Mapping[str, Track]) -> Track:
    if track.name not in before:
        return track
    stood = {(space.name, piece) for space in before[track.name].spaces for piece in space.pieces}
    return evolve(track, spaces=tuple(_space(space, stood) for space in track.spaces))


def _space(space: Space, stood: set[tuple[str, str]]) -> Space:
    pieces = tuple(_text(piece, piece if (space.name, piece) in stood else None) for piece in space.pieces)
    return evolve(space, pieces=pieces)


def _grid(grid: Grid, before: Mapping[str, Grid]) -> Grid:
    if grid.name not in before:
        return grid
    held = _cells(before[grid.name])
    rows = tuple(
        tuple(_cell(text, held.get((column, row), "")) for column, text in enumerate(line, grid.first_column))
        for row, line in enumerate(grid.rows, grid.first_row)
    )
    return evolve(grid, rows=rows)


def _cells(grid: Grid) -> dict[tuple[int, int], str]:
    return {
        (column, row): text
        for row, line in enumerate(grid.rows, grid.first_row)
        for column, text in enumerate(line, grid.first_column)
    }


def _cell(text: str, before: str) -> str:
    """A cell that somebody left is told by the mark alone."""
    return text if text == before else f"{text}{MARK}"


def _table(table: Table, before: Mapping[str, Table]) -> Table:
    if table.name not in before:
        return table
    then = before[table.name]
    held = {(row[0], name): text for row in then.rows for name, text in zip(then.columns, row[1:], strict=True)}
    return evolve(
        table,
        rows=tuple(
            (
                row[0],
                *(_text(text, held.get((row[0], name), "")) for name, text in zip(table.columns, row[1:], strict=True)),
            )
            for row in table.rows
        ),
    )
