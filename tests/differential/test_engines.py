"""Interpreter, evaluator and WebAssembly play the same match: position, chance, questions, options, end."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rulekit import Game
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan.ir import Status
from rulekit.loading import load
from rulekit.model import ops
from tests import paths
from tests.differential.lockstep import plan_of, same_match
from tests.generators.combinations import every
from tests.generators.handmade_plans import ENGINES
from tests.generators.random_matches import GAMES, game
from tests.sizes import quick

SHORT = sorted([*paths.CASES.glob("[eh]*/*.rules"), *paths.EXAMPLES.glob("*.rules")])


def asks(rules: Game) -> bool:
    """Whether anybody decides anything in a game."""
    return any(isinstance(op, ops.Ask | ops.AskWay) for code in rules.codes for op in code.ops)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("path", [*quick(GAMES), *SHORT], ids=lambda path: path.stem)
def test_every_engine_plays_the_same_match(path: Path, engine: str) -> None:
    rules = game(path)
    for seats in range(rules.least, min(rules.most, 6) + 1):
        plan, storage = plan_of(rules, {}, seats)
        machine = ENGINES[engine](plan)
        assert same_match(machine, storage, rules, {}, seats, f"same-{seats}#0") > 0 or not asks(rules)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("path", quick(GAMES), ids=lambda path: path.stem)
def test_every_engine_plays_the_same_match_whatever_is_agreed(path: Path, engine: str) -> None:
    """Options and seats drawn from all that can be agreed; each engine has others."""
    rules, random = game(path), Random(f"{path.stem} {engine}")
    for one in random.sample(list(every(path, rules)), 1):
        plan, storage = plan_of(rules, dict(one.options), one.players)
        machine = ENGINES[engine](plan)
        assert same_match(machine, storage, rules, dict(one.options), one.players, one.seed("agreed", 0)) > 0


BROKEN = """game "Broken"
    players 2
each player has
    counter wealth 0..50
play
    repeat
        each player
            player chooses n from 1..2 "How many?"
            raise player.wealth by n
            if player.wealth above 40: end game
result
    rank players by highest wealth
invariant "nobody is rich": no (players where it.wealth above 30)
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_a_checked_plan_finds_what_breaks_an_invariant(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "broken.rules"
    path.write_text(BROKEN, encoding="utf-8")
    rules = load(path)
    plan, _ = lowered(rules, {}, 2, checked=True)
    machine = ENGINES[engine](plan)
    assert machine.play(1) >= Status.FAULT
    assert plan.faults[machine.play(1) - Status.FAULT] == "invariant 0: invariants"
    unchecked, _ = lowered(rules, {}, 2)
    assert ENGINES[engine](unchecked).play(1) == Status.DONE


SHUFFLED = """game "Shuffled"
    players 3
cards deck of card
    | card | copies |
    | 1..6 | 9      |
pile stock of card starts deck
pile waste of card
each player has
    pile hand of card
    pile own_deck of card
    counter score 0..999
setup
    shuffle waste
    shuffle stock
    each player
        deal 3 from stock to player.hand
        shuffle player.own_deck
        deal 2 from stock to player.own_deck
        shuffle player.own_deck
play
    each round in 1..4
        each player
            player chooses card from player.hand
            move card to player.own_deck
            move first player.own_deck to player.hand
            player chooses (1..2) some from player.hand
            move some to stock
            let found be first (stock where it is not player.seat)
            if found is not none: move found to player.hand
            if any stock: raise player.score by (last stock).number
            if round is 2: shuffle player.own_deck
            deal 1 from stock to player.hand
        if round is 3
            move (players.hand by highest number) to waste
            shuffle waste
            each player: deal 3 from waste + stock to player.hand
            move waste to stock
result
    rank players by highest score
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_shuffled_piles_are_the_same_in_every_engine(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "shuffled.rules"
    path.write_text(SHUFFLED, encoding="utf-8")
    rules = load(path)
    for number in range(20):
        plan, storage = plan_of(rules, {}, 3)
        assert same_match(ENGINES[engine](plan), storage, rules, {}, 3, f"shuffled-{number}#0") > 20
