"""Colours: of seats and things that are called like one, of those that say how they look, of others in turn.

The colours of seats without a name like that are after those of Okabe and
Ito, which people who see fewer colours tell apart.
"""

from __future__ import annotations

from rulekit.model.colours import COLOURS, DARK, text_on

_SEATS = ("#c44f00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d3b", "#5b5b5b")
_THINGS = ("#6b7280", "#7a5c3e", "#4b6584", "#5d6d3f")
_GROUNDS = ("#f4ead5", "#dcebf7", "#e3f1dd", "#f6dfe3", "#e9e2f4", "#fbf0c4", "#d9efe9", "#eee6de", "#e6e6e6")
"""Light grounds for spaces of one sort each; dark text is read on every one of them."""


def of_seat(name: str, number: int) -> str:
    """The colour of a seat: of its name if that is a colour's, else its own in turn."""
    return COLOURS.get(name, _SEATS[number % len(_SEATS)])


def of_thing(colour: str, number: int) -> str:
    """The colour of what belongs to nobody: one by its name, or `#rrggbb`."""
    return colour if colour.startswith("#") else COLOURS.get(colour, _THINGS[number % len(_THINGS)])


def read_on(fill: str) -> str:
    """The class of a text that can be read on a colour."""
    return "on-light" if text_on(fill) == DARK else "on-dark"


def ground(number: int) -> str:
    """The ground of the spaces of one sort, by its place among the sorts."""
    return _GROUNDS[number % len(_GROUNDS)]
