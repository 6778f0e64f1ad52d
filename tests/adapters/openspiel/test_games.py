"""Games registered with OpenSpiel from rules files: its own tests, and what its states hold."""

from __future__ import annotations

import importlib
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from rulekit import BadSetup, load, load_text
from tests import paths
from tests.adapters.openspiel.spiel import KUHN, NAMES, TABLES, by_chance, kuhn, loaded
from tests.extras import needs
from tests.generators.random_matches import Answers, game

pytestmark = needs("openspiel")


@pytest.mark.parametrize(("path", "count"), TABLES, ids=NAMES)
def test_openspiels_random_simulation_test_passes(path: Path, count: int) -> None:
    import pyspiel

    pyspiel.random_sim_test(loaded(game(path), players=count), num_sims=1, serialize=True, verbose=False)


def test_a_game_is_found_by_its_name_with_all_that_was_agreed() -> None:
    import pyspiel

    one = loaded(game(KUHN), returns="scores", margin=2)
    again = pyspiel.load_game(str(one))
    assert (str(again), again.max_utility(), again.get_type().long_name) == (str(one), 2.0, "Kuhn Poker")


def test_what_cannot_be_agreed_is_refused_as_everywhere() -> None:
    with pytest.raises(BadSetup, match="there is no option `homing`"):
        loaded(game(KUHN), homing=True)
    with pytest.raises(BadSetup, match="is for 2 players, not 3"):
        loaded(game(KUHN), players=3)
    with pytest.raises(ValueError, match="one of places, scores"):
        loaded(game(KUHN), returns="coins")


def test_an_option_that_is_a_set_is_agreed_as_everywhere() -> None:
    rules = game(paths.GAMES / "fuzzy_tiger.rules")
    given = [
        loaded(rules, **agreed).table.options["left_out"] for agreed in ({}, {"left_out": ()}, {"left_out": [2, 1]})
    ]
    assert given == [(), (), (2, 1)]
    assert loaded(rules, left_out="1 2").table.options["left_out"] == (1, 2)


def test_the_same_file_by_another_path_is_the_same_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(KUHN.parent)
    assert str(loaded(load(KUHN.name))) == str(loaded(load(KUHN)))


def test_another_game_of_the_same_name_is_refused() -> None:
    loaded(game(KUHN))
    other = load_text(game(KUHN).sources[0][1].replace("starts 2", "starts 3"))
    with pytest.raises(ValueError, match="another name"):
        loaded(other)
    assert loaded(other, name="rulekit_other_kuhn").num_distinct_actions() == 6


def test_a_missing_package_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "rulekit.adapters.openspiel.games", raising=False)
    with pytest.raises(ImportError, match="need the package open_spiel: pip install open_spiel"):
        importlib.import_module("rulekit.adapters.openspiel.games")


def test_a_state_is_saved_and_comes_back() -> None:
    for state in by_chance(kuhn(), Answers("saved")):
        back = pickle.loads(pickle.dumps(state))
        assert (str(back), back.history()) == (str(state), state.history())
        assert [back.information_state_string(seat) for seat in range(2)] == [
            state.information_state_string(seat) for seat in range(2)
        ]
        assert len(pickle.dumps(state)) < 1000, "by its moves, not with the whole game"


def test_returns_by_place_and_by_score() -> None:
    by_score, by_place = kuhn().new_initial_state(), loaded(game(KUHN)).new_initial_state()
    for state in (by_score, by_place):
        for word in ("dealt: 3", "dealt: 1", "play: bet", "bet: bet"):
            state.apply_action(_named(state, word))
    assert (by_score.returns(), by_place.returns()) == ([2.0, -2.0], [1.0, -1.0])


def _named(state: Any, word: str) -> int:
    return next(move for move in state.legal_actions() if state.action_to_string(move).startswith(word))


def test_a_score_further_off_than_agreed_is_an_error() -> None:
    state = loaded(game(KUHN), returns="scores", margin=1).new_initial_state()
    for word in ("dealt: 3", "dealt: 1", "play: bet", "bet: bet"):
        state.apply_action(_named(state, word))
    with pytest.raises(ValueError, match="larger `margin`"):
        state.returns()


def test_a_match_is_broken_off_after_so_many_moves() -> None:
    state = loaded(game(KUHN), max_game_length=2).new_initial_state()
    for word in ("dealt: 3", "dealt: 1", "play: bet"):
        state.apply_action(_named(state, word))
    assert not state.is_terminal()
    state.apply_action(_named(state, "bet: bet"))
    assert state.is_terminal()
    state = loaded(game(KUHN), max_game_length=1).new_initial_state()
    for word in ("dealt: 3", "dealt: 1", "play: bet"):
        state.apply_action(_named(state, word))
    assert (state.is_terminal(), state.returns()) == (True, [0.0, 0.0])


def test_those_who_decide_together_do_not_see_each_other() -> None:
    """Magpies choose a feather each in secret: the second is told the same whatever the first has chosen."""
    told = set()
    for place in range(7):
        state = loaded(game(paths.EXAMPLES / "magpies.rules")).new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        state.apply_action(state.legal_actions()[place])
        assert state.current_player() == 1
        told.add(state.information_state_string(1))
    assert len(told) == 1


def test_the_example_of_the_page_prints_what_it_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(paths.ROOT)
    page = (paths.DOCS / "adapters.md").read_text(encoding="utf-8")
    ((code, printed),) = re.findall(r"```python\n(import pyspiel.*?)```\n```\n(.*?)```", page, re.DOTALL)
    exec(compile(code, "docs/adapters.md", "exec"), {})  # the project's own text
    assert capsys.readouterr().out == printed
