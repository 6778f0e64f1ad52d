"""A simulated series in the reference engine (the interpreter): slow, but of any game and with any bots."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from rulekit import limits
from rulekit.bots.players import registry
from rulekit.bots.players.random_bot import RandomAnswers, RandomBot
from rulekit.bots.seated_bots import SeatedBots, accepted
from rulekit.compiler.lower.counting.counters import Counters, counters_of
from rulekit.compiler.lower.storage.layout import keep, lay_out
from rulekit.compiler.plan.ir import SAMPLE, Status
from rulekit.compiler.runtime.state_encoding import encoded_state
from rulekit.errors import Interrupted, RulekitError
from rulekit.model.game import Game
from rulekit.play import engine
from rulekit.play.interpreter.answering import Question, takes_several
from rulekit.play.machine.working_state import CallFrame, Machine, freeze, thaw
from rulekit.play.playout import played
from rulekit.play.state.errors import LimitError, RuleError
from rulekit.play.state.match_state import Action, Branch, Decision, Pending, State
from rulekit.play.state.value import Value
from rulekit.source import NOWHERE
from rulekit.tools.series.match_instrumentation import Observer
from rulekit.values import define, field, frozen


@define(eq=False)
class Interpreted:
    """A `Series` in the reference engine.

    count:  of players.
    every:  so many matches to one that is tested for invariants.
    bots:   by seat in match 0; in every further match each sits one seat further on.  None: answers by chance.
    most_steps: while a match is played again, the steps after which it is not played on.
    """

    game: Game
    options: Mapping[str, Value]
    count: int
    seed: str
    why: str = ""
    bots: tuple[str, ...] = ()
    every: int = field(init=False, default=SAMPLE)
    engine: str = field(init=False, default="interpreter")
    counters: Counters = field(init=False)
    observer: Observer = field(init=False)
    interrupted: bool = field(init=False, default=False)
    most_steps: int | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        machine = engine.prepared(self.game, self.options, self.count, "0", checked=False)
        storage = lay_out(machine)
        keep(storage, machine)
        self.counters = counters_of(storage, machine)
        self.observer = Observer(self.counters)

    @property
    def seats(self) -> tuple[str, ...]:
        return self.counters.storage.setting.seats

    def bots_of(self, index: int) -> tuple[str, ...]:
        """Who plays in a match, by seat."""
        if not self.bots:
            return (registry.RANDOM,) * self.count
        return tuple(self.bots[(seat - index) % self.count] for seat in range(self.count))

    def rows(self, first: int, count: int, words: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [self._one(index, words) for index in range(first, first + count)]

    def sums(self) -> list[int]:
        return self.observer.take_sums()

    def interrupt(self) -> None:
        """Heard of at the next decision."""
        self.interrupted = True

    def go_on(self) -> None:
        self.interrupted = False

    def replay_failure(self, index: int, most_steps: int) -> FailureReplay:
        """Play a match again until it ends, fails, or has taken more steps than these."""
        one, self.most_steps = self._begun(index), most_steps
        fault, has_ended = None, True
        try:
            one.play()
        except RuleError as error:
            fault = error
        except ReplayLimitReached:
            has_ended = False
        finally:
            self.most_steps = None
        return FailureReplay(fault, has_ended, one.decisions, one.steps)

    def _begun(self, index: int) -> SteppedMatch | Playout:
        self.observer.begin_match()
        stepped = self.thinks or self.is_tested(index)
        return (SteppedMatch if stepped else Playout)(self, index)

    def _one(self, index: int, words: tuple[int, ...]) -> tuple[int, ...]:
        one = self._begun(index)
        status = Status.DONE
        try:
            end = one.play()
        except RuleError as fault:
            status = Status.ENDLESS if fault.code == "endless" else Status.FAULT
        position = list(self.counters.storage.words)
        if status == Status.DONE:
            position, _ = encoded_state(self.counters.storage, freeze(end))
            self.observer.gathered(end, position, one.decisions)
            position[self.counters.entries :] = self.observer.words[self.counters.entries :]
        return (int(status), one.decisions, *(position[word] for word in words))

    def is_tested(self, index: int) -> bool:
        """Whether the invariants are looked at in a match."""
        return bool(self.game.invariants) and index % self.every == 0

    def test_all(self) -> None:
        """Every match is tested for invariants, not a sample of them."""
        self.every = 1

    @property
    def thinks(self) -> bool:
        """Whether any bot does more than to answer by chance."""
        return bool(set(self.bots) - {registry.RANDOM})

    def seed_of(self, index: int) -> str:
        """The seed of a match."""
        return f"{self.seed}#{index}"


class ReplayLimitReached(RulekitError):
    """A match that is played again takes more steps than are allowed for it."""


@frozen
class FailureReplay:
    """What came of a failed match that was played again.

    fault:      the error that ended it; None without one.
    has_ended:  False where it was given up for want of steps.
    decisions, steps:  how many it took until then.
    """

    fault: RuleError | None
    has_ended: bool
    decisions: int
    steps: int


def check_going(of: Interpreted, decisions: int, steps: int) -> None:
    """Raise an error where a match is not played on.

    Errors: `LimitError` after as many decisions as a match may have, `Interrupted` if nobody wants the series any
    more, `ReplayLimitReached` beyond the steps of a replay.
    """
    if of.interrupted:
        raise Interrupted
    if of.most_steps is not None and steps > of.most_steps:
        raise ReplayLimitReached
    if decisions == limits.DECISIONS:
        raise LimitError("endless", f"more than {limits.DECISIONS} decisions", NOWHERE, (), "")


@define(eq=False)
class Playout:
    """One match in which all answer by chance, played without stopping."""

    series: Interpreted
    index: int
    decisions: int = 0
    steps: int = 0
    answers: RandomAnswers = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.answers = RandomAnswers(self.series.seed_of(self.index), self.series.seats)

    def play(self) -> Machine:
        """To its end."""
        one, observer = self.series, self.series.observer
        return played(
            one.game, one.options, one.count, self.answers.seed, self._answer, observer.entered, observer.round_begun
        )

    def _answer(
        self, m: Machine, frame: CallFrame, op: Question, seat: int, options: tuple[Any, ...], least: int, most: int
    ) -> Any:
        self.steps = m.steps
        check_going(self.series, self.decisions, m.steps)
        self.decisions += 1
        value = self.answers(m, frame, op, seat, options, least, most)
        chosen = value if takes_several(op) else (value,)
        self.series.observer.answered(m.values, (frame.code, frame.pc - 1), seat, options, chosen)
        return value


@define(eq=False)
class SteppedMatch:
    """One match of a series, decision by decision through `engine.apply`.

    table:  the bots; None: everybody answers by chance.
    """

    series: Interpreted
    index: int
    decisions: int = 0
    steps: int = 0
    state: State = field(init=False)
    table: SeatedBots | None = field(init=False, default=None)
    turns: list[int] = field(init=False)
    chance: list[RandomBot] = field(init=False)

    def __attrs_post_init__(self) -> None:
        one, seed = self.series, self.series.seed_of(self.index)
        self.turns = [0] * len(one.seats)
        self.chance = [RandomBot(seed, name) for name in one.seats]
        if one.thinks:
            seats = one.seats[: one.count]
            names = enumerate(one.bots_of(self.index))
            bots = {seat: registry.seated(name, one.game, one.options, seats, seat, seed) for seat, name in names}
            self.table = SeatedBots(bots)

    def play(self) -> Machine:
        """To its end."""
        state = self.begin()
        while waiting := engine.decisions(state):
            self.steps = state.steps
            check_going(self.series, self.decisions, state.steps)
            state = self.act(self.action(waiting[0]))
        return thaw(state)

    def begin(self) -> State:
        one = self.series
        seed = one.seed_of(self.index)
        step = engine.start(
            one.game,
            one.options,
            one.count,
            seed,
            verified=one.is_tested(self.index),
            told=False,
            entered=one.observer.entered,
            round_begun=one.observer.round_begun,
        )
        self.state = step.state
        if self.table is not None:
            self.table.tell(step.state, step.events)
        return step.state

    def action(self, decision: Decision) -> Action:
        """What the bot of the asked seat does."""
        if self.table is not None:
            return Action(decision.seat, self.table.answer(self.state, decision))
        bot, turn = self.chance[decision.seat], self.turns[decision.seat]
        return Action(decision.seat, accepted(self.state, decision, partial(bot.answer, turn=turn)))

    def act(self, action: Action) -> State:
        """Take the answer to the first question that waits."""
        decision = engine.decisions(self.state)[0]
        self.turns[action.seat] += 1
        self.decisions += 1
        branch, pending = _waiting(self.state)
        at: State | Branch = branch or self.state
        chosen = _inner(decision, pending, action.answer)
        self.series.observer.answered(at.values, at.frames[-1][:2], pending.seat, pending.options, chosen)
        step = engine.apply(self.state, action)
        self.state = step.state
        if self.table is not None:
            self.table.answered(decision, action.answer)
            self.table.tell(step.state, step.events, action.seat)
        return step.state


def _waiting(state: State) -> tuple[Branch | None, Pending]:
    """The first question that waits, as `engine.decisions` has them."""
    for branch in state.branches:
        if branch.pending is not None:
            return branch, branch.pending
    assert state.pending is not None
    return None, state.pending


def _inner(decision: Decision, pending: Pending, value: Value) -> list[Any]:
    """The options that were chosen, in the engine's own values."""
    left = list(range(len(decision.options)))
    found = []
    for item in value if isinstance(value, tuple) and decision.several else (value,):
        place = next(place for place in left if engine.matches(decision.options[place], item))
        left.remove(place)
        found.append(pending.options[place])
    return found
