"""One match as every seat receives it, and the moments at which another history may branch off from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field, frozen

from rulekit import Action, Decision, Game, State, Value, decisions, start
from rulekit.play.state.match_state import CHANCE, Frame, Pending
from rulekit.play.view import SPECTATOR
from rulekit.record.match import Match
from tests.generators.random_matches import Answers
from tests.secrecy.knowledge import Ledger
from tests.secrecy.received import Heard, body, plain, present, undo
from tests.secrecy.terminal import Step, Terminals


@frozen
class Message:
    """known: how many entries the seat's ledger had by then."""

    known: int
    body: bytes


@define
class Run:
    """One history as every seat receives it.

    looks:  what each seat can see and try at present.
    tried:  what each hears that wants to take back its last decision.
    sent:   the messages to each seat: what it heard and what it can see, when either is something new.
    deaf:   seats whose messages nobody compares any more.
    screens:  what each is shown at a terminal, where that is compared, too.
    pages:    what each is shown on its page at a table, where that is compared, too.
    made:     the page of each, and of which position it is.
    """

    match: Match
    ledger: Ledger
    looks: dict[int, bytes] = field(factory=dict)
    tried: dict[int, list[str]] = field(factory=dict)
    sent: dict[int, list[Message]] = field(factory=dict)
    unsent: dict[int, Heard] = field(factory=dict)
    deaf: set[int] = field(factory=set)
    screens: Terminals | None = None
    pages: Callable[[Match, int], str] | None = None
    made: dict[int, tuple[State, str]] = field(factory=dict)

    @property
    def state(self) -> State:
        return self.match.state

    @property
    def waits(self) -> bool:
        """Whether something must be decided, by anybody but chance."""
        return not any(decision.seat == CHANCE for decision in decisions(self.state))

    def act(self, action: Action) -> None:
        before = self.state
        decision = next(each for each in decisions(before) if each.seat == action.seat)
        self.ledger.answered(before, decision, action.answer)
        with self.ledger.listening():
            events = self.match.act(action)
        self.ledger.stands(self.state, action.seat)
        step = Step(self.match, before, decision, action.answer, events)
        if self.screens is not None:
            self.screens.hot.heard(step)
        for seat in self.ledger.sheets.keys() - self.deaf:
            heard = self.unsent.setdefault(seat, Heard())
            heard.hear(events, seat)
            if self.screens is not None:
                heard.shown += self.screens.heard(step, seat)
        if self.waits:
            self.send()

    def open(self) -> None:
        """What is shown before anybody decides."""
        if self.screens is not None:
            self.screens.hot.opening(self.match)
            for seat in self.ledger.sheets:
                self.unsent[seat] = Heard(shown=self.screens.opening(self.match, seat))

    def send(self) -> None:
        for seat, sheet in self.ledger.sheets.items():
            if seat in self.deaf:
                continue
            looks, tried = self.at_present(seat)
            heard = self.unsent.pop(seat, Heard())
            if heard or looks != self.looks.get(seat) or tried != self.tried.get(seat, tried):
                message = Message(len(sheet.entries), body(plain([heard, tried])) + looks)
                self.sent.setdefault(seat, []).append(message)
            self.looks[seat], self.tried[seat] = looks, tried

    def look(self, seat: int) -> bytes:
        return self._at_present(seat)[0]

    def at_present(self, seat: int) -> tuple[bytes, list[str]]:
        """What a seat can see and try, and what it hears that wants to take back its last decision; its page."""
        looks, tried = self._at_present(seat)
        return looks, tried if self.pages is None else [*tried, self.page(seat)]

    def page(self, seat: int) -> str:
        """What a seat is shown now on its page; the page of a position is made once."""
        assert self.pages is not None
        known = self.made.get(seat)
        if known is None or known[0] is not self.state:
            known = self.made[seat] = self.state, self.pages(self.match, seat)
        return known[1]

    def _at_present(self, seat: int) -> tuple[bytes, list[str]]:
        parts = present(self.state, seat)
        tried = [] if seat == SPECTATOR else undo(self.match, seat)
        if self.screens is not None and self.waits:
            shown, taken_back = self.screens.at_present(self.match, seat)
            parts, tried = [*parts, *shown], [*tried, *taken_back]
        return body(parts), tried

    def copy(self, state: State | None = None) -> Run:
        """Another history that is the same up to now; `state` in place of its position."""
        match = Match(state or self.state, people=self.match.people, history=self.match.history.copy())
        sent = {seat: list(messages) for seat, messages in self.sent.items()}
        unsent = {seat: heard.copy() for seat, heard in self.unsent.items()}
        looks, tried = self.looks.copy(), self.tried.copy()
        screens = None if self.screens is None else self.screens.copy()
        return Run(match, self.ledger.copy(), looks, tried, sent, unsent, screens=screens, pages=self.pages)


def begun(
    rules: Game,
    seats: int,
    seed: str | None,
    options: dict[str, Value] | None = None,
    terminals: Callable[[Match], Terminals] | None = None,
    pages: Callable[[Match, int], str] | None = None,
) -> Run:
    """A match whose rules are listened to from the start on.  terminals, pages: to show it at."""
    step = start(rules, options, seats, seed)
    state = step.state
    state.setting.watched = True
    match = Match(state, step.events)
    run = Run(match, Ledger.of(state.setting), screens=terminals(match) if terminals else None, pages=pages)
    run.ledger.stands(state)
    run.open()
    run.send()
    return run


# ---------------------------------------------------------------- the history that twins branch off from


@frozen
class Moment:
    """A history just before a decision, with the answer that was given.  place: how many decisions came before."""

    run: Run
    decision: Decision
    answer: Value
    place: int


@frozen
class After:
    """What a decision led to.  known: what each seat may know now, slot by slot."""

    state: State
    flow: Any
    looks: dict[int, bytes]
    known: dict[int, list[Any]]


@define
class Base:
    """A whole match.  after: by decision."""

    run: Run
    steps: list[tuple[Decision, Value]] = field(factory=list)
    after: list[After] = field(factory=list)
    moments: list[Moment] = field(factory=list)


def played(run: Run, answers: Answers, every: int, most: int = 10_000, *, in_turn: bool = False) -> Base:
    """A match by chance, kept at about each `every`-th decision.

    in_turn:  whether those who are asked together answer one after the other, as at a terminal.
    """
    base = Base(run.copy())
    run, last = base.run, CHANCE
    while (waiting := decisions(run.state)) and len(base.steps) < most:
        # Whoever is asked again goes on half the time, so that blocks are answered in and out of turn.
        again = [decision for decision in waiting if decision.seat == last]
        pool = again if again and answers.below(2) else waiting
        decision = waiting[0] if in_turn else pool[answers.below(len(pool))]
        answer, last = answers.to(decision), decision.seat
        if answers.below(every) == 0:
            base.moments.append(Moment(run.copy(), decision, answer, len(base.steps)))
        run.act(Action(decision.seat, answer))
        base.steps.append((decision, answer))
        base.after.append(After(run.state, flow(run.state), run.looks.copy(), run.ledger.now()))
    return base


def flow(state: State) -> Any:
    """The place in the rules, and who is asked what: never the values."""
    branches = tuple((b.seat, b.done, _places(b.frames), _question(b.pending)) for b in state.branches)
    return _places(state.frames), _question(state.pending), branches, state.over


def names_in_force(state: State, seat: int) -> Any:
    """The values of the names in force in the flow of the match and in a seat's own, but for those chosen in secret.

    They are part of the present, as what was rolled is until the rules have done with it.
    """
    own = next((branch.frames for branch in state.branches if branch.seat == seat), ())
    return [
        [value for at, value in enumerate(values) if at not in dict(secret)]
        for _, _, values, _, secret in (*state.frames, *own)
    ]


def _places(frames: tuple[Frame, ...]) -> Any:
    return tuple((code, pc) for code, pc, *_ in frames)


def _question(pending: Pending | None) -> Any:
    return None if pending is None else (pending.seat, pending.name, pending.form)
