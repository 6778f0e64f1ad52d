"""All that reaches a seat, as canonical JSON: whatever an object given to it holds is written, nothing is left out.

So a field that somebody adds to a view, a decision or an event is compared from that day on.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import attrs
from attrs import define, field

from rulekit import Action, IllegalAction, State, Value, apply, seen, view
from rulekit.play.state.event import Event
from rulekit.play.view import View
from rulekit.record.match import Match
from rulekit.record.strict_json import dumps

_PLAIN = {int, str, bool, type(None)}


@cache
def _fields(kind: type) -> tuple[str, ...]:
    """Of what the engine hands out; of a kind that is no data it must not hand out."""
    if not attrs.has(kind):
        raise TypeError(f"{kind.__name__} is no data, and yet a seat receives it")
    return tuple(field.name for field in attrs.fields(kind))


def plain(value: Any) -> Any:
    """Anything that the engine hands out, as JSON.  Errors: `TypeError`, see `_fields`."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        # Most of what is handed out are texts and numbers: a call for each costs more than all else.
        return [item if type(item) in _PLAIN else plain(item) for item in value]
    if kind is frozenset or kind is set:
        return sorted(plain(item) for item in value)
    if kind is dict:
        return {str(key): plain(item) for key, item in value.items()}
    parts = [kind.__name__, *plain([getattr(value, name) for name in _fields(kind)])]
    # What was put on an object beside its fields would travel, too.
    return [*parts, plain(value.__dict__)] if hasattr(value, "__dict__") else parts


def present(state: State, seat: int) -> list[Any]:
    """What a seat can learn of a position by looking and by trying."""
    seen_now = view(state, seat)
    return [plain(seen_now), _refusals(state, seat, seen_now)]


def _refusals(state: State, seat: int, seen_now: View) -> list[str]:
    """What the engine says to answers that cannot be taken."""
    wrong: list[Value] = ["?"]
    if any(decision.several for decision in seen_now.asked):
        wrong += [("?",) * (decision.most + 1) for decision in seen_now.asked]
    return [_refusal(state, Action(seat, answer)) for answer in wrong]


def _refusal(state: State, action: Action) -> str:
    try:
        apply(state, action)
    except IllegalAction as slip:
        return f"{slip.code}: {slip}"
    return "taken"


def undo(match: Match, seat: int) -> list[str]:
    """What a seat hears that wants to take back its last decision, among people and alone among bots."""
    index = match.last_of(seat)
    if index is None:
        return []
    everybody, said = match.people, []
    for people in (frozenset(range(match.state.setting.players)), frozenset([seat])):
        match.people = people
        said.append(str(match.why_not_back(seat, index)))
    match.people = everybody
    return said


@define
class Heard:
    """What a seat heard, in order: events, and what was written about them on its screen and for programs."""

    events: list[Any] = field(factory=list)
    shown: list[str] = field(factory=list)

    def hear(self, events: tuple[Event, ...], seat: int) -> None:
        self.events += [plain(event) for event in (seen(event, seat) for event in events) if event is not None]

    def __bool__(self) -> bool:
        return bool(self.events or self.shown)

    def copy(self) -> Heard:
        return Heard(self.events.copy(), self.shown.copy())


def body(parts: Any) -> bytes:
    return dumps(parts).encode()
