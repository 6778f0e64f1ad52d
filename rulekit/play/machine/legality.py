"""A legality oracle: somebody who says which options lead on, so that the interpreter need not try them.

Only that is asked of it: whether what is offered can come to its end.  All that happens, the interpreter makes of the
rules.  A match has one only if whoever starts it hands one in (`compiler.legality.oracle`): no comparison of engines
does.  Without one, or where it says nothing, options are tried.  An answer that does not fit what the interpreter asks
about is a fault of ours: it is reported, and options are tried from there on, so that the match goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from rulekit.play.state.match_state import Pending
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Value


class Verdicts(Protocol):
    """What an oracle says on the way from one question to the next, asked in the order in which the rules run."""

    def leads_on(self, code: int, kind: Any, options: tuple[Any, ...], *, alone: bool) -> Sequence[bool] | None:
        """Of each option of a question of this code whether it can come to its end; None if that is to be tried.

        kind:  the type of an option; None of ways.  alone:  there is but one, which is taken without a question.
        """

    def is_possible(self, code: int, arguments: Sequence[Any]) -> tuple[bool, int] | None:
        """Whether a code can be carried out, and the steps of the trial; None if that is to be tried."""

    def holds(self) -> bool:
        """Whether every `only if` on the way is known to hold."""

    def tried(self, steps: int) -> None:
        """Something was tried, which took so many steps."""

    def asked_again(self) -> None:
        """The running operation is done once more from its beginning."""

    def distrust(self, why: str) -> None:
        """What was said cannot be; from here on nothing is said."""

    def met(self) -> frozenset[int]:
        """The open readings that have been met by now, also in what was not tried."""


class Place(Protocol):
    """Where a match is for its oracle."""

    def after(self, question: Pending, value: Any) -> Place:
        """Where it is behind an answer."""

    def verdicts(self) -> Verdicts:
        """What is said on the way there."""


class LegalityOracle(Protocol):
    """Opened for a match by whoever starts it."""

    def begins(self, setting: Setting, options: Mapping[str, Value]) -> Place | None:
        """Where a match is that begins with its setup; None if nothing can be said of it."""
