"""A match with a legality oracle is the match without one, and no comparison of engines has one."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from rulekit import loading
from rulekit.compiler.legality import oracle as legality_oracle
from rulekit.compiler.legality.oracle import CompiledLegality
from rulekit.compiler.wasm import backend
from rulekit.model.game import Game
from rulekit.play import engine
from rulekit.play.state.errors import Refused
from rulekit.play.state.match_state import Action, Decision, Pending, State, Step
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Value
from rulekit.record.match import started
from tests.differential import lockstep
from tests.paths import ROOT
from tests.soak import engines

CASES = ROOT / "tests" / "cases" / "engines"
GAMES = {
    "refused": CASES / "refused.rules",
    "kings": CASES / "kings.rules",
    "cells_handed_over": CASES / "cells_handed_over.rules",
    "sets_to_choose": CASES / "sets_to_choose.rules",
    "raft": ROOT / "examples" / "raft.rules",
}
APART = """
game "Apart"
    players 2..3
option rounds "How many rounds?" 1..9 default 3
each player has
    counter wealth 0..999
    counter bid 0..9
play
    each round in 1..rounds
        secretly each player
            player chooses bid_first from 1..3 "First?"
            player chooses bid_then from 1..3 "Then?"
            set player.bid to bid_first + bid_then
        each player: do spend(player)
action spend(player)
    player chooses amount from 0..6 "How much?"
    player chooses more from 0..3 "And more?"
    raise player.wealth by amount + more
    only if amount + more is player.bid
result: rank players by highest wealth
"""


def answered(decision: Decision, chance: random.Random) -> Value:
    if not decision.several:
        return chance.choice(decision.options)
    return tuple(chance.sample(decision.options, chance.randint(decision.least, decision.most)))


def all_of(step: Step) -> tuple[Any, ...]:
    """Everything about a step that somebody may see."""
    state = step.state
    told = [(event, event.decided_by) for event in step.events]
    return state, state.unclear, state.scores, state.ended, engine.decisions(state), engine.outcome(state), told


def after(state: State, action: Action) -> Step | str:
    try:
        return engine.apply(state, action)
    except Refused as fault:
        return str(fault)


def same_match(game: Game, seats: int, seed: str, oracle: CompiledLegality, most: int) -> int:
    """Plays with and without, going back now and then; fails at the first difference.  Gives how many were answered."""
    chance, made = random.Random(seed), 0
    way = [(engine.start(game, {}, seats, seed), engine.start(game, {}, seats, seed, oracle=oracle))]
    while made < most:
        alone, helped = way[-1]
        assert all_of(alone) == all_of(helped), (game.title, seed, made)
        waiting = engine.decisions(alone.state)
        if not waiting:
            break
        decision = chance.choice(waiting)
        action = Action(decision.seat, answered(decision, chance))
        first, second = after(alone.state, action), after(helped.state, action)
        made += 1
        if isinstance(first, str) or isinstance(second, str):
            assert first == second
            continue
        way.append((first, second))
        if chance.random() < 0.1:
            del way[-min(len(way) - 1, chance.randint(1, 40)) :]
    return made


def checked_match(game: Game, seats: int, seed: str, most: int = 30) -> None:
    pytest.importorskip("wasmtime")
    oracle = CompiledLegality(worth=0)
    assert same_match(game, seats, seed, oracle, most)
    (table,) = oracle.tables.values()
    assert table.twin is not None
    assert table.tried == 0, "the twin was asked and said nothing"


@pytest.mark.parametrize("name", GAMES)
def test_all_is_the_same_with_an_oracle(name: str) -> None:
    game = loading.load(GAMES[name])
    checked_match(game, game.most if game.most < 4 else game.least, f"with:{name}")


def test_answers_that_are_given_apart_come_to_the_twin_in_its_order() -> None:
    game = loading.load_text(APART)
    for seed in range(3):
        checked_match(game, 2 + seed % 2, f"apart:{seed}", 60)


# ---------------------------------------------------------------- the switch


class Liar:
    """Says of everything that it cannot be carried out, whoever asks."""

    def begins(self, setting: Setting, options: Mapping[str, Value]) -> Liar:
        return self

    def after(self, question: Pending, value: Any) -> Liar:
        return self

    def verdicts(self) -> Liar:
        return self

    def leads_on(self, code: int, kind: Any, options: tuple[Any, ...], *, alone: bool) -> Sequence[bool] | None:
        return None

    def is_possible(self, code: int, arguments: Sequence[Any]) -> tuple[bool, int] | None:
        return False, 0

    def holds(self) -> bool:
        return False

    def tried(self, steps: int) -> None:
        pass

    def asked_again(self) -> None:
        pass

    def distrust(self, why: str) -> None:
        pass

    def met(self) -> frozenset[int]:
        return frozenset()


@pytest.fixture
def lied_to(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game that is played wrongly wherever the standard oracle is heeded."""
    pytest.importorskip("wasmtime")
    monkeypatch.setattr(legality_oracle, "_STANDARD", Liar())
    game = loading.load(GAMES["kings"])
    assert started(game, {}, 2, "0", oracle=legality_oracle.standard()).state.over
    assert not started(game, {}, 2, "0").state.over
    return game


def test_engines_are_compared_without_an_oracle(lied_to: Game) -> None:
    plan, storage = lockstep.plan_of(lied_to, {}, 2)
    machine = backend.compiled(plan).machine()
    assert lockstep.same_match(machine, storage, lied_to, {}, 2, "compared") > 3


def test_the_long_comparison_of_engines_is_made_without_one(lied_to: Game) -> None:
    # One game after the other as the command does it, here of the one that is played wrongly.
    done = engines.soak(GAMES["kings"], "wasm", 10, "compared")
    assert int(str(done["decisions"])) >= 10
    assert done["refused"] == []
