"""Colours by name, and how well one is read on another.

Contrast is reckoned as WCAG 2.2 does (relative luminance, section 1.4.3).
"""

from __future__ import annotations

from functools import lru_cache

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
"""Colours that seats, cards and pieces may be called after, and that `look_colour` names."""
DARK, LIGHT = "#1d1d1f", "#ffffff"
"""What is written with, whichever is read better."""
LEAST = 4.5
"""The contrast that small text needs (WCAG 2.2, 1.4.3)."""


@lru_cache(maxsize=256)
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
