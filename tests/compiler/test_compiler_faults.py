"""What the compiler cannot say is played by the interpreter; a fault of its own is reported, and ends no match."""

from __future__ import annotations

import logging

import pytest

from rulekit import limits
from rulekit.compiler import compiler_faults, pipeline
from rulekit.compiler.legality import twin
from rulekit.compiler.legality.oracle import CompiledLegality
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.recursion_limit import raise_recursion_limit
from rulekit.loading import examine_text, load
from rulekit.model.game import Game
from rulekit.play.engine import start
from rulekit.play.state.errors import LimitError
from rulekit.source import Source
from rulekit.tools.series.simulation import series
from tests import paths
from tests.compiler import test_legality_oracle
from tests.differential.lockstep import same_match
from tests.differential.test_counting import counted
from tests.generators.handmade_plans import ENGINES

AIMED = """game "Aimed"
    players 2
cards deck of card
    card a "A", copies 3
        if this.aim is not none: {}
    card b "B", copies 3
pile stack of card starts deck
pile heap of card
each card has
    value aim of card
each player has
    pile grave of card
play
    each player
        player chooses card from stack
        set card.aim to {}
        do card for player
result: rank players
"""
BEYOND = """game "Beyond the corner"
    players 1
grid board 5 by 5
piece pawn on board
play
    each round in 1..6
        starter always chooses cell from [beside(board[{}], {}), board[2, 2], board[1, 5]] "Where to?"
        if cell in board: move pawn to cell
result: rank players
"""
CORNERS = (("1, 1", "northwest"), ("1, 1", "north"), ("5, 5", "southeast"), ("5, 5", "south"), ("1, 5", "southwest"))


def loaded(text: str) -> Game:
    examined = examine_text(Source("faults.rules", text))
    assert examined.game is not None, examined.findings
    return examined.game


@pytest.mark.parametrize("move", ["move this.aim to owner.grave", "move this.aim to the bottom of heap"])
@pytest.mark.parametrize("aim", ["card", "last stack"])
def test_a_card_moves_what_one_of_its_values_names(move: str, aim: str) -> None:
    rules = loaded(AIMED.format(move, aim))
    plan, storage = lowered(rules, {}, 2)
    for engine in ENGINES:
        assert all(same_match(ENGINES[engine](plan), storage, rules, {}, 2, seed) for seed in "abc")


@pytest.mark.parametrize(("cell", "way"), CORNERS)
def test_an_answer_beyond_the_corner_counts_as_none_in_every_engine(cell: str, way: str) -> None:
    rules = loaded(BEYOND.format(cell, way))
    for seed in "ab":
        one, sums = counted(rules, 1, seed)
        assert sum(sums) > 0, one.engine


# ---------------------------------------------------------------- faults of the compiler itself


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that fails at every game."""

    def fails(*_: object, **__: object) -> None:
        raise KeyError("place")

    monkeypatch.setattr(pipeline, "_plan", fails)
    monkeypatch.setattr(compiler_faults, "_reported", set())


@pytest.mark.usefixtures("faulty")
def test_a_fault_of_the_compiler_is_an_error_under_test() -> None:
    with pytest.raises(KeyError):
        series(loaded(BEYOND.format("1, 1", "north")), {}, 1, "a")


@pytest.mark.usefixtures("faulty")
def test_a_fault_of_the_compiler_is_reported_once_and_the_interpreter_plays(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv(compiler_faults.STRICT)
    rules = loaded(BEYOND.format("1, 1", "north"))
    with caplog.at_level(logging.ERROR, "rulekit"):
        found = [series(rules, {}, 1, "a") for _ in range(2)]
    assert {(one.engine, one.why) for one in found} == {
        ("interpreter", "no compiled engine can say this game, by a fault of ours (KeyError)")
    }
    (line,) = caplog.messages
    assert "KeyError: 'place'" in line
    assert "test_compiler_faults.py" in line
    assert "please report this line with the rules file" in line
    with pytest.raises(Unsupported):
        series(rules, {}, 1, "a", "wasm")


@pytest.mark.parametrize("method", ["leads_on", "is_possible"])
def test_a_fault_of_a_twin_ends_no_match(
    method: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("wasmtime")

    def fails(*_: object, **__: object) -> None:
        raise AssertionError("the twin tried less than the rules do")

    monkeypatch.delenv(compiler_faults.STRICT)
    monkeypatch.setattr(compiler_faults, "_reported", set())
    monkeypatch.setattr(twin.Said, method, fails)
    oracle = CompiledLegality(worth=0)
    game = load(paths.CASES / "engines" / "kings.rules")
    assert test_legality_oracle.same_match(game, 2, "a", oracle, 20) == 20
    (table,) = oracle.tables.values()
    assert table.twin is None
    assert ["the twin tried less than the rules do" in line for line in caplog.messages] == [True]


def chain_of_defines(count: int) -> str:
    defines = "".join(f"define d{number} is d{number - 1} + 1\n" for number in range(1, count))
    play = f"play\n    set x to d{count - 1}\n    starter always chooses y from 1..2\nresult: rank players\n"
    return f'game "Deep"\n    players 2\ncounter x\ndefine d0 is x + 1\n{defines}{play}'


def chain_of_actions(count: int) -> str:
    actions = "".join(f"action a{number}: do a{number - 1}\n" for number in range(1, count))
    play = f"play\n    do a{count - 1}\n    starter always chooses y from 1..2\nresult: rank players\n"
    return f'game "Deep"\n    players 2\ncounter x\naction a0: raise x by 1\n{actions}{play}'


@pytest.mark.parametrize("text", [chain_of_defines(limits.DEFINES), chain_of_actions(limits.CALLS - 2)])
def test_defines_and_actions_are_compiled_as_deep_as_they_may_be_nested(text: str) -> None:
    game = loaded(text)
    with raise_recursion_limit():
        plan, storage = lowered(game, {}, 2)
        machine = ENGINES["wasm"](plan)
    assert same_match(machine, storage, game, {}, 2, "deep") == 1
    assert series(game, {}, 2, "deep").engine == "wasm"


def test_defines_deeper_than_the_limit_are_left_to_the_interpreter() -> None:
    game = loaded(chain_of_defines(limits.DEFINES + 1))
    with pytest.raises(Unsupported, match="more than 200 deep"):
        lowered(game, {}, 2)
    assert series(game, {}, 2, "deep").engine == "interpreter"
    with pytest.raises(LimitError) as met:
        start(game, seats=2)
    assert met.value.code == "too-deep"
