"""Boards as SVG: tracks as strips of numbered spaces, grids as cells, courses as spaces joined by arrows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rulekit.tools.drawing import palette
from rulekit.tools.drawing.canvas import Canvas, room, shortened
from rulekit.tools.drawing.course_layout import Laid, laid_out
from rulekit.tools.drawing.marks import Marks
from rulekit.tools.drawing.picture import Board, Spot, Token
from rulekit.values import frozen

_EDGE, _STRIP, _SHORT, _STEP = 6, 46, 36, 54
"""Pixels: around everything, a space of a track, the same where it is long, from one space of a course to the next."""
_CROWD = 5
"""So many pieces need a space whole, so that they cover its name."""
_READABLE, _DISC = 6, 26
"""Pixels: a piece of a smaller radius cannot be read; how wide and high a piece is that stands beside its board."""
_BETWEEN, _LEAST = 12, 40
"""Pixels: from one space of a course to the next; a space and that are at least so wide together."""
_ROWS = 3
"""Rows of a track from which on its spaces are small."""
_DOWN, _CORNER = 3**0.5 / 2, 1 / 3**0.5
"""Of hexagons, in parts of their width: from one row to the next, and from the middle to a corner."""
_LARGEST, _SMALLEST, _AXIS, _BESIDE = 58, 20, 16, 16
"""Pixels: sides of a grid's cells, room for the numbers of its columns and rows, and for what is written at its sides.
"""


@frozen
class Place:
    """Where a space is drawn: its upper left corner and its side, in pixels; fill: its ground, None: the usual one.

    hexagonal: a hexagon that stands on a corner, as wide as the side, around the same middle.
    board:     the name of what it belongs to.
    """

    x: float
    y: float
    side: float
    fill: str | None = None
    hexagonal: bool = False
    board: str = ""

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, upper, width and height of what is nobody else's."""
        height = self.side * _DOWN if self.hexagonal else self.side
        return self.x, self.y + (self.side - height) / 2, self.side, height


def draw_boards(canvas: Canvas, boards: Sequence[Board], colours: Sequence[str], marks: Marks) -> None:
    """All boards, small ones side by side."""
    canvas.flow([(_width(board), partial(_draw, canvas, board, colours, marks)) for board in boards])


def _width(board: Board) -> float:
    """How wide a board would like to be."""
    named = room(board.title, 14) + 2 * _EDGE
    if board.form == "course":
        return max(named, len(board.spots) * _STEP + 2 * _EDGE)
    across = _columns(board) * _LARGEST if board.form == "grid" else len(board.spots) * _STRIP
    return max(named, across + 2 * _EDGE + _AXIS + (2 * _BESIDE if board.sides else 0))


def _columns(board: Board) -> float:
    """How many cells wide a grid is, with the half by which each row of hexagons begins farther to the right."""
    columns, rows = [spot.column for spot in board.spots], [spot.row for spot in board.spots]
    if not columns:
        return 0
    return max(columns) - min(columns) + 1 + ((max(rows) - min(rows)) / 2 if board.hexagonal else 0)


def _draw(canvas: Canvas, board: Board, colours: Sequence[str], marks: Marks) -> None:
    canvas.text(board.title, canvas.x + _EDGE, canvas.y + 16, "title")
    canvas.y += 24
    if board.form == "course":
        _course(canvas, board, colours, marks)
    elif board.form == "grid":
        _grid(canvas, board, colours, marks)
    else:
        _track(canvas, board, colours, marks)
    canvas.y += 12


def _track(canvas: Canvas, board: Board, colours: Sequence[str], marks: Marks) -> None:
    room_for = canvas.width - 2 * _EDGE
    side = _SHORT if len(board.spots) * _STRIP > _ROWS * room_for else _STRIP
    across = max(1, int(room_for // side))
    for number, spot in enumerate(board.spots):
        x, y = canvas.x + _EDGE + number % across * side, canvas.y + number // across * side
        _space(canvas, spot, Place(x, y, side, _ground(board, spot), board=board.name), colours, marks)
    canvas.y += -(-len(board.spots) // across) * side
    _crowds(canvas, board, side, colours, marks)


def _grid(canvas: Canvas, board: Board, colours: Sequence[str], marks: Marks) -> None:
    if not board.spots:
        return
    first, top = min(spot.column for spot in board.spots), min(spot.row for spot in board.spots)
    bottom = max(spot.row for spot in board.spots)
    beside = _BESIDE if board.sides else 0
    left, upper = canvas.x + _EDGE + _AXIS + beside, canvas.y + _AXIS + beside
    side = max(_SMALLEST, min(_LARGEST, (canvas.width - 2 * _EDGE - _AXIS - 2 * beside) / _columns(board)))
    down = _DOWN * side if board.hexagonal else side
    slant = side / 2 if board.hexagonal else 0
    for spot in board.spots:
        x, y = left + (spot.column - first) * side + (spot.row - top) * slant, upper + (spot.row - top) * down
        if spot.row == top:
            canvas.text(spot.title.partition(",")[0], x + side / 2, upper - 4, "small", "middle")
        if spot.column == first:
            canvas.text(spot.title.partition(",")[2], x - 8, y + side / 2 + 4, "small", "middle")
        _space(canvas, spot, Place(x, y, side, hexagonal=board.hexagonal, board=board.name), colours, marks)
    canvas.y = upper + (bottom - top) * down + side
    if board.sides:
        _sides(canvas, board, (left, upper, _columns(board) * side, canvas.y - upper))
        canvas.y += beside
    _crowds(canvas, board, side, colours, marks)


def _sides(canvas: Canvas, board: Board, box: tuple[float, float, float, float]) -> None:
    """What is written around a grid; at its left and right from below to above."""
    x, y, wide, high = box
    above, right, below, left = board.sides
    canvas.text(shortened(above, wide, 12), x + wide / 2, y - _AXIS - 3, "side", "middle")
    canvas.text(shortened(below, wide, 12), x + wide / 2, y + high + 13, "side", "middle")
    for words, at in ((left, x - _AXIS - 4), (right, x + wide + 13)):
        turned = f"rotate(-90 {at:.1f} {y + high / 2:.1f})"
        canvas.text(shortened(words, high, 12), at, y + high / 2, "side", "middle", transform=turned)


def _course(canvas: Canvas, board: Board, colours: Sequence[str], marks: Marks) -> None:
    laid, step = _laid(board, canvas.width - 2 * _EDGE)
    side = step - _BETWEEN
    at = [(canvas.x + _EDGE + x * step, canvas.y + y * step) for x, y in laid.at]
    canvas.as_before(("ways", board.name), laid, partial(_ways, canvas, board, laid, at, side))
    for spot, (x, y) in zip(board.spots, at, strict=True):
        _space(canvas, spot, Place(x, y, side, _ground(board, spot), board=board.name), colours, marks)
    canvas.y += laid.height * step
    _crowds(canvas, board, side, colours, marks)
    _legend(canvas, board)


def _ways(canvas: Canvas, board: Board, laid: Laid, at: Sequence[tuple[float, float]], side: float) -> None:
    for number, spot in enumerate(board.spots):
        for link in spot.links:
            canvas.put("path", "way", d=_way(laid, at, (number, link), side, canvas.y))


def _laid(board: Board, width: float) -> tuple[Laid, float]:
    """Where the spaces of a course lie, and how far from one another: as their looks say, if that can be read."""
    at = tuple((float(spot.at[0]), float(spot.at[1])) for spot in board.spots if spot.at is not None)
    across, down = max((x for x, _ in at), default=0.0) + 1, max((y for _, y in at), default=0.0) + 1
    step = min(_STEP, (width + _BETWEEN) / across)
    if at and len(at) == len(board.spots) and step >= _LEAST:
        return Laid(at, across, down, (0.0,) * len(at)), step
    return laid_out([spot.links for spot in board.spots], int((width + _BETWEEN) // _STEP)), _STEP


def _ground(board: Board, spot: Spot) -> str | None:
    """What colour a space has, if any of its own."""
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
        shown = next((spot for spot in board.spots if spot.sort == sort), None)
        if shown is None:
            continue
        words = " ".join(filter(None, (shown.glyph, sort)))
        wide = 22 + len(words) * 6.4
        if x + wide > canvas.width:
            x, canvas.y = float(_EDGE), canvas.y + 16
        canvas.put("rect", "space", x=canvas.x + x, y=canvas.y, width=12, height=12, fill=_ground(board, shown))
        canvas.text(words, canvas.x + x + 16, canvas.y + 10, "small")
        x += wide
    canvas.y += 16


# ---------------------------------------------------------------- a space and what stands on it


def _space(canvas: Canvas, spot: Spot, place: Place, colours: Sequence[str], marks: Marks) -> None:
    if marks.offers((spot.value, *[token.value for token in spot.tokens])):
        _draw_space(canvas, spot, place, colours, marks)
        return
    news = marks.were([*(path for token in spot.tokens for path in token.paths), *(mark.path for mark in spot.marks)])
    draw = partial(_draw_space, canvas, spot, place, colours, marks)
    canvas.as_before(("space", place.board, spot.value), (spot, place, colours, news), draw)


def _draw_space(canvas: Canvas, spot: Spot, place: Place, colours: Sequence[str], marks: Marks) -> None:
    option = marks.option(spot.value)
    marked = ", ".join(f"{mark.name} {mark.text}".strip() for mark in spot.marks)
    standing = ", ".join(token.title for token in spot.tokens)
    says = ": ".join(part for part in (spot.title, "; ".join(part for part in (marked, standing) if part)) if part)
    with marks.thing(canvas, says, option, place.box, f"space {place.board} {spot.value}"):
        ground = ("plain",) if place.fill is None else ("lit",)
        classes = ("space", *ground, *(("choosable",) if option is not None else ()))
        if place.hexagonal:
            canvas.put("polygon", *classes, points=_hexagon(place), fill=place.fill)
        else:
            box = {"x": place.x, "y": place.y, "width": place.side, "height": place.side}
            canvas.put("rect", *classes, **box, rx=4, fill=place.fill)
        read = () if place.fill is None else (palette.read_on(place.fill),)
        canvas.text(spot.name, place.x + 3, place.y + 10, "small", *read)
        if spot.glyph and all(mark.colour for mark in spot.marks):
            canvas.text(spot.glyph, place.x + 3, place.y + place.side - 3, "small", *read)
        _marks(canvas, spot, place, marks, read)
    _tokens(canvas, spot, place, colours, marks)


def _hexagon(place: Place) -> str:
    """The corners, from the uppermost on."""
    x, y, half, corner = place.x + place.side / 2, place.y + place.side / 2, place.side / 2, place.side * _CORNER
    ways = (
        (0, -corner),
        (half, -corner / 2),
        (half, corner / 2),
        (0, corner),
        (-half, corner / 2),
        (-half, -corner / 2),
    )
    return " ".join(f"{x + across:.1f},{y + below:.1f}" for across, below in ways)


def _marks(canvas: Canvas, spot: Spot, place: Place, marks: Marks, read: tuple[str, ...]) -> None:
    """What lies on a space: squares of its colours in the upper right corner, else the first thing in words below.

    Pieces are discs, so that nothing that only lies there is taken for one.
    """
    coloured = [mark for mark in spot.marks if mark.colour]
    for number, mark in enumerate(coloured):
        fill = palette.of_thing(mark.colour, 0)
        x = place.x + place.side - 8 - 12 * number
        new = ("new",) if marks.is_new_mark(mark) else ()
        canvas.put("rect", "token", *_lit(place), *new, x=x - 6, y=place.y + 2, width=12, height=12, fill=fill)
        canvas.text(mark.text[:1].upper(), x, place.y + 11, "middle", palette.read_on(fill), font_size=8)
    told = [mark for mark in spot.marks if not mark.colour]
    if told:
        words = shortened(told[0].text or told[0].name, place.side - 4, 9) + ("+" if len(told) > 1 else "")
        new = ("new",) if marks.is_new_mark(told[0]) else ()
        canvas.text(words, place.x + place.side / 2, place.y + place.side - 3, "small", "middle", *read, *new)


def _lit(place: Place) -> tuple[str, ...]:
    """Whether the ground is light in dark surroundings too."""
    return () if place.fill is None else ("lit",)


def _tokens(canvas: Canvas, spot: Spot, place: Place, colours: Sequence[str], marks: Marks) -> None:
    """Pieces side by side, as large as there is room for; of a crowd its number, where nobody stands who has left."""
    at, radius = _discs(spot, place)
    read = () if place.fill is None else (palette.read_on(place.fill),)
    if radius < _READABLE:
        words = f"× {len(spot.tokens)}" if spot.tokens else ""
        canvas.text(words, place.x + place.side / 2, place.y + place.side / 2 + 8, "big", "middle", *read)
        return
    for token, middle in zip(spot.tokens, at, strict=False):
        draw_token(canvas, token, middle, radius, colours, marks, _lit(place))
    for token, (x, y) in zip(spot.left if not spot.tokens else (), at, strict=False):
        canvas.put("circle", "left", *_lit(place), cx=x, cy=y, r=min(radius, 10.0))
        canvas.text(token.label, x, y + 3.5, "small", "middle", *read)


def _discs(spot: Spot, place: Place) -> tuple[list[tuple[float, float]], float]:
    """The middles of the pieces on a space, or of those that left it empty, and their radius."""
    count = max(1, len(spot.tokens or spot.left))
    crowded = count >= _CROWD
    top = 12 if spot.name and not crowded else 3
    below = 3 if crowded else 11 if any(not mark.colour for mark in spot.marks) else 2
    wide, high = place.side - 4, place.side - top - below
    across = max(1, min(count, round((count * wide / max(high, 1)) ** 0.5)))
    down = -(-count // across)
    rows = [min(across, count - row * across) for row in range(down)]
    left, upper = place.x + place.side / 2, place.y + top + high / 2
    at = [
        (left + (column - (here - 1) / 2) * wide / across, upper + (row - (down - 1) / 2) * high / down)
        for row, here in enumerate(rows)
        for column in range(here)
    ]
    return at, min(wide / across, high / down) / 2 - 0.5


def _crowds(canvas: Canvas, board: Board, side: float, colours: Sequence[str], marks: Marks) -> None:
    canvas.y += 4
    for spot in board.spots:
        if spot.tokens and _discs(spot, Place(0, 0, side))[1] < _READABLE:
            _crowd(canvas, spot, colours, marks)


def _crowd(canvas: Canvas, spot: Spot, colours: Sequence[str], marks: Marks) -> None:
    """The pieces of a space that has no room for them, in lines of their own behind its name."""
    x = left = canvas.x + _EDGE + room(spot.title, 12) + 12
    canvas.text(spot.title, canvas.x + _EDGE, canvas.y + 16)
    for token in spot.tokens:
        if x + _DISC > canvas.x + canvas.width - _EDGE:
            x, canvas.y = left, canvas.y + _DISC
        draw_token(canvas, token, (x + _DISC / 2, canvas.y + _DISC / 2), _DISC / 2 - 2, colours, marks)
        x += _DISC
    canvas.y += _DISC + 4


def draw_token(
    canvas: Canvas,
    token: Token,
    middle: tuple[float, float],
    radius: float,
    colours: Sequence[str],
    marks: Marks,
    ground: tuple[str, ...] = (),
) -> None:
    """A piece as a disc in its colour; ground: the classes of what it stands on."""
    fill, option = token_colour(token, colours), marks.option(token.value)
    x, y = middle
    classes = ["token", *ground, *["choosable"] * (option is not None), *["new"] * marks.is_new_token(token)]
    with marks.thing(
        canvas, token.title, option, (x - radius, y - radius, 2 * radius, 2 * radius), f"piece {token.path}"
    ):
        canvas.put("circle", *classes, cx=x, cy=y, r=radius, fill=fill)
        size = min(12.0, radius * 1.2, 1.8 * radius / max(room(token.label, 1), 1))
        if token.label and size >= 5:
            canvas.text(token.label, x, y + size * 0.36, "middle", palette.read_on(fill), font_size=size)


def token_colour(token: Token, colours: Sequence[str]) -> str:
    seat = token.owner if token.side is None else token.side
    if seat is not None:
        return colours[seat]
    return palette.of_thing(token.colour, sum(map(ord, token.kind)))
