"""Whether an event changes when the rules are changed: the decision that led to it is played again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve

from rulekit import Action, Decision, Event, Game, Ref, State, Step, Value
from rulekit.play import engine
from rulekit.play.state.errors import BadSetup, IllegalAction, RuleError
from rulekit.play.state.event import telling
from rulekit.source import Span
from tests.soak.provenance.stories import Example, Match, Place, Shape, asked, heard, shape, started
from tests.soak.provenance.transplant import Transplant

EVENT, DECISION, SAME, NEITHER = "event", "decision", "same", "neither"
"""What a change does: the event is another one or does not happen; something else of its decision is; nothing is; or
it leaves nothing that can be compared."""
BACK = (0, 1, 2, 4, 8)
"""So many decisions before it the rules are changed; the farther back, the more of its causes lie between."""


_BY_CHANCE = ("draw", "roll", "deal", "shuffle")
_SEEDS = 5
_IMPOSSIBLE = (AssertionError, AttributeError, IndexError, KeyError, TypeError)
"""What the engine meets in a position to which the changed rules could never have led."""


class Replay:
    """Stories of a game, played again in the game after one change.

    from_start:  whether what it changes shows only in matches that begin anew.
    leaves_out:  whether it leaves out a line.
    unset:       an option that is no longer as it was agreed.
    """

    def __init__(self, old: Game, new: Game, *, from_start: bool, leaves_out: bool = False, unset: str = "") -> None:
        self._old, self._new = old, new
        self._from_start, self._leaves_out = from_start, leaves_out
        self._unset = unset
        self._transplant = Transplant(old, new)
        self._heard: dict[int, list[Event]] = {}

    def outcome(self, place: Place) -> str:
        """What the change does to an event."""
        story = place.story
        if isinstance(story, Example):
            return self._in_example(place, story)
        found = NEITHER
        for way in self._ways(place, story):
            if way == EVENT:
                return EVENT
            found = _stronger(found, way)
        return found

    def _in_example(self, place: Place, story: Example) -> str:
        if story.number not in self._heard:
            self._heard[story.number] = heard(self._new, story.number, self._unset)
        found = _compared(place.event, story.told[0], self._heard[story.number])
        return EVENT if found != EVENT and self._offers_else(place, story) else found

    def _offers_else(self, place: Place, story: Example) -> bool:
        """Whether the question that an event tells the answer to offers something else."""
        event = place.event
        if event.name != "choose" or not event["asked"]:
            return False
        question = event["player"], event["what"]
        before = [each for each in story.told[0][: place.number] if each.name == "choose" and each["asked"]]
        nth = sum((each["player"], each["what"]) == question for each in before)
        old = [*asked(self._old, story.number, *question)]
        new = [*asked(self._new, story.number, *question, self._unset)]
        return len(old) > nth and len(new) > nth and _plain(old[nth]) != _plain(new[nth])

    def _ways(self, place: Place, story: Match) -> Iterator[str]:
        """The outcome, from a few decisions before it and, if need be, from the start."""
        if place.step == 0:
            yield self._from(place, story, 0, None)
        for first in _begins(story, place.step):
            yield self._from(place, story, first, story.states[first])
        if place.step and (self._from_start or place.step <= BACK[-2] or not _opened(story, place.step - 1)):
            yield self._from(place, story, 0, None)

    def _from(self, place: Place, story: Match, first: int, before: State | None) -> str:
        """Play on from before the action with this number, or from the start, to the step of the event."""
        try:
            begun = started(self._new, story, self._choices(story)) if before is None else self._moved(before, story)
            if begun is None:
                return NEITHER
            found = self._played(place, story, first, begun)
            if found == EVENT or before is None or place.event.name not in _BY_CHANCE:
                return found
            return EVENT if self._falls_else(place, story, first, begun.state) else found
        except (BadSetup, RuleError, *_IMPOSSIBLE):
            return NEITHER

    def _choices(self, story: Match) -> dict[str, Value]:
        return {name: value for name, value in story.choices.items() if name != self._unset}

    def _moved(self, state: State, story: Match) -> Step | None:
        return self._transplant.moved(state, self._choices(story), story.seed)

    def _falls_else(self, place: Place, story: Match, first: int, state: State) -> bool:
        """Whether what chance brings would be something else under any of a few other seeds."""
        actions = story.actions[first : place.step]
        here = place.event.span
        for seed in range(1, _SEEDS + 1):
            old = _falls(story.states[first], actions, seed, here)
            if old is not None and old != _falls(state, actions, seed, here):
                return True
        return False

    def _played(self, place: Place, story: Match, first: int, begun: Step) -> str:
        """The same actions from a position of the changed game, up to the step of the event."""
        state, events, passed = begun.state, list(begun.events), list(begun.events)
        last = place.step - 1
        came = last if first > last else -1
        for number in range(first, place.step):
            if _is_about(place.event, story, number) and _asks_else(state, story, number):
                return EVENT
            self._transplant.at_work.clear()
            try:
                step = engine.apply(state, story.actions[number])
            except IllegalAction:
                if all(each.branches for each in story.states[number : place.step]):
                    continue  # Who plays apart beside others answers no more; that says nothing of these.
                return _without(place, passed) if number == last or _happened(place, passed) else NEITHER
            except RuleError as fault:
                is_missed = number == last and fault.span != place.event.span and self._missed(place, state)
                return EVENT if is_missed else NEITHER
            state, events, came = step.state, [*(events if number == first else ()), *step.events], number
            passed += step.events
        if came < last:
            return _without(place, [*passed, *(event for branch in state.branches for event in branch.events)])
        found = _compared(place.event, story.told[place.step], events)
        return DECISION if found == SAME and _goes_on_else(state, story, place.step) else found

    def _missed(self, place: Place, state: State) -> bool:
        """Whether, with a line left out, what stopped with an error elsewhere did not come to the event."""
        machines = [each for each in self._transplant.at_work if each.setting is state.setting]
        came = {shape(event) for each in machines for event in telling(Step(state, ()), each.events).events}
        return self._leaves_out and shape(place.event) not in came


def _happened(place: Place, events: Iterable[Event]) -> bool:
    return shape(place.event) in map(shape, events)


def _without(place: Place, events: Iterable[Event]) -> str:
    """The outcome where an answer is not asked for: what happens may happen all the same."""
    return DECISION if _happened(place, events) else EVENT


def _falls(state: State, actions: Sequence[Action], seed: int, here: Span) -> list[Shape] | None:
    """What chance brings on a line, with another seed from this state on; None if it does not come so far."""
    branches = tuple(evolve(branch) for branch in state.branches)
    state = evolve(state, setting=evolve(state.setting, seed=seed, told=False), branches=branches)
    events: Sequence[Event] = ()
    for action in actions:
        try:
            step = engine.apply(state, action)
        except (IllegalAction, RuleError, *_IMPOSSIBLE):
            return None
        state, events = step.state, step.events
    return [shape(event) for event in events if event.span == here]


def _begins(story: Match, step: int) -> Iterator[int]:
    """Before which actions one may begin: a few before the event, and before the one that opened its secret block."""
    last = step - 1
    if last >= 0:
        yield from dict.fromkeys([*(last - back for back in BACK if back <= last), max(0, _opened(story, last) - 1)])


def _opened(story: Match, last: int) -> int:
    """Before which action the secret block opened in which an action lies; that action itself where there is none."""
    first = last
    while first and story.states[first].branches and not _opens(story, first):
        first -= 1
    return first


def _opens(story: Match, number: int) -> bool:
    """Whether the block that waits before an action is another one than before."""
    now, before = (sum(branch.done for branch in story.states[at].branches) for at in (number, number - 1))
    has_ended = any(event.name == "ready" for event in story.told[number]) and now <= before
    return has_ended or not story.states[number - 1].branches


def _compared(event: Event, before: Iterable[Event], after: Iterable[Event]) -> str:
    """Whether as many such events happen, and whether anything else does."""
    old, new = Counter(map(shape, before)), Counter(map(shape, after))
    if new[shape(event)] < old[shape(event)]:
        return EVENT
    return SAME if old == new else DECISION


def _is_about(event: Event, story: Match, number: int) -> bool:
    """Whether an event tells the answer to the question before an action."""
    if event.name != "choose":
        return False
    seat = story.actions[number].seat
    asked = _question_of(story.states[number], seat, whole=True)
    name = story.states[number].setting.seats[seat]
    return asked is not None and event["what"] in (asked.name, asked.rule) and event["player"] == Ref("player", name)


def _asks_else(state: State, story: Match, number: int) -> bool:
    """Whether the question before an action is another one, or offers something else."""
    seat = story.actions[number].seat
    return _question_of(state, seat) != _question_of(story.states[number], seat)


def _goes_on_else(state: State, story: Match, number: int) -> bool:
    """Whether what is asked next differs."""
    if number >= len(story.states):
        return not state.over
    return _all_question_of(state) != _all_question_of(story.states[number])


def _question_of(state: State, seat: int, *, whole: bool = False) -> Decision | None:
    found = next((each for each in engine.decisions(state) if each.seat == seat), None)
    return found if found is None or whole else _plain(found)


def _all_question_of(state: State) -> list[Decision]:
    return [_plain(each) for each in engine.decisions(state)]


def _plain(asked: Decision) -> Decision:
    return evolve(asked, clauses=(), rule="")


def _stronger(one: str, other: str) -> str:
    order = (NEITHER, SAME, DECISION, EVENT)
    return max(one, other, key=order.index)
