"""PettingZoo's own suites on every game and example, and what they do not ask: masks, secrets, seeds, rewards."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rulekit import SPECTATOR, State
from rulekit.adapters import spaces as made
from rulekit.adapters.answering import IllegalIndex, Position
from rulekit.play.state.setting import Setting
from tests import paths
from tests.adapters.environments import aec, parallel
from tests.adapters.proofs import FILES, positions
from tests.adapters.test_leaks import search, whole
from tests.extras import needs
from tests.generators.random_matches import game
from tests.secrecy import histories
from tests.secrecy.noninterference import Leak

# What is a habit of PettingZoo's own games is warned of: observations that are no dictionaries, numbers with bounds.
_HABITS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "The old environment creation API has been deprecated",
)
pytestmark = [needs("zoo"), *(pytest.mark.filterwarnings(f"ignore:{habit}") for habit in _HABITS)]
CYCLES = 60
each_game = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


# ---------------------------------------------------------------- their suites


@each_game
def test_api_test(file: Path) -> None:
    from pettingzoo.test import api_test

    for again in (False, True):
        api_test(aec(game(file), again=again), num_cycles=CYCLES)


@each_game
def test_parallel_api_test(file: Path) -> None:
    from pettingzoo.test import parallel_api_test

    for again in (False, True):
        parallel_api_test(parallel(game(file), again=again), num_cycles=CYCLES)


@each_game
def test_seed_test(file: Path) -> None:
    from pettingzoo.test import parallel_seed_test, seed_test

    seed_test(lambda: aec(game(file)), num_cycles=CYCLES)
    parallel_seed_test(lambda: parallel(game(file), illegal="replace"), num_cycles=CYCLES)


@each_game
def test_max_cycles_test(file: Path) -> None:
    """Its actions know of no masks, and a match may end before; in the AEC form all act in each cycle."""
    from pettingzoo.test import max_cycles_test
    from pettingzoo.utils.conversions import parallel_to_aec

    def endless(max_cycles: int) -> Any:
        return parallel(game(file), max_cycles=max_cycles, again=True, illegal="replace")

    max_cycles_test(SimpleNamespace(parallel_env=endless, env=lambda max_cycles: parallel_to_aec(endless(max_cycles))))


@pytest.mark.parametrize("name", ["connect_four", "magpies", "tic_tac_toe"])
def test_max_cycles_test_where_seats_act_equally_often(name: str) -> None:
    """Its actions come from the spaces, seeded here: after a match of five moves the first seat would act twice."""
    from pettingzoo.test import max_cycles_test

    def made(kind: Any) -> Any:
        def seeded(max_cycles: int) -> Any:
            env = kind(rules, max_cycles=max_cycles, again=True, illegal="replace")
            for agent in env.possible_agents:
                env.action_space(agent).seed(1)
            return env

        return seeded

    rules = game(paths.EXAMPLES / f"{name}.rules")
    max_cycles_test(SimpleNamespace(parallel_env=made(parallel), env=made(aec)))


# ---------------------------------------------------------------- what they do not ask


@pytest.fixture
def _through_an_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a seat sees at present is all that an environment gives it there."""
    known: dict[Setting, Any] = {}
    real = histories.present

    def present(state: State, seat: int) -> list[Any]:
        if seat == SPECTATOR:
            return real(state, seat)
        env = known.get(state.setting) or known.setdefault(state.setting, aec(state.setting.game, seats=seats(state)))
        standing_at(env, Position(state))
        agent = f"player_{seat}"
        seen = env.observe(agent)
        told = env.rewards[agent], env.terminations[agent], env.truncations[agent], repr(env.infos[agent])
        return [[repr(number) for number in seen["observation"].tolist()], seen["action_mask"].tolist(), repr(told)]

    monkeypatch.setattr(histories, "present", present)


def seats(state: State) -> int:
    return state.setting.players


def standing_at(env: Any, position: Position) -> None:
    """An environment whose match stands at a position, as if it had been played there."""
    env.reset(seed=0)
    env.episode.position = position
    env._begin()
    env._select()


@pytest.mark.parametrize("name", ["fuzzy_tiger", "foxy"])
@pytest.mark.usefixtures("_through_an_environment")
def test_nobody_receives_what_it_may_not_know(name: str) -> None:
    assert sum(search(paths.GAMES / f"{name}.rules").equal.values()) > 10


@each_game
def test_masks_of_an_environment_are_sound_both_ways(file: Path) -> None:
    """Each action that the mask allows is taken, each other one refused; then nothing has changed."""
    masks_are_sound(file)


def masks_are_sound(file: Path) -> None:
    from rulekit.adapters.aec import AECGame

    env: Any = None
    for position in positions(game(file), "environment", 6):
        if env is None or len(env.possible_agents) != seats(position.state):
            env = AECGame(game(file), seats=seats(position.state))
        standing_at(env, position)
        mask = env.last()[0]["action_mask"]
        for index, allowed in enumerate(mask):
            if allowed:
                env.step(index)
                standing_at(env, position)
            else:
                with pytest.raises(ValueError, match="may not do"):
                    env.step(index)
                assert env.episode.position is position


# ---------------------------------------------------------------- faults that their suites do not find


def show_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "view", whole)


def allow_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "mask", lambda space, *_: [1] * space.size)


def allow_one_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = made.mask

    def mask(*asked: Any) -> list[int]:
        found = real(*asked)
        return [int(index == found.index(1)) for index in range(len(found))]

    monkeypatch.setattr(made, "mask", mask)


@pytest.mark.parametrize("plant", [show_everything, allow_everything, allow_one_thing])
def test_the_suites_pass_an_environment_at_fault(plant: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from pettingzoo.test import api_test, parallel_api_test, seed_test

    plant(monkeypatch)
    rules = game(paths.GAMES / "fuzzy_tiger.rules")
    api_test(aec(rules, illegal="replace"), num_cycles=CYCLES)
    parallel_api_test(parallel(rules, illegal="replace"), num_cycles=CYCLES)
    seed_test(lambda: aec(rules, illegal="replace"), num_cycles=CYCLES)


@pytest.mark.usefixtures("_through_an_environment")
def test_an_environment_that_shows_everything_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    show_everything(monkeypatch)
    with pytest.raises(Leak, match="learns what it may not know"):
        search(paths.GAMES / "fuzzy_tiger.rules")


def test_a_mask_that_allows_everything_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_everything(monkeypatch)
    with pytest.raises(IllegalIndex):
        masks_are_sound(paths.GAMES / "fuzzy_tiger.rules")


def test_a_mask_that_allows_one_thing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_one_thing(monkeypatch)
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        masks_are_sound(paths.GAMES / "fuzzy_tiger.rules")
