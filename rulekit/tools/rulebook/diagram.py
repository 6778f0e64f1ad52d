"""A position as a diagram: shapes with places and sizes, for a template to write as SVG, or lines of characters."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from rulekit.tools.drawing.text_board import Board, Grid, Space, Track

_CELL, _DISC, _GAP, _HEAD = 34, 9, 10, 16
"""Pixels: a space, half a piece, between drawings, a title."""
_ACROSS = 16
"""Spaces of a track in one row."""
_COLOURS = {
    "red": "#c0392b",
    "blue": "#2c6fbb",
    "green": "#2e8b57",
    "yellow": "#e0b020",
    "purple": "#7d3c98",
    "brown": "#8b5a2b",
    "black": "#222222",
    "white": "#f4f4f4",
    "orange": "#d9772b",
    "pink": "#d9679a",
}
_OTHERS = ("#4a6fa5", "#b5533c", "#5b8c5a", "#8e6c8a", "#c08a2d", "#3d8b8b")
_LIGHT = ("#e0b020", "#f4f4f4")


@frozen
class Shape:
    """One shape, in pixels.

    kind:  rect, disc or text; x and y are the corner of a rect, else the middle.
    text:  what is written, or a tip on a disc.
    """

    kind: str
    x: float
    y: float
    width: float = 0
    height: float = 0
    fill: str = "none"
    text: str = ""
    style: str = ""


@frozen
class Drawing:
    """Shapes with the size of the whole, in pixels."""

    width: int
    height: int
    shapes: tuple[Shape, ...]


def drawing(shown: Board, colours: dict[str, str] | None = None) -> Drawing | None:
    """The tracks and grids on which something stands; None if there are none.

    colours:  of what has none by its name, filled here: a piece has one colour in all drawings that share them.
    """
    pen = _Pen(colours={} if colours is None else colours)
    for track in shown.tracks:
        if any(space.pieces for space in track.spaces):
            pen.track(track)
    for grid in shown.grids:
        if grid.rows:
            pen.grid(grid)
    return Drawing(pen.width, pen.y, tuple(pen.shapes)) if pen.shapes else None


@define
class _Pen:
    colours: dict[str, str]
    y: int = 0
    width: int = 0
    shapes: list[Shape] = field(factory=list)

    def track(self, track: Track) -> None:
        self._title(track.name)
        for start in range(0, len(track.spaces), _ACROSS):
            self._row(track.spaces[start : start + _ACROSS])
        self.y += _GAP

    def _title(self, name: str) -> None:
        self.shapes.append(Shape("text", 0, self.y + 11, text=name, style="title"))
        self.y += _HEAD

    def _row(self, spaces: tuple[Space, ...]) -> None:
        tallest = max(max((len(space.pieces) for space in spaces), default=0), 1)
        across = 2 if tallest > 2 else 1
        height = max(_CELL, 14 + 2 * (_DISC + 1) * -(-tallest // across))
        width = _CELL if across == 1 else 44
        for place, space in enumerate(spaces):
            self._space(space, place * width, width, height, across)
        self.width = max(self.width, width * len(spaces) + 2)
        self.y += height + 2

    def _space(self, space: Space, x: int, width: int, height: int, across: int) -> None:
        self.shapes.append(Shape("rect", x + 0.5, self.y + 0.5, width, height, "#fbf7ee"))
        self.shapes.append(Shape("text", x + width / 2, self.y + 11, text=space.name, style="number"))
        wide = min(across, len(space.pieces))
        for place, piece in enumerate(space.pieces):
            column, row = place % across, place // across
            middle = x + width / 2 + (column - (wide - 1) / 2) * 2 * (_DISC + 0.5)
            self._piece(piece, middle, self.y + 15 + _DISC + row * 2 * (_DISC + 1))

    def _piece(self, name: str, x: float, y: float) -> None:
        fill = self._colour(name)
        self.shapes.append(Shape("disc", x, y, _DISC, _DISC, fill, name))
        style = "dark" if fill in _LIGHT else "light"
        self.shapes.append(Shape("text", x, y + 3.5, text=_initials(name), style=style))

    def _colour(self, name: str) -> str:
        first = name.split(" ")[0]
        if first in _COLOURS:
            return _COLOURS[first]
        return self.colours.setdefault(first, _OTHERS[len(self.colours) % len(_OTHERS)])

    def grid(self, grid: Grid) -> None:
        self._title(grid.name)
        size = max(26, 7 * max(len(text) for row in grid.rows for text in row) + 8)
        for row, texts in enumerate(grid.rows):
            for column, text in enumerate(texts):
                x, y = column * size, self.y + row * size
                self.shapes.append(Shape("rect", x + 0.5, y + 0.5, size, size, "#f3ecd9" if text else "#fdfcf8"))
                if text:
                    self.shapes.append(Shape("text", x + size / 2, y + size / 2 + 4, text=text, style="cell"))
        self.width = max(self.width, size * len(grid.rows[0]) + 1)
        self.y += size * len(grid.rows) + _GAP


def _initials(name: str) -> str:
    """`r` for red, `r2` for the second of red's."""
    words = name.split(" ")
    return words[0][:1].upper() + (words[-1][:2] if len(words) > 1 and words[-1].isdigit() else "")


# ---------------------------------------------------------------- with letters


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
    for row in grid.rows:
        yield "  " + " ".join(f"{text or '.':{width}}" for text in row).rstrip()
