"""Boards as SVG: tracks as strips of numbered spaces, grids as cells, courses as spaces joined by arrows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from attrs import frozen

from rulekit.model.colours import DARK, text_on
from rulekit.tools.drawing import palette
from rulekit.tools.drawing.canvas import Canvas, room, shortened
from rulekit.tools.drawing.course_layout import Laid, laid_out
from rulekit.tools.drawing.marks import Marks
from rulekit.tools.drawing.picture import Board, Spot, Token

_EDGE, _STRIP, _SHORT, _STEP = 6, 46, 36, 54
"""Pixels: around everything, a space of a track, the same where it is long, from one space of a course to the next."""
_CROWD = 5
"""So many pieces need a space whole, so that they cover its name."""
_BETWEEN, _LEAST = 12, 40
"""Pixels: from one space of a course to the next; a space and that are at least so wide together."""
_ROWS = 3
"""Rows of a track from which on its spaces are small."""
_LARGEST, _SMALLEST, _AXIS = 58, 20, 16
"""Pixels: sides of a grid's cells, room for the numbers of its columns and rows."""


@frozen
class Place:
    """Where a space is drawn: its upper left corner and its side, in pixels; fill: its ground, None: the usual one."""

    x: float
    y: float
    side: float
    fill: str | None = None


def draw_boards(canvas: Canvas, boards: Sequence[Board], seats: Sequence[str], marks: Marks) -> None:
    """All boards, small ones side by side."""
    canvas.flow([(_width(board), partial(_draw, canvas, board, seats, marks)) for board in boards])


def _width(board: Board) -> float:
    """How wide a board would like to be."""
    named = room(board.title, 14) + 2 * _EDGE
    if board.form == "course":
        return max(named, len(board.spots) * _STEP + 2 * _EDGE)
    across = _columns(board) * _LARGEST if board.form == "grid" else len(board.spots) * _STRIP
    return max(named, across + 2 * _EDGE + _AXIS)


def _columns(board: Board) -> int:
    columns = [spot.column for spot in board.spots]
    return max(columns) - min(columns) + 1 if columns else 0


def _draw(canvas: Canvas, board: Board, seats: Sequence[str], marks: Marks) -> None:
    canvas.text(board.title, canvas.x + _EDGE, canvas.y + 16, "title")
    canvas.y += 24
    if board.form == "course":
        _course(canvas, board, seats, marks)
    elif board.form == "grid":
        _grid(canvas, board, seats, marks)
    else:
        _track(canvas, board, seats, marks)
    canvas.y += 12


def _track(canvas: Canvas, board: Board, seats: Sequence[str], marks: Marks) -> None:
    room_for = canvas.width - 2 * _EDGE
    side = _SHORT if len(board.spots) * _STRIP > _ROWS * room_for else _STRIP
    across = max(1, int(room_for // side))
    for number, spot in enumerate(board.spots):
        x, y = canvas.x + _EDGE + number % across * side, canvas.y + number // across * side
        _space(canvas, spot, Place(x, y, side), seats, marks)
    canvas.y += -(-len(board.spots) // across) * side


def _grid(canvas: Canvas, board: Board, seats: Sequence[str], marks: Marks) -> None:
    if not board.spots:
        return
    first, top = min(spot.column for spot in board.spots), min(spot.row for spot in board.spots)
    bottom = max(spot.row for spot in board.spots)
    left, upper = canvas.x + _EDGE + _AXIS, canvas.y + _AXIS
    side = max(_SMALLEST, min(_LARGEST, (canvas.width - 2 * _EDGE - _AXIS) / _columns(board)))
    for spot in board.spots:
        x, y = left + (spot.column - first) * side, upper + (spot.row - top) * side
        if spot.row == top:
            canvas.text(spot.title.partition(",")[0], x + side / 2, upper - 4, "small", "middle")
        if spot.column == first:
            canvas.text(spot.title.partition(",")[2], left - 8, y + side / 2 + 4, "small", "middle")
        _space(canvas, spot, Place(x, y, side), seats, marks)
    canvas.y = upper + (bottom - top + 1) * side


def _course(canvas: Canvas, board: Board, seats: Sequence[str], marks: Marks) -> None:
    laid, step = _laid(board, canvas.width - 2 * _EDGE)
    side = step - _BETWEEN
    at = [(canvas.x + _EDGE + x * step, canvas.y + y * step) for x, y in laid.at]
    for number, spot in enumerate(board.spots):
        for link in spot.links:
            canvas.put("path", "way", d=_way(laid, at, (number, link), side, canvas.y))
    for spot, (x, y) in zip(board.spots, at, strict=True):
        _space(canvas, spot, Place(x, y, side, _ground(board, spot)), seats, marks)
    canvas.y += laid.height * step
    _legend(canvas, board)


def _laid(board: Board, width: float) -> tuple[Laid, float]:
    """Where the spaces of a course lie, and how far from one another: as their looks say, if that can be read."""
    at = tuple((float(spot.at[0]), float(spot.at[1])) for spot in board.spots if spot.at is not None)
    across, down = max((x for x, _ in at), default=0.0) + 1, max((y for _, y in at), default=0.0) + 1
    step = min(_STEP, (width + _BETWEEN) / across)
    if at and len(at) == len(board.spots) and step >= _LEAST:
        return Laid(at, across, down, (0.0,) * len(at)), step
    return laid_out([spot.links for spot in board.spots], int((width + _BETWEEN) // _STEP)), _STEP


def _ground(board: Board, spot: Spot) -> str | None:
    """What colour a space of a course has, if any of its own."""
    if spot.fill:
        return palette.of_thing(spot.fill, 0)
    return palette.ground(board.sorts.index(spot.sort)) if len(board.sorts) > 1 else None


def _way(laid: Laid, at: Sequence[tuple[float, float]], link: tuple[int, int], side: float, top: float) -> str:
    """From the middle of a space to that of the next; to another band through the room above that."""
    (here, there), middle = link, side / 2
    start, end = (at[here][0] + middle, at[here][1] + middle), (at[there][0] + middle, at[there][1] + middle)
    if laid.bands[here] == laid.bands[there]:
        return _arrow(start, end)
    gap = top + laid.bands[there] * _STEP - 17
    line = f"L{start[0]:.1f} {gap:.1f}L{end[0]:.1f} {gap:.1f}L{end[0]:.1f} {end[1]:.1f}"
    return f"M{start[0]:.1f} {start[1]:.1f}" + _head((end[0], gap + 14), (0.0, 1.0), line)


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    """A line with a head in its middle, which spaces at its ends do not cover."""
    (x, y), (u, v) = start, end
    length = max(1.0, ((u - x) ** 2 + (v - y) ** 2) ** 0.5)
    a, b = (u - x) / length, (v - y) / length
    return f"M{x:.1f} {y:.1f}" + _head(((x + u) / 2 + 4 * a, (y + v) / 2 + 4 * b), (a, b), f"L{u:.1f} {v:.1f}")


def _head(tip: tuple[float, float], along: tuple[float, float], line: str) -> str:
    """A line and the head of an arrow that points in a direction."""
    a, b = along
    back = (tip[0] - 7 * a, tip[1] - 7 * b)
    left, right = (back[0] - 4 * b, back[1] + 4 * a), (back[0] + 4 * b, back[1] - 4 * a)
    return f"{line}M{left[0]:.1f} {left[1]:.1f}L{tip[0]:.1f} {tip[1]:.1f}L{right[0]:.1f} {right[1]:.1f}"


def _legend(canvas: Canvas, board: Board) -> None:
    """What the grounds of a course's spaces stand for."""
    if len(board.sorts) < 2:
        return
    x = float(_EDGE)
    canvas.y += 6
    for sort in board.sorts:
        shown = next(spot for spot in board.spots if spot.sort == sort)
        words = " ".join(filter(None, (shown.glyph, sort)))
        wide = 22 + len(words) * 6.4
        if x + wide > canvas.width:
            x, canvas.y = float(_EDGE), canvas.y + 16
        canvas.put("rect", "space", x=canvas.x + x, y=canvas.y, width=12, height=12, fill=_ground(board, shown))
        canvas.text(words, canvas.x + x + 16, canvas.y + 10, "small")
        x += wide
    canvas.y += 16


# ---------------------------------------------------------------- a space and what stands on it


def _space(canvas: Canvas, spot: Spot, place: Place, seats: Sequence[str], marks: Marks) -> None:
    option = marks.option(spot.value)
    marked = ", ".join(f"{mark.name} {mark.text}".strip() for mark in spot.marks)
    standing = ", ".join(token.title for token in spot.tokens)
    says = ": ".join(part for part in (spot.title, "; ".join(part for part in (marked, standing) if part)) if part)
    with marks.thing(canvas, says, option, (place.x, place.y, place.side, place.side)):
        ground = ("plain",) if place.fill is None else ("lit",)
        classes = ("space", *ground, *(("choosable",) if option is not None else ()))
        box = {"x": place.x, "y": place.y, "width": place.side, "height": place.side}
        canvas.put("rect", *classes, **box, rx=4, fill=place.fill)
        read = () if place.fill is None else (_read_on(place.fill),)
        canvas.text(spot.name, place.x + 3, place.y + 10, "small", *read)
        if spot.glyph and all(mark.colour for mark in spot.marks):
            canvas.text(spot.glyph, place.x + 3, place.y + place.side - 3, "small", *read)
        _marks(canvas, spot, place, marks, read)
    _tokens(canvas, spot, place, seats, marks)


def _marks(canvas: Canvas, spot: Spot, place: Place, marks: Marks, read: tuple[str, ...]) -> None:
    """What lies on a space: dots of its colours in the upper right corner, else the first thing in words below."""
    coloured = [mark for mark in spot.marks if mark.colour]
    for number, mark in enumerate(coloured):
        fill = palette.of_thing(mark.colour, 0)
        x = place.x + place.side - 8 - 12 * number
        canvas.put("circle", "token", *_lit(place), cx=x, cy=place.y + 8, r=6, fill=fill)
        canvas.text(mark.text[:1].upper(), x, place.y + 11, "middle", _read_on(fill), font_size=8)
    told = [mark for mark in spot.marks if not mark.colour]
    if told:
        words = shortened(told[0].text or told[0].name, place.side - 4, 9) + ("+" if len(told) > 1 else "")
        new = ("new",) if marks.is_new(told[0].path, told[0].shown) else ()
        canvas.text(words, place.x + place.side / 2, place.y + place.side - 3, "small", "middle", *read, *new)


def _lit(place: Place) -> tuple[str, ...]:
    """Whether the ground is light in dark surroundings too."""
    return () if place.fill is None else ("lit",)


def _read_on(fill: str) -> str:
    return "on-light" if text_on(fill) == DARK else "on-dark"


def _tokens(canvas: Canvas, spot: Spot, place: Place, seats: Sequence[str], marks: Marks) -> None:
    """Pieces side by side, as large as there is room for."""
    count = len(spot.tokens)
    if not count:
        return
    crowded = count >= _CROWD
    top = 12 if spot.name and not crowded else 3
    below = 3 if crowded else 11 if any(not mark.colour for mark in spot.marks) else 2
    wide, high = place.side - 4, place.side - top - below
    across = max(1, min(count, round((count * wide / max(high, 1)) ** 0.5)))
    down = -(-count // across)
    radius = min(wide / across, high / down) / 2 - 0.5
    for number, token in enumerate(spot.tokens):
        column, row = number % across, number // across
        here = min(across, count - row * across)
        x = place.x + place.side / 2 + (column - (here - 1) / 2) * wide / across
        y = place.y + top + high / 2 + (row - (down - 1) / 2) * high / down
        draw_token(canvas, token, (x, y), radius, seats, marks, _lit(place))


def draw_token(
    canvas: Canvas,
    token: Token,
    middle: tuple[float, float],
    radius: float,
    seats: Sequence[str],
    marks: Marks,
    ground: tuple[str, ...] = (),
) -> None:
    """A piece as a disc in its colour; ground: the classes of what it stands on."""
    fill, option = token_colour(token, seats), marks.option(token.value)
    x, y = middle
    classes = ["token", *ground, *["choosable"] * (option is not None), *["new"] * marks.is_new(token.path, token.on)]
    with marks.thing(canvas, token.title, option, (x - radius, y - radius, 2 * radius, 2 * radius)):
        canvas.put("circle", *classes, cx=x, cy=y, r=radius, fill=fill)
        words = token.label if len(token.label) <= 3 else token.label[:1].upper()
        size = min(12.0, radius * 1.2)
        if words and size >= 5:
            canvas.text(words, x, y + size * 0.36, "middle", _read_on(fill), font_size=size)


def token_colour(token: Token, seats: Sequence[str]) -> str:
    if token.owner is not None:
        return palette.of_seat(seats[token.owner], token.owner)
    return palette.of_thing(token.colour, sum(map(ord, token.kind)))
