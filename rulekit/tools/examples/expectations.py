"""What a scenario expects besides facts: who is asked, what is offered, how the match was ranked, what happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.diagnostics import nearest
from rulekit.model import game as model
from rulekit.play import engine
from rulekit.play.machine.working_state import Machine, thaw
from rulekit.play.state.event import Event
from rulekit.play.state.event_table import EVENTS
from rulekit.play.state.match_state import CHANCE, Decision, Pending, State
from rulekit.play.state.value import Value, notation, offer
from rulekit.tools.examples.scenario_values import answer_value, meant, question_text, seat_name


def instead(state: State, events: Sequence[Event], scene: model.Expectation) -> str:
    """What is true instead of what a line expects; "" where it holds.  events: since the expectation before it."""
    if isinstance(scene, model.Asked):
        return _asked(state, scene)
    if isinstance(scene, model.Offered):
        return _offered(state, scene)
    return _ranked(state, scene) if isinstance(scene, model.Ranked) else _happened(state, events, scene)


def asked(state: State, who: int | None) -> tuple[Pending, Decision] | None:
    """What a seat is asked now; who None: chance."""
    seat = CHANCE if who is None else who
    waiting = [branch.pending for branch in state.branches] or [state.pending]
    questions = [question for question in waiting if question is not None]
    pairs = zip(questions, engine.decisions(state), strict=True)
    return next(((question, decision) for question, decision in pairs if decision.seat == seat), None)


def waited_for(state: State) -> str:
    """What the game waits for, in words."""
    if state.over:
        return "the game is over"
    decisions = engine.decisions(state)
    if not decisions:
        return "nobody is asked anything now"
    return "; ".join(question_text(state, decision) for decision in decisions)


def _asked(state: State, scene: model.Asked) -> str:
    expected = {CHANCE if seat is None else seat for seat in scene.seats}
    return "" if {decision.seat for decision in engine.decisions(state)} == expected else waited_for(state)


def _offered(state: State, scene: model.Offered) -> str:
    found = asked(state, scene.who)
    if found is None:
        return waited_for(state)
    question, decision = found
    m, left = thaw(state), list(decision.options)
    values = [answer_value(m, reply, question, decision) for reply in scene.replies]
    for value in _one_by_one(values, decision):
        at = next((at for at, option in enumerate(left) if engine.matches(option, value)), None)
        if at is None:
            return f"{notation(value)} is not among {offer(decision.options)}"
        left.pop(at)
    return f"{seat_name(state, decision.seat)} may choose {offer(tuple(left))} too" if left else ""


def _one_by_one(values: Sequence[Value], decision: Decision) -> Iterator[Value]:
    """What may be answered: of a set its members, unless whole sets are offered."""
    in_sets = any(isinstance(option, tuple) for option in decision.options)
    for value in values:
        yield from value if isinstance(value, tuple) and not in_sets else (value,)


def _ranked(state: State, scene: model.Ranked) -> str:
    outcome = engine.outcome(state)
    if outcome is None:
        return f"the match goes on: {waited_for(state)}"
    if [set(place) for place in outcome.ranking] == [set(place) for place in scene.places]:
        return ""
    places = [", ".join(seat_name(state, seat) for seat in place) for place in outcome.ranking]
    return f"the ranking is {' then '.join(places)}" if places else "nobody is ranked"


# ---------------------------------------------------------------- events


def _happened(state: State, events: Sequence[Event], scene: model.Happened) -> str:
    m = thaw(state)
    alike = [event for event in events if event.name == scene.event]
    if any(all(_tells(m, event, *fact) for fact in scene.facts) for event in alike):
        return ""
    known = {form.name for form in EVENTS}
    if scene.event not in known:
        return f"no event is called `{scene.event}`; {nearest(scene.event, known) or 'docs/api.md lists them'}"
    if not alike:
        seen = ", ".join(dict.fromkeys(event.name for event in events))
        return f"no `{scene.event}` happened; what did: {seen or 'nothing'}"
    return "; ".join(f"{scene.event} {_facts(event)}" for event in alike[-3:])


def _tells(m: Machine, event: Event, name: str, reply: model.Answer, words: str) -> bool:
    """Whether an event tells a fact: the value as an answer would be said, or a pile by its path."""
    fact = next((fact for fact in event.facts if fact.name == name), None)
    return fact is not None and (fact.value == words or engine.matches(fact.value, meant(m, reply)))


def _facts(event: Event) -> str:
    return ", ".join(f"{fact.name} is {notation(fact.value)}" for fact in event.facts)
