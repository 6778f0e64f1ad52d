"""Dice that are rolled together are independent of one another; different faces never come alike."""

from __future__ import annotations

import pytest

from rulekit.compiler.plan.ir import Status
from rulekit.tools.series.simulation import series
from tests.generators.random_matches import game
from tests.paths import CASES

DICE = CASES / "engines" / "dice.rules"


@pytest.mark.parametrize(("engine", "matches"), [("wasm", 6000), ("interpreter", 600)])
def test_one_roll_of_two_dice_in_six_is_a_double(engine: str, matches: int) -> None:
    one = series(game(DICE), {}, 2, "doubles", engine)
    names = one.counters.storage.word_names
    rows = one.rows(0, matches, tuple(names.index(name) for name in ("red.doubles", "red.alike")))
    assert all(row[0] == Status.DONE for row in rows)
    share = sum(row[2] for row in rows) / matches
    # Four deviations.
    assert abs(share - 1 / 6) < 4 * (5 / 36 / matches) ** 0.5
    assert not any(row[3] for row in rows)
