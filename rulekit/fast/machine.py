"""What every compiled engine offers: matches by random answers, or by anybody's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from rulekit.fast.plan import Plan

Answer = Callable[["Machine", int, int, tuple[int, ...], int, int], int | tuple[int, ...]]
"""Gives the place of the answer among the options, or places in rising order of an `AskSeveral`.

Called with the machine (whose storage may be read), the number of the question, the seat, the options, least and most
(1 and 1 of an `Ask`).
"""


class Machine(Protocol):
    """One compiled plan at work.  A run ends with a status of `plan.Status`: DONE where the rules came to their end.

    After the status END the plan's result function runs; if it ends, the run is DONE.
    """

    plan: Plan

    def play(self, seed: int, answer: Answer | None = None) -> int:
        """One match from the start; gives its status.  Without `answer` the seats answer by chance.

        By chance means as `bots.random_bot` does: seat s at its t-th decision (from 0) uses the stream
        `bot:` + its name from output t * 65536 on; of several things first how many, then which one after the other
        of those left.
        """
        ...

    def playouts(self, seed: int, first: int, count: int, figures: Sequence[int]) -> list[tuple[int, ...]]:
        """Matches `first` to `first + count - 1` of a series, answered by chance.

        Match i has the seed number `generator.output(seed, i)`.  For each: status, decisions asked, and the words
        `figures` at the end.
        """
        ...

    def words(self) -> list[int]:
        """The storage's words now."""
        ...

    def lists(self) -> list[list[int]]:
        """The storage's lists now."""
        ...

    def decisions(self) -> int:
        """How many decisions have been asked in this match."""
        ...
