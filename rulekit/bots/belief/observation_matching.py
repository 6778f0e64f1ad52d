"""Matching of observations: how what happens in a history differs from what a seat was told, and what events name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulekit.play.state.event import Event, Told
from rulekit.play.state.value import Ref, Value, notation
from rulekit.play.view import View
from rulekit.values import evolve

Pair = tuple[Value, Value]


def heard_by(events: Iterable[Event], seat: int) -> list[Event]:
    """The events that a seat hears of, with all that is in them."""
    return [event for event in events if event.audience is None or seat in event.audience]


def matches_told(event: Event, told: Event, seat: int) -> bool:
    """Whether an event that a seat hears of is what it was told; quicker than making what it sees of it."""
    return (
        event.name == told.name
        and len(event.facts) == len(told.facts)
        and event.audience == told.audience
        and all(_is_fact(fact, known, seat) for fact, known in zip(event.facts, told.facts, strict=True))
    )


def _is_fact(fact: Told, known: Told, seat: int) -> bool:
    value = fact.value if fact.audience is None or seat in fact.audience else fact.instead
    return fact.name == known.name and value == known.value


def with_sorted_facts(event: Event) -> Event:
    return evolve(event, facts=tuple(evolve(fact, value=_sorted(fact.value)) for fact in event.facts))


def with_sorted_values(one: View) -> View:
    """Decisions stay as they are: answers are given in their terms."""
    return evolve(one, values=tuple(evolve(value, shown=_sorted(value.shown)) for value in one.values))


def _sorted(value: Value) -> Value:
    if isinstance(value, tuple) and all(isinstance(item, Ref) for item in value):
        return tuple(sorted(value, key=notation))
    return value


def refs_of(event: Event) -> Iterator[Value]:
    for fact in event.facts:
        yield from _refs(fact.value)


def _refs(value: Value) -> Iterator[Ref]:
    if isinstance(value, Ref):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _refs(item)


def numbers_of(event: Event) -> Iterator[Value]:
    """The number to which something was set."""
    value = event.get("value")
    if isinstance(value, int):
        yield value


def mentions_seat(event: Event, name: str) -> bool:
    """Whether an event is about something that belongs to a seat."""
    return any(isinstance(fact.value, str) and fact.value.startswith(f"{name}.") for fact in event.facts)


def similarity(came: Event, told: Event) -> int:
    """How alike two events are, 0 for different names; what an event is about counts for more than the values in it."""
    if came.name != told.name:
        return 0
    same = [one.value for one, other in zip(came.facts, told.facts, strict=False) if one == other]
    return 1 + sum(3 if isinstance(value, str) else 1 for value in same)


def event_differences(came: Event, told: Event) -> Iterator[Pair]:
    for one in came.facts:
        other = next((fact for fact in told.facts if fact.name == one.name), None)
        if other is not None:
            yield from _pairs(one.value, other.value)


def view_differences(came: View, told: View) -> Iterator[Pair]:
    for one, other in zip(came.values, told.values, strict=False):
        yield from _pairs(one.shown, other.shown)
    for mine, asked in zip(came.asked, told.asked, strict=False):
        yield from _pairs(mine.options, asked.options)


def _pairs(came: Value, told: Value) -> Iterator[Pair]:
    """Values on one side that stand in the place of values on the other."""
    if came == told:
        return
    if not (isinstance(came, tuple) and isinstance(told, tuple)):
        yield came, told
    elif len(came) == len(told) and not any(isinstance(item, Ref) for item in came):
        for one, other in zip(came, told, strict=True):
            yield from _pairs(one, other)
    elif missing := multiset_difference(told, came):
        yield from zip(multiset_difference(came, told), missing, strict=False)
    elif len(came) == len(told):
        # The same things in another order.
        yield from ((one, other) for one, other in zip(came, told, strict=True) if one != other)


def multiset_difference(some: tuple[Value, ...], others: Iterable[Value]) -> list[Value]:
    left, rest = list(others), []
    for item in some:
        if item in left:
            left.remove(item)
        else:
            rest.append(item)
    return rest
