"""OpenSpiel's bots that search, on games from rules files: which work, how they are called, what they find."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import paths
from tests.adapters.openspiel.spiel import kuhn, loaded
from tests.extras import needs
from tests.generators.random_matches import game

pytestmark = needs("openspiel")

TIC_TAC_TOE = paths.EXAMPLES / "tic_tac_toe.rules"
HIDDEN_HANDS = [paths.EXAMPLES / f"{name}.rules" for name in ("magpies", "indian_poker", "gem_mines")]


def after(spiel: Any, *words: str) -> Any:
    """The state after moves whose words end so."""
    state = spiel.new_initial_state()
    for word in words:
        state.apply_action(move(state, word))
    return state


def move(state: Any, word: str) -> int:
    return next(
        one for one in state.legal_actions() if f"{state.action_to_string(one)} ".split(": ")[1].startswith(f"{word} ")
    )


def random_state(seed: int) -> Any:
    import numpy

    return numpy.random.RandomState(seed)


def ismcts(spiel: Any, simulations: int, resampler: Any = None, seed: int = 1) -> Any:
    """OpenSpiel's IS-MCTS in Python."""
    from open_spiel.python.algorithms import ismcts, mcts

    evaluator = mcts.RandomRolloutEvaluator(1, random_state(seed))
    bot = ismcts.ISMCTSBot(spiel, evaluator, 2.0, simulations, random_state=random_state(seed + 1))
    if resampler is not None:
        bot.set_resampler(resampler)
    return bot


# ---------------------------------------------------------------- hidden information


@pytest.mark.parametrize(("card", "answer"), [("1", "pass"), ("3", "bet")])
def test_ismcts_meets_a_bet_with_the_highest_card_only(card: str, answer: str) -> None:
    from rulekit.adapters.openspiel.games import BeliefResampler

    spiel = kuhn()
    state = after(spiel, "2", card, "bet")
    bot = ismcts(spiel, 200, BeliefResampler(spiel))
    assert bot.step(state) == move(state, answer)


@pytest.mark.parametrize("path", HIDDEN_HANDS, ids=lambda path: path.stem)
def test_ismcts_plays_whole_matches(path: Path) -> None:
    """By the resampler that it is given at one seat, by the state's own at the other."""
    from rulekit.adapters.openspiel.games import BeliefResampler

    spiel, chance = loaded(game(path)), random_state(5)
    bots = [ismcts(spiel, 8, BeliefResampler(spiel, "bot")), ismcts(spiel, 8)]
    state = spiel.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            moves, likely = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choice(moves, p=likely))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    assert sum(state.returns()) == 0


def test_ismcts_in_cpp_needs_a_resampler_that_no_game_of_python_can_have() -> None:
    """If this fails, OpenSpiel has one: docs/adapters.md says that it has none."""
    import pyspiel

    visits = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 10, -1, visits, False, False)
    with pytest.raises(pyspiel.SpielError, match=r"ResampleFromInfostate.* not implemented"):
        bot.get_policy(after(kuhn(), "2", "3", "bet"))


# ---------------------------------------------------------------- open information


def about_to_win() -> tuple[Any, Any]:
    """A match of tic-tac-toe in which the first wins on the cell that completes its row."""
    spiel = loaded(game(TIC_TAC_TOE))
    return spiel, after(spiel, "1,1", "1,2", "2,1", "2,2")


def test_mcts_in_python_completes_its_row() -> None:
    from open_spiel.python.algorithms import mcts

    spiel, state = about_to_win()
    bot = mcts.MCTSBot(spiel, 2.0, 100, mcts.RandomRolloutEvaluator(1, random_state(1)), random_state=random_state(2))
    assert bot.step(state) == move(state, "3,1")


def test_mcts_in_cpp_completes_its_row() -> None:
    spiel, state = about_to_win()
    assert cpp_mcts(spiel).mcts_search(state).best_child().action == move(state, "3,1")


def test_mcts_in_cpp_plays_whole_matches() -> None:
    import pyspiel

    spiel = loaded(game(TIC_TAC_TOE))
    bots = [cpp_mcts(spiel), pyspiel.make_uniform_random_bot(1, 3)]
    results = [pyspiel.evaluate_bots(spiel.new_initial_state(), bots, seed)[0] for seed in range(6)]
    assert sum(results) >= 4


def cpp_mcts(spiel: Any) -> Any:
    import pyspiel

    return pyspiel.MCTSBot(spiel, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 100, 100, True, 1, False)


STEP = """
import pyspiel
from open_spiel.python.games import tic_tac_toe
from rulekit.adapters.openspiel import games
spiel = {spiel}
bot = pyspiel.MCTSBot(spiel, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 100, 100, True, 1, False)
bot.step(spiel.new_initial_state())
"""


@pytest.mark.parametrize("spiel", ["pyspiel.load_game('python_tic_tac_toe')", "games.load({rules!r})"])
def test_the_step_of_mcts_in_cpp_crashes_on_all_games_of_python(spiel: str) -> None:
    """It lets go of the interpreter's lock and then asks Python; OpenSpiel's own game of Python crashes the same way.

    If this fails, that was mended: docs/adapters.md says to search instead of stepping.
    """
    program = STEP.format(spiel=spiel.format(rules=str(TIC_TAC_TOE)))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=paths.ROOT, timeout=120)
    assert done.returncode < 0, done.stderr


def test_alpha_beta_search_sees_that_a_row_is_won() -> None:
    from open_spiel.python.algorithms import minimax

    spiel, state = about_to_win()
    value, best = minimax.alpha_beta_search(spiel, state=state)
    assert (value, best) == (1, move(state, "3,1"))
