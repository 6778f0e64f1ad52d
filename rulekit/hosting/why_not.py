"""Why something is not offered to a seat: asked of positions made up so that they fit all that it was told.

The match itself is never asked, since a reason found there could tell what is hidden.  A reason is told where it is the
same in several such positions; of others only that something hidden decides, with the line if that is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulekit.hosting.trial import belief_of, made_up
from rulekit.play import engine
from rulekit.play.machine.closure_compilation import NeedsOrder
from rulekit.play.state.errors import RuleError
from rulekit.play.state.match_state import Decision, State
from rulekit.play.state.value import Value
from rulekit.record.match import Match
from rulekit.source import NOWHERE
from rulekit.tools.explain.why_not import Refused as NotOffered
from rulekit.tools.explain.why_not import refused
from rulekit.tools.language.lazy_message import Message
from rulekit.values import evolve

POSITIONS = 5
"""So many are made up: where a hidden thing is one of two, they agree by chance once in 16 times."""
MOST = 100
"""So many things that are not offered are looked at."""
_SEED = "why not"
"""Always the same: so who knows the same is told the same."""
Reasons = Mapping[Value, NotOffered]


def not_offered(match: Match, seat: int) -> tuple[NotOffered, ...] | None:
    """What an answer of the seat could mean and is not offered; None if it is not asked, or no position is found."""
    question = next((one for one in match.decisions() if one.seat == seat), None)
    if question is None:
        return None
    belief = belief_of(match, seat, _SEED)
    states = (made_up(belief) for _ in range(POSITIONS))
    found = [_reasons(state, question) for state in states if state is not None and _asks(state, question)]
    known = [reasons for reasons in found if reasons is not None]
    return tuple(_agreed(known)) if known else None


def _asks(state: State, question: Decision) -> bool:
    """Whether the seat is asked there what it is asked in the match."""
    return any(one.seat == question.seat and one.options == question.options for one in engine.decisions(state))


def _reasons(state: State, question: Decision) -> Reasons | None:
    """By option; None if what decides is not decided there itself."""
    try:
        return {one.option: one for one in refused(state, question.seat, most=MOST)}
    except (RuleError, NeedsOrder):
        return None


def _agreed(found: Sequence[Reasons]) -> Iterator[NotOffered]:
    """What no position offers, in the order of the first."""
    first, *others = found
    for option, one in first.items():
        if all(option in reasons for reasons in others):
            yield _common(one, [reasons[option] for reasons in others])


def _common(one: NotOffered, others: Sequence[NotOffered]) -> NotOffered:
    """A reason as far as all positions have it."""
    if all(other == one for other in others):
        return one
    hidden = evolve(one, reason=Message("why-hidden"))
    if all((other.span, other.clauses) == (one.span, one.clauses) for other in others):
        return hidden
    return evolve(hidden, span=NOWHERE, clauses=())
