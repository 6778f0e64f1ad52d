"""States resampled from what a player was told: the player gets the same there, byte for byte, and others may not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulekit.adapters.openspiel import resampling
from rulekit.adapters.openspiel.resampling import NothingFits
from tests import paths
from tests.adapters.openspiel.spiel import FILES, by_chance, kuhn, loaded, seats
from tests.extras import needs
from tests.generators.random_matches import Answers, game

pytestmark = needs("openspiel")

OPEN = {"beggar", "breakthrough", "china_moon", "connect_four", "goat_path", "hex", "raft", "shear_panic", "small_pond"}
OPEN |= {"dots_and_boxes", "draughts", "go", "honeycomb", "mills", "reversi", "stalls", "tic_tac_toe"}
"""Games in which nobody knows anything that others do not: what a pile will bring is decided when it is drawn."""


def received(state: Any, player: int) -> tuple[Any, ...]:
    """All that a player gets of a state from OpenSpiel."""
    return (
        state.information_state_string(player),
        state.observation_string(player),
        state.observation_tensor(player),
        state.legal_actions(player),
        state.current_player(),
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_resampled_gives_the_player_the_same(path: Path) -> None:
    rules = game(path)
    spiel, answers, others = loaded(rules, players=seats(rules)[-1]), Answers(f"resampled {path.stem}"), 0
    asked = 0
    for state in by_chance(spiel, answers, 150):
        if state.is_terminal() or (asked and answers.below(12)) or asked == 6:
            continue
        asked += 1
        for player in range(spiel.num_players()):
            for _ in range(3):
                drawn = state.resample_from_infostate(player)
                assert received(drawn, player) == received(state, player)
                others += str(drawn) != str(state)
    assert bool(others) == (path.stem not in OPEN)


@pytest.mark.parametrize("first", ["1", "2", "3"])
def test_hands_are_drawn_as_often_as_they_are_likely(first: str) -> None:
    """Whoever holds one card of three believes in both others alike."""
    from tests.adapters.openspiel.test_bots import after

    second = "1" if first != "1" else "2"
    state = after(kuhn(), first, second)
    drawn = [str(state.resample_from_infostate(0)).split("blue.hand [")[1][0] for _ in range(400)]
    assert set(drawn) == {"1", "2", "3"} - {first}
    assert 150 < drawn.count(second) < 250


def test_what_is_drawn_depends_on_what_the_player_was_told_and_on_nothing_else() -> None:
    """The same is drawn from two states that the player cannot tell apart, with the same seed."""
    from rulekit.adapters.openspiel.games import BeliefResampler
    from tests.adapters.openspiel.test_bots import after

    spiel = kuhn()
    one, other = (after(spiel, "2", card, "pass", "bet") for card in ("1", "3"))
    drawn = [
        [str(resampler(state, 0)) for _ in range(30)]
        for state in (one, other)
        for resampler in [BeliefResampler(spiel, "seed")]
    ]
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) == 2


def test_a_resampled_state_goes_on() -> None:
    state = next(iter(by_chance(loaded(game(paths.EXAMPLES / "magpies.rules")), Answers("on"))))
    drawn = state.resample_from_infostate(1)
    while not drawn.is_terminal():
        drawn.apply_action(drawn.legal_actions()[0])
    assert len(drawn.history()) > len(state.history())


def test_a_set_that_is_half_chosen_stays_so() -> None:
    """A player who has chosen one thing of several has done so in what is resampled, and nobody else notices."""
    told: list[str] = []
    for state in by_chance(loaded(game(paths.EXAMPLES / "gem_mines.rules")), Answers("halves")):
        if state.match.partial is not None:
            break
        told = [state.information_state_string(player) for player in range(2)]
    chooses = state.current_player()
    assert [state.information_state_string(player) != told[player] for player in range(2)] == [
        player == chooses for player in range(2)
    ]
    for player in range(2):
        assert received(state.resample_from_infostate(player), player) == received(state, player)


def test_a_belief_that_is_wrong_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A belief that holds positions in which the player was told something else gives none of them."""
    from tests.adapters.openspiel.test_bots import after

    spiel = kuhn()
    state, lie = after(spiel, "2", "1"), after(spiel, "3", "1")
    wrong = resampling.Resampler(spiel.table, 0, "0")
    monkeypatch.setattr(resampling.Resampler, "_at", lambda self, node: lie.match)
    with pytest.raises(NothingFits, match="what red was told"):
        wrong.drawn(state.match)
