"""The exceptions of play: a rule that cannot be carried out, a limit, an answer that is not offered, a bad setup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulekit.errors import BadInput
from rulekit.source import NOWHERE, Span

if TYPE_CHECKING:
    from rulekit.play.state.event import Event


class RuleError(BadInput):
    """A rule asks for something that cannot be done: the author's fault, with its place and clauses.

    The state before the action still stands.

    events: what happened since, up to the fault.
    """

    events: tuple[Event, ...] = ()

    def __init__(
        self, code: str, title: str, span: Span = NOWHERE, cites: tuple[str, ...] = (), rule: str = ""
    ) -> None:
        super().__init__(title)
        self.code = code
        self.title = title
        self.span = span
        self.cites = cites
        self.rule = rule

    def __str__(self) -> str:
        where = f" ({self.span})" if self.span.line else ""
        rule = f" in `{self.rule}`" if self.rule else ""
        clauses = f" @{' @'.join(self.cites)}" if self.cites else ""
        return f"{self.title}{rule}{where}{clauses}"


class LimitError(RuleError):
    """A limit was met: see `rulekit.limits`."""

    exit_code = 3


class IllegalAction(BadInput):
    """An action that is not offered: the player's slip, with a reason.  Nothing changed."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Refused(IllegalAction):
    """Things chosen together from which an `only if` further on cannot be met; others can still be chosen.

    span, cites:  the first such `only if` and its clauses.
    """

    def __init__(self, code: str, reason: str, span: Span, cites: tuple[str, ...]) -> None:
        super().__init__(code, reason)
        self.span = span
        self.cites = cites


class BadSetup(BadInput):
    """Options, seats or a seed with which this game cannot start."""


class NotTogether(BadSetup):
    """An option was chosen that does not go together with something else.

    option:     its name.  line: what it needs, or cannot be beside, as the rules write it.
    conflicts:  whether it cannot be beside that.  clauses: those of the line.
    """

    def __init__(self, text: str, option: str, line: str, clauses: tuple[str, ...], *, conflicts: bool) -> None:
        super().__init__(text)
        self.option, self.line, self.clauses, self.conflicts = option, line, clauses, conflicts
