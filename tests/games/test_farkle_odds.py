"""Farkle's published odds that a throw is worth nothing: rules about dice on the table are rules about dice."""

from __future__ import annotations

from itertools import product

import pytest

from rulekit import start
from rulekit.model import expr as x
from rulekit.play.machine.closure_compilation import evaluate
from rulekit.play.machine.working_state import thaw
from tests import paths
from tests.generators.random_matches import game as loaded

ODDS = {1: (4, 6), 2: (16, 36), 3: (60, 216), 4: (204, 1296), 5: (600, 7776)}
"""Of so many dice: throws of no worth, and all throws."""


@pytest.mark.parametrize("dice", ODDS)
def test_as_many_throws_are_worth_nothing_as_is_published(dice: int) -> None:
    game = loaded(paths.EXAMPLES / "farkle.rules")
    m = thaw(start(game).state)
    names = [variable.name for variable in game.variables]
    shows, kept = (m.setting.bases[names.index(name)] for name in ("shows", "kept"))
    worth, loose = ([one.name for one in game.defines].index(name) for name in ("worth", "loose"))
    points = x.Invoke(worth, (x.Invoke(loose, ()),))
    m.locals, m.elements = [], m.fresh_elements()
    for at in range(6):
        m.values[kept + at] = at >= dice
    nothing = 0
    for faces in product(range(1, 7), repeat=dice):
        m.values[shows : shows + dice] = faces
        m.changed()
        nothing += evaluate(m, points) == 0
    assert (nothing, 6**dice) == ODDS[dice]
