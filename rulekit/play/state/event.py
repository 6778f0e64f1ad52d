"""Events: what happened, to what, who may know it, and which clauses caused it.

An event is noted as a thunk and worked out when somebody reads it (lazy
evaluation), since most events of most matches are never read.  What decided
it costs more to find than to let it happen, so that is lazier still.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Protocol, TypeVar

from rulekit.play.state.value import Value
from rulekit.source import NOWHERE, Span
from rulekit.values import evolve, field, frozen

Audience = frozenset[int] | None
"""Seats that may know something; None is everybody."""


@frozen
class Told:
    """One fact of an event.  Whoever may not know it is told `instead`."""

    name: str
    value: Value
    audience: Audience = None
    instead: Value = None


@frozen
class Reason:
    """A clause that decided something, and who may know that it did."""

    clause: str
    audience: Audience = None


@frozen
class Reasons:
    """Why an event happened as it did (provenance).

    line:     who may know which line it was, and so the clauses of that line.
    decided:  what decided its values, then what decided that it happened, nearest first.
    """

    line: Audience = None
    decided: tuple[Reason, ...] = ()


class Origin(Protocol):
    """Where events come from: it can find what decided each of them."""

    def reasons(self, number: int) -> Reasons:
        """Those of the event with this number."""
        ...

    def noted(self, machine: object, line: tuple[str, ...]) -> int:
        """The number of an event that happens now in a machine, on a line with these clauses."""
        ...


Unread = tuple[Origin, int]
"""The reasons of an event that nobody has asked for yet: where they come from, and the number there."""
NO_REASONS = Reasons()


@frozen
class Event:
    """name: move, travel, set, choose, draw, reveal …; see docs/api.md.

    clauses:   of the line on which it happened, and that apply to it.
    audience:  who learns at all that it happened.
    near:      where the line has none, the clauses of the lines around it, nearest first.
    because:   the reasons, or where to find them.
    """

    name: str
    facts: tuple[Told, ...]
    clauses: tuple[str, ...] = ()
    rule: str = ""
    audience: Audience = None
    span: Span = field(default=NOWHERE, eq=False, repr=False)
    near: tuple[str, ...] = field(default=(), eq=False, repr=False)
    because: Reasons | Unread = field(default=NO_REASONS, eq=False, repr=False)

    @property
    def reasons(self) -> Reasons:
        """Why it happened as it did."""
        because = self.because
        return because[0].reasons(because[1]) if isinstance(because, tuple) else because

    @property
    def decided_by(self) -> tuple[str, ...]:
        """The clauses that decided its values, then those that decided that it happened, nearest first.

        Without those of its line.  None where the match is not told (`start(…, told=False)`).
        """
        return tuple(reason.clause for reason in self.reasons.decided)

    @property
    def all_clauses(self) -> tuple[str, ...]:
        """Those of its line, then those that decided it."""
        return (*self.clauses, *self.decided_by)

    def __getitem__(self, name: str) -> Value:
        for fact in self.facts:
            if fact.name == name:
                return fact.value
        raise KeyError(_no_fact(self, name))

    def __reduce__(self) -> tuple[Any, ...]:
        # With the reasons themselves: where they could be found stays here.
        known = (self.name, self.facts, self.clauses, self.rule, self.audience, self.span, self.near)
        return Event, (*known, self.reasons)

    def get(self, name: str) -> Value:
        return next((fact.value for fact in self.facts if fact.name == name), None)


def _no_fact(event: Event, name: str) -> str:
    from rulekit.diagnostics import nearest

    known = [fact.name for fact in event.facts]
    told = f"it tells {', '.join(known)}" if known else "it tells nothing"
    return f"`{event.name}` tells no `{name}`; {nearest(str(name), known) or told}"


# ---------------------------------------------------------------- noted now, told when somebody asks

Note = tuple[str, Iterable[Told], tuple[str, ...], str, Audience, Span, tuple[str, ...], Origin | None, int]
"""The fields of an event that nobody has asked for yet; instead of its reasons where they come from."""


class Later(partial[Iterable[Told]]):
    """Facts that a function gives from values that do not change any more."""

    def __iter__(self) -> Iterator[Told]:
        return iter(self())


class Telling:
    """What has `events` that are made of notes when they are first asked for."""

    __slots__ = ("_notes",)
    _notes: tuple[Note | Event, ...]
    events: tuple[Event, ...]

    def __getattr__(self, name: str) -> tuple[Event, ...]:
        if name != "events":
            raise AttributeError(name)
        events = tuple(made if isinstance(made, Event) else _made(made) for made in self._notes)
        object.__setattr__(self, "events", events)
        return events


def _made(note: Note) -> Event:
    name, facts, clauses, rule, audience, span, near, origin, number = note
    because = NO_REASONS if origin is None else (origin, number)
    return Event(name, tuple(facts), clauses, rule, audience, span, near, because)


Teller = TypeVar("Teller", bound=Telling)


def telling(teller: Teller, notes: Iterable[Note | Event]) -> Teller:
    """`teller` itself with these notes as its events; only for one that was just made."""
    object.__setattr__(teller, "_notes", tuple(notes))
    object.__delattr__(teller, "events")
    return teller


def told_before(notes: Iterable[Note | Event]) -> tuple[Event, ...]:
    """The events of what then failed; nothing is known of their reasons, for which it would have to fail again."""
    return tuple(note if isinstance(note, Event) else _made((*note[:7], None, 0)) for note in notes)


def notes_of(teller: Telling) -> tuple[Note | Event, ...]:
    """The notes of which its events are made, or the events themselves where those were given."""
    notes: tuple[Note | Event, ...] | None = getattr(teller, "_notes", None)
    return teller.events if notes is None else notes


_REFEREE = -3
"""Sees everything (`play.view`); nobody who watches has a lower number."""


def seen(event: Event, seat: int) -> Event | None:
    """The event as a seat may know it, made of what it may know; None if it may not.

    Of its clauses, and of those that decided it, the ones from which nothing follows that the seat may not know.
    Errors: `ValueError` for what is not the number of a seat; an event does not know their names.
    """
    if seat == _REFEREE:
        return event
    if type(seat) is not int or seat < _REFEREE:
        raise ValueError(f"{seat!r} is not the number of a seat, nor SPECTATOR or REFEREE")
    known = heard(event, seat)
    if known is None:
        return None
    reasons = event.reasons
    told = Reasons(None, tuple([Reason(each.clause) for each in reasons.decided if _may_know(each.audience, seat)]))
    if not _may_know(reasons.line, seat):
        return evolve(known, because=told)
    return evolve(known, clauses=event.clauses, rule=event.rule, span=event.span, near=event.near, because=told)


def heard(event: Event, seat: int) -> Event | None:
    """As `seen`, but only what happened: not by which rule, nor why."""
    if not _may_know(event.audience, seat):
        return None
    facts = tuple([_told(fact, seat) for fact in event.facts])
    return Event(event.name, facts, (), "", event.audience)


def _may_know(audience: Audience, seat: int) -> bool:
    return audience is None or seat in audience


def _told(fact: Told, seat: int) -> Told:
    if fact.audience is None or seat in fact.audience:
        return Told(fact.name, fact.value)
    return Told(fact.name, fact.instead)
