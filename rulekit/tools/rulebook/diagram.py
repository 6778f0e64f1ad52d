"""A position as a diagram of characters, for a rulebook in Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.tools.drawing.text_board import Board, Grid, Track


def text_diagram(shown: Board) -> str:
    """The tracks and grids on which something stands, line by line; "" if there are none."""
    lines: list[str] = []
    for track in shown.tracks:
        if any(space.pieces for space in track.spaces):
            lines += _track(track)
    for grid in shown.grids:
        if grid.rows:
            lines += _grid(grid)
    return "\n".join(line.replace("\n", " ") for line in lines)


def _track(track: Track) -> Iterator[str]:
    """`Road: 0  1 [red]  2`: the numbers of the spaces, who stands there behind them."""
    named = [f"{space.name} [{', '.join(space.pieces)}]" if space.pieces else space.name for space in track.spaces]
    yield f"{track.name}: {'  '.join(named)}"


def _grid(grid: Grid) -> Iterator[str]:
    yield f"{grid.name}:"
    width = max(len(text) for row in grid.rows for text in row) or 1
    width += 1 - width % 2 if grid.slants else 0
    for below, row in enumerate(grid.rows):
        slant = " " * ((width + 1) // 2 * below if grid.slants else 0)
        yield "  " + slant + " ".join(f"{text or '.':{width}}" for text in row).rstrip()
