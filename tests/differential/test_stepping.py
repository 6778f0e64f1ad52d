"""Matches that wait at every question, and are copied there, play as those that are played at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulekit.compiler.passes.suspension import suspendable
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.ir import Plan, Status
from rulekit.compiler.runtime.questions import Asked
from rulekit.compiler.wasm.stepping import WasmStepping, stepping
from tests import paths
from tests.compiler.test_plan_tries import nested, pair_of
from tests.differential.random_games import agreed
from tests.generators.handmade_plans import plan
from tests.generators.random_matches import GAMES, game
from tests.generators.random_plans import plan_by_chance
from tests.plans.evaluator import Evaluator
from tests.plans.validator import faults
from tests.sizes import quick

Stepping = Evaluator | WasmStepping
READS_OTHERS = paths.CASES / "engines" / "reads_others.rules"
ENGINES: dict[str, Callable[[Plan], Stepping]] = {
    "evaluator": lambda plan: Evaluator(suspendable(plan)),
    "wasm": stepping,
}
EVERY = {"evaluator": 51, "wasm": 17}
"""At every so many questions a match is left for playouts; seldom in the evaluator, where they take long."""
CALL = p.Do(None, "code_1", ())
GUARDED = [plan(CALL, CALL, functions=(pair_of(total),)) for total in (1, 3, 5)] + [nested(1, 1), nested(0, 1)]
"""Plans whose questions depend on what a function that bounds remembers."""


def by_size(machine: Stepping, number: int, seat: int, options: tuple[int, ...], least: int, most: int) -> Any:
    """An answer that depends on all that was asked; several things are spread."""
    mark = sum(options) + machine.decisions() + seat
    if machine.plan.asks[number].form != "several":
        return mark % len(options)
    size = least + mark % (most - least + 1)
    return tuple(sorted((mark + place) % len(options) for place in range(size)))


def answer(machine: Stepping, asked: Asked, count: int) -> Any:
    """As `by_size`, which is asked when its question has been counted."""
    mark = sum(asked.options) + count + asked.seat
    if machine.plan.asks[asked.ask].form != "several":
        return mark % len(asked.options)
    size = asked.least + mark % (asked.most - asked.least + 1)
    return tuple(sorted((mark + place) % len(asked.options) for place in range(size)))


def seen(machine: Stepping) -> Any:
    return machine.decisions(), machine.words(), machine.lists()


Watched = tuple[int, list[Any], Any]


def watched(plan: Plan, seed: int) -> Watched:
    """A match played at once: its seed, the questions with the position there, and the end."""
    found: list[Any] = []
    machine = Evaluator(plan)

    def note(machine: Stepping, *question: Any) -> Any:
        decisions, *position = seen(machine)
        found.append((Asked(*question), decisions - 1, *position))
        return by_size(machine, *question)

    return seed, found, (machine.play(seed, note), *seen(machine))


def same_in_steps(machine: Stepping, match: Watched, *, every: int = 1) -> int:
    """The match in steps; at every so many questions left for playouts and come back to.

    Gives how many of these came to another position than the question's.
    """
    seed, questions, end = match
    status, at, parted = machine.begin(seed), 0, 0
    while status == Status.WAITING:
        asked = machine.waiting()
        assert (asked, *seen(machine)) == questions[at], at
        if at % every == 0:
            saved = machine.saved()
            ends = [_left(machine, number, saved) for number in (5, 6, 5)]
            assert ends[0] == ends[2]
            parted += ends[0][2:] != questions[at][2:]
            assert (machine.waiting(), *seen(machine)) == questions[at], at
        at += 1
        status = machine.resume(answer(machine, asked, at))
    assert at == len(questions)
    assert (status, *seen(machine)) == end
    return parted


def _left(machine: Stepping, seed: int, saved: Any) -> Any:
    """How the match ends by a playout from here, to which it comes back."""
    status = machine.playout(seed)
    assert status != Status.WAITING
    end = (status, *seen(machine))
    machine.restore(saved)
    return end


@pytest.mark.parametrize("path", [*quick(GAMES), READS_OTHERS], ids=lambda path: path.stem)
def test_a_match_in_steps_is_the_match_at_once(path: Path) -> None:
    rules = game(path)
    plan = lowered(rules, {}, min(rules.most, 4))[0]
    assert faults(suspendable(plan)) == []
    match = watched(plan, 78)
    for engine, make in ENGINES.items():
        assert same_in_steps(make(plan), match, every=EVERY[engine]) > 0, engine


@pytest.mark.parametrize("engine", ENGINES)
def test_plans_by_chance_in_steps(engine: str) -> None:
    parted = 0
    for seed in range(30):
        plan = plan_by_chance(seed)
        assert faults(suspendable(plan)) == [], seed
        parted += same_in_steps(ENGINES[engine](plan), watched(plan, 3))
    assert parted > 10


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("plan", GUARDED)
def test_guards_wait_with_their_functions(engine: str, plan: Plan) -> None:
    assert same_in_steps(ENGINES[engine](plan), watched(plan, 1)) > 0


@pytest.mark.parametrize("engine", ENGINES)
def test_games_by_chance_in_steps(engine: str) -> None:
    for seed in range(4):
        plan = lowered(*agreed(seed))[0]
        assert same_in_steps(ENGINES[engine](plan), watched(plan, seed), every=19) > 0


@pytest.mark.parametrize("path", quick(GAMES), ids=lambda path: path.stem)
def test_engines_agree_on_what_follows(path: Path) -> None:
    rules = game(path)
    plan = lowered(rules, {}, min(rules.most, 3))[0]
    machines = [make(plan) for make in ENGINES.values()]
    for machine in machines:
        machine.begin(11)
    for count in range(1, 8):
        saved = [machine.saved() for machine in machines]
        ends = [(machine.playout(count), seen(machine)) for machine in machines]
        assert ends[0] == ends[1]
        for machine, one in zip(machines, saved, strict=True):
            machine.restore(one)
            machine.resume(answer(machine, machine.waiting(), count))


def test_a_stopping_plan_asks_only_where_the_plan_does() -> None:
    """What never asks is left as it was."""
    plan = plan_by_chance(1)
    made = suspendable(plan)
    asking = {f.name for f in made.functions if f.stops}
    assert asking
    unchanged = [f for f in made.functions if not f.stops]
    assert unchanged == [f for f in plan.functions if f.name not in asking]
    assert made == p.Plan(**{name.name: getattr(made, name.name) for name in p.Plan.__attrs_attrs__})
