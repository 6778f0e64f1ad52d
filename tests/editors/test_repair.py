"""An example that does not come out: the one literal of it, or of a rule, that would mend it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulekit import library
from rulekit.apps.commands import cli
from rulekit.model.game import Scenario
from rulekit.source import Source
from rulekit.tools.examples import repair
from rulekit.tools.examples.mutation_operators import Rules, edits, rule_variants, rules_of
from tests.paths import GAMES

SMALL = """game "Steps"
    players 2
option far "How far?" 1..6 default 2
track road 0..9
    forward is up
each player has
    piece pawn on road at 0
    counter coins 0..99
invariant "coins": no (players where it.coins above 50)
play
    repeat
        each player
            player chooses step from 1..5 "How far?"
            > S-1 Who goes far pays.
            if step at least 4: raise player.coins by 1
            move player.pawn forward by step
scenario "a"
    players red, blue
    when red chooses 3
    expect red.pawn is 3, red.coins is 0
scenario "b"
    players red, blue
    when red chooses 4
    expect red.pawn is 5, red.coins is 1
scenario "c"
    players red, blue
    when red chooses 4 then 4
    expect red.coins is 2
result: rank players by highest pawn
"""


def rules(text: str) -> Rules:
    return rules_of(Source("small.rules", text))


def named(made: Rules, name: str) -> Scenario:
    return next(scenario for scenario in made.game.scenarios if scenario.name == name)


def told(found: list[repair.Repair]) -> list[tuple[int, str, str]]:
    return [(each.edit.span.line, each.edit.old, each.edit.new) for each in found]


def test_the_printed_example_needs_one_other_card() -> None:
    made = rules_of(library.read(GAMES / "fuzzy_tiger.rules"))
    (printed,) = [scenario for scenario in made.game.scenarios if repair.is_misprint(scenario)]
    (found,) = repair.in_example(made, printed)
    assert (found.edit.old, found.edit.new) == ("2", "3")
    assert made.source.line(found.edit.span.line).strip() == "when green chooses 2"


def test_one_literal_of_the_example() -> None:
    made = rules(SMALL)
    found = told(repair.in_example(made, named(made, "b")))
    assert found == [(23, "4", "5"), (24, "5", "4")]


def test_a_position_that_breaks_an_invariant_mends_nothing() -> None:
    text = SMALL.replace(
        'scenario "b"\n    players red, blue\n', 'scenario "b"\n    players red, blue\n    given red.coins is 49\n'
    )
    text = text.replace("red.pawn is 5, red.coins is 1\n", "red.pawn is 4, red.coins is 51\n")
    made = rules(text)
    assert told(repair.in_example(made, named(made, "b"))) == [(25, "51", "50")]


def test_one_literal_of_a_rule_and_what_else_it_breaks() -> None:
    text = SMALL.replace("red.pawn is 3, red.coins is 0", "red.pawn is 3, red.coins is 1")
    made = rules(text)
    found = repair.in_rules(made, named(made, "a"))
    assert (15, "4", "3") in told(found)
    assert all(not each.breaks for each in found if each.edit.old == "4")


def test_a_change_keeps_what_is_around_it() -> None:
    made = rules(SMALL)
    change = next(edit for edit in edits(made, rule_variants) if edit.old == "at least")
    assert (change.new, change.clauses) == ("above", ("S-1",))
    game = made.changed(change)
    assert game is not None
    assert len(game.codes) == len(made.game.codes)
    assert game != made.game


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "small.rules"
    file.write_text(SMALL)
    assert cli(["test", str(file), "--repair", "-k", "b"], standalone_mode=False) == 1
    out = capsys.readouterr().out
    assert f"the example: {file}:23:22: `4` becomes `5`" in out
    cli(["test", str(file), "--repair", "-k", "b", "--format", "json"], standalone_mode=False)
    (scenario,) = json.loads(capsys.readouterr().out)["scenarios"]
    assert scenario["repairs"][0]["new"] == "5"
