"""Ways in which a history can be another: in one fact, of which most seats should know nothing.

Counterfactual runs for `tests.secrecy.noninterference`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import evolve, field, frozen

from rulekit import Action, IllegalAction, RuleError, State, Value, apply, decisions
from rulekit.model import game as model
from rulekit.play.state.match_state import CHANCE, Pending, keep_recording, recording_of
from tests.generators.random_matches import Answers
from tests.secrecy.changes import holds_copies, is_untouched, others, with_exchanged, with_slots
from tests.secrecy.histories import Moment, Run


@frozen
class Twin:
    """A history that branched off.

    what:   the way in which it differs.
    pairs:  answers that stand for one another in it.
    acted:  whether the decision of its moment is made already.
    """

    what: str
    run: Run
    pairs: dict[Value, Value] = field(factory=dict)
    acted: bool = False


Way = Callable[[Moment, Answers], Iterator[Twin]]


def otherwise(moment: Moment, answers: Answers) -> Iterator[Twin]:
    """Chance, or somebody in secret, decides another way."""
    decision, state = moment.decision, moment.run.state
    is_secret = bool(state.branches) or (state.pending or Pending(0, "", "")).secret
    tries = [answers.to(decision) for _ in range(3)] if is_secret or decision.seat == CHANCE else []
    other = next((each for each in tries if each != moment.answer), None)
    if other is not None:
        run = moment.run.copy()
        run.act(Action(decision.seat, other))
        yield Twin("otherwise", run, _pairs(moment.answer, other), acted=True)


def _pairs(one: Value, other: Value) -> dict[Value, Value]:
    ones, others_ = (value if isinstance(value, tuple) else (value,) for value in (one, other))
    left, right = ([v for v in a if v not in b] for a, b in ((ones, others_), (others_, ones)))
    pairs = dict(zip(left, right, strict=False))
    return pairs | {b: a for a, b in pairs.items()}


def exchanged(moment: Moment, answers: Answers) -> Iterator[Twin]:
    """A thing that not everybody sees changes places with another, with one unlike it and with one that is equal."""
    state, setting = moment.run.state, moment.run.state.setting
    things = [thing for slot in setting.pile_slots for thing in state.values[slot]]
    covered = [thing for thing in things if _lies_hidden(state, thing)]
    if not covered or holds_copies(state):
        return
    one = covered[answers.below(len(covered))]
    kind, row = setting.things[one].kind, setting.row_of[one]
    fellows = [thing for thing in things if setting.things[thing].kind == kind and thing != one]
    for what, alike in (("exchanged", False), ("alike", True)):
        if pool := [thing for thing in fellows if (setting.row_of[thing] == row) == alike]:
            yield _traded(moment, what, one, pool[answers.below(len(pool))])


def _lies_hidden(state: State, thing: int) -> bool:
    slot = state.lies[thing - state.setting.copy_base]
    return slot >= 0 and state.setting.game.variables[state.setting.slot_variable[slot]].seen != model.PUBLIC


def _traded(moment: Moment, what: str, one: int, other: int) -> Twin:
    names = moment.run.state.setting.ref(one), moment.run.state.setting.ref(other)
    twin = _changed(moment, what, with_exchanged(moment.run.state, one, other), {one: other, other: one})
    return evolve(twin, pairs={names[0]: names[1], names[1]: names[0]})


def _changed(moment: Moment, what: str, state: State, swap: dict[int, int] | None = None) -> Twin:
    """A twin whose position is changed from outside, and what decided names in force in it is not.

    swap: copies that took each other's places.
    """
    keep_recording(state, recording_of(moment.run.state))
    run = moment.run.copy(state)
    run.ledger.open_things = frozenset((swap or {}).get(thing, thing) for thing in run.ledger.open_things)
    run.ledger.stands(state)
    return Twin(what, run)


def reordered(moment: Moment, answers: Answers) -> Iterator[Twin]:
    """Two things of a pile change places in it."""
    state = moment.run.state
    piles = [slot for slot in state.setting.pile_slots if len(state.values[slot]) > 1]
    if piles and not state.branches:
        slot = piles[answers.below(len(piles))]
        pile = list(state.values[slot])
        one, other = answers.below(len(pile)), answers.below(len(pile))
        pile[one], pile[other] = pile[other], pile[one]
        yield _changed(moment, "reordered", with_slots(state, {slot: tuple(pile)}))


def revalued(moment: Moment, answers: Answers) -> Iterator[Twin]:
    """A value is another: of a variable that not everybody sees, and of any."""
    variables = moment.run.state.setting.game.variables
    plain = [index for index, variable in enumerate(variables) if variable.form != "pile"]
    hidden = [index for index in plain if variables[index].seen != model.PUBLIC]
    for pool in (hidden, plain):
        if pool:
            yield from of_variable(moment, answers, pool[answers.below(len(pool))])


def every_value(moment: Moment, answers: Answers) -> Iterator[Twin]:
    """Each variable in turn has another value in one of its places; a pile one thing less."""
    for index in range(len(moment.run.state.setting.game.variables)):
        yield from of_variable(moment, answers, index)


def of_variable(moment: Moment, answers: Answers, index: int) -> Iterator[Twin]:
    state = moment.run.state
    slots = [slot for slot, at in enumerate(state.setting.slot_variable) if at == index and others(state, slot)]
    if slots and is_untouched(state):
        slot = slots[answers.below(len(slots))]
        some = others(state, slot)
        changed = with_slots(state, {slot: some[answers.below(len(some))]})
        if is_askable(changed):
            yield _changed(moment, "revalued", changed)


def is_askable(state: State) -> bool:
    """Whether the options of what is asked can be worked out anew: a changed value may contradict the question."""
    for decision in decisions(state):
        try:
            apply(state, Action(decision.seat, "?"))
        except IllegalAction:
            continue
        except RuleError:
            return False
    return True


def reseeded(moment: Moment, answers: Answers) -> Iterator[Twin]:
    """Another seed, other numbers of draws, more steps so far: what follows from them comes later."""
    state = moment.run.state
    seed = None if state.setting.seed is None else answers.below(2**63)
    setting, more = evolve(state.setting, seed=seed), 1 + answers.below(9)

    def moved(old: State) -> State:
        streams = tuple((name, count + more) for name, count in old.streams)
        return evolve(old, setting=setting, streams=streams, steps=old.steps + 17)

    twin = _changed(moment, "reseeded", moved(state))
    history = twin.run.match.history
    history[:] = [evolve(past, state=moved(past.state)) for past in history]
    keep_recording(twin.run.match.state, recording_of(state))
    yield twin


WAYS: tuple[Way, ...] = (otherwise, exchanged, reordered, revalued, reseeded)
