"""Boards as SVG: tracks as strips of numbered spaces, grids as cells, courses as spaces joined by arrows."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rulekit.play.state.value import Value
from rulekit.tools.drawing import palette
from rulekit.tools.drawing.canvas import Canvas, shortened
from rulekit.tools.drawing.course_layout import laid_out
from rulekit.tools.drawing.picture import Board, Spot, Token

_EDGE, _STRIP, _STEP = 6, 46, 54
"""Pixels: around everything, a space of a track, from one space of a course to the next."""
_LARGEST, _SMALLEST = 58, 20
"""Pixels: sides of a grid's cells."""
_LONGEST = 150
"""So many spaces of a track are drawn; of a longer one those around pieces."""


@frozen
class Marks:
    """What is marked: by value what may be chosen, with the text that chooses it; by path what has changed."""

    choices: tuple[tuple[Value, str], ...] = ()
    changed: frozenset[str] = frozenset()

    def choice(self, value: Value) -> str | None:
        return next((text for option, text in self.choices if option == value), None)


def draw_board(canvas: Canvas, board: Board, seats: Sequence[str], marks: Marks) -> None:
    """One board below what is drawn already."""
    canvas.text(board.title, _EDGE, canvas.y + 16, "title")
    canvas.y += 24
    if board.form == "course":
        _course(canvas, board, seats, marks)
    elif board.form == "grid":
        _grid(canvas, board, seats, marks)
    else:
        _track(canvas, board, seats, marks)
    canvas.y += 12


def _track(canvas: Canvas, board: Board, seats: Sequence[str], marks: Marks) -> None:
    spots = board.spots if len(board.spots) <= _LONGEST else _near_pieces(board.spots)
    across = max(1, int((canvas.width - 2 * _EDGE) // _STRIP))
    for number, spot in enumerate(spots):
        x, y = _EDGE + number % across * _STRIP, canvas.y + number // across * _STRIP
        _space(canvas, spot, (x, y), _STRIP, seats, marks)
    canvas.y += -(-len(spots) // across) * _STRIP


def _near_pieces(spots: tuple[Spot, ...]) -> list[Spot]:
    taken = [number for number, spot in enumerate(spots) if spot.tokens]
    return [spot for number, spot in enumerate(spots) if any(abs(number - other) <= 2 for other in taken)]


def _grid(canvas: Canvas, board: Board, seats: Sequence[str], marks: Marks) -> None:
    columns, rows = [spot.column for spot in board.spots], [spot.row for spot in board.spots]
    if not columns:
        return
    wide = max(columns) - min(columns) + 1
    side = max(_SMALLEST, min(_LARGEST, (canvas.width - 2 * _EDGE) // wide))
    for spot in board.spots:
        place = (_EDGE + (spot.column - min(columns)) * side, canvas.y + (spot.row - min(rows)) * side)
        _space(canvas, spot, place, side, seats, marks)
    canvas.y += (max(rows) - min(rows) + 1) * side


def _course(canvas: Canvas, board: Board, seats: Sequence[str], marks: Marks) -> None:
    side = _STEP - 12
    laid = laid_out([spot.links for spot in board.spots], int((canvas.width - 2 * _EDGE + 12) // _STEP))
    at = [(_EDGE + x * _STEP, canvas.y + y * _STEP) for x, y in laid.at]
    middle = side / 2
    for spot, (x, y) in zip(board.spots, at, strict=True):
        for link in spot.links:
            canvas.put("path", "way", d=_arrow((x + middle, y + middle), (at[link][0] + middle, at[link][1] + middle)))
    for spot, place in zip(board.spots, at, strict=True):
        fill = palette.ground(board.sorts.index(spot.sort)) if len(board.sorts) > 1 else None
        _space(canvas, spot, place, side, seats, marks, fill)
    canvas.y += laid.height * _STEP
    _legend(canvas, board)


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    """A line with a head in its middle, which spaces at its ends do not cover."""
    (x, y), (u, v) = start, end
    length = max(1.0, ((u - x) ** 2 + (v - y) ** 2) ** 0.5)
    a, b = (u - x) / length, (v - y) / length
    tip, back = ((x + u) / 2 + 4 * a, (y + v) / 2 + 4 * b), ((x + u) / 2 - 3 * a, (y + v) / 2 - 3 * b)
    left, right = (back[0] - 4 * b, back[1] + 4 * a), (back[0] + 4 * b, back[1] - 4 * a)
    head = f"M{left[0]:.1f} {left[1]:.1f}L{tip[0]:.1f} {tip[1]:.1f}L{right[0]:.1f} {right[1]:.1f}"
    return f"M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}{head}"


def _legend(canvas: Canvas, board: Board) -> None:
    """What the grounds of a course's spaces stand for."""
    if len(board.sorts) < 2:
        return
    x = float(_EDGE)
    canvas.y += 6
    for number, sort in enumerate(board.sorts):
        wide = 22 + len(sort) * 6.4
        if x + wide > canvas.width:
            x, canvas.y = float(_EDGE), canvas.y + 16
        canvas.put("rect", "space", x=x, y=canvas.y, width=12, height=12, style=f"fill:{palette.ground(number)}")
        canvas.text(sort, x + 16, canvas.y + 10, "small")
        x += wide
    canvas.y += 16


# ---------------------------------------------------------------- a space and what stands on it


def _space(
    canvas: Canvas,
    spot: Spot,
    place: tuple[float, float],
    side: float,
    seats: Sequence[str],
    marks: Marks,
    fill: str | None = None,
) -> None:
    (x, y), choice = place, marks.choice(spot.value)
    marked = ", ".join(f"{mark.name} {mark.text}".strip() for mark in spot.marks)
    standing = ", ".join(token.title for token in spot.tokens)
    says = ": ".join(part for part in (spot.title, "; ".join(part for part in (marked, standing) if part)) if part)
    with canvas.group(says, data_choice=choice, tabindex=None if choice is None else 0):
        classes = ("space", *(["choosable"] if choice is not None else []))
        style = None if fill is None else f"fill:{fill}"
        canvas.put("rect", *classes, x=x, y=y, width=side, height=side, rx=4, style=style)
        dark = None if fill is None else f"fill:{palette.DARK}"
        canvas.text(spot.name, x + 3, y + 10, "small", style=dark)
        _marks(canvas, spot, place, side, dark)
    _tokens(canvas, spot, place, side, seats, marks)


def _marks(canvas: Canvas, spot: Spot, place: tuple[float, float], side: float, style: str | None) -> None:
    """What lies on a space: dots of its colours in the upper right corner, else the first thing in words below."""
    coloured = [mark for mark in spot.marks if mark.colour]
    for number, mark in enumerate(coloured):
        x = place[0] + side - 7 - 9 * number
        canvas.put("circle", "token", cx=x, cy=place[1] + 7, r=4, style=f"fill:{palette.of_thing(mark.colour, 0)}")
    told = [mark.text or mark.name for mark in spot.marks if not mark.colour]
    if told:
        words = shortened(told[0], side - 4, 9) + ("+" if len(told) > 1 else "")
        canvas.text(words, place[0] + side / 2, place[1] + side - 3, "small", "middle", style=style)


def _tokens(
    canvas: Canvas, spot: Spot, place: tuple[float, float], side: float, seats: Sequence[str], marks: Marks
) -> None:
    """Pieces side by side, as large as there is room for."""
    count = len(spot.tokens)
    if not count:
        return
    top = 12 if spot.name else 3
    below = 11 if any(not mark.colour for mark in spot.marks) else 2
    wide, high = side - 4, side - top - below
    across = max(1, min(count, round((count * wide / max(high, 1)) ** 0.5)))
    down = -(-count // across)
    radius = min(wide / across, high / down) / 2 - 0.5
    for number, token in enumerate(spot.tokens):
        column, row = number % across, number // across
        here = min(across, count - row * across)
        x = place[0] + side / 2 + (column - (here - 1) / 2) * wide / across
        y = place[1] + top + high / 2 + (row - (down - 1) / 2) * high / down
        draw_token(canvas, token, (x, y), radius, seats, marks)


def draw_token(
    canvas: Canvas, token: Token, middle: tuple[float, float], radius: float, seats: Sequence[str], marks: Marks
) -> None:
    """A piece as a disc in its colour."""
    fill = token_colour(token, seats)
    choice = marks.choice(token.value)
    classes = ["token"] + ["choosable"] * (choice is not None) + ["changed"] * (token.path in marks.changed)
    with canvas.group(token.title, data_choice=choice, tabindex=None if choice is None else 0):
        canvas.put("circle", *classes, cx=middle[0], cy=middle[1], r=radius, style=f"fill:{fill}")
        size = min(11.0, radius * 1.2)
        words = token.label if len(token.label) <= 3 else token.label[:1].upper()
        if words and size >= 5:
            text = f"fill:{palette.text_on(fill)};font-size:{size:.1f}px"
            canvas.text(words, middle[0], middle[1] + size * 0.36, "middle", style=text)


def token_colour(token: Token, seats: Sequence[str]) -> str:
    if token.owner is not None:
        return palette.of_seat(seats[token.owner], token.owner)
    return palette.of_thing(token.colour, sum(map(ord, token.kind)))
