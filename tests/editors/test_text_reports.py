"""Reports for editors: readings weighed, gaps as questions, changes that no example notices."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulekit.apps.commands import cli
from rulekit.apps.text.gaps import gaps
from rulekit.source import Source
from rulekit.tools.analysis.state_hash import with_state_hash
from rulekit.tools.compare.sensitivity_analysis import Readings
from rulekit.tools.coverage.mutation_testing import MutationTest
from rulekit.tools.examples.mutation_operators import Rules, rules_of
from rulekit.tools.examples.scenario_writer import passes
from rulekit.tools.series import simulation
from tests.generators.random_matches import GAMES, game

SMALL = """game "Steps"
    players 2
unclear late "When is it over?"
    > U-1 It is over at ten.
    ten   "on ten or beyond" default
    later "beyond ten"
unclear idle "What does nobody care for?"
    this "this" default
    that "that"
assume "how far the road goes; known: far"
    > G-1 The road is in a picture only.
    track road 0..
        forward is up
each player has
    piece pawn on road at 0
    counter coins 0..99
play
    repeat
        each player
            player chooses step from 1..3
            move player.pawn forward by step
            > S-1 Three steps bring a coin.
            if step is 3: raise player.coins by 1
            > S-2 Whoever is far enough ends the game.
            if player.pawn at least (if late is ten then 10 else 11): end game
            if idle is that: set player.coins to player.coins
scenario "three steps"                                    @S-1
    players red, blue
    when red chooses 3
    expect red.coins is 1, red.pawn is 3
scenario "one step"                                       @S-1
    players red, blue
    when red chooses 1
    expect red.coins is 0
result: rank players by highest coins then highest pawn
"""


def rules() -> Rules:
    return rules_of(Source("small.rules", SMALL))


def test_readings_are_weighed_against_the_default() -> None:
    made = Readings(rules(), 2, 200, "test")
    for _ in made.run():
        pass
    late, idle = made.effects
    assert 0 < late.parted < late.games == 200
    assert late.length.mean().low > 0
    assert late.shortest is not None
    assert late.shortest.example is not None
    assert passes(made.rules, late.shortest.example)
    assert (idle.parted, idle.share().value, idle.shortest) == (0, 0, None)
    assert idle.share().high > 0


def test_a_yes_and_a_few_numbers_are_readings_too() -> None:
    asked = 'unclear prize "Does a third step pay?" flag default yes\nunclear worth "How many coins?" 1..3 default 1\n'
    asked += 'unclear sums "Which are left out?" set of 1..3 default []\nunclear many "How many?" 0..10 default 0\n'
    paid = SMALL.replace("if step is 3: raise player.coins by 1", "if step is 3 and prize: raise player.coins by worth")
    more = paid.replace("assume", asked + "assume", 1)
    made = Readings(rules_of(Source("small.rules", more)), 2, 20, "test", {"late": "ten"})
    for _ in made.run():
        pass
    effects = {each.reading.name: each for each in made.effects}
    assert [(each.reading.option.name, each.reading.name) for each in made.effects][2:] == [
        ("prize", "no"),
        ("worth", "2"),
        ("worth", "3"),
    ]
    assert min(effects["no"].parted, effects["2"].parted, effects["3"].parted) > 0
    assert effects["no"].shortest is not None


@pytest.mark.parametrize("path", [GAMES[0], GAMES[2]], ids=lambda path: path.stem)
def test_a_fingerprint_changes_nothing(path: Path) -> None:
    made = game(path)
    seats = made.least + 1
    kept, place = with_state_hash(made, seats)
    plain, more = (simulation.series(each, {}, seats, "same") for each in (made, kept))
    word = more.counters.storage.word_base[place]
    rows = more.rows(0, 4, (word,))
    assert [row[:2] for row in rows] == [row[:2] for row in plain.rows(0, 4, ())]
    assert len({row[2] for row in rows}) > 1


def test_what_was_assumed_is_a_list_of_questions() -> None:
    (gap,) = gaps(rules().game)
    assert gap.text.startswith("how far the road goes")
    assert gap.clauses == (("G-1", "The road is in a picture only."),)


def test_changes_that_no_example_notices_get_an_example_that_does() -> None:
    made = MutationTest(rules(), 10, only=("S-1", "S-2"))
    changes = made.changes()
    for _ in made.run(changes):
        pass
    assert made.tried + made.wrong == len(changes)
    assert made.noticed == sum(made.killed.values()) > 0
    unnoticed = {(each.edit.span.line, each.edit.old, each.edit.new): each for each in made.survivors}
    assert (25, "10", "11") in unnoticed
    # Whether the step is paid before the end is looked at, no example says; all else on that line is pinned.
    assert [edit[1].split(" / ")[0] for edit in unnoticed if edit[0] == 23] == ["if step is 3: raise player.coins by 1"]
    for each in made.survivors:
        changed = made.rules.edited(each.edit)
        assert changed is not None
        if each.example is not None:
            assert passes(made.rules, each.example)
            assert not passes(changed, each.example)
    assert unnoticed[25, "10", "11"].example is not None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["unclear", "--games", "30"], "idle=that"),
        (["gaps"], "1 question to the publisher"),
        (["pin", "--clause", "S-1", "--games", "5"], "changes tried"),
    ],
)
def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    file = tmp_path / "small.rules"
    file.write_text(SMALL)
    command, *options = words
    cli(["text", command, str(file), *options], standalone_mode=False)
    assert said in capsys.readouterr().out
    cli(["text", command, str(file), *options, "--json"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out)
