"""Matches in the environments: rewards, the end, refusals, what is asked at once, and what the page shows."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from rulekit import load_text, outcome
from rulekit.adapters.spaces import rewards
from tests import paths
from tests.adapters.environments import aec, parallel
from tests.adapters.proofs import FILES
from tests.extras import needs
from tests.generators.random_matches import game

pytestmark = needs("zoo")
each_game = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)

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


# ---------------------------------------------------------------- how often others are asked

COUNTS = """game "Counts"
    players 2
each player has
    counter secret 0..2, seen by owner
play
    each round in 1..3
        secretly each player
            player chooses n from 0..2
            set player.secret to n
            if player.secret is 2
                player chooses more from 0..1
                set player.secret to more
result: rank players
"""


def stream(env: Any, answers: dict[str, list[int]]) -> list[list[float]]:
    """What `player_0` is shown whenever it acts, while both answer as they are told to."""
    env.reset(seed=1)
    seen, left = [], {agent: iter(given) for agent, given in answers.items()}
    for agent in env.agent_iter():
        now, _, terminated, *_ = env.last()
        if agent == "player_0":
            seen.append([*now["observation"].tolist(), *now["action_mask"].tolist()])
        env.step(None if terminated else next(left[agent]))
    return seen


def indices(env: Any) -> tuple[int, int]:
    blocks = env.episode.spaces.actions.blocks
    return blocks["play", "n"].first, blocks["play", "more"].first


def test_in_turns_nobody_learns_how_often_another_was_asked_in_secret() -> None:
    env = aec(load_text(COUNTS))
    n, more = indices(env)
    mine, long, short = [n, n + 1, n], [n + 2, more + 1, n, n], [n + 1, n, n]
    assert stream(env, {"player_0": mine, "player_1": long}) == stream(env, {"player_0": mine, "player_1": short})


def test_in_the_parallel_form_who_waits_can_count_cycles() -> None:
    """As the page says: all act in each cycle, so there is no way to hide how many there are."""
    env = parallel(load_text(COUNTS))
    n, more = indices(env)
    env.reset(seed=1)
    seen, *_ = env.step({"player_0": n, "player_1": n + 2})
    assert seen["player_0"]["action_mask"].nonzero()[0].tolist() == [0]
    seen, *_ = env.step({"player_0": 0, "player_1": more})
    assert seen["player_0"]["action_mask"].nonzero()[0].tolist() == [n, n + 1, n + 2]


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
