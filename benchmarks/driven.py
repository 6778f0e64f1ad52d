"""Many matches at once in the compiled engine, each step answered by chance from its mask, where numpy is installed."""

from __future__ import annotations

from benchmarks.contenders import SEED, Contender
from rulekit.adapters.vector_env import VectorEnv
from rulekit.model.game import Game

MATCHES = 1024


def many_at_once(game: Game) -> list[Contender]:
    """As a program that learns would: an array of indices goes in, arrays of all that seats see come out."""
    try:
        import numpy as np
    except ImportError:
        return []
    env = VectorEnv(game, MATCHES)
    chance = np.random.default_rng(1)
    turns = [env.reset(SEED)]

    def run(first: int, count: int) -> int:
        """At least so many matches."""
        steps = ended = 0
        turn = turns.pop()
        while ended < count:
            keys = chance.random(turn.masks.shape, dtype=np.float32)
            turn = env.step((keys * turn.masks).argmax(1))
            ended += int(turn.terminated.sum())
            steps += MATCHES
        turns.append(turn)
        return steps

    return [Contender("many at once", run)]
