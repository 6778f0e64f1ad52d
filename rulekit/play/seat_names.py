"""What seats are called to which nobody gave a name; apart, so that who tells of a match need not know its rules."""

from __future__ import annotations

from rulekit.legibility import has_visible_character, is_legible

SEAT_NAMES = ("red", "blue", "green", "yellow", "purple", "orange", "white", "black")
"""What seats are called to which nobody gave a name."""


def is_seat_name(name: str) -> bool:
    """Return whether people can read a name: nothing invisible, and nothing that turns the direction of its line."""
    return is_legible(name) and has_visible_character(name)


def default_names(count: int) -> tuple[str, ...]:
    """Names for seats that were given none."""
    named = len(SEAT_NAMES)
    return tuple(SEAT_NAMES[i] if i < named else f"player_{i + 1}" for i in range(count))
