"""A trial: a copy of a match in which one seat tries moves, and that nobody else sees or hears of.

It never begins at the position itself, from which a seat could find out what is hidden: at one that fits all that the
seat was told, with chance of its own.  The others answer by chance.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulekit.bots.belief.history import Message
from rulekit.bots.belief.particle_filter import Belief
from rulekit.bots.bot import Chair
from rulekit.bots.random_playout import chance_resolved, randomly_answered, with_sampled_chance
from rulekit.bots.rng import Rng
from rulekit.hosting.seat_page import Moment, Refused, chosen_value
from rulekit.play import engine
from rulekit.play.state import errors
from rulekit.play.state.event import Event, heard, seen
from rulekit.play.state.match_state import Action, Decision, State
from rulekit.play.view import View, view
from rulekit.record.json_values import chosen_options
from rulekit.record.match import Match

_ALONE = 1000
"""So many answers of others are played at most until the seat is asked again."""


@define(eq=False)
class Trial:
    """One seat's copy.  It stands where the seat is asked, or at the end."""

    seat: int
    state: State
    rng: Rng
    events: tuple[Event, ...] = ()
    _before: list[tuple[State, tuple[Event, ...]]] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self._others()

    def page(self) -> Moment:
        """What the seat would see.  Its number is that of the moves tried so far."""
        known, made = view(self.state, self.seat), len(self._before)
        return Moment(made, made + 1, known, known.asked[0] if known.asked else None, self.events)

    def answer(self, chosen: Sequence[int]) -> Moment | Refused:
        """Try an answer, by places among the options."""
        question = self._question()
        if question is None:
            return Refused("not-asked", "this seat is not asked now")
        value = chosen_value(question, chosen)
        if isinstance(value, Refused):
            return value
        try:
            step = engine.apply(self.state, Action(self.seat, value))
        except (errors.IllegalAction, errors.RuleError):
            return Refused("not-offered", "this cannot be tried here")
        self._before.append((self.state, self.events))
        self.state, self.events = step.state, _seen(step.events, self.seat)
        self._others()
        return self.page()

    def back(self) -> Moment:
        """As it was before the last move that was tried."""
        if self._before:
            self.state, self.events = self._before.pop()
        return self.page()

    def _question(self) -> Decision | None:
        return next((one for one in engine.decisions(self.state) if one.seat == self.seat), None)

    def _others(self) -> None:
        """Everybody else answers by chance until the seat is asked."""
        for _ in range(_ALONE):
            waiting = engine.decisions(self.state)
            if not waiting or self._question() is not None:
                return
            try:
                step = randomly_answered(self.state, waiting[0], self.rng)
            except errors.RuleError:
                return
            self.state = step.state
            self.events += _seen(step.events, self.seat)


def trial_of(match: Match, seat: int, seed: str) -> Trial | None:
    """A copy for one seat; None if no position is found that fits what it was told.  It may take as long as a bot."""
    setting = match.state.setting
    seats = setting.seats[: setting.players]
    chair = Chair(setting.game, dict(chosen_options(setting)), seats, seat, seed)
    rng = Rng.of(seed, "trial")
    belief = Belief(chair, rng)
    for message in _messages(match, seat):
        belief.told(message)
    node = belief.drawn_history(rng)
    return None if node is None else Trial(seat, chance_resolved(with_sampled_chance(node.state, rng), rng), rng)


def _messages(match: Match, seat: int) -> list[Message]:
    """What a seat was told, message by message, as a bot in its place would have been."""
    positions = [*(past.state for past in match.history), match.state]
    steps = [(None, match.opening), *((past.action, past.events) for past in match.history)]
    told: list[Message] = []
    own: tuple[object, ...] = ()
    before: View | None = None
    for state, (action, events) in zip(positions, steps, strict=True):
        if action is not None and action.seat == seat:
            own = (*own, action.answer)
        known, now = _heard(events, seat), view(state, seat)
        if known or now != before or (action is not None and action.seat == seat):
            told.append(Message(own, now, known))  # type: ignore[arg-type]
            own = ()
        before = now
    return told


def _heard(events: Sequence[Event], seat: int) -> tuple[Event, ...]:
    return tuple(known for known in (heard(event, seat) for event in events) if known is not None)


def _seen(events: Sequence[Event], seat: int) -> tuple[Event, ...]:
    return tuple(known for known in (seen(event, seat) for event in events) if known is not None)
