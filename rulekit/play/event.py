"""What happened, to what, who may know it, and which clauses caused it."""

from __future__ import annotations

from attrs import evolve, field, frozen

from rulekit.play.value import Value
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


def seen(event: Event, seat: int) -> Event | None:
    """The event as a seat may know it, made of what it may know; None if it may not."""
    if event.audience is not None and seat not in event.audience:
        return None
    return evolve(event, facts=tuple(_told(fact, seat) for fact in event.facts))


def _told(fact: Told, seat: int) -> Told:
    if fact.audience is None or seat in fact.audience:
        return Told(fact.name, fact.value)
    return Told(fact.name, fact.instead)
