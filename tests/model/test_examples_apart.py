"""Examples read for a game that was resolved without them: the same game as if all were resolved at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit import library
from rulekit.model.game import Game
from rulekit.source import Source
from rulekit.tools.examples.mutation_operators import Rules, edits, rule_variants, rules_of
from tests.paths import EXAMPLES, GAMES
from tests.sizes import IS_LONG, some

FILES = [*sorted(GAMES.glob("*.rules")), *sorted(EXAMPLES.glob("*.rules"))]


def apart(rules: Rules) -> Game | None:
    made = rules.whole()
    return None if made is None else made.game


def told(game: Game | None) -> object:
    """All that a game holds, with places and clauses that its values do not compare."""
    return game and (
        game,
        repr(game.clauses),
        [[(op.span, op.cites, op.own) for op in code.ops] for code in game.codes],
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_the_same_game(path: Path) -> None:
    rules = rules_of(library.read(path))
    assert told(apart(rules)) == told(rules.game)


@pytest.mark.parametrize("path", FILES if IS_LONG else [GAMES / "foxy.rules", EXAMPLES / "stalls.rules"])
def test_it_is_the_same_after_any_change(path: Path) -> None:
    rules = rules_of(library.read(path))
    for edit in some(list(edits(rules, rule_variants)), 15):
        assert told(apart(rules.put(edit))) == told(rules.changed(edit)), edit


def test_an_example_may_stand_in_what_is_assumed() -> None:
    text = """\
game "Small"
    players 2
counter steps
action go: raise steps by 1
assume "that is all"
    scenario "inside"
        players red, green
        do go
        expect steps is 1
play: end game
result: rank players by highest seat
scenario "outside"
    players red, green
    do go
    expect steps is 1
"""
    rules = rules_of(Source("small.rules", text))
    assert [scenario.name for scenario in rules.game.scenarios] == ["inside", "outside"]
    assert told(apart(rules)) == told(rules.game)


def test_examples_do_not_stay_in_the_game() -> None:
    rules = rules_of(library.read(GAMES / "foxy.rules"))
    names = [scenario.name for scenario in rules.game.scenarios]
    for name in names[:5]:
        game = rules.with_named([name])
        assert game is not None
        assert [scenario.name for scenario in game.scenarios] == [name]
        assert len([code for code in game.codes if code.name == "do"]) <= 3
    bare = rules.bare()
    assert bare is not None
    assert not bare.scenarios
