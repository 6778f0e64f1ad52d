"""A drawing of what somebody sees, for programs, notebooks and pages."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

from attrs import define, field

from rulekit.play.engine import decisions
from rulekit.play.state.match_state import Seat, State
from rulekit.play.view import SPECTATOR, view
from rulekit.tools.drawing.canvas import styled
from rulekit.tools.drawing.marks import Control, Marks, Part, choosable_piles
from rulekit.tools.drawing.picture_making import picture
from rulekit.tools.drawing.position_drawing import drawn
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.translation import SOURCE, Tongue


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
        return ElementTree.tostring(self._element, encoding="unicode")

    def _repr_svg_(self) -> str:
        return self.svg


def drawing(
    state: State,
    seat: Seat = SPECTATOR,
    width: int = 960,
    since: State | None = None,
    control: Callable[[int], Control] | None = None,
    tongue: Tongue = SOURCE,
) -> Drawing:
    """What a seat sees of a position, drawn; what it may choose now is marked.

    seat:     as of `view`.  width: in pixels; the height follows.
    since:    an earlier position of the same match: what the seat sees otherwise now is marked.
    control:  what a page makes of an option, by its place in the seat's decision.
    Errors:   `ValueError` if there is no such seat.
    """
    own = view(state, seat)
    asked = next((one for one in decisions(state) if one.seat == own.seat), None)
    options = () if asked is None else asked.options
    shown = picture(state, own.seat, Names(state.setting, tongue))
    before = None if since is None else {seen.path: seen for seen in view(since, seat).values}
    marks = Marks(options, before, control, in_piles=choosable_piles(shown, options, own.seat))
    says = f"{state.setting.game.title}: {', '.join(own.seats)}"
    return Drawing(drawn(shown, says, width, marks, own.seat), tuple(marks.parts))
