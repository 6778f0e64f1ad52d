"""Searches in WebAssembly and in the evaluator are the same, see no more than a seat does, and find what is good."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulekit.compiler.lower.search import information_sets
from rulekit.compiler.lower.search.information_sets import Asking
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan.ir import Plan, Status
from rulekit.compiler.runtime.questions import Weighed
from rulekit.compiler.wasm.stepping import WasmStepping, stepping
from rulekit.loading import examine_text
from rulekit.source import Source
from tests.differential import search_evaluator
from tests.differential.random_games import agreed
from tests.generators.random_matches import GAMES, game
from tests.sizes import quick

ENGINES: dict[str, Any] = {"evaluator": search_evaluator.searching, "wasm": stepping}
LONG = ("shear_panic",)
"""A simulation of these takes so long that fewer are enough."""


def first(found: list[Weighed]) -> Weighed:
    return max(found, key=lambda one: (one.visits, one.worth))


@pytest.mark.parametrize("path", quick(GAMES), ids=lambda path: path.stem)
def test_engines_search_alike(path: Path) -> None:
    """To the last bit of every sum; the positions are two that differ in their chance."""
    rules = game(path)
    plan, _ = lowered(rules, {}, min(rules.most, 3), searching=True)
    machines = [make(plan) for make in ENGINES.values()]
    count = 4 if path.stem in LONG else 40
    for _ in range(2):
        results = []
        for machine in machines:
            machine.begin(3)
            saved = machine.saved()
            assert machine.search([saved], 9, 0, count // 2) == count // 2
            assert machine.search([saved], 9, count // 2, count // 2) == count // 2
            results.append(machine.weighed(saved))
        assert results[0] == results[1]
        assert results[0]


@pytest.mark.parametrize("seed", range(4))
def test_engines_search_games_by_chance_alike(seed: int) -> None:
    plan, _ = lowered(*agreed(seed), searching=True)
    results = []
    for make in ENGINES.values():
        machine = make(plan)
        machine.begin(seed)
        saved = machine.saved()
        machine.search([saved], 4, 0, 20)
        results.append(machine.weighed(saved))
    assert results[0] == results[1]
    assert sum(one.visits for one in results[0]) > 0


HEAP = """game "Heap"
    players 2
counter heap 0..10 starts 10
each player has
    counter points 0..
play
    repeat
        each player
            player chooses taken from 1..(min(3, heap))
            lower heap by taken
            if heap is 0
                raise player.points by 1
                end game
result
    rank players by highest points
"""

GUESS = """game "Guess"
    players 2
each player has
    counter number 0..9, seen by owner
    counter points 0..
play
    secretly each player
        if player.seat is 1
            player chooses hidden from [3, 7]
            set player.number to hidden
        else
            player chooses guess from [3, 7]
            set player.number to guess
    let same be any (players where it.seat is 1 and it.number is players[2].number)
    if same: raise players[2].points by 1
    else: raise players[1].points by 1
result
    rank players by highest points
"""

SEVERAL = """game "Several"
    players 1
counter sum 0..
each player has
    counter points 0..
play
    starter chooses (1..3) those from 1..5
    raise starter.points by sum of (if it mod 2 is 0 then it else 0 - it) over those + 9
result
    rank players by highest points
"""


def machines(text: str, name: str, seats: int) -> list[tuple[search_evaluator.SearchEvaluator | WasmStepping, Plan]]:
    loaded = examine_text(Source(name, text))
    assert loaded.game is not None, loaded.findings
    plan, _ = lowered(loaded.game, {}, seats, searching=True)
    return [(make(plan), plan) for make in ENGINES.values()]


def test_a_secret_answer_is_chosen_without_the_others() -> None:
    """The second seat would always win if it knew; so both come out even."""
    for machine, _ in machines(GUESS, "guess.rules", 2):
        machine.begin(1)
        start = machine.saved()
        machine.search([start], 5, 0, 2000)
        machine.restore(start)
        machine.resume(0)
        after_three = machine.saved()
        machine.restore(start)
        machine.resume(1)
        after_seven = machine.saved()
        found = machine.weighed(after_three)
        assert found == machine.weighed(after_seven)
        assert sum(one.visits for one in found) > 1990
        shares = [one.worth / one.visits for one in found]
        assert all(0.35 < share < 0.65 for share in shares), shares


STEPS_IN_SECRET = (
    GUESS.replace("each player has\n", "track road 0..9\neach player has\n    piece pawn on road at 0\n", 1)
    .replace("set player.number to hidden", "move player.pawn to hidden")
    .replace("set player.number to guess", "move player.pawn to guess")
    .replace("it.number is players[2].number", "it.pawn.space is players[2].pawn.space")
)


def test_a_secret_move_of_a_piece_is_chosen_without_the_others() -> None:
    """Everybody sees where pieces stand, but not before all have moved."""
    for machine, _ in machines(STEPS_IN_SECRET, "steps.rules", 2):
        machine.begin(1)
        start = machine.saved()
        machine.search([start], 5, 0, 2000)
        machine.restore(start)
        machine.resume(0)
        found = machine.weighed(machine.saved())
        shares = [one.worth / one.visits for one in found]
        assert all(0.35 < share < 0.65 for share in shares), shares


def test_a_search_that_sees_secrets_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: what is chosen apart is taken for open."""
    monkeypatch.setattr(information_sets, "asking", lambda *question: Asking(False, True, False))
    (machine, _), *_ = machines(GUESS, "guess.rules", 2)
    machine.begin(1)
    start = machine.saved()
    machine.search([start], 5, 0, 500)
    # What the first seat chose is now a part of what the second one knows, which wins by it.
    assert all(one.worth / one.visits < 0.1 for one in machine.weighed(start))


def test_the_best_of_several_things_is_found() -> None:
    for machine, _ in machines(SEVERAL, "several.rules", 1):
        machine.begin(1)
        start = machine.saved()
        machine.search([start], 5, 0, 2000)
        (best,) = machine.weighed(start)
        assert best.places == (1, 3)


@pytest.mark.parametrize("number", range(len(ENGINES)), ids=list(ENGINES))
def test_the_search_plays_well(number: int) -> None:
    """Who leaves a multiple of 4 wins; from 10 the first seat can."""
    machine, _ = machines(HEAP, "heap.rules", 2)[number]
    status, turn = machine.begin(1), 0
    heap = machine.plan.word_names.index("heap")
    while status == Status.WAITING:
        asked, position = machine.waiting(), machine.saved()
        turn += 1
        if asked.seat == 0:
            machine.search([position], turn, 0, 400)
            place = first(machine.weighed(position)).places[0]
            machine.restore(position)
        else:
            place = turn % len(asked.options)
        status = machine.resume(place)
        assert asked.seat or machine.words()[heap] % 4 == 0
    points = [machine.words()[machine.plan.word_names.index(f"{name}.points")] for name in machine.plan.names]
    assert points == [1, 0]
