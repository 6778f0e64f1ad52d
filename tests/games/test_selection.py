"""Test selection: an example that is not run again for a change would have come out as before."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rulekit import library
from rulekit.source import Source
from rulekit.tools.analysis.change_impact import impact
from rulekit.tools.examples import runner
from rulekit.tools.examples.mutation_operators import Rules, edits, rule_variants, rules_of
from rulekit.tools.examples.test_selection import affected, visits_of
from tests.paths import EXAMPLES, GAMES
from tests.sizes import IS_LONG

SOME = [(GAMES / "foxy.rules", 12), (EXAMPLES / "raft.rules", 5), (EXAMPLES / "stalls.rules", 3)]
ALL = [(path, 1) for path in (*sorted(GAMES.glob("*.rules")), *sorted(EXAMPLES.glob("*.rules")))]


@pytest.mark.parametrize(
    ("path", "every"), ALL if IS_LONG else SOME, ids=lambda value: getattr(value, "stem", str(value))
)
def test_what_is_left_out_would_come_out_as_before(path: Path, every: int) -> None:
    rules = rules_of(library.read(path))
    visits = visits_of(rules.game)
    passing = {result.scenario.name for result in runner.run_all(rules.game) if result.passed}
    assert visits.keys() == passing
    left_out = 0
    for edit in list(edits(rules, rule_variants))[::every]:
        changed = rules.edited(edit)
        kept = set() if changed is None else passing - affected(rules.game, changed.game, visits)
        for scenario in () if changed is None else changed.game.scenarios:
            if scenario.name in kept:
                assert runner.run(changed.game, scenario).passed, (edit, scenario.name)
                left_out += 1
    assert left_out


TEXT = """\
game "Two ways"
    players 2
table ways of way
    | way   | cost |
    | left  | 3    |
    | right | 2    |
counter steps
counter turns
define paid is left.cost
define half is 2
invariant "no steps back": steps at least 0
action go(way)
    if way is left
        raise steps by paid
    else
        set steps to half
    raise turns by 1
action only_left
    while steps below 2
        raise steps by 1
        raise turns by 1
play
    end game
result
    rank players by highest seat
scenario "left"
    players red, green
    do go(left)
    expect steps is 3
scenario "right"
    players red, green
    do go(right)
    expect steps is 2
scenario "other"
    players red, green
    do only_left
    expect steps is 2
scenario "position"
    players red, green
    given steps is 4
    expect steps is right.cost * 2
"""


@cache
def two_ways() -> Rules:
    return rules_of(Source("two_ways.rules", TEXT))


def run_again(old: str, new: str) -> set[str]:
    """The examples that are run again when one thing in the text is another."""
    assert TEXT.count(old) == 1, old
    game = two_ways().game
    changed = rules_of(Source("two_ways.rules", TEXT.replace(old, new))).game
    return affected(game, changed, visits_of(game))


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("steps by paid", "steps by half", {"left"}),
        ("set steps to half\n", "set steps to half\n        raise turns by 2\n", {"right"}),
        ("        raise steps by paid\n", "        raise steps by paid\n        raise turns by 1\n", {"left"}),
        ("    else\n        set steps to half\n", "", {"left", "right"}),
        ("paid is left.cost", "paid is 4", {"left"}),
        ("steps below 2", "steps below 3", {"other"}),
        ("        raise turns by 1\nplay", "play", {"other"}),
        ("    raise turns by 1\naction only", "action only", {"left", "right"}),
        ("steps at least 0", "steps at least 1", {"position"}),
        ("| left  | 3    |", "| left  | 4    |", {"left"}),
        ("| right | 2    |", "| right | 1    |", {"position"}),
        ("    end game", "    raise turns by 1\n    end game", {"position"}),
        ("counter turns", "counter turns starts 1", {"left", "right", "other", "position"}),
        ('game "Two ways"', 'game "Three ways"', set()),
    ],
)
def test_which_examples_are_run_again(old: str, new: str, names: set[str]) -> None:
    assert run_again(old, new) == names


def test_nothing_is_left_out_of_what_was_noted_in_another_game() -> None:
    rules = two_ways()
    changed = rules_of(Source("two_ways.rules", TEXT.replace("steps by paid", "steps by half"))).game
    visits = visits_of(rules.game)
    visits["right"].apart = True
    assert affected(rules.game, changed, visits) == {"left", "right"}


def test_nothing_differs_from_the_same_rules_written_otherwise() -> None:
    game = two_ways().game
    other = rules_of(Source("two_ways.rules", TEXT.replace("steps by paid", "steps by (paid)  # as ever"))).game
    change = impact(game, other)
    assert change is not None
    assert (change.places, change.defines, change.invariants) == (set(), set(), set())
