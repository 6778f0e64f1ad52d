"""What is measured against plays the same game: every match ends alike in rulekit and in what was written by hand."""

from __future__ import annotations

import pytest

from benchmarks import by_hand
from benchmarks.contenders import built, in_c
from benchmarks.run import QUESTIONS, answers
from rulekit.play.state import counter_rng
from rulekit.tools.series import simulation
from tests import paths
from tests.extras import needs
from tests.generators.random_matches import game as loaded

MATCHES = 60


@pytest.mark.parametrize("seats", range(2, 6))
def test_matches_by_hand_end_as_those_of_the_rules(seats: int) -> None:
    ours = simulation.series(loaded(paths.GAMES / "fuzzy_tiger.rules"), {}, seats, "by hand")
    theirs = list(by_hand.matches(ours.seats, counter_rng.seed_number("by hand"), 0, MATCHES))
    for one, other in zip(simulation.played(ours, 0, MATCHES), theirs, strict=True):
        assert (one.decisions, list(one.places)) == (other.decisions, other.places()), one.index


@needs("cc")
def test_c_and_python_by_hand_play_the_same() -> None:
    library = built(paths.ROOT / "benchmarks/by_hand.c")
    assert library is not None
    names = ("ann", "bob", "cleo")
    made = in_c(library, names, 7, 2, MATCHES)
    for row, match in zip(made, by_hand.matches(names, 7, 2, MATCHES), strict=True):
        assert row == (match.decisions, *(place or 0 for place in match.places()))


def test_every_ratio_is_between_contenders_of_its_game() -> None:
    assert answers("fuzzy_tiger", []) == []
    assert len({(one.game, one.above, one.below) for one in QUESTIONS}) == len(QUESTIONS)
