"""Which of OpenSpiel's algorithms work on games from rules files, and that they find there what is published.

Kuhn poker, by OpenSpiel's own solvers: on our rules they come to the same numbers as on the game that comes with it.
"""

from __future__ import annotations

from typing import Any

import pytest

from rulekit.adapters.openspiel import extensive_form
from tests.adapters.openspiel.spiel import KUHN, kuhn, loaded
from tests.extras import needs
from tests.generators.random_matches import game

pytestmark = needs("openspiel")

VALUE = -1 / 18
"""Of Kuhn poker for who moves first (H. W. Kuhn: A Simplified Two-Person Poker, 1950)."""
UNIFORM = 11 / 24
"""The exploitability of who plays it by chance: half of 11/12, the sum of what both could win more."""


def _theirs() -> Any:
    import pyspiel

    return pyspiel.load_game("kuhn_poker")


def test_the_exploitability_of_playing_by_chance_is_as_published() -> None:
    import pyspiel

    for spiel in (kuhn(), _theirs()):
        uniform = pyspiel.UniformRandomPolicy(spiel)
        assert pyspiel.exploitability(spiel, uniform) == pytest.approx(UNIFORM, abs=1e-12)
        assert pyspiel.nash_conv(spiel, uniform) == pytest.approx(2 * UNIFORM, abs=1e-12)


def test_positions_that_are_kept_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    import pyspiel

    spiel = loaded(game(KUHN), name="rulekit_kuhn_unkept", returns="scores", margin=2)
    monkeypatch.setattr(extensive_form, "_KEPT", 7)
    assert pyspiel.exploitability(spiel, pyspiel.UniformRandomPolicy(spiel)) == pytest.approx(UNIFORM, abs=1e-12)
    assert len(spiel.table.kept) == 7


def test_best_play_has_the_published_value_and_cannot_be_exploited() -> None:
    import pyspiel
    from open_spiel.python.algorithms import expected_game_score

    spiel = kuhn()
    best = pyspiel.TabularPolicy(_best_play(spiel))
    worth = expected_game_score.policy_value(spiel.new_initial_state(), [best, best])
    assert worth == pytest.approx([VALUE, -VALUE], abs=1e-12)
    assert pyspiel.exploitability(spiel, best) == pytest.approx(0, abs=1e-12)


BETS = {
    (0, "play"): (0, 0, 0),
    (0, "bet"): (0, 1 / 3, 1),
    (1, "play"): (1 / 3, 0, 1),
    (1, "bet"): (0, 1 / 3, 1),
}
"""How often the one or the other bets with card 1, 2 and 3, nobody having bet before (play) or to meet a bet (bet)."""


def _best_play(spiel: Any) -> dict[str, list[tuple[int, float]]]:
    """By information state: one of the best ways to play, that in which the first player never bets first."""
    found: dict[str, list[tuple[int, float]]] = {}
    waiting = [spiel.new_initial_state()]
    while waiting:
        state = waiting.pop()
        waiting += [state.child(move) for move in state.legal_actions()]
        if not (state.is_terminal() or state.is_chance_node()):
            words = {move: state.action_to_string(move) for move in state.legal_actions()}
            seat = state.current_player()
            card = int(_shown(state.information_state_string(), f"{('red', 'blue')[seat]}.hand"))
            bets = BETS[seat, words[min(words)].split(":")[0]][card - 1]
            found[state.information_state_string()] = [
                (move, bets if word.endswith("bet") else 1 - bets) for move, word in words.items()
            ]
    return found


def _shown(told: str, path: str) -> str:
    return next(line for line in told.splitlines() if line.startswith(path)).split("[")[1].split("]")[0]


def test_there_are_as_many_information_states_as_in_their_game() -> None:
    import pyspiel

    assert len(_best_play(kuhn())) == len(pyspiel.UniformRandomPolicy(_theirs()).policy_table()) == 12


@pytest.mark.parametrize("name", ["CFRSolver", "CFRPlusSolver"])
def test_counterfactual_regret_minimization_comes_to_the_same(name: str) -> None:
    """In C++, iteration by iteration as on their game."""
    import pyspiel

    ours, theirs = ((spiel, getattr(pyspiel, name)(spiel)) for spiel in (kuhn(), _theirs()))
    for _ in range(20):
        ours[1].evaluate_and_update_policy()
        theirs[1].evaluate_and_update_policy()
    left = [pyspiel.exploitability(spiel, solver.average_policy()) for spiel, solver in (ours, theirs)]
    assert left[0] == pytest.approx(left[1], abs=1e-12)
    assert left[0] < UNIFORM / 4


@pytest.mark.parametrize("name", ["ExternalSamplingMCCFRSolver", "OutcomeSamplingMCCFRSolver"])
def test_sampled_regret_minimization_comes_near(name: str) -> None:
    """In C++."""
    import pyspiel

    spiel = kuhn()
    solver = getattr(pyspiel, name)(spiel, seed=1)
    for _ in range(1000):
        solver.run_iteration()
    assert pyspiel.exploitability(spiel, solver.average_policy()) < UNIFORM / 3


def test_solvers_in_python_come_near() -> None:
    from open_spiel.python.algorithms import cfr, exploitability, fictitious_play

    spiel = kuhn()
    solver, learner = cfr.CFRSolver(spiel), fictitious_play.XFPSolver(spiel)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    for _ in range(5):
        learner.iteration()
    left = [exploitability.exploitability(spiel, one.average_policy()) for one in (solver, learner)]
    assert max(left) < UNIFORM / 2


def test_an_agent_that_learns_gets_observations_as_numbers() -> None:
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import tabular_qlearner

    env = rl_environment.Environment(kuhn())
    env.seed(1)
    agents = [tabular_qlearner.QLearner(seat, env.action_spec()["num_actions"]) for seat in range(2)]
    won = []
    for _ in range(200):
        at = env.reset()
        while not at.last():
            at = env.step([agents[at.observations["current_player"]].step(at).action])
        won.append(sum(at.rewards))
        for agent in agents:
            agent.step(at)
    assert set(won) == {0}
    assert env.observation_spec()["info_state"] == (len(at.observations["info_state"][0]),)
