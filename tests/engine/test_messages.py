"""What is said where a game cannot start or a rule not be carried out: the line in its own words, and its clauses."""

from __future__ import annotations

import pytest

from rulekit.loading import examine_text
from rulekit.play.engine import start
from rulekit.play.state.errors import BadSetup
from rulekit.source import Source

_OPTIONS = """game "Case"
    players 2..4
> AB-1 Eight rounds are the most.
option size "How many rounds?" 1..9 default 5
    requires size at most 8
    > AB-2 Two play more than four.
    conflicts size is 4 and count players is 2
play
    if size is 3: end game
result: rank players
"""


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (9, "the choice of `size` requires `size at most 8` (case:5:14); AB-1: Eight rounds are the most."),
        (
            4,
            "the choice of `size` conflicts with `size is 4 and count players is 2` (case:7:15); "
            "AB-2: Two play more than four.",
        ),
    ],
)
def test_choices_that_do_not_go_together_are_told_with_the_line(size: int, told: str) -> None:
    game = examine_text(Source("case", _OPTIONS)).game
    assert game is not None
    with pytest.raises(BadSetup) as fault:
        start(game, {"size": size})
    assert str(fault.value) == told
