"""PettingZoo's own suites on every game and example, and what they do not ask: masks, secrets, seeds, rewards."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rulekit import SPECTATOR, Game, State, outcome
from rulekit.adapters import spaces as made
from rulekit.adapters.answering import IllegalIndex, Position
from rulekit.adapters.spaces import rewards
from rulekit.play.state.setting import Setting
from tests import paths
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
)
pytestmark = [needs("zoo"), *(pytest.mark.filterwarnings(f"ignore:{habit}") for habit in _HABITS)]
CYCLES = 60
each_game = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def aec(rules: Game | Path, **how: Any) -> Any:
    from rulekit.adapters.aec import AECGame

    return AECGame(rules, **how)


def parallel(rules: Game | Path, **how: Any) -> Any:
    from rulekit.adapters.parallel import ParallelGame

    return ParallelGame(rules, **how)


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


def test_max_cycles_test_where_seats_take_turns() -> None:
    from pettingzoo.test import max_cycles_test

    def made(kind: Any) -> Any:
        return lambda max_cycles: kind(rules, max_cycles=max_cycles, again=True, illegal="replace")

    rules = game(paths.EXAMPLES / "magpies.rules")
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
    assert sum(search(paths.GAMES / f"{name}.rules", 1).equal.values()) > 10


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


# ---------------------------------------------------------------- a match


def played(env: Any, seed: int) -> dict[str, float]:
    """The rewards of a match by chance."""
    env.reset(seed=seed)
    found = dict.fromkeys(env.agents, 0.0)
    for seat, agent in enumerate(env.agents):
        env.action_space(agent).seed(seat)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        found[agent] += reward
        env.step(None if terminated or truncated else env.action_space(agent).sample(seen["action_mask"]))
    return found


@each_game
def test_rewards_are_the_places_of_the_match(file: Path) -> None:
    env = aec(game(file))
    worth = played(env, 3)
    end = outcome(env.episode.position.state)
    assert end is not None
    assert list(worth.values()) == pytest.approx(rewards(end, len(worth)))
    assert all((worth[f"player_{seat}"] == max(worth.values())) for seat in end.winners if seat < len(worth))


def test_a_match_is_truncated_where_somebody_has_acted_often_enough() -> None:
    env = aec(game(paths.EXAMPLES / "connect_four.rules"), max_cycles=3)
    env.reset(seed=1)
    for _ in range(6):
        assert not any(env.truncations.values())
        env.step(int(env.last()[0]["action_mask"].argmax()))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


def test_a_refused_action_says_whose_it_is() -> None:
    env = parallel(game(paths.EXAMPLES / "tic_tac_toe.rules"))
    env.reset(seed=1)
    with pytest.raises(ValueError, match="player_1 may not do 2 now"):
        env.step({"player_0": 2, "player_1": 2})
    env.step({"player_0": 2, "player_1": 0})


def test_a_parallel_match_is_the_same_as_one_in_turns() -> None:
    """Those who choose at once are asked one after the other; but for who is waited for they see the same."""
    rules = game(paths.EXAMPLES / "magpies.rules")
    one, other = aec(rules, seats=3), parallel(rules, seats=3)
    same = [not name.endswith("is waited for") for name in one.episode.spaces.observations.names]
    one.reset(seed=5)
    seen, _ = other.reset(seed=5)
    while other.agents:
        actions = {}
        for agent in other.agents:
            actions[agent] = int(seen[agent]["action_mask"].argmax())
            assert one.agent_selection == agent
            assert (one.observe(agent)["observation"] == seen[agent]["observation"])[same].all()
            one.step(actions[agent])
        seen, worth, *_ = other.step(actions)
    assert one.rewards == worth


def test_it_can_be_shown() -> None:
    env = aec(game(paths.EXAMPLES / "mastermind.rules"), render_mode="ansi")
    env.reset(seed=1)
    assert "red.code: hidden" in env.render().splitlines()
    assert "rounds: 0" in env.render().splitlines()


# ---------------------------------------------------------------- what the page says


def test_the_example_of_the_page_prints_what_it_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(paths.ROOT)
    page = (paths.DOCS / "adapters.md").read_text(encoding="utf-8")
    ((code, printed),) = re.findall(r"```python\n(from rulekit.adapters.aec.*?)```\n```\n(.*?)```", page, re.DOTALL)
    exec(compile(code, "docs/adapters.md", "exec"), {})  # the project's own text
    assert capsys.readouterr().out == printed


def test_the_example_learns_to_beat_chance() -> None:
    figures = runpy.run_path(str(paths.EXAMPLES / "python" / "learn.py"))["main"](matches=400, checks=200)
    (before, wide), (after, narrow) = figures["random"], figures["learned"]
    assert abs(before) < wide + 0.1
    assert after - narrow > 0.15
