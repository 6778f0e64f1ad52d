"""Games of OpenSpiel for tests: loaded from rules files, and played by chance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit import Game
from tests import paths
from tests.generators.random_matches import GAMES, Answers, game
from tests.sizes import IS_LONG


def seats(rules: Game) -> list[int]:
    """The numbers of players that are tried: three where that many may play; in a long run the least too."""
    three = max(rules.least, min(rules.most, 3))
    return sorted({rules.least, three}) if IS_LONG else [three]


FILES = [*GAMES, *sorted(paths.EXAMPLES.glob("*.rules"))]
TABLES = [(path, count) for path in FILES for count in seats(game(path))]
NAMES = [f"{path.stem}-{count}" for path, count in TABLES]
KUHN = paths.CASES / "openspiel" / "kuhn_poker.rules"


def loaded(rules: Game, **agreed: Any) -> Any:
    from rulekit.adapters.openspiel import games

    return games.load(rules, **agreed)


def kuhn() -> Any:
    """Kuhn poker by our rules, where a coin is worth 1 as in OpenSpiel's own."""
    return loaded(game(KUHN), returns="scores", margin=2)


def by_chance(spiel: Any, answers: Answers, most: int = 10_000) -> Iterator[Any]:
    """The states of a random match in which somebody decides, and the last one."""
    state = spiel.new_initial_state()
    for _ in range(most):
        if not state.is_chance_node():
            yield state
        if state.is_terminal():
            return
        moves = state.legal_actions()
        state.apply_action(moves[answers.below(len(moves))])
