# %% [markdown]
# # A player that learns, in a hundred lines
#
# Nothing but numpy and PettingZoo: a linear policy over the numbers of an observation, made better by the rewards of
# matches against chance (REINFORCE with a baseline). Run it whole, `python examples/python/learn.py`, or cell by cell.

# %%
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from rulekit.adapters.aec import AECGame

RULES = Path(__file__).parent.parent / "magpies.rules"
STEP = 0.05


# %% [markdown]
# ## A policy
#
# Every action has a weight for every number of the observation. Actions outside the mask get no chance at all.


# %%
class Policy:
    def __init__(self, env: AECGame) -> None:
        shape = env.observation_space("player_0")["observation"].shape
        self.weights = np.zeros((env.action_space("player_0").n, shape[0] + 1))
        self.scale = np.ones(shape[0])

    def chances(self, seen: dict[str, np.ndarray]) -> np.ndarray:
        """By action how likely it is to be chosen."""
        likes = np.where(seen["action_mask"], self.weights @ self.features(seen), -np.inf)
        likes = np.exp(likes - likes.max())
        return likes / likes.sum()

    def features(self, seen: dict[str, np.ndarray]) -> np.ndarray:
        """The observation with large numbers made smaller, and a one."""
        self.scale = np.maximum(self.scale, np.abs(seen["observation"]))
        return np.append(seen["observation"] / self.scale, 1.0)

    def learn(self, seen: dict[str, np.ndarray], action: int, better: float) -> None:
        """Make an action likelier if its match went better than usual, less likely if worse."""
        towards = -self.chances(seen)
        towards[action] += 1
        self.weights += STEP * better * np.outer(towards, self.features(seen))


# %% [markdown]
# ## A match
#
# The policy sits in one seat; all others answer by chance.


# %%
def match(env: AECGame, policy: Policy | None, seat: int, rng: np.random.Generator) -> tuple[float, list]:
    """The reward of the seat, and what it saw and did."""
    env.reset(seed=int(rng.integers(2**31)))
    mine, steps, worth = env.possible_agents[seat], [], 0.0
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        worth += reward if agent == mine else 0
        if terminated or truncated:
            env.step(None)
        elif agent == mine and policy is not None:
            action = int(rng.choice(len(seen["action_mask"]), p=policy.chances(seen)))
            steps.append((seen, action))
            env.step(action)
        else:
            env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return worth, steps


# %%
def trained(env: AECGame, matches: int, rng: np.random.Generator) -> Policy:
    policy, usual = Policy(env), 0.0
    for number in range(matches):
        worth, steps = match(env, policy, number % len(env.possible_agents), rng)
        for seen, action in steps:
            policy.learn(seen, action, worth - usual)
        usual += 0.02 * (worth - usual)
    return policy


# %%
def measured(env: AECGame, policy: Policy | None, matches: int, rng: np.random.Generator) -> tuple[float, float]:
    """The mean reward from all seats in turn, with half the width of its 95 % interval."""
    found = [match(env, policy, number % len(env.possible_agents), rng)[0] for number in range(matches)]
    return float(np.mean(found)), float(1.96 * np.std(found) / np.sqrt(matches))


# %% [markdown]
# ## Before and after


# %%
def main(rules: Path = RULES, matches: int = 3000, checks: int = 2000, seed: int = 1) -> dict[str, tuple[float, float]]:
    env, rng = AECGame(rules, seats=2), np.random.default_rng(seed)
    policy = trained(env, matches, rng)
    figures = {"random": measured(env, None, checks, rng), "learned": measured(env, policy, checks, rng)}
    for name, (mean, wide) in figures.items():
        print(f"{name:8} against random: mean reward {mean:+.3f} ± {wide:.3f} over {checks} matches")
    return figures


if __name__ == "__main__":
    main(*[Path(one) for one in sys.argv[1:2]], *map(int, sys.argv[2:5]))
