"""One match in the reference engine and in a compiled one, compared at every decision: differential testing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rulekit.bots.players.random_bot import RandomBot
from rulekit.bots.seated_bots import accepted
from rulekit.compiler import pipeline
from rulekit.compiler.lower.storage.layout import Storage
from rulekit.compiler.plan import ir
from rulekit.compiler.runtime.state_encoding import encoded_options, encoded_state
from rulekit.model.game import Game
from rulekit.play import engine
from rulekit.play.state import counter_rng
from rulekit.play.state.errors import RuleError
from rulekit.play.state.match_state import Action, Decision, Pending, State
from rulekit.play.state.value import Value
from tests.generators.handmade_plans import Machine


class Follower:
    """The reference engine, which answers by chance as the bots do, one decision behind the compiled one."""

    def __init__(self, game: Game, options: Mapping[str, Value], seats: int, seed: str) -> None:
        self.step = engine.start(game, options, seats, seed)
        names = self.step.state.setting.seats
        self.bots = [RandomBot(seed, name) for name in names]
        self.turns = [0] * len(names)
        self.decisions = 0
        self.chosen: int | tuple[int, ...] = 0

    @property
    def state(self) -> State:
        return self.step.state

    def pending(self) -> Pending | None:
        waiting = [branch.pending for branch in self.state.branches if branch.pending is not None]
        return waiting[0] if waiting else self.state.pending

    def answer(self) -> int | tuple[int, ...]:
        """Decide, and give the place or places of the answer among the options; `chosen` has them if a rule fails."""
        decision = engine.decisions(self.state)[0]
        value = accepted(self.state, decision, self._chosen)
        self.turns[decision.seat] += 1
        self.decisions += 1
        self.step = engine.apply(self.state, Action(decision.seat, value))
        return self.chosen

    def _chosen(self, decision: Decision) -> Value:
        value = self.bots[decision.seat].answer(decision, self.turns[decision.seat])
        self.chosen = _places(decision.options, value) if decision.several else decision.options.index(value)
        return value


def _places(options: tuple[Value, ...], chosen: Any) -> tuple[int, ...]:
    left = list(range(len(options)))
    found = []
    for value in chosen:
        place = next(place for place in left if options[place] == value)
        left.remove(place)
        found.append(place)
    return tuple(sorted(found))


def same_match(
    machine: Machine,
    storage: Storage,
    game: Game,
    options: Mapping[str, Value],
    seats: int,
    seed: str,
    failures: Counter[str] | None = None,
) -> int:
    """Plays one match in both; fails at the first difference.  Gives the number of decisions.

    failures: where the code of the error is counted if the rules fail.
    """
    try:
        follower = Follower(game, options, seats, seed)
    except RuleError as error:
        same_failure(machine.play(counter_rng.seed_number(seed)), error, seed, failures)
        return 0
    broken: list[RuleError] = []

    def answer(m: Machine, ask: int, seat: int, given: tuple[int, ...], least: int, most: int) -> Any:
        assert not broken, f"{seed}: goes on where the rules are broken: {broken[0]}"
        pending = follower.pending()
        question = m.plan.asks[ask]
        assert pending is not None, f"{seed}: asks {question} after the end"
        asked = (pending.seat, pending.name)
        assert (seat, question.name) == asked, f"{seed}, {options}, {seats} seats: {question}, not {asked}"
        assert list(given) == options_of(pending), (seed, question)
        if pending.form == "several":
            assert (least, most) == (pending.least, pending.most), (seed, question)
        if not follower.state.branches:
            assert m.steps() == follower.state.steps, f"{seed}, {question}: {m.steps()}, not {follower.state.steps}"
            same_position(m, storage, follower.state, f"{seed}, {question}")
        try:
            return follower.answer()
        except RuleError as error:
            broken.append(error)
            return follower.chosen

    status = machine.play(counter_rng.seed_number(seed), answer)
    if broken:
        same_failure(status, broken[0], seed, failures)
        return follower.decisions
    assert status == ir.Status.DONE, f"{seed}: status {status}"
    assert follower.state.over, f"{seed}: ends before the rules do"
    same_position(machine, storage, follower.state, seed)
    assert machine.steps() == follower.state.steps, f"{seed}: {machine.steps()} at the end, not {follower.state.steps}"
    return follower.decisions


def same_failure(status: int, error: RuleError, seed: str, failures: Counter[str] | None = None) -> None:
    """Fails unless a compiled match ended as the reference engine did, out of steps or with another fault."""
    if error.code == "endless":
        assert status == ir.Status.ENDLESS, f"{seed}: status {status}, but {error}"
    else:
        assert status >= ir.Status.FAULT, f"{seed}: status {status}, but {error}"
    if failures is not None:
        failures[error.code] += 1


def same_position(machine: Machine, storage: Storage, state: State, where: str) -> None:
    words, lists = encoded_state(storage, state)
    got = machine.words()
    ignored = {storage.last_answer} if not storage.order_matters else set()
    names = storage.word_names
    differs = [
        (names[i], got[i], words[i])
        for i in range(len(words))
        if got[i] != words[i] and i not in ignored and not names[i].startswith("skip ")
    ]
    assert not differs, f"{where}: {differs[:5]}"
    assert machine.lists() == lists, where


def plan_of(game: Game, options: Mapping[str, Value], seats: int) -> tuple[ir.Plan, Storage]:
    return pipeline.lowered(game, options, seats)


def options_of(pending: Pending) -> list[int]:
    """The options of a question as a compiled engine has them."""
    return encoded_options(None if pending.form == "several" else pending.type, pending.options)
