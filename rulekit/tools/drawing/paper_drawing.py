"""The boards of a position as SVG to print: light in all surroundings, and no larger than they need to be."""

from __future__ import annotations

from attrs import evolve, frozen

from rulekit.tools.drawing.board_drawing import draw_boards
from rulekit.tools.drawing.canvas import ON_PAPER, Canvas, styled
from rulekit.tools.drawing.marks import Marks
from rulekit.tools.drawing.picture import Board, Picture

_EDGE = 6
"""Pixels beside what is drawn."""
_LONG, _AROUND = 30, 3
"""Of a track of more spaces than the first, those so near to pieces are printed."""


@frozen
class Printed:
    """SVG to print, and how wide it is in pixels."""

    svg: str
    width: int


def boards_on_paper(picture: Picture, width: int) -> Printed | None:
    """The boards on which something stands or lies; None if there are none."""
    boards = [_cut(board) for board in picture.boards if any(spot.tokens or spot.marks for spot in board.spots)]
    if not boards:
        return None
    canvas = Canvas(width)
    draw_boards(canvas, boards, picture.seats, Marks())
    reach = [float(box.get("x", 0)) + float(box.get("width", 0)) for box in canvas.root.iter("rect")]
    wide = round(max(reach)) + _EDGE
    return Printed(styled(canvas.finished(", ".join(board.title for board in boards), wide), ON_PAPER), wide)


def _cut(board: Board) -> Board:
    """A board of which only what is around its pieces is printed, if it is a long track."""
    if board.form != "track" or len(board.spots) <= _LONG:
        return board
    taken = [number for number, spot in enumerate(board.spots) if spot.tokens]
    near = {number for here in taken for number in range(here - _AROUND, here + _AROUND + 1)}
    return evolve(board, spots=tuple(spot for number, spot in enumerate(board.spots) if number in near))
