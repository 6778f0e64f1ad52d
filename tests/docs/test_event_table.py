"""The table of events is what the engine does: each event has a form in it, and each form and fact of it occurs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

from rulekit import BadSetup, Event, IllegalAction, Ref, RuleError, Value
from rulekit.loading import examine
from rulekit.model.game import Game
from rulekit.play.state.event_table import EVENTS, KINDS, EventForm, Fact, forms_of
from rulekit.play.state.value import value_of
from tests.docs.event_table import PAGE, renewed
from tests.generators.random_matches import GAMES, game, seat_counts, steps
from tests.operations.samples import SAMPLES
from tests.paths import CASES, EXAMPLES
from tests.sizes import IS_LONG, quick

MOST = 120 if IS_LONG else 60
"""Decisions of a match."""


def test_the_page_has_the_table() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == renewed(page), "python -m tests.docs.event_table"


def test_every_kind_of_value_is_used_and_told() -> None:
    assert {fact.kind for form in EVENTS for fact in form.facts} == set(KINDS)


def games() -> Iterator[Game]:
    """Those that ship, the examples, the cases of the tests, and a sample of each operation."""
    yield from map(game, (*quick(GAMES), *sorted(EXAMPLES.glob("*.rules"))))
    yield from (loaded.game for loaded in map(examine, sorted(CASES.rglob("*.rules"))) if loaded.game is not None)
    yield from (sample.game("n") for sample in SAMPLES)


def events() -> Iterator[Event]:
    for rules in games():
        for seats in seat_counts(rules)[: 2 if IS_LONG else 1]:
            with suppress(IllegalAction, RuleError, BadSetup):
                for _, _, step in steps(rules, seats, "events", most=MOST):
                    yield from step.events


@pytest.fixture(scope="module")
def met() -> dict[EventForm, list[Event]]:
    """By form the events that have just its facts, in their order; a few hundred of each."""
    found: dict[EventForm, list[Event]] = {form: [] for form in EVENTS}
    for event in events():
        fitting = [form for form in forms_of(event.name) if is_of(form, event)]
        assert fitting, event
        is_kept = any(fact.audience is not None for fact in event.facts)
        if len(event.facts) > len(fitting[0].facts) or len(found[fitting[0]]) < (600 if is_kept else 300):
            found[fitting[0]].append(event)
    return found


def is_of(form: EventForm, event: Event) -> bool:
    """Whether an event has the facts of a form, in their order, and behind them only what may follow."""
    own, rest = event.facts[: len(form.facts)], event.facts[len(form.facts) :]
    if [fact.name for fact in own] != [fact.name for fact in form.facts] or not all(map(fits, form.facts, own)):
        return False
    return all(form.more is not None and one.name.startswith(f"{form.more.name} ") for one in rest)


def fits(fact: Fact, told: object) -> bool:
    value: Value = told.value  # type: ignore[attr-defined]
    kinds = {
        "player": lambda: value is None or is_ref(value, "player"),
        "players": lambda: isinstance(value, tuple) and all(is_ref(one, "player") for one in value),
        "piece": lambda: is_ref(value),
        "thing": lambda: is_ref(value),
        "things": lambda: isinstance(value, tuple) and all(map(is_ref, value)),
        "space": lambda: value is None or type(value) is int or is_ref(value),
        "path": lambda: value is None or type(value) is str,
        "text": lambda: isinstance(value, str),
        "number": lambda: type(value) is int,
        "flag": lambda: type(value) is bool,
        "value": lambda: value_of(value) == value,
    }
    return kinds[fact.kind]()


def is_ref(value: object, kind: str = "") -> bool:
    return isinstance(value, Ref) and kind in ("", value.kind)


def test_every_form_occurs_and_every_event_has_one(met: dict[EventForm, list[Event]]) -> None:
    assert [form.name for form in EVENTS if not met[form]] == []


def test_what_may_follow_does_somewhere(met: dict[EventForm, list[Event]]) -> None:
    following = [form for form in EVENTS if form.more is not None]
    never = [form.name for form in following if all(len(one.facts) == len(form.facts) for one in met[form])]
    assert never == []


def test_what_is_kept_from_somebody_is_said(met: dict[EventForm, list[Event]]) -> None:
    """A fact that some may not know says what they are told instead; and who does not hear of an event at all."""
    for form, found in met.items():
        for place, fact in enumerate(form.facts):
            kept = [event.facts[place] for event in found if event.facts[place].audience not in (None, event.audience)]
            assert not kept or fact.instead, (form.name, fact)
            for one in kept:
                is_counted = "how many" in fact.instead and type(one.instead) is int
                assert is_counted or (one.instead is None and "None" in fact.instead), (form.name, one)
        assert form.heard or all(event.audience is None for event in found), form


def test_what_is_said_to_be_kept_is_kept_somewhere(met: dict[EventForm, list[Event]]) -> None:
    never = [
        (form.name, fact.name)
        for form, found in met.items()
        for place, fact in enumerate(form.facts)
        if fact.instead and all(event.facts[place].audience in (None, event.audience) for event in found)
    ]
    rare = [("move", "things"), ("roll", "drawn"), ("pass", "things")]
    assert never == rare, "onto a pile from another that few see; one row serves draws and rolls; things passed over"
