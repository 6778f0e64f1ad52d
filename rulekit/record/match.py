"""One match in progress: its position, its history of decisions, and undo.

Asks nobody anything and writes nothing; front-ends do.  The rule for undo
stands here: back to a person's own last decision, unless somebody has
learned something since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulekit import limits
from rulekit.model.game import Game
from rulekit.play import beginning, engine, position_setup
from rulekit.play.beginning import Beginning
from rulekit.play.machine.legality import LegalityOracle
from rulekit.play.state.errors import LimitError
from rulekit.play.state.event import Event, heard
from rulekit.play.state.match_state import CHANCE, Action, Decision, Outcome, State
from rulekit.play.state.value import Value
from rulekit.play.view import view
from rulekit.record.ways import ways_asked
from rulekit.values import define, field, frozen

_CHANCE_EVENTS = ("draw", "roll", "deal", "shuffle")
_SHOWING_EVENTS = ("reveal", "announce")


@frozen
class Past:
    """One decision that was made.  state: the position in which it was asked."""

    state: State
    action: Action
    what: str
    events: tuple[Event, ...]

    @property
    def question(self) -> Decision:
        """What was asked."""
        return next(each for each in engine.decisions(self.state) if each.seat == self.action.seat)

    @property
    def ways(self) -> tuple[str, ...]:
        """The texts of all ways, of a choice between ways."""
        return ways_asked(self.state, self.action.seat)


@frozen
class NoWayBack:
    """Why a decision cannot be taken back.

    code:  nothing (none was made), decided (by somebody else since), others (decide in secret now), dice, chance,
           together (secret answers were put), revealed, answered (in secret), seen (by the seat itself).
    by:    the name of the seat that has decided since.
    """

    code: str
    by: str = ""


@define(eq=False)
class Match:
    """people:  the seats that persons hold; nobody undoes what another person decided.

    practice: undo always goes.
    is_part:  an action runs alone; when it is done nothing more is asked, and nobody has won.
    """

    state: State
    opening: tuple[Event, ...] = ()
    people: frozenset[int] = frozenset()
    practice: bool = False
    is_part: bool = False
    history: list[Past] = field(factory=list, repr=False)
    _answers: dict[int, int] = field(factory=dict, repr=False)

    def decisions(self) -> tuple[Decision, ...]:
        return engine.decisions(self.state)

    def outcome(self) -> Outcome | None:
        return engine.outcome(self.state)

    def act(self, action: Action) -> tuple[Event, ...]:
        """Make a decision; the match stands as before if it is refused or a rule cannot be carried out."""
        if len(self.history) >= limits.DECISIONS:
            raise LimitError("too-long", f"the match did not end within {limits.DECISIONS} decisions")
        action = engine.seated(self.state, action)
        what = next((asked.name for asked in self.decisions() if asked.seat == action.seat), "")
        step = engine.apply(self.state, action)
        step = position_setup.settled(step) if self.is_part else step
        self.history.append(Past(self.state, action, what, step.events))
        self.state = step.state
        self._answers[action.seat] = self.answers(action.seat) + 1
        return step.events

    def answers(self, seat: int) -> int:
        """How many decisions a seat has made."""
        return self._answers.get(seat, 0)

    def undo(self, seat: int) -> NoWayBack | None:
        """Go back to the seat's last decision: None if done, else the reason why not."""
        index = self.last_of(seat)
        if index is None:
            return NoWayBack("nothing")
        reason = None if self.practice else self.why_not_back(seat, index)
        if reason is None:
            self._take_back(index)
        return reason

    def _take_back(self, index: int) -> None:
        """Back to a decision; what others decided apart from it since then stays."""
        kept = self.history[index + 1 :] if self.is_apart(index) else []
        self.back_to(index)
        for past in kept:
            self.act(past.action)

    def is_apart(self, index: int) -> bool:
        """Whether decision `index` of the history was made in the secret block that is going on."""
        return index >= self.block_start()

    def last_of(self, seat: int) -> int | None:
        """The place in the history of a seat's last decision."""
        return next((i for i in range(len(self.history) - 1, -1, -1) if self.history[i].action.seat == seat), None)

    def back_to(self, count: int) -> None:
        """As it was when `count` decisions had been made."""
        for past in self.history[count:]:
            self._answers[past.action.seat] -= 1
        if count < len(self.history):
            self.state = self.history[count].state
            del self.history[count:]

    def why_not_back(self, seat: int, index: int) -> NoWayBack | None:
        """Why a seat may not go back to decision `index` of the history; None if it may.

        Inside a secret block the reason never tells how far others have come.
        """
        apart = self.block_start()
        for place in range(index, apart):
            past, after = self.history[place], self._after(place)
            if past.action.seat in self.people - {seat}:
                return NoWayBack("decided", past.state.setting.seats[past.action.seat])
            code = _chance(past, after) or _shown(past, after, seat)
            if code:
                return NoWayBack(code)
        others = any(branch.seat in self.people - {seat} for branch in self.state.branches)
        return NoWayBack("others") if others and index < apart else None

    def _after(self, place: int) -> State:
        """The position to which a decision of the history led."""
        return self.history[place + 1].state if place + 1 < len(self.history) else self.state

    def begins_block(self, place: int) -> bool:
        """Return whether decision `place` of the history is the first answer in a secret block."""
        return bool(self.history[place].state.branches) and not (place and self._went_on_apart(place - 1))

    def block_start(self) -> int:
        """The first decision of the secret block that is going on; the length of the history if none is."""
        place = len(self.history)
        while place and self.state.branches and self._went_on_apart(place - 1):
            place -= 1
        return place

    def _went_on_apart(self, place: int) -> bool:
        past = self.history[place]
        return bool(past.state.branches) and not _merged(past, self._after(place))


def started(
    game: Game,
    options: Mapping[str, Value] | None = None,
    seats: int | Sequence[str] | None = None,
    seed: str | int | None = "0",
    *,
    at: Beginning | None = None,
    people: frozenset[int] = frozenset(),
    practice: bool = False,
    oracle: LegalityOracle | None = None,
) -> Match:
    """A new match, in which invariants are tested; errors as of `engine.start`.

    at:  a position in which it begins.  oracle: as of `engine.start`; it says nothing of matches that begin elsewhere.
    """
    if at is not None:
        step, is_part = beginning.begun(game, options, seats, seed, at), beginning.runs_alone(game, at)
        return Match(step.state, step.events, people, practice, is_part)
    step = engine.start(game, options, seats, seed, verified=True, oracle=oracle)
    return Match(step.state, step.events, people, practice)


# ---------------------------------------------------------------- what was learned


def _chance(past: Past, after: State) -> str:
    words = {event.name for event in past.events}
    if "roll" in words:
        return "dice"
    if past.action.seat == CHANCE or past.state.streams != after.streams or words & set(_CHANCE_EVENTS):
        return "chance"
    return ""


def _shown(past: Past, after: State, seat: int) -> str:
    """What a decision led to that some seat could not know before."""
    if _merged(past, after):
        return "together"
    for event in past.events:
        if event.name in _SHOWING_EVENTS:
            return "revealed"
        if event.name == "choose" and past.action.seat != seat and past.state.pending and past.state.pending.secret:
            return "answered"
        if _uncovers(event, past.state, seat):
            return "seen"
    return ""


def _merged(past: Past, after: State) -> bool:
    """Whether this answer was the last that a block of secret answers waited for."""
    waiting = [branch.seat for branch in past.state.branches if not branch.done]
    if waiting != [past.action.seat]:
        return False
    still = next((branch for branch in after.branches if branch.seat == past.action.seat), None)
    ready = any(event.name == "ready" for event in past.events)
    return ready or still is None or still.done


def _uncovers(event: Event, before: State, seat: int) -> bool:
    """Whether a seat now knows a thing that lay where it could not see it."""
    known = heard(event, seat)
    if known is None or event.name not in ("move", "remove") or not isinstance(known.get("things"), tuple):
        return False
    origin = known.get("from")
    pile = next((value for value in view(before, seat).values if value.path == origin), None)
    if pile is None or pile.count is None:
        return False
    return not isinstance(pile.shown, tuple) or len(pile.shown) < pile.count
