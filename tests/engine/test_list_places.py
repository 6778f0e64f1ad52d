"""Events name the place of a list as the rules do: by its own number, or by the thing that it is for."""

from __future__ import annotations

import rulekit
from rulekit.loading import examine_text
from rulekit.play.state.value import notation
from rulekit.source import Source

RULES = """game "Places"
    players 2
kind good: salt, silk
list marks of 0..9 for 3..5
each player has
    list goods of 0..9 for good
play
    set marks[4] to 7
    set (first players).goods[silk] to 2
result: rank players by highest it.goods[silk]
"""


def test_events_name_the_places_of_lists_as_the_rules_do() -> None:
    game = examine_text(Source("places.rules", RULES)).game
    assert game is not None
    told = [fact.value for event in rulekit.start(game, seats=2, seed="1").events for fact in event.facts]
    assert {"marks[4]", "red.goods[silk]"} <= set(map(notation, told))
