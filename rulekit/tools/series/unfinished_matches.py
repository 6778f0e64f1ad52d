"""Failed matches of a series: where the rules failed or ran out of steps, and a log to replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import rulekit
from rulekit.play import engine
from rulekit.play.state.errors import RuleError
from rulekit.play.state.match_state import Action, State
from rulekit.record.json_values import chosen_options, questions, rules_digest
from rulekit.record.log import Header, Writer
from rulekit.record.ways import ways_asked
from rulekit.source import NOWHERE, Span
from rulekit.tools.language.lazy_message import Message, Text
from rulekit.tools.series.reference_series import Interpreted, SteppedMatch
from rulekit.values import define, field, frozen

FOLLOWED = 1000
"""So many decisions of a match without an end are looked at and logged."""
FOLLOWED_STEPS = 20_000_000
"""Steps after which no further decision of such a match is looked at: some seconds of the interpreter."""


@frozen
class UnfinishedMatch:
    """A match that did not finish.  where: a place in the rules; why: in words; log: as `rulekit replay` reads it."""

    index: int
    where: Span
    why: Text
    log: bytes = field(repr=False)

    def __str__(self) -> str:
        place = f" at line {self.where.line}" if self.where.line else ""
        return f"match {self.index}: {self.why}{place}"


def diagnosed(one: Interpreted, index: int, file: str, paused: Callable[[], None] = lambda: None) -> UnfinishedMatch:
    """Play match `index` again, decision by decision, to see why it did not finish.

    file:    as the log names it.
    paused:  called before each decision, so that whoever no longer wants to know can raise something.
    """
    return _Followed(one, index, file, paused).told()


@define(eq=False)
class _Followed:
    one: Interpreted
    index: int
    file: str
    paused: Callable[[], None]
    lines: list[bytes] = field(factory=list)
    where: Span = NOWHERE

    def told(self) -> UnfinishedMatch:
        try:
            why = self._follow(Writer(self.lines.append))
        except RuleError as fault:
            self.where = fault.span
            why = fault.title
        return UnfinishedMatch(self.index, self.where, why, b"".join(self.lines))

    def _follow(self, writer: Writer) -> Text:
        state: State | None = None
        for number, (state, action, what) in enumerate(self._decisions(writer)):
            if number >= FOLLOWED or state.steps > FOLLOWED_STEPS:
                break
            writer.decision(state.setting.seats, action, what, ways_asked(state, action.seat))
        else:
            return Message("why-ends-after-all")
        assert state is not None
        pending = next(iter(questions(state)), None)
        self.where = pending.span if pending is not None else NOWHERE
        return Message("why-still-asking", number, what=pending.name if pending else "")

    def _decisions(self, writer: Writer) -> Iterator[tuple[State, Action, str]]:
        match = SteppedMatch(self.one, self.index)
        state = match.begin()
        writer.header(self._header(state))
        while waiting := engine.decisions(state):
            self.paused()
            action = match.action(waiting[0])
            yield state, action, waiting[0].name
            state = match.act(action)

    def _header(self, state: State) -> Header:
        setting = state.setting
        return Header(
            rulekit=rulekit.__version__,
            file=self.file.encode("utf-8", "backslashreplace").decode(),
            rules=rules_digest(setting.game),
            title=setting.game.title,
            options=dict(chosen_options(setting)),
            ruleset="",
            seats=setting.seats[: setting.players],
            players=self.one.bots_of(self.index),
            seed=self.one.seed_of(self.index),
        )
