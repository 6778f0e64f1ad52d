"""Parameters of information-set Monte Carlo tree search: weights, and bounds of what a search remembers.

The search of `bots.players.mcts`, over the reference engine, has the same weights.
"""

from __future__ import annotations

from rulekit.model import ops
from rulekit.model.game import Game

EXPLORATION = 0.6
"""The constant of UCB1: how much an answer gains by having been tried seldom; worths lie from 0 to 1."""
LEAD_WEIGHT = 0.1
"""How much of a worth is the lead in ranking values, the rest being the place."""
LOSS_WEIGHT = 0.1
"""The worth of reaching everything together and being defeated all the same, and of reaching nothing undefeated."""
MIN_VARIANCE = 1e-9
"""Of the leads in a search, so that none is divided by 0."""
MAX_DEPTH = 200
"""Choices along the trees in one simulation."""
MAX_NODES = 1 << 17
"""Information sets in one search; further ones are left to chance."""
MAX_ANSWERS = 1 << 21
"""Answers of all of them together."""
SEARCH_SEED = 0x5EED
"""Sets the chance of the search itself apart from that of its matches."""


def may_be_defeated(game: Game) -> bool:
    """Whether any rule of a game defeats players."""
    return any(isinstance(op, ops.Defeat) for code in game.codes for op in code.ops)
