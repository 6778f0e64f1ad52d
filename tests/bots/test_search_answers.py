"""Answers of `mcts` that a search can take for something else: passes, sets of equal cards, answers in lost games."""

from __future__ import annotations

from collections import Counter

import pytest

from rulekit.bots.players import mcts, registry
from rulekit.bots.players.evaluation import evaluation_of
from rulekit.bots.players.mcts import AnswerStatistics, Mcts, Search
from rulekit.bots.rng import Rng
from rulekit.bots.seated_bots import SeatedBots
from rulekit.loading import load_text
from rulekit.play import engine
from rulekit.play.state.value import Value
from rulekit.values import evolve
from tests.extras import needs

LOST = """game "Lost"
    players 2
counter saved 0..20
counter water 0..3
play
    repeat
        each player
            player chooses "What?"
                "wait": raise water by 0
                "save one": raise saved by 1
            raise water by 1
            if water is 3
                defeat players
                end game
result: all reach saved
"""
PASSES = """game "Passes"
    players 2
each player has
    counter score -100..100 starts 0
play
    each player
        player may chooses n from 1..3 "How much to lose?"
        if n is not none: lower player.score by n
result: rank players by highest score
"""
COPIES = """game "Copies"
    players 2
cards deck of card
    | card   | copies |
    | copper | 3      |
    | estate | 3      |
pile stock of card starts deck
pile trash of card
play
    starter chooses 0..3 gone from stock
    move gone to trash
result: rank players
"""


def first_answer(text: str, simulations: int) -> Value:
    """The answer of `mcts` to the first question of a game."""
    game = load_text(text)
    step = engine.start(game, {}, 2, "a")
    (asked,) = engine.decisions(step.state)
    names = step.state.setting.seats
    bots = SeatedBots({0: registry.seated(f"mcts:{simulations}", game, {}, names, 0, "a")})
    bots.tell(step.state, step.events)
    return bots.answer(step.state, asked)


@pytest.mark.parametrize("name", [pytest.param("wasm", marks=needs("wasmtime")), "interpreter"])
def test_in_a_game_that_is_always_lost_what_was_reached_counts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "interpreter":
        monkeypatch.setattr(mcts, "compiled_search", lambda chair: None)
    assert str(first_answer(LOST, 40)) == "save one"


def test_any_success_counts_for_more_than_a_defeat() -> None:
    game = load_text(LOST.replace("if water is 3", "if water is 3 and saved is 20"))
    worths = []
    for saved in (0, 20):
        state = engine.start(game, {}, 2, "a").state
        slot = next(index for index, one in enumerate(game.variables) if one.name == "saved")
        values = list(state.values)
        values[state.setting.bases[slot]] = saved
        for lost in ((), (0, 1)):
            found = evaluation_of(evolve(state, values=tuple(values), defeated=lost))
            assert found is not None
            worths.append(found.utilities[0])
    success_of_nothing, loss_of_nothing, success_of_all, loss_of_all = worths
    assert 0 == loss_of_nothing < loss_of_all <= success_of_nothing < success_of_all == 1


@needs("wasmtime")
def test_a_pass_that_the_compiled_search_finds_best_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> Value:
        raise AssertionError("searched again by the interpreter")

    monkeypatch.setattr(Mcts, "_interpreted", refused)
    assert first_answer(PASSES, 60) is None


def test_a_set_of_copies_is_weighed_only_where_so_many_are_offered() -> None:
    (asked,) = engine.decisions(engine.start(load_text(COPIES), {}, 2, "a").state)
    copper, estate = sorted(set(asked.options), key=str)
    tree: dict[Value, AnswerStatistics] = {
        answer: AnswerStatistics() for answer in [(copper,), (estate,), (copper, copper), (estate, estate, estate)]
    }
    hand = evolve(asked, options=(copper, estate, estate), most=2)
    sets = Search(0, Rng(1))._sets(hand, tree)
    assert set(sets) == {(copper,), (estate,)}
    assert all(Counter(answer) <= Counter(hand.options) for answer in sets)
