"""Other people's engines on three board games: OpenSpiel and PettingZoo, where they are installed."""

from __future__ import annotations

import importlib
import random
from typing import Any

from benchmarks.contenders import Contender
from rulekit.compiler.lower.search.parameters import EXPLORATION

OPEN_SPIEL = {"tic_tac_toe": "tic_tac_toe", "connect_four": "connect_four", "breakthrough": "breakthrough"}
PETTING_ZOO = {"tic_tac_toe": "tictactoe_v3", "connect_four": "connect_four_v3"}

_MEGABYTES = 200
"""Room for the tree of a search."""


def peers(game: str) -> list[Contender]:
    return [*_open_spiel(game), *_petting_zoo(game)]


def _open_spiel(game: str) -> list[Contender]:
    try:
        import pyspiel
    except ImportError:
        return []
    rules: Any = pyspiel.load_game(OPEN_SPIEL[game])
    chance = random.Random(1)

    def from_python(first: int, count: int) -> int:
        made = 0
        for _ in range(count):
            state = rules.new_initial_state()
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))
                made += 1
        return made

    def own_loop(first: int, count: int) -> int:
        bots = [pyspiel.make_uniform_random_bot(seat, first + seat) for seat in range(2)]
        for number in range(count):
            pyspiel.evaluate_bots(rules.new_initial_state(), bots, first + number)
        return 0

    def search(first: int, count: int) -> int:
        """Simulations from the opening, with one playout each, as many for us."""
        playout = pyspiel.RandomRolloutEvaluator(1, first)
        bot = pyspiel.MCTSBot(rules, playout, EXPLORATION, count, _MEGABYTES, False, first, False)
        bot.mcts_search(rules.new_initial_state())
        return 0

    return [
        Contender("OpenSpiel from Python", from_python),
        Contender("OpenSpiel's own loop", own_loop),
        Contender("OpenSpiel's search", search),
    ]


def _petting_zoo(game: str) -> list[Contender]:
    if game not in PETTING_ZOO:
        return []
    try:
        module = importlib.import_module(f"pettingzoo.classic.{PETTING_ZOO[game]}")
    except ImportError:
        return []
    environment: Any = module.raw_env()
    chance = random.Random(1)

    def run(first: int, count: int) -> int:
        made = 0
        for _ in range(count):
            environment.reset()
            for _agent in environment.agent_iter():
                observation, _, ended, cut, _ = environment.last()
                if ended or cut:
                    environment.step(None)
                    continue
                mask = observation["action_mask"]
                environment.step(chance.choice([place for place, open_ in enumerate(mask) if open_]))
                made += 1
        return made

    return [Contender("PettingZoo", run)]
