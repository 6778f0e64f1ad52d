"""A compiled machine comes by a script to where a history of the rules is, whatever chance and others did."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from rulekit.bots.belief.history import Node
from rulekit.bots.players.compiled_search import Scripts
from rulekit.compiler.lower.storage.layout import Storage
from rulekit.compiler.passes.suspension import suspendable
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan.ir import Status
from rulekit.compiler.runtime.state_encoding import encoded_state
from rulekit.compiler.wasm.stepping import WasmStepping, stepping
from rulekit.model.game import Game
from rulekit.play import engine
from rulekit.play.state.match_state import CHANCE, Action, Decision, State
from rulekit.play.state.value import Value
from tests.differential.random_games import agreed
from tests.generators.random_matches import GAMES, game
from tests.plans.evaluator import Evaluator
from tests.sizes import quick

APART = 41
"""Decisions between two entries."""


def answered(decision: Decision, random: Random) -> Value:
    if decision.seat == CHANCE:
        return random.choices(decision.options, decision.weights)[0]
    if not decision.several:
        return random.choice(decision.options)
    size = random.randint(decision.least, decision.most)
    places = sorted(random.sample(range(len(decision.options)), size))
    return tuple(decision.options[place] for place in places)


def histories(rules: Game, options: dict[str, Value], seats: int) -> Iterator[tuple[Node, Decision]]:
    """Of one match in which chance is asked too; where a seat decides."""
    state = engine.start(rules, options, seats, None).state
    node, random, count = Node(None, state, None, False, 0, 0, 0, 0.0), Random(5), 0
    while not state.over:
        decision = engine.decisions(state)[0]
        if decision.seat != CHANCE and count % APART == 0:
            yield node, decision
        action = Action(decision.seat, answered(decision, random))
        state = engine.apply(state, action).state
        node = Node(node, state, action, False, 0, 0, 0, 0.0)
        count += decision.seat != CHANCE


def same_position(machine: Evaluator | WasmStepping, storage: Storage, state: State) -> None:
    """But for the places of streams, and which of several copies that are alike lies where."""
    words, lists = encoded_state(storage, state)
    ignored = ("skip ", "draws from ", "last answer", "lead of ")
    rows = storage.setting.row_of
    for name, got, wanted in zip(storage.word_names, machine.words(), words, strict=True):
        assert got == wanted or name.startswith(ignored) or name.endswith(" lies in"), name
    for got_list, wanted_list in zip(machine.lists(), lists, strict=True):
        assert [_printed(rows, one) for one in got_list] == [_printed(rows, one) for one in wanted_list]


def _printed(rows: list[int], one: int) -> int:
    return rows[one] if 0 <= one < len(rows) else one


@pytest.mark.parametrize("path", quick(GAMES), ids=lambda path: path.stem)
def test_a_script_leads_to_the_same_position(path: Path) -> None:
    rules = game(path)
    assert same_by_script(rules, {}, min(rules.most, 3)) > 1


@pytest.mark.parametrize("seed", range(4))
def test_a_script_leads_there_in_games_by_chance(seed: int) -> None:
    assert same_by_script(*agreed(seed)) > 0


def same_by_script(rules: Game, options: dict[str, Value], seats: int) -> int:
    """Gives how often the machines were entered."""
    plan, storage = lowered(rules, options, seats)
    scripts = Scripts(storage)
    machines: list[Evaluator | WasmStepping] = [Evaluator(suspendable(plan)), stepping(plan)]
    entries = 0
    for node, decision in histories(rules, options, seats):
        for machine in machines:
            assert machine.enter(scripts.of(node)) == Status.WAITING
            asked = machine.waiting()
            assert (asked.seat, len(asked.options)) == (decision.seat, len(decision.options))
            assert (asked.least, asked.most) == (decision.least, decision.most)
            if not node.state.branches:
                same_position(machine, storage, node.state)
        assert machines[0].waiting() == machines[1].waiting()
        assert machines[0].lists() == machines[1].lists()
        entries += 1
    return entries
