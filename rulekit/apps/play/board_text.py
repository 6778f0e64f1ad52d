"""A board as lines of plain text that fit a width: whole, or as short as it can be told.

Draws what it is given and knows neither games nor terminals.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import groupby

from rulekit.tools.drawing.picture_making import EMPTY
from rulekit.tools.drawing.text_board import Board, Grid, Table, Track, is_nothing
from rulekit.tools.language.translation import Tongue

_HARD = "\N{NO-BREAK SPACE}"
_FEW = 2
"""So many rows of a grid with nothing in them still stand one by one."""


def wrapped(words: str, width: int, indent: str = "  ") -> list[str]:
    return textwrap.wrap(words, width - 1, subsequent_indent=indent, break_on_hyphens=False)


def track_lines(track: Track, width: int) -> list[str]:
    """A line of numbered spaces with the pieces on them, broken only between names."""
    words = [f"{track.name}:"]
    for space in track.spaces:
        leads = f" ({space.leads})" if space.leads else ""
        pieces = f"[{', '.join(piece.replace(' ', _HARD) for piece in space.pieces)}]" if space.pieces else ""
        words.append((space.name + leads).replace(" ", _HARD) + pieces)
    lines = wrapped("  ".join(words), width, " " * (len(track.name) + 2))
    return [line.replace(":  ", ": ", 1).replace(_HARD, " ").rstrip() for line in lines]


def grid_lines(grid: Grid) -> list[str]:
    return _grid(grid, [(f"{number:>4} ", row) for number, row in enumerate(grid.rows, grid.first_row)])


def short_grid_lines(grid: Grid) -> list[str]:
    """The same with stretches of empty rows as one line each."""
    rows: list[tuple[str, tuple[str, ...]]] = []
    numbered = list(enumerate(grid.rows, grid.first_row))
    for is_empty, group in groupby(numbered, lambda one: not any(one[1])):
        run = list(group)
        if is_empty and len(run) > _FEW and not grid.slants:
            rows.append((f"{run[0][0]}-{run[-1][0]}".rjust(4) + " ", run[0][1]))
        else:
            rows += [(f"{number:>4} ", row) for number, row in run]
    return _grid(grid, rows)


def _grid(grid: Grid, rows: Sequence[tuple[str, tuple[str, ...]]]) -> list[str]:
    if not grid.rows:
        return []
    columns = [str(grid.first_column + i) for i in range(len(grid.rows[0]))]
    width = max(len(text) for row in (columns, *grid.rows) for text in row) + 1
    margin = max(len(number) for number, _ in rows)
    even = width + width % 2 if grid.slants else width
    half = even // 2 if grid.slants else 0
    return [
        f"{grid.name}:",
        " " * margin + "".join(text.rjust(even) for text in columns),
        *(
            " " * (half * below) + number.rjust(margin) + "".join((text or ".").rjust(even) for text in row)
            for below, (number, row) in enumerate(rows)
        ),
    ]


def shared_lines(board: Board, width: int) -> list[str]:
    """What belongs to nobody, as far as it is there."""
    return wrapped("; ".join(f"{name}: {text}" for name, text in board.shared if text != EMPTY), width)


def row_lines(table: Table, row: Sequence[str], tongue: Tongue, width: int, *, bare: bool = False) -> list[str]:
    """What an owner has.  bare: without what says that there is nothing, also of players."""
    cells = [(name, text) for name, text in zip(table.columns, row[1:], strict=True) if text != EMPTY]
    is_told = [(table.of_players and not bare) or not is_nothing(text, tongue) for _, text in cells]
    told = [f"{name} {text}" for (name, text), tells in zip(cells, is_told, strict=True) if tells]
    return wrapped(f"{row[0]}: " + "; ".join(told), width)


def short_table_lines(table: Table, tongue: Tongue, width: int) -> list[str]:
    """All owners one behind the other; a column is named once where it is the only one that tells something."""
    used = [place for place in range(1, len(table.columns) + 1) if _tells(table, place, tongue)]
    entries = [_entry(table, row, used, tongue) for row in table.rows]
    name = table.columns[used[0] - 1] if len(used) == 1 else ""
    return wrapped(f"{table.name}{f' ({name})' if name else ''}: " + "; ".join(entries), width)


def _tells(table: Table, place: int, tongue: Tongue) -> bool:
    return any(not is_nothing(row[place], tongue) for row in table.rows)


def _entry(table: Table, row: Sequence[str], used: Sequence[int], tongue: Tongue) -> str:
    if len(used) == 1:
        return f"{row[0]} {row[used[0]]}"
    told = [f"{table.columns[place - 1]} {row[place]}" for place in used if not is_nothing(row[place], tongue)]
    return f"{row[0]} {', '.join(told)}"


def place_lines(board: Board, tongue: Tongue, width: int, *, short: bool = False) -> list[str]:
    """Tracks, what stands nowhere, and grids."""
    lines = [line for track in board.tracks for line in track_lines(track, width)]
    if board.off:
        lines += wrapped(tongue.say("off-board", pieces=", ".join(board.off)), width)
    return lines + [line for grid in board.grids for line in (short_grid_lines if short else grid_lines)(grid)]
