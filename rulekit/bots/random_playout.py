"""Random playouts from a determinized position: chance is sampled, and every seat answers uniformly at random."""

from __future__ import annotations

from math import comb

from rulekit.bots.rng import Rng
from rulekit.play import engine
from rulekit.play.state.errors import Refused
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Action, Decision, State, Step
from rulekit.play.state.value import Ref, Value
from rulekit.values import evolve


def with_sampled_chance(state: State, rng: Rng) -> State:
    """The same position with a seed of its own, in which chance no longer asks for its outcomes."""
    setting = evolve(state.setting, seed=rng.below(2**63))
    return evolve(state, setting=setting, streams=())


def chance_resolved(state: State, rng: Rng) -> State:
    """Of `with_sampled_chance`: the position in which chance's open question, if there is one, is answered."""
    while any(asked.weights for asked in engine.decisions(state)):
        asked = engine.decisions(state)[0]
        answer = asked.options[rng.weighted_index(asked.weights)]
        state = engine.apply(state, Action(asked.seat, answer)).state
    return state


def random_answer(decision: Decision, rng: Rng) -> Value:
    """One answer, uniformly at random; of several things each set is as likely as any other that was not refused."""
    if not decision.several:
        return rng.choice(decision.options)
    while (chosen := _random_set(decision, rng)) in decision.refused:
        pass
    return chosen


def _random_set(decision: Decision, rng: Rng) -> tuple[Value, ...]:
    places = random_places(len(decision.options), decision.least, decision.most, rng)
    return tuple(decision.options[place] for place in places)


def random_places(count: int, least: int, most: int, rng: Rng) -> tuple[int, ...]:
    """Of so many options least to most, each set as likely as any other; in rising order."""
    sizes = range(least, most + 1)
    size = sizes[rng.weighted_index([comb(count, each) for each in sizes])]
    left = list(range(count))
    return tuple(sorted(left.pop(rng.below(len(left))) for _ in range(size)))


def randomly_answered(state: State, asked: Decision, rng: Rng) -> Step:
    """What follows when a question is answered at random; what is refused is not answered again."""
    while True:
        answer = random_answer(asked, rng)
        try:
            return engine.apply(state, Action(asked.seat, answer))
        except Refused:
            asked = evolve(asked, refused=(*asked.refused, answer))


def playout(state: State, rng: Rng, most: int) -> State:
    """The position at the end of a match played at random from here, or after `most` decisions."""
    for _ in range(most):
        waiting = engine.decisions(state)
        if not waiting:
            break
        state = randomly_answered(state, waiting[0], rng).state
    return state


def after_answer(state: State, action: Action, rng: Rng) -> State:
    """The position to which an answer leads; if others decide apart now, after they have answered at random."""
    open_seats = {branch.seat for branch in state.branches if not branch.done}
    step = engine.apply(state, action)
    while True:
        state = step.state
        open_seats -= {finished_seat(state, event) for event in step.events}
        waiting = next((asked for asked in engine.decisions(state) if asked.seat in open_seats), None)
        if waiting is None:
            return state
        step = randomly_answered(state, waiting, rng)


def finished_seat(state: State, event: Event) -> int | None:
    """The seat of which an event says that it has decided all that it decides apart; None for other events."""
    who = event.get("player") if event.name == "ready" else None
    return state.setting.seats.index(who.key) if isinstance(who, Ref) else None
