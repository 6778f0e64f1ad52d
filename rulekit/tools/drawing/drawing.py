"""A drawing of what somebody sees, for programs, notebooks and pages; and of boards alone, to print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from xml.etree import ElementTree

from rulekit.play.state.match_state import Seat, State
from rulekit.play.view import SPECTATOR, view
from rulekit.tools.drawing.board_drawing import draw_boards
from rulekit.tools.drawing.board_making import compared
from rulekit.tools.drawing.canvas import ON_PAPER, Canvas, serialized, styled
from rulekit.tools.drawing.marks import Control, Handle, Marks, Part, can_be_chosen, choosable_piles
from rulekit.tools.drawing.picture import Board, Picture
from rulekit.tools.drawing.picture_making import pictured
from rulekit.tools.drawing.position_drawing import drawn
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.values import define, evolve, field, frozen

_EDGE = 6
"""Pixels beside what is drawn."""
_LONG, _AROUND = 30, 3
"""Of a track of more spaces than the first, those so near to pieces are printed."""


@define(eq=False)
class Drawing:
    """A picture as SVG; notebooks show it.

    parts:  what in it may be chosen, each with the place of its option.
    """

    _element: ElementTree.Element = field(repr=False)
    parts: tuple[Part, ...] = ()

    @property
    def svg(self) -> str:
        """The picture as text that stands by itself."""
        return styled(self._element)

    @property
    def inline(self) -> str:
        """The same without its style, for a page that has `STYLE` among its own."""
        return serialized(self._element)

    @property
    def on_white(self) -> str:
        """The same for a page of HTML that is light whatever one likes better."""
        return styled(self._element, ON_PAPER).replace(f' xmlns="{self._element.get("xmlns")}"', "", 1)

    def _repr_svg_(self) -> str:
        return self.svg


def drawing(
    state: State,
    seat: Seat = SPECTATOR,
    width: int = 960,
    since: State | None = None,
    control: Callable[[int], Control] | None = None,
    tongue: Tongue = SOURCE,
    handle: Handle | None = None,
) -> Drawing:
    """What a seat sees of a position, drawn; what it may choose now is marked.

    seat:     as of `view`.  width: in pixels; the height follows.
    since:    an earlier position of the same match: what the seat sees otherwise now is marked.
    control:  what a page makes of an option, by its place in the seat's decision.
    handle:   by which attributes a script takes hold of each thing drawn, by its key.
    Errors:   `ValueError` if there is no such seat.
    """
    return drawings(state, seat, (width,), since, control, tongue, handle)[0]


def drawings(
    state: State,
    seat: Seat,
    widths: Sequence[int],
    since: State | None = None,
    control: Callable[[int], Control] | None = None,
    tongue: Tongue = SOURCE,
    handle: Handle | None = None,
) -> tuple[Drawing, ...]:
    """As `drawing`, once for each width."""
    own = view(state, seat)
    asked = next((one for one in own.asked if one.seat == own.seat), None)
    options = () if asked is None else asked.options
    shown = pictured(state, own.values, Names(state.setting, tongue))
    before = None if since is None else {seen.path: seen for seen in view(since, seat).values}
    marks = Marks(options, before, control, in_piles=choosable_piles(shown, options, own.seat))
    if handle is not None:
        marks.handle = handle
    key = [("choosable", tongue.say("may-be-chosen"))] if can_be_chosen(shown, marks) else []
    if any(marks.is_new(seen.path, seen.shown) for seen in own.values):
        shown = evolve(shown, boards=tuple(compared(board, before or {}) for board in shown.boards))
        key.append(("new", tongue.say("changed-since")))
        if any(spot.left and not spot.tokens for board in shown.boards for spot in board.spots):
            key.append(("left", tongue.say("left-since")))
    shown = evolve(shown, key=tuple(key))
    says = f"{state.setting.game.title}: {', '.join(own.seats)}"
    return tuple(_drawn(shown, says, width, evolve(marks, parts=[]), own.seat) for width in widths)


def _drawn(shown: Picture, says: str, width: int, marks: Marks, seat: int) -> Drawing:
    return Drawing(drawn(shown, says, width, marks, seat), tuple(marks.parts))


# ---------------------------------------------------------------- on paper


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
    draw_boards(canvas, boards, picture.colours, Marks())
    reach = [float(box.get("x", 0)) + float(box.get("width", 0)) for box in canvas.root.iter("rect")]
    corners = [at for one in canvas.root.iter("polygon") for at in one.get("points", "").split()]
    reach += [float(corner.partition(",")[0]) for corner in corners]
    wide = round(max(reach)) + _EDGE
    return Printed(styled(canvas.finished(", ".join(board.title for board in boards), wide), ON_PAPER), wide)


def _cut(board: Board) -> Board:
    """A board of which only what is around its pieces is printed, if it is a long track."""
    if board.form != "track" or len(board.spots) <= _LONG:
        return board
    taken = [number for number, spot in enumerate(board.spots) if spot.tokens]
    near = {number for here in taken for number in range(here - _AROUND, here + _AROUND + 1)}
    return evolve(board, spots=tuple(spot for number, spot in enumerate(board.spots) if number in near))
