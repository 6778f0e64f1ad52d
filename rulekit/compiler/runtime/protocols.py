"""What every compiled engine offers: matches answered by chance or by a caller.

Some also wait at every question and can be copied there (`Stepping`), or search (`Searching`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from rulekit.compiler.plan.ir import Plan
from rulekit.values import frozen

Answer = Callable[["Machine", int, int, tuple[int, ...], int, int], int | tuple[int, ...]]
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


class Machine(Protocol):
    """One compiled plan at work.  A run ends with a status of `plan.Status`: DONE where the rules came to their end.

    After the status END the plan's result function runs; if it ends, the run is DONE.
    """

    plan: Plan

    def play(self, seed: int, answer: Answer | None = None) -> int:
        """One match from the start; gives its status.  Without `answer` the seats answer by chance.

        By chance means as `bots.players.random_bot` does: seat s at its t-th decision (from 0) uses the stream
        `bot:` + its name from output t * 65536 on; of several things first how many, then which one after the other
        of those left.
        """

    def playouts(self, seed: int, first: int, count: int, figures: Sequence[int]) -> list[tuple[int, ...]]:
        """Matches `first` to `first + count - 1` of a series, answered by chance.

        Match i has the seed number `generator.output(seed, i)`.  For each: status, decisions asked, and the words
        `figures` at the end.
        """

    def sums(self) -> list[int]:
        """What the matches of `playouts` have come to since this was last asked, as `Plan.after` sums it up."""

    def words(self) -> list[int]:
        """The storage's words now."""

    def lists(self) -> list[list[int]]:
        """The storage's lists now."""

    def decisions(self) -> int:
        """How many decisions have been asked in this match."""


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


class Stepping(Machine, Protocol):
    """A machine whose matches wait at every question, and can be copied there.

    A plan for it is made by `suspension.suspendable`.
    """

    def begin(self, seed: int) -> int:
        """A match up to its first question; gives WAITING, or how the match ended."""

    def enter(self, script: Script, seed: int = 0) -> int:
        """A match that goes as the script says, up to the first question for which it has no answer.

        seed:  of chance that the script does not know any more.
        """

    def waiting(self) -> Asked:
        """The question at which the match waits."""

    def resume(self, answer: int | tuple[int, ...]) -> int:
        """On to the next question.  answer: as of `Answer`."""

    def saved(self) -> Any:
        """The match as it waits, which nothing changes any more; for machines of the same kind and plan."""

    def restore(self, saved: Any) -> None:
        """Wait again where this was saved."""

    def playout(self, seed: int) -> int:
        """The rest of the match that waits; seats answer by chance, and all chance is that of another seed."""


class Searching(Stepping, Protocol):
    """A machine that searches; a plan for it is made by `suspension.suspendable`."""

    def judge(self, ending: int) -> int:
        """The result of the rules as if the match that waits ended now; gives how that ended.  It does not go on.

        ending:  the word of the storage that is 1 where a match ends.
        """

    def search(self, positions: Sequence[Any], seed: int, first: int, count: int) -> int:
        """Simulations `first` to `first + count - 1` of a search, which begins anew with 0.

        positions:  saved ones that fit what the searching seat knows; simulation i begins at the i-th, going round.
        Gives how many of them came to an end.  Simulation i has all its chance from `generator.output(seed, i)`.
        """

    def weighed(self, position: Any) -> list[Weighed]:
        """How the answers to the question of a position fared in the last search.

        position:  one that the search began with; where others were asked apart before the searching seat, that in
                   which it is asked itself.
        Of one thing all answers; of several the set that was tried most.  Empty where the search never came there.
        """
