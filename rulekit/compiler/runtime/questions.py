"""What goes between a compiled match and who answers in it: questions, answers, and what a search says of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.values import frozen

Answer = Callable[[Any, int, int, tuple[int, ...], int, int], int | tuple[int, ...]]
"""Gives the place of the answer among the options, or places in rising order of an `AskSeveral`.

Called with the machine (whose storage may be read), the number of the question, the seat, the options, least and most
(1 and 1 of an `Ask`).
"""


@frozen
class Asked:
    """A question that waits.  ask: its number in `Plan.asks`.  least, most: 1 and 1 of an `Ask`."""

    ask: int
    seat: int
    options: tuple[int, ...]
    least: int
    most: int


@frozen
class Script:
    """How a match went: enough to come to where it is, whatever its seed.

    answers:  by seat, in the order in which it was asked: places among the options, one of an `Ask`.
    chance:   number of the stream, how many there were to draw from, and which was drawn, in order.  Draws from what
              nobody can tell apart may be left out.
    """

    answers: tuple[tuple[tuple[int, ...], ...], ...]
    chance: tuple[tuple[int, int, int], ...]


@frozen
class Weighed:
    """An answer as places among the options, how often a search tried it, and what that came to in sum."""

    places: tuple[int, ...]
    visits: int
    worth: float
