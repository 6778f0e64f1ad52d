"""A trial: a copy of a match in which one seat tries moves, and that nobody else sees or hears of.

It never begins at the position itself, from which a seat could find out what is hidden: at one that fits all that the
seat was told, with chance of its own.  The others answer by chance.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.bots.belief import history
from rulekit.bots.belief.particle_filter import Belief
from rulekit.bots.bot import Chair
from rulekit.bots.random_playout import chance_resolved, randomly_answered, with_sampled_chance
from rulekit.bots.rng import Rng
from rulekit.hosting.known_past import heard_by, seen_by
from rulekit.hosting.seat_page import Moment, Refused, chosen_value
from rulekit.play import engine
from rulekit.play.state import errors
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Action, Decision, State
from rulekit.play.view import View, view
from rulekit.record.json_values import chosen_options
from rulekit.record.match import Match
from rulekit.tools.language.lazy_message import Message
from rulekit.values import define, field

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
            return Refused("not-asked", Message("table-not-asked"))
        value = chosen_value(question, chosen)
        if isinstance(value, Refused):
            return value
        try:
            step = engine.apply(self.state, Action(self.seat, value))
        except (errors.IllegalAction, errors.RuleError):
            return Refused("not-offered", Message("table-not-offered"))
        self._before.append((self.state, self.events))
        self.state, self.events = step.state, seen_by(self.seat, step.events)
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
            self.events += seen_by(self.seat, step.events)


def trial_of(match: Match, seat: int, seed: str) -> Trial | None:
    """A copy for one seat; None if no position is found that fits what it was told.  It may take as long as a bot."""
    belief = belief_of(match, seat, seed)
    state = made_up(belief)
    return None if state is None else Trial(seat, state, belief.rng)


def belief_of(match: Match, seat: int, seed: str) -> Belief:
    """What a seat can know: made of what it was told alone, and of chance of its own."""
    setting = match.state.setting
    seats = setting.seats[: setting.players]
    chair = Chair(setting.game, dict(chosen_options(setting)), seats, seat, seed)
    belief = Belief(chair, Rng.of(seed, "trial"))
    for message in _messages(match, seat):
        belief.told(message)
    return belief


def made_up(belief: Belief) -> State | None:
    """A position that fits a belief, drawn by chance; None if none is found."""
    node, rng = belief.drawn_history(belief.rng), belief.rng
    return None if node is None else chance_resolved(with_sampled_chance(node.state, rng), rng)


def _messages(match: Match, seat: int) -> list[history.Message]:
    """What a seat was told, message by message, as a bot in its place would have been."""
    positions = [*(past.state for past in match.history), match.state]
    steps = [(None, match.opening), *((past.action, past.events) for past in match.history)]
    told: list[history.Message] = []
    own: tuple[object, ...] = ()
    before: View | None = None
    for state, (action, events) in zip(positions, steps, strict=True):
        if action is not None and action.seat == seat:
            own = (*own, action.answer)
        known, now = heard_by(seat, events), view(state, seat)
        if known or now != before or (action is not None and action.seat == seat):
            told.append(history.Message(own, now, known))  # type: ignore[arg-type]
            own = ()
        before = now
    return told
