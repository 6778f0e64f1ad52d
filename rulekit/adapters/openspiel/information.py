"""What a seat knows in a match: what it sees, and a record of all that it was told and answered (perfect recall).

Made of views and of events as the seat hears them, and of nothing else.  A seat is told when somebody is to decide,
and only if it heard something, saw something change or answered itself: so it notices neither chance at work nor how
often others, who decide apart, were asked.
"""

from __future__ import annotations

from hashlib import sha256

from rulekit.adapters.action_space import Partial
from rulekit.adapters.number_coding import Numbers
from rulekit.adapters.openspiel.extensive_form import Match
from rulekit.bots.belief.history import Message
from rulekit.play.state.event import Event, heard
from rulekit.play.state.match_state import Decision, Outcome
from rulekit.play.state.value import Value, notation
from rulekit.play.view import Seen, View, view
from rulekit.values import frozen


@frozen(eq=False)
class Told:
    """A message to a seat, and those before it.  digest: of all their texts (SHA-256), different for different ones."""

    before: Told | None
    message: Message
    digest: str

    def chain(self) -> list[Told]:
        """All that the seat was told, from the start on."""
        found: list[Told] = []
        at: Told | None = self
        while at is not None:
            found.append(at)
            at = at.before
        return found[::-1]


@frozen(eq=False)
class Knowledge:
    """told: the last message.  own: what the seat answered since, events: what happened since that it may hear."""

    told: Told | None = None
    own: tuple[Value, ...] = ()
    events: tuple[Event, ...] = ()


def knowledge(match: Match, seat: int) -> Knowledge:
    """What a seat was told on the way to a position; worked out once for each position that somebody asks about."""
    way: list[Match] = []
    at: Match | None = match
    while at is not None and seat not in at.known:
        way.append(at)
        at = at.before
    known: Knowledge = Knowledge() if at is None else at.known[seat]
    for each in reversed(way):
        known = each.known[seat] = _further(known, each, seat)
    return known


def _further(known: Knowledge, match: Match, seat: int) -> Knowledge:
    """With what the last move brought."""
    if match.action is None and match.before is not None:
        return known
    own = (*known.own, match.action.answer) if match.action and match.action.seat == seat else known.own
    events = (*known.events, *(each for event in match.events if (each := heard(event, seat)) is not None))
    if not match.waits:
        return Knowledge(known.told, own, events)
    sees = view(match.state, seat)
    if known.told is not None and not own and not events and sees == known.told.message.view:
        return known
    return Knowledge(_told(known.told, Message(own, sees, events)))


def _told(before: Told | None, message: Message) -> Told:
    earlier = "" if before is None else before.digest
    return Told(before, message, sha256(f"{earlier}\n{_message(message)}".encode()).hexdigest())


def looks(match: Match, seat: int) -> View | None:
    """What a seat sees; as long as chance is at work, what it saw before; None before it first sees something."""
    told = knowledge(match, seat).told
    return None if told is None else told.message.view


def begun(match: Match, seat: int) -> Partial | None:
    """The question that a seat has begun to answer, by the moves that it made."""
    partial = match.partial
    return None if partial is None or partial.decision.seat != seat else partial


# ---------------------------------------------------------------- as numbers


def numbers(match: Match, seat: int) -> Numbers:
    """What a seat sees and is asked, as `observation` tells it, in a row of numbers."""
    space, sees = match.table.spaces.observations, looks(match, seat)
    if sees is None:
        return [0.0] * len(space.names)
    asked = Partial(sees.asked[0]) if sees.asked else None
    return space.observed(sees, begun(match, seat) or asked)


# ---------------------------------------------------------------- as text


def observation(match: Match, seat: int) -> str:
    """What a seat sees, and what it is asked; as long as chance is at work, what it saw before."""
    sees = looks(match, seat)
    return "\n".join([*([] if sees is None else _view(sees)), *_in_progress(match, seat)])


def information_state(match: Match, seat: int) -> str:
    """The same with all that the seat was told and answered before, as a digest: equal only where all of it was."""
    known = knowledge(match, seat)
    told = "" if known.told is None else known.told.digest
    lines = [observation(match, seat), *(f"answered {notation(answer)}" for answer in known.own), f"told {told}"]
    return "\n".join(lines)


def _in_progress(match: Match, seat: int) -> list[str]:
    """How far a seat has answered, where it takes several moves."""
    so_far = begun(match, seat)
    if so_far is None:
        return []
    return [f"chosen {notation(so_far.things)}{'' if so_far.page is None else f', page {so_far.page}'}"]


def _message(message: Message) -> str:
    answers = [f"answered {notation(answer)}" for answer in message.own_answers]
    return "\n".join([*answers, *map(_event, message.events), *_view(message.view)])


def _event(event: Event) -> str:
    facts = ", ".join(f"{fact.name} {notation(fact.value)}" for fact in event.facts)
    heard_by = "" if event.audience is None else f" to {sorted(event.audience)}"
    return f"{event.name}: {facts}{heard_by}"


def _view(sees: View) -> list[str]:
    return [
        f"seat {sees.seat}",
        *map(_seen, sees.values),
        f"starter {sees.starter}, turn {sees.turn}, waiting {list(sees.waiting)}",
        *map(_asked, sees.asked),
        *([] if sees.outcome is None else [_outcome(sees.outcome)]),
    ]


def _seen(seen: Seen) -> str:
    count = "" if seen.count is None else f" of {seen.count}"
    marks = f"{', hidden' if seen.hidden else ''}{', out' if seen.is_out else ''}"
    return f"{seen.path} {notation(seen.shown)}{count}{marks}"


def _asked(asked: Decision) -> str:
    many = f", {asked.least} to {asked.most}" if asked.several else ""
    values = ", ".join(f"{name} {notation(value)}" for name, value in asked.values)
    return f"asked {asked.rule} {asked.name} {asked.prompt} {notation(asked.options)}{many} {values}".rstrip()


def _outcome(end: Outcome) -> str:
    return f"over {end.ranking}, defeated {end.defeated}, scores {end.scores}, unclear {end.unclear}"
