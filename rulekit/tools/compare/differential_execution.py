"""Differential execution: two games played in lockstep with the same answers, until they diverge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, takewhile
from typing import Any

from rulekit.bots.players.random_bot import RandomBot
from rulekit.bots.seated_bots import accepted
from rulekit.diagnostics import printable
from rulekit.model.game import Game
from rulekit.play import engine, position_setup
from rulekit.play.state import counter_rng
from rulekit.play.state.errors import IllegalAction, Refused, RuleError
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import CHANCE, Action, Decision, State, Step
from rulekit.play.state.value import Value, notation
from rulekit.tools.compare.bookkeeping import Cell
from rulekit.tools.compare.divergence import Divergence, Side, announced_divergence, first_divergence
from rulekit.tools.examples.scenario_writer import CannotSay, answer_line
from rulekit.tools.language.translation import Tongue
from rulekit.values import define, evolve, field, frozen


def random_match(
    game: Game, options: Mapping[str, Value], seats: int, seed: str
) -> Iterator[tuple[Step, Action | None]]:
    """A match in which all answer by chance, in the reference engine: each step with its answer, None at the end."""
    step = engine.start(game, options, seats, seed)
    bots = [RandomBot(seed, name) for name in step.state.setting.seats]
    turns = [0] * len(bots)
    while waiting := engine.decisions(step.state):
        seat = waiting[0].seat
        answer = partial(bots[seat].answer, turn=turns[seat])
        action = Action(seat, accepted(step.state, waiting[0], answer))
        turns[seat] += 1
        yield step, action
        step = engine.apply(step.state, action)
    yield step, None


@frozen
class Moment:
    """A decision made in both games.  state: of the first, before it."""

    state: State
    action: Action


def answer_lines(past: Iterable[Moment], tongue: Tongue) -> Iterator[str]:
    """What was answered, as lines of a scenario; in words of the language where no scenario can say it."""
    for moment in past:
        try:
            yield answer_line(moment.state, moment.action)
        except CannotSay:
            answer = printable(str(moment.action.answer))
            yield tongue.say("seat-answers", seat=moment.action.seat + 1, answer=answer)


@frozen
class Unseen:
    """Two games that differ in nothing but bookkeeping.  after: so many decisions."""

    a: Step
    b: Step
    after: int


def _unseen(a: Side, b: Side, after: int) -> Unseen | None:
    if not isinstance(a, Step) or not isinstance(b, Step) or a.state.values == b.state.values:
        return None
    return Unseen(a, b, after)


@define(eq=False)
class Pair:
    """Two games at the same decision; `divergence` is set when they differ.

    listening:  whether it counts what is announced and revealed, which no scenario can say.
    also:       bookkeeping that counts all the same.
    unseen:     where first nothing but bookkeeping differed.
    """

    a: Side
    b: Side
    past: list[Moment] = field(factory=list)
    listening: bool = False
    also: frozenset[Cell] = frozenset()
    divergence: Divergence | None = None
    unseen: Unseen | None = None

    def __attrs_post_init__(self) -> None:
        self._compare()

    def _compare(self) -> None:
        self.divergence = first_divergence(self.a, self.b, self.also)
        if self.divergence is None and self.listening:
            self.divergence = announced_divergence(self.a, self.b)
        if self.divergence is None and self.unseen is None:
            self.unseen = _unseen(self.a, self.b, len(self.past))

    @property
    def is_over(self) -> bool:
        return self.divergence is not None or isinstance(self.a, RuleError) or self.a.state.over

    def act(self, action: Action) -> None:
        """The same answer in both."""
        assert isinstance(self.a, Step), self.a
        assert isinstance(self.b, Step), self.b
        self.past.append(Moment(self.a.state, action))
        self.a, self.b = _applied(self.a.state, action), _applied(self.b.state, action)
        self._compare()

    def takes(self, action: Action) -> bool:
        """Whether an answer is offered in both."""
        sides = [side for side in (self.a, self.b) if isinstance(side, Step)]
        return len(sides) == 2 and all(
            any(
                question.seat == action.seat and _is_offered(question, action)
                for question in engine.decisions(side.state)
            )
            for side in sides
        )

    def waiting(self) -> tuple[Decision, ...]:
        return engine.decisions(self.a.state) if isinstance(self.a, Step) else ()


def _applied(state: State, action: Action) -> Side:
    try:
        return position_setup.settled(engine.apply(state, action))
    except Refused as fault:
        return RuleError(fault.code, fault.reason, fault.span, fault.cites)
    except IllegalAction as fault:
        raise AssertionError(f"{action} was offered to both: {fault}") from None
    except RuleError as fault:
        return fault


def played(pair: Pair, answers: Callable[[Decision], Value], most: int) -> Pair:
    """Go on until they part, one of them ends, or so many decisions are made."""
    while not pair.is_over and len(pair.past) < most and (waiting := pair.waiting()):
        pair.act(_taken(pair, waiting[0], answers))
    return pair


def _taken(pair: Pair, question: Decision, answers: Callable[[Decision], Value]) -> Action:
    """An answer that at least one of the games does not refuse."""
    while True:
        action = Action(question.seat, answers(question))
        if not all(isinstance(side, Step) and _is_refused(side.state, action) for side in (pair.a, pair.b)):
            return action
        question = evolve(question, refused=(*question.refused, action.answer))


def _is_refused(state: State, action: Action) -> bool:
    try:
        return engine.refusal(state, action) is not None
    except RuleError:
        return False


@define(eq=False)
class ReplayedAnswers:
    """The answers of a match given again, as far as they are offered; beyond them, and for chance, random ones.

    tail:     the decisions of the match whose answers are given again, in order.
    attempt:  seeds the random answers; the same number gives the same answers.
    used:     answers of `tail` given so far; drawn: the place in the random stream.
    """

    tail: Sequence[Moment]
    attempt: int
    used: int = 0
    drawn: int = 0

    def __call__(self, question: Decision) -> Value:
        if question.seat != CHANCE and self.used < len(self.tail):
            answer = self.tail[self.used].action
            self.used += 1
            if answer.seat == question.seat and _is_offered(question, answer):
                return answer.answer
        return self._random(question)

    def _random(self, question: Decision) -> Value:
        if question.several:
            return next(some for some in _sets(question) if some not in question.refused)
        key = counter_rng.stream_key(counter_rng.seed_number(f"go on {self.attempt}"), "answers")
        place, self.drawn = counter_rng.below(key, self.drawn, max(1, len(question.options)))
        return question.options[place]


def _sets(question: Decision) -> Iterator[tuple[Value, ...]]:
    """The sets that may be chosen, the fewest and first things first."""
    return (some for n in range(question.least, question.most + 1) for some in combinations(question.options, n))


def _is_offered(question: Decision, action: Action) -> bool:
    if not question.several:
        return action.answer in question.options
    taken = action.answer
    # Equal copies are counted: two of a card are not offered where one is.
    return isinstance(taken, tuple) and Counter(taken) <= Counter(question.options)


# ---------------------------------------------------------------- which clauses acted


def both_acted(side: Side, other: Side) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The clauses that acted in each of two games."""
    return acted(side, other), acted(other, side)


def acted(side: Side, other: Side) -> tuple[str, ...]:
    """The clauses behind the first thing that happened in one game and not, or otherwise, in the other.

    Where nothing more happened: those of what is asked, or of what happened last.
    """
    if isinstance(side, RuleError):
        return side.cites
    theirs = other.events if isinstance(other, Step) else ()
    same = _common(side.events, theirs)
    own = side.events[same : same + 1]
    asked = [clause for question in engine.decisions(side.state) for clause in question.clauses]
    found = [clause for event in own for clause in event.all_clauses]
    before = (list(event.all_clauses) for event in reversed(side.events[:same]))
    return tuple(dict.fromkeys(found or asked or next(filter(None, before), [])))


def _common(mine: Sequence[Event], theirs: Sequence[Event]) -> int:
    """How many events are the same at first."""
    pairs = zip(mine, theirs, strict=False)
    return sum(1 for _ in takewhile(lambda pair: _key(pair[0]) == _key(pair[1]), pairs))


def _key(event: Event) -> tuple[Any, ...]:
    return event.name, tuple((fact.name, notation(fact.value)) for fact in event.facts)
