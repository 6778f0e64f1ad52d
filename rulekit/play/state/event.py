"""Events: what happened, to what, who may know it, and which clauses caused it.

An event is noted as a thunk and worked out when somebody reads it (lazy
evaluation), since most events of most matches are never read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TypeVar

from attrs import evolve, field, frozen

from rulekit.play.state.value import Value
from rulekit.source import NOWHERE, Span

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
class Event:
    """name: move, travel, set, choose, draw, reveal …; see docs/api.md.

    audience:  who learns at all that it happened.
    """

    name: str
    facts: tuple[Told, ...]
    clauses: tuple[str, ...] = ()
    rule: str = ""
    audience: Audience = None
    span: Span = field(default=NOWHERE, eq=False, repr=False)

    def __getitem__(self, name: str) -> Value:
        return next(fact.value for fact in self.facts if fact.name == name)

    def get(self, name: str) -> Value:
        return next((fact.value for fact in self.facts if fact.name == name), None)


# ---------------------------------------------------------------- noted now, told when somebody asks

Note = tuple[str, Iterable[Told], tuple[str, ...], str, Audience, Span]
"""The fields of an event that nobody has asked for yet."""


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
    name, facts, clauses, rule, audience, span = note
    return Event(name, tuple(facts), clauses, rule, audience, span)


Teller = TypeVar("Teller", bound=Telling)


def telling(teller: Teller, notes: Iterable[Note | Event]) -> Teller:
    """`teller` itself with these notes as its events; only for one that was just made."""
    object.__setattr__(teller, "_notes", tuple(notes))
    object.__delattr__(teller, "events")
    return teller


def notes_of(teller: Telling) -> tuple[Note | Event, ...]:
    """The notes of which its events are made, or the events themselves where those were given."""
    notes: tuple[Note | Event, ...] | None = getattr(teller, "_notes", None)
    return teller.events if notes is None else notes


def seen(event: Event, seat: int) -> Event | None:
    """The event as a seat may know it, made of what it may know; None if it may not."""
    if event.audience is not None and seat not in event.audience:
        return None
    return evolve(event, facts=tuple(_told(fact, seat) for fact in event.facts))


def _told(fact: Told, seat: int) -> Told:
    if fact.audience is None or seat in fact.audience:
        return Told(fact.name, fact.value)
    return Told(fact.name, fact.instead)
