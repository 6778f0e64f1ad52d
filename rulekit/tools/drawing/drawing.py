"""A drawing of what somebody sees, for programs and notebooks."""

from __future__ import annotations

from attrs import frozen

from rulekit.play.engine import decisions
from rulekit.play.state.match_state import Seat, State
from rulekit.play.state.value import Ref, notation
from rulekit.play.view import SPECTATOR, view
from rulekit.tools.drawing.board_drawing import Marks
from rulekit.tools.drawing.picture_making import picture
from rulekit.tools.drawing.position_drawing import svg
from rulekit.tools.language.display_names import Names


@frozen
class Drawing:
    """A picture as SVG; notebooks show it."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


def drawing(state: State, seat: Seat = SPECTATOR, width: int = 960) -> Drawing:
    """What a seat sees of a position, drawn; what it may choose now is marked.

    seat:     as of `view`.  width: in pixels; the height follows.
    Errors:   `ValueError` if there is no such seat.
    """
    own = view(state, seat)
    asked = next((one for one in decisions(state) if one.seat == own.seat), None)
    options = [] if asked is None else [option for option in asked.options if isinstance(option, Ref)]
    marks = Marks(tuple((option, notation(option)) for option in options))
    says = f"{state.setting.game.title}: {', '.join(own.seats)}"
    return Drawing(svg(picture(state, own.seat, Names(state.setting)), says, width, marks))
