"""Examples by which two games part: nothing can be left out of what is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from rulekit.apps.commands import cli
from rulekit.source import Source
from rulekit.tools.compare.differential_testing import Search
from rulekit.tools.compare.scenario_reduction import Part, reduced, without
from rulekit.tools.compare.shrinking import Difference, Version
from rulekit.tools.examples.mutation_operators import Rules, rules_of
from rulekit.tools.examples.scenario_writer import Example, passes
from tests.editors.test_diff import KEPT, rules


def found(a: Rules, b: Rules, games: int = 50) -> tuple[Search, Difference]:
    search = Search(Version(a, {}, a.game), Version(b, {}, b.game), (2, 3), games, "test")
    for _ in search.run():
        pass
    assert search.best is not None
    return search, search.best


def parts(example: Example) -> list[Part]:
    every: list[Part] = [("option", name) for name in example.options]
    every += [("given", at) for at in range(len(example.given))]
    return every + [("line", at) for at in range(len(example.lines) - 1)]


def test_no_part_of_a_reduced_example_can_go() -> None:
    a, b = rules(), rules(("at least 37", "at least 38"))
    search, best = found(a, b)
    made = reduced(search.a, search.b, best, lambda: True).example
    assert made is not None
    assert best.example is not None
    assert len(made.text()) < len(best.example.text())
    assert passes(a, made)
    assert not passes(b, made)
    for part in parts(made):
        less = without(made, {part})
        assert not (passes(a, less) and not passes(b, less)), part


def test_what_is_best_when_the_time_ends_is_kept() -> None:
    search, best = found(rules(), rules(("at least 37", "at least 38")))
    assert reduced(search.a, search.b, best, lambda: False).example == best.example
    looks = iter([True] * 4)
    made = reduced(search.a, search.b, best, lambda: next(looks, False)).example
    assert made is not None
    assert passes(search.a.rules, made)
    assert not passes(search.b.rules, made)


HEAP = """game "Heap"
    players 2..3
cards deck of card
    | card | worth |
    | low  | 1     |
    | mid  | 2     |
    | high | 3     |
each player has
    pile hand of card starts deck
    pile won of card
    counter score 0..99
play
    each round in 1..3
        each player
            player chooses card from player.hand
            move card to player.won
    do counting
action counting
    each player: raise player.score by sum of worth over player.won
result: rank players by highest score
"""


def test_players_are_left_out_with_all_that_is_said_of_them() -> None:
    search, best = heaps()
    made = reduced(search.a, search.b, best, lambda: True).example
    assert made is not None
    assert len(made.seats) == 2
    assert len(made.lines) == 5


def test_things_of_lists_are_left_out_and_the_value_is_told_anew() -> None:
    search, best = heaps()
    given = ("green.won is [mid]", "red.won is [low, high, mid]")
    whole = Example(("red", "blue", "green"), {}, given, (), "counting", ("expect red.score is 6",))
    made = reduced(search.a, search.b, evolve(best, example=whole), lambda: True).example
    assert made is not None
    assert made.given == ("red.won is [high]",)
    assert made.lines == ("expect red.score is 3",)
    assert len(made.seats) == 2
    assert passes(search.a.rules, made)
    assert not passes(search.b.rules, made)


def heaps() -> tuple[Search, Difference]:
    a, b = (rules_of(Source("heap.rules", text)) for text in (HEAP, HEAP.replace("| high | 3 ", "| high | 4 ")))
    search = Search(Version(a, {}, a.game), Version(b, {}, b.game), (3,), 20, "test")
    for _ in search.run():
        pass
    assert search.best is not None
    assert str(search.best.divergence.what) == "`red.score`"
    return search, search.best


@pytest.mark.parametrize(
    ("part", "gone"),
    [
        (("seat", "bea"), "bea"),
        (("item", 0, 1), "grid[2, 3]"),
        (("cell", 0, 1, 2), "q"),
        (("row", 0, 2), "| . . |"),
        (("given", 1), "bea.coins"),
    ],
)
def test_a_part_is_left_out_alone(part: Part, gone: str) -> None:
    pictures = (("flock", "| k q |", "| . . |"),)
    given = ("set is [1, grid[2, 3], 4]", "bea.coins is 4")
    whole = Example(("ann", "bea"), {}, given, pictures, "", ("when bea chooses 1", "expect ann.coins is 1"))
    assert gone in whole.text()
    less = without(whole, {part}).text()
    assert gone not in less
    assert less.count("ann") == whole.text().count("ann")


def test_the_command_tells_the_smallest_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = tmp_path / "one.rules", tmp_path / "other.rules"
    one.write_text(KEPT)
    other.write_text(KEPT.replace("player.score by taken ", "player.score by taken + 1 "))
    assert cli(["diff", str(one), str(other)], standalone_mode=False) == 1
    out = capsys.readouterr().out
    assert "This differs in the rules: [K-3" in out
    assert "+ 1" in out
    example = out[out.index('scenario "where') :]
    assert example.count("given") == 0
    one.write_text(KEPT + "\n" + example)
    assert cli(["test", str(one)], standalone_mode=False) == 0
