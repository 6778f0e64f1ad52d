"""Colours: of seats and things that are called like one, of others in turn, and what can be read on them.

Contrast is reckoned as WCAG 2.2 does (relative luminance, section 1.4.3);
the colours of seats without a name like that are after those of Okabe and Ito,
which people who see fewer colours tell apart.
"""

from __future__ import annotations

COLOURS = {
    "red": "#c0392b",
    "blue": "#2c6fbb",
    "green": "#23804a",
    "yellow": "#e5b830",
    "purple": "#7d3c98",
    "violet": "#7d3c98",
    "brown": "#8b5a2b",
    "black": "#2b2b2b",
    "white": "#f7f7f4",
    "grey": "#8a8d91",
    "gray": "#8a8d91",
    "orange": "#dd7a22",
    "pink": "#e38fb4",
    "gold": "#d4a017",
    "silver": "#b8bcc2",
}
"""Colours that seats, cards and pieces may be called after."""
_SEATS = ("#c44f00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d3b", "#5b5b5b")
_GROUNDS = ("#f4ead5", "#dcebf7", "#e3f1dd", "#f6dfe3", "#e9e2f4", "#fbf0c4", "#d9efe9", "#eee6de", "#e6e6e6")
"""Light grounds for spaces of one sort each; dark text is read on every one of them."""
DARK, LIGHT = "#1d1d1f", "#ffffff"


def of_seat(name: str, number: int) -> str:
    """The colour of a seat: of its name if that is a colour's, else its own in turn."""
    return COLOURS.get(name, _SEATS[number % len(_SEATS)])


def of_thing(colour: str, number: int) -> str:
    """The colour of what belongs to nobody."""
    return COLOURS.get(colour, ("#6b7280", "#7a5c3e", "#4b6584", "#5d6d3f")[number % 4])


def ground(number: int) -> str:
    """The ground of the spaces of one sort, by its place among the sorts."""
    return _GROUNDS[number % len(_GROUNDS)]


def text_on(colour: str) -> str:
    """Dark or light, whichever has the greater contrast on a colour, which is `#rrggbb`."""
    return DARK if contrast(colour, DARK) >= contrast(colour, LIGHT) else LIGHT


def contrast(one: str, other: str) -> float:
    """From 1 to 21: the ratio of two colours' luminances."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
