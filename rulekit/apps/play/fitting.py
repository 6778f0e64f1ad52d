"""Fit the parts of a screen, each in several lengths, into so many lines; what matters most gets room first.

Knows neither games nor terminals: a line is a text.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.values import frozen


@frozen
class Part:
    """Something to show.

    forms:     ways to show all of it, shortest first.
    least:     so many lines of the shortest are kept where there is no room for all.
    from_end:  whether its end is kept, not its beginning.
    """

    forms: tuple[tuple[str, ...], ...]
    least: int = 0
    from_end: bool = False


@frozen
class Fitted:
    """The lines that a part got.  whole: whether they tell all of it."""

    lines: tuple[str, ...]
    whole: bool


def fitted(parts: Sequence[Part], room: int) -> tuple[Fitted, ...]:
    """Each part in the longest form there is room for, in the order of the parts.

    First each gets its least, then each what it lacks to be told whole, then each a longer form: every time the
    first parts before the later ones.
    """
    sizes = _whole_as_far(parts, _least(parts, room), room)
    forms = [0] * len(parts)
    for length in range(1, max((len(part.forms) for part in parts), default=0)):
        for number, part in enumerate(parts):
            grown = len(part.forms[length]) if length < len(part.forms) else 0
            if sizes[number] >= len(part.forms[0]) and grown and sum(sizes) - sizes[number] + grown <= room:
                sizes[number], forms[number] = grown, length
    return tuple(_cut(part, part.forms[form], size) for part, form, size in zip(parts, forms, sizes, strict=True))


def _least(parts: Sequence[Part], room: int) -> list[int]:
    sizes: list[int] = []
    for part in parts:
        sizes.append(max(0, min(part.least, len(part.forms[0]), room - sum(sizes))))
    return sizes


def _whole_as_far(parts: Sequence[Part], least: list[int], room: int) -> list[int]:
    sizes = list(least)
    for number, part in enumerate(parts):
        sizes[number] += max(0, min(len(part.forms[0]) - sizes[number], room - sum(sizes)))
    return sizes


def _cut(part: Part, lines: tuple[str, ...], size: int) -> Fitted:
    whole = size >= len(part.forms[0])
    kept = lines[len(lines) - size :] if part.from_end else lines[:size]
    return Fitted(lines if whole else kept, whole)
