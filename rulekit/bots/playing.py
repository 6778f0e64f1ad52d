"""Playing on from a guessed position: with chance of its own, and seats that answer by chance."""

from __future__ import annotations

from math import comb

from attrs import evolve

from rulekit.bots.luck import Luck
from rulekit.play import engine
from rulekit.play.event import Event
from rulekit.play.state import Action, Decision, State
from rulekit.play.value import Ref, Value


def seeded(state: State, luck: Luck) -> State:
    """The same position, in which chance no longer asks."""
    setting = evolve(state.setting, seed=luck.below(2**63))
    return evolve(state, setting=setting, streams=())


def settled(state: State, luck: Luck) -> State:
    """A seeded position in which chance's open question, if there is one, is answered."""
    while any(asked.weights for asked in engine.decisions(state)):
        asked = engine.decisions(state)[0]
        answer = asked.options[luck.weighted(asked.weights)]
        state = engine.apply(state, Action(asked.seat, answer)).state
    return state


def any_answer(decision: Decision, luck: Luck) -> Value:
    """One answer by chance; of several things each set as likely as any other."""
    if not decision.several:
        return luck.one_of(decision.options)
    sizes = range(decision.least, decision.most + 1)
    size = sizes[luck.weighted([comb(len(decision.options), each) for each in sizes])]
    left = list(range(len(decision.options)))
    chosen = [left.pop(luck.below(len(left))) for _ in range(size)]
    return tuple(decision.options[place] for place in sorted(chosen))


def played_on(state: State, luck: Luck, most: int) -> State:
    """The position at the end of a match by chance from here, or after so many decisions."""
    for _ in range(most):
        waiting = engine.decisions(state)
        if not waiting:
            break
        asked = waiting[0]
        state = engine.apply(state, Action(asked.seat, any_answer(asked, luck))).state
    return state


def tried(state: State, action: Action, luck: Luck) -> State:
    """The position to which an answer leads; if others decide apart now, when they have answered by chance."""
    open_seats = {branch.seat for branch in state.branches if not branch.done}
    while True:
        step = engine.apply(state, action)
        state = step.state
        open_seats -= {finished(state, event) for event in step.events}
        waiting = next((asked for asked in engine.decisions(state) if asked.seat in open_seats), None)
        if waiting is None:
            return state
        action = Action(waiting.seat, any_answer(waiting, luck))


def finished(state: State, event: Event) -> int | None:
    """The seat of which an event says that it has decided all that it decides apart."""
    who = event.get("player") if event.name == "ready" else None
    return state.setting.seats.index(who.key) if isinstance(who, Ref) else None
