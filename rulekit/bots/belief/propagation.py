"""Propagation of a history along what a seat was told: the transition and observation model of the particle filter.

The rules are played on; what the seat did not see is asked for, and a contradiction to what it was told is a `Clash`.
The rules ask for chance here (a match without a seed), so a history is the list of all answers, chance's among them.
Other seats' open answers stand in the events; only chance and secret answers are guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import log

from rulekit.bots.belief import proposals
from rulekit.bots.belief.evidence_lookahead import events_after_block, first_block_events, pile_mismatches
from rulekit.bots.belief.history import Message, Node
from rulekit.bots.belief.information_set import hidden_slots, indistinguishable
from rulekit.bots.belief.observation_matching import (
    Pair,
    event_differences,
    heard_by,
    matches_told,
    mentions_seat,
    numbers_of,
    refs_of,
    similarity,
    view_differences,
    with_sorted_facts,
    with_sorted_values,
)
from rulekit.bots.belief.proposals import Hints
from rulekit.bots.random_playout import finished_seat
from rulekit.bots.rng import Rng
from rulekit.play import engine
from rulekit.play.state.errors import IllegalAction, RuleError
from rulekit.play.state.event import Event, heard
from rulekit.play.state.match_state import CHANCE, Action, Branch, Decision, State
from rulekit.play.state.value import Value
from rulekit.play.view import View, view
from rulekit.values import define, evolve, field, frozen

_DRAWS = ("drawn", "things")


@frozen
class Clash:
    """What a history leads to is not what the seat was told.

    pairs:  values that came, each with one that should have come in its stead; as far as that can be said.
    fit:    how many events of the step that clashed were as told.
    alike:  how similar the next event was to what was told, see `similarity`.
    """

    pairs: tuple[Pair, ...] = ()
    fit: int = 0
    alike: int = 0


@frozen
class Question:
    """What is answered next in a history.

    known:  the answers that agree with what was told; None if the answer must be guessed.
    own:    whether the seat itself is asked.
    size:   of an answer that is a secret set, how many things are in it, which everybody is told.
    """

    decision: Decision
    known: tuple[Value, ...] | None = None
    own: bool = False
    size: int | None = None


@define(eq=False)
class Propagator:
    """Extends histories along what one seat was told, and keeps every step that was tried.

    seat:     whose histories.  record: the messages that it was told so far.

    taken:    how many answers were given in histories.  applied: how many of them for the first time since it forgot
              what it tried, so that rules were played on.

    lenient:  things of a pile may come in another order than was told.  Which of several copies that are alike is
              drawn cannot be said to the rules, so where their order is seen there may be no history that fits better.
    """

    seat: int
    lenient: bool = False
    record: list[Message] = field(factory=list)
    taken: int = 0
    applied: int = 0
    _asked: dict[Node, Question | Clash | None] = field(factory=dict)
    _transitions: dict[tuple[Node, int, Value], tuple[Node, Clash | None]] = field(factory=dict)
    _through: dict[Node, Node] = field(factory=dict)
    _hints: dict[tuple[int, int, int, int], frozenset[Value]] = field(factory=dict)
    _named_before: dict[int, frozenset[Value]] = field(factory=dict)
    _fitting: dict[int, State] = field(factory=dict)
    _hidden: frozenset[int] = frozenset()

    # ------------------------------------------------------------ where a history stands

    def question(self, node: Node) -> Question | Clash | None:
        """What is answered next on the way through the message; None if it is through."""
        if node not in self._asked:
            self._asked[node] = self._question(node)
        return self._asked[node]

    def _question(self, node: Node) -> Question | Clash | None:
        message, state = self.record[node.message], node.state
        left = message.events[node.matched :]
        if state.pending is not None and state.pending.seat == CHANCE:
            return self._of_chance(engine.decisions(state)[0], state, left)
        if node.own < len(message.own_answers):
            return self._own(state, message.own_answers[node.own])
        if not left:
            return self._looked_at(node)
        if state.branches:
            return self._finishing(state, left)
        return self._others(state, left[0])

    def _looked_at(self, node: Node) -> Clash | None:
        """Whether the seat sees what it was told to see when a message is through."""
        state, told = node.state, self.record[node.message].view
        known = self._fitting.get(node.message)
        if known is None or not indistinguishable(known, state, self.seat, self._hidden):
            now = view(state, self.seat)
            if not self._same(now, told):
                return Clash(tuple(view_differences(now, told)))
        if known is None:
            self._fitting[node.message] = state
            self._hidden = self._hidden or hidden_slots(state, self.seat)
        return None

    def _own(self, state: State, answer: Value) -> Question | Clash:
        asked = _asked(state, self.seat)
        return Clash() if asked is None else Question(asked, (answer,), own=True)

    def _of_chance(self, asked: Decision, state: State, left: tuple[Event, ...]) -> Question | Clash:
        """A draw is told as soon as it is made: whoever sees the event knows each thing in it."""
        pending = state.pending
        assert pending is not None
        if pending.pile is not None or not left:
            return Question(asked)
        told = next((left[0].get(name) for name in _DRAWS if isinstance(left[0].get(name), tuple)), None)
        size = min(pending.wanted, len(pending.drawn) + len(pending.options))
        if left[0].name not in ("draw", "roll", "deal") or not isinstance(told, tuple) or len(told) != size:
            return Question(asked)
        wanted = told[len(pending.drawn)]
        known = proposals.meant(asked, wanted)
        return Question(asked, known) if known else Clash(tuple((option, wanted) for option in asked.options))

    def _finishing(self, state: State, left: tuple[Event, ...]) -> Question | Clash:
        """Among those who decide apart, the one goes on who is told to finish next."""
        seat = next((seat for event in left if (seat := finished_seat(state, event)) is not None), None)
        asked = None if seat is None else _asked(state, seat)
        return Clash() if asked is None or seat == self.seat else Question(asked)

    def _others(self, state: State, told: Event) -> Question | Clash:
        pending = state.pending
        if pending is None or pending.seat == self.seat:
            return Clash()
        asked = engine.decisions(state)[0]
        if pending.secret:
            size = told.get("answer")
            return Question(asked, size=size if asked.several and isinstance(size, int) else None)
        if told.name != "choose":
            return Clash()
        return _known(asked, told.get("answer"))

    # ------------------------------------------------------------ going on

    def opened(self, state: State, events: tuple[Event, ...]) -> Node | Clash:
        """The start of every history."""
        node = Node(None, state, None, False, 0, 0, 0, 0.0)
        came = heard_by(events, self.seat)
        return self._heard(node, came) or evolve(node, matched=len(came))

    def stepped(self, node: Node, question: Question, answer: Value, prior: float) -> tuple[Node, Clash | None]:
        """The history with one more answer, and where it parts from what was told."""
        self.taken += 1
        key = node, question.decision.seat, answer
        if key not in self._transitions:
            self._transitions[key] = self._stepped(node, question, answer, prior)
        return self._transitions[key]

    def _stepped(self, node: Node, question: Question, answer: Value, prior: float) -> tuple[Node, Clash | None]:
        self.applied += 1
        action = Action(question.decision.seat, answer)
        hidden = question.known is None or len(question.known) > 1
        try:
            step = engine.apply(node.state, action)
        except (RuleError, IllegalAction):
            return evolve(node, before=node, action=action, hidden=hidden), Clash()
        came = heard_by(step.events, self.seat)
        clash = self._heard(node, came) or self._foreseen(node, step.state, len(came))
        matched = node.matched + (0 if clash else len(came))
        own = node.own + question.own
        return Node(node, step.state, action, hidden, node.message, matched, own, node.prior + prior), clash

    def past(self, node: Node) -> Node:
        """The history, moved on to the next message."""
        if node not in self._through:
            self._through[node] = evolve(node, message=node.message + 1, matched=0, own=0)
        return self._through[node]

    def forget(self) -> None:
        """Empty the caches: more has been told, so that a step that fitted may clash now."""
        self._asked.clear()
        self._transitions.clear()
        self._through.clear()

    def _heard(self, node: Node, came: list[Event]) -> Clash | None:
        """Whether the seat was told just these events next."""
        told = self.record[node.message].events[node.matched :]
        unlike = self._first_unlike(came, told)
        if unlike is None:
            return Clash(fit=len(told)) if len(came) > len(told) else None
        fit, one, other = unlike
        return Clash(tuple(event_differences(one, other)), fit, similarity(one, other))

    def _first_unlike(self, came: Iterable[Event], told: Iterable[Event]) -> tuple[int, Event, Event] | None:
        """How many events are as told, and the first that is not, as the seat hears it, with the one that is told."""
        for fit, (one, other) in enumerate(zip(came, told, strict=False)):
            if not matches_told(one, other, self.seat):
                known = heard(one, self.seat)
                assert known is not None
                if not (self.lenient and with_sorted_facts(known) == with_sorted_facts(other)):
                    return fit, known, other
        return None

    def _foreseen(self, node: Node, state: State, came: int) -> Clash | None:
        """Whether what is told later speaks against what a seat has done apart, before the others have finished."""
        branch = _just_done(node.state, state)
        if branch is None:
            return None
        after = events_after_block(state, self.told_from(node.message, node.matched + came))
        if unlike := self._first_unlike(first_block_events(state, self.seat), after):
            _, one, other = unlike
            return Clash(tuple(event_differences(one, other)), alike=similarity(one, other))
        for have, missing in pile_mismatches(state, branch, self.seat, after):
            return Clash(tuple((thing, other) for other in missing for thing in have))
        return None

    def told_from(self, message: int, matched: int) -> Iterator[Event]:
        """All events of the record from a place on."""
        yield from self.record[message].events[matched:]
        for later in self.record[message + 1 :]:
            yield from later.events

    def named_before(self, message: int) -> frozenset[Value]:
        """All that was named in so many messages."""
        if message not in self._named_before:
            events = (event for each in self.record[:message] for event in each.events)
            self._named_before[message] = frozenset(ref for event in events for ref in refs_of(event))
        return self._named_before[message]

    def _same(self, came: View, told: View) -> bool:
        return came == told or (self.lenient and with_sorted_values(came) == with_sorted_values(told))

    # ------------------------------------------------------------ guessing

    def hints(self, node: Node, question: Question) -> Hints:
        """What later messages speak for: things that they name, best together with the seat that answers."""
        seat = question.decision.seat
        if seat != CHANCE:
            return Hints(liked=self._named(node, seat))
        left = self.record[node.message].events[node.matched :]
        soon = frozenset(refs_of(left[0])) if left else frozenset()
        if soon & set(question.decision.options):
            return Hints(liked=soon)
        return Hints(disliked=self._named(node, CHANCE))

    def _named(self, node: Node, seat: int) -> frozenset[Value]:
        """What the events name that are told from here on."""
        key = node.message, node.matched, len(self.record), seat
        if key not in self._hints:
            events = list(self.told_from(node.message, node.matched))
            seats = self.record[node.message].view.seats
            near = [event for event in events if seat != CHANCE and mentions_seat(event, seats[seat])]
            found = {value for event in near for value in (*refs_of(event), *numbers_of(event))}
            self._hints[key] = frozenset(found or {ref for event in events for ref in refs_of(event)})
        return self._hints[key]

    def guessed(self, node: Node, question: Question, rng: Rng, *, with_hints: bool) -> proposals.Guess:
        """One answer; where what was told leaves few, one of those.  with_hints: whether hints are followed."""
        if question.known is None:
            hints = self.hints(node, question)
            return proposals.guess(question.decision, question.size, hints, rng, with_hints=with_hints)
        answer, prior = rng.choice(self.answers(question))
        among = -log(len(question.known))
        return proposals.Guess(answer, prior, among, among)

    def answers(self, question: Question) -> list[tuple[Value, float]]:
        """All answers that can be, with the logarithms of how likely they are; an open answer is a fact, with 0."""
        if question.known is None:
            return proposals.every(question.decision, question.size)
        decision = question.decision
        return [
            (one, proposals.prior(decision, one) or 0.0 if decision.seat == CHANCE else 0.0) for one in question.known
        ]

    def width(self, question: Question) -> int:
        """How many answers a question can have."""
        return proposals.count(question.decision, question.size) if question.known is None else len(question.known)


def _asked(state: State, seat: int) -> Decision | None:
    return next((asked for asked in engine.decisions(state) if asked.seat == seat), None)


def _just_done(before: State, now: State) -> Branch | None:
    """Who has finished with the last answer, while others still decide apart."""
    open_seats = {branch.seat for branch in before.branches if not branch.done}
    return next((branch for branch in now.branches if branch.done and branch.seat in open_seats), None)


def _known(asked: Decision, answer: Value) -> Question | Clash:
    """An open answer, which everybody was told."""
    parts = answer if asked.several and isinstance(answer, tuple) else (answer,)
    found = [proposals.meant(asked, part) for part in parts]
    if all(found):
        return Question(asked, tuple(product(*found)) if asked.several else found[0])
    missing = [part for part, options in zip(parts, found, strict=True) if not options]
    return Clash(tuple((option, part) for part in missing for option in asked.options if option not in parts))
