"""What one seat is shown of a table, and what it hears when it answers: values made of its view and what it may know.

Nothing here is counted over the decisions of others, so that nothing moves when they decide in secret.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit import limits
from rulekit.play.state import errors
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Decision, Outcome
from rulekit.play.state.value import Value
from rulekit.play.view import View
from rulekit.tools.language.lazy_message import Message
from rulekit.values import frozen


@frozen
class Undone:
    """Somebody took an answer back, and all may know of it.  seat: who."""

    seat: int


@frozen
class RulesKept:
    """The rules were changed, but the match cannot go on under the new ones, and keeps the old.

    moment:   the last position that the seat could see before the decision that would not hold, as in `history`.
    clauses:  of what changed, those first that decided it.
    """

    moment: int
    clauses: tuple[str, ...]


@frozen
class SeatPage:
    """All that a seat may see of a table now.

    seat:      its number, or `SPECTATOR`.
    seats:     the names of those that somebody sits at.
    players:   who sits where: `human` or the name of a bot.
    number:    of the question that the seat is asked, or will be; counted for this seat alone.
    question:  what it is asked; None if it is not asked now.
    events:    what happened since its own last answer, as far as it may know.
    undone:    what was taken back since then.
    waiting:   the seats that have not decided yet.
    undo:      why the seat cannot take back its last answer; None if it can.
    moments:   how many positions `history` has for it, the one now included.
    rules:     where the match parted from rules that were changed under it; None if it did not.
    editions:  how often it went on under changed rules.
    fault:     why the match cannot go on under its rules, in words that tell nothing hidden; None if it can.
    """

    match: str
    title: str
    seat: int
    seats: tuple[str, ...]
    players: tuple[str, ...]
    number: int
    question: Decision | None
    view: View
    events: tuple[Event, ...]
    undone: tuple[Undone, ...]
    waiting: tuple[int, ...]
    outcome: Outcome | None
    undo: Message | None
    moments: int
    rules: RulesKept | None = None
    editions: int = 0
    fault: Message | None = None


@frozen
class Moment:
    """An earlier position as the seat saw it then.

    number:  from 0, the beginning; of: how many there are.
    events:  what led here since the moment before, as far as it may know.
    """

    number: int
    of: int
    view: View
    question: Decision | None
    events: tuple[Event, ...]


@frozen
class Accepted:
    """An answer was taken, and is on the disk.  number: of the seat's next question."""

    number: int


@frozen
class Refused:
    """Nothing changed.

    code:    stale (another question is asked by now), not-asked, not-offered, refused (things that cannot be chosen
             together), over, no-undo, no-trial, no-branch, no-log, no-why-not,
             rules (they cannot be carried out).
    reason:  for a person.  clauses: of the rule that refuses it, if one does.
    """

    code: str
    reason: Message
    clauses: tuple[str, ...] = ()


def chosen_value(question: Decision, chosen: Sequence[int]) -> Value | Refused:
    """The value of an answer by places among the options."""
    if any(type(at) is not int or not 0 <= at < len(question.options) for at in chosen):
        return Refused("not-offered", Message("table-not-offered"))
    if not question.several:
        if len(chosen) != 1:
            return Refused("not-offered", Message("table-choose", 1, chosen=len(chosen)))
        return question.options[chosen[0]]
    if len(set(chosen)) < len(chosen) or not question.least <= len(chosen) <= question.most:
        return Refused("not-offered", _how_many(question, len(chosen)))
    return tuple(question.options[at] for at in sorted(chosen))


def _how_many(question: Decision, chosen: int) -> Message:
    if question.least == question.most:
        return Message("table-choose", question.most, chosen=chosen)
    return Message("table-choose-range", low=question.least, high=question.most, chosen=chosen)


def public_fault(fault: errors.RuleError) -> Message:
    """What people who play may read of a fault: its own words can tell what is hidden from them."""
    if fault.code == "too-long":
        return Message("table-too-long", limits.DECISIONS)
    where = f"({fault.span})" if fault.span.line else ""
    return Message("table-rule-fails" if fault.rule else "table-some-rule-fails", rule=fault.rule, where=where)
