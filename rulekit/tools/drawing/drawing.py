"""A drawing of what somebody sees, for programs, notebooks and pages; and of boards alone, to print."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rulekit.play.state.match_state import Seat, State
from rulekit.play.view import SPECTATOR, view
from rulekit.tools.drawing.board_drawing import draw_boards
from rulekit.tools.drawing.board_making import compared
from rulekit.tools.drawing.canvas import NAMESPACE, ON_PAPER, Canvas, room, styled
from rulekit.tools.drawing.marks import Control, Handle, Marks, Part, can_be_chosen, choosable_piles
from rulekit.tools.drawing.picture import Board, Owned, Picture, Spot
from rulekit.tools.drawing.picture_making import pictured
from rulekit.tools.drawing.position_drawing import draw_printed, drawn
from rulekit.tools.language.display_names import Kept, Names
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.values import define, evolve, field, frozen

_EDGE = 6
"""Pixels beside what is drawn."""
_BOX, _CORNERS = re.compile(r'<rect x="([^"]*)" y="[^"]*" width="([^"]*)"'), re.compile(r' points="([^"]*)"')
_TURNED = re.compile(r' transform="rotate\(-90 ([-0-9.]+) ')
_GAP = Spot(None, "…", "…")
"""What stands for spaces that are not printed."""
_WORDS, _SMALL = re.compile(r'<text x="([^"]*)" y="[^"]*" class="small">([^<]*)<'), 11
_LONG, _AROUND = 30, 3
"""Of a track of more spaces than the first, those so near to pieces are printed."""


@define(eq=False)
class Drawing:
    """A picture as SVG; notebooks show it.

    inline: as text without its style, for a page that has `STYLE` among its own.
    parts:  what in it may be chosen, each with the place of its option.
    """

    inline: str = field(repr=False)
    parts: tuple[Part, ...] = ()

    @property
    def svg(self) -> str:
        """The picture as text that stands by itself."""
        return styled(self.inline)

    @property
    def on_white(self) -> str:
        """The same for a page of HTML that is light whatever one likes better."""
        return styled(self.inline, ON_PAPER).replace(f' xmlns="{NAMESPACE}"', "", 1)

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
    return drawings(state, seat, (width,), Names(state.setting, tongue), since, control, handle)[0]


def drawings(
    state: State,
    seat: Seat,
    widths: Sequence[int],
    names: Names,
    since: State | None = None,
    control: Callable[[int], Control] | None = None,
    handle: Handle | None = None,
) -> tuple[Drawing, ...]:
    """As `drawing`, once for each width.  names: of the same match; drawings keep with them what stays as it is."""
    own = view(state, seat)
    asked = next((one for one in own.asked if one.seat == own.seat), None)
    options = () if asked is None else asked.options
    shown = pictured(state, own.values, names)
    before = None if since is None else {seen.path: seen for seen in view(since, seat).values}
    marks = Marks(options, before, control, in_piles=choosable_piles(shown, options, own.seat))
    if handle is not None:
        marks.handle = handle
    key = [("choosable", names.tongue.say("may-be-chosen"))] if can_be_chosen(shown, marks) else []
    if any(marks.is_new(seen.path, seen.shown) for seen in own.values):
        shown = evolve(shown, boards=tuple(compared(board, before or {}) for board in shown.boards))
        key.append(("new", names.tongue.say("changed-since")))
        if any(spot.left and not spot.tokens for board in shown.boards for spot in board.spots):
            key.append(("left", names.tongue.say("left-since")))
    shown = evolve(shown, key=tuple(key))
    says = f"{state.setting.game.title}: {', '.join(own.seats)}"
    return tuple(
        _drawn(shown, says, width, evolve(marks, parts=[]), own.seat, None if handle else _kept(names, width))
        for width in widths
    )


def _kept(names: Names, width: int) -> Kept:
    """What pictures of one width keep."""
    return names.kept.as_before(("drawn", width), None, Kept)


def _drawn(shown: Picture, says: str, width: int, marks: Marks, seat: int, kept: Kept | None) -> Drawing:
    return Drawing(drawn(shown, says, width, marks, seat, kept), tuple(marks.parts))


# ---------------------------------------------------------------- on paper


@frozen
class Printed:
    """SVG to print, and how wide it is in pixels."""

    svg: str
    width: int


def boards_on_paper(picture: Picture, width: int) -> Printed | None:
    """The boards on which something stands or lies, and things with printed spaces; None if there are none."""
    boards = [_cut(board) for board in picture.boards if any(spot.tokens or spot.marks for spot in board.spots)]
    things = printed_things(picture)
    if not boards and not things:
        return None
    canvas = Canvas(width)
    draw_boards(canvas, boards, picture.colours, Marks())
    draw_printed(canvas, picture, things)
    says = ", ".join((*(board.title for board in boards), *dict.fromkeys(thing.group for thing in things)))
    wide = min(width, round(_reach(canvas.finished(says, width))) + _EDGE)
    return Printed(styled(canvas.finished(says, wide), ON_PAPER), wide)


def printed_things(picture: Picture) -> list[Owned]:
    """Things on which something is printed and that can hold things."""
    return [thing for thing in picture.things if thing.strips and thing.piles]


def _reach(svg: str) -> float:
    """How far to the right the spaces of a picture reach, and what is written beside them."""
    boxes = [float(x) + float(wide) for x, wide in _BOX.findall(svg)]
    boxes += [float(x) + _EDGE for x in _TURNED.findall(svg)]
    boxes += [float(x) + room(words, _SMALL) for x, words in _WORDS.findall(svg)]
    corners = [corner for points in _CORNERS.findall(svg) for corner in points.split()]
    return max(*boxes, *(float(corner.partition(",")[0]) for corner in corners), 0.0)


def _cut(board: Board) -> Board:
    """A board of which only what is around its pieces is printed, if it is a long track; a gap shows as `…`."""
    if board.form != "track" or len(board.spots) <= _LONG:
        return board
    taken = [number for number, spot in enumerate(board.spots) if spot.tokens]
    near = sorted({n for here in taken for n in range(here - _AROUND, here + _AROUND + 1) if 0 <= n < len(board.spots)})
    spots: list[Spot] = []
    for before, number in zip((None, *near), near, strict=False):
        spots += [_GAP] if before is not None and number > before + 1 else []
        spots.append(board.spots[number])
    return evolve(board, spots=tuple(spots))
