"""What seats are called to which nobody gave a name; apart, so that who tells of a match need not know its rules."""

from __future__ import annotations

SEAT_NAMES = ("red", "blue", "green", "yellow", "purple", "orange", "white", "black")
"""What seats are called to which nobody gave a name."""


def default_names(count: int) -> tuple[str, ...]:
    """Names for seats that were given none."""
    named = len(SEAT_NAMES)
    return tuple(SEAT_NAMES[i] if i < named else f"player_{i + 1}" for i in range(count))
