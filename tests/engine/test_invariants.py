"""Invariants: looked at wherever a match waits, by every command that plays, and in positions that are given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulekit import CHANCE, Action, RuleError, apply, decisions, start
from rulekit.apps.commands import cli
from rulekit.apps.console import FOUND, Failed
from rulekit.loading import examine_text
from rulekit.source import Source
from rulekit.tools.examples import runner
from rulekit.tools.series.simulation import series
from tests import paths
from tests.generators.random_matches import game as loaded
from tests.sizes import some

RACE = """game "Race"
    players 2..4
track path 0..9
    spaces 1..8 hold 1
    full stacks if occupant is 5
cards deck of card
    | card | copies |
    | 1..3 | 2      |
pile stock of card starts deck, seen by nobody
each player has
    piece runner on path at 0
    counter score 0..9
    pile hand of card, seen by owner
    pile used of card
setup
    each player
        deal 1 from stock to player.hand
play
    repeat
        each player: do turn(player)
action turn(player)
    player chooses steps from 1..2
    raise player.score by steps
    if player.score at least 8: end game
    player chooses gone from [1, 2]
result: rank players by highest score
invariant "no score is 5": no (players where it.score is 5)
"""


def command(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


def failure(scenario: str, rules: str = RACE) -> str:
    loaded = examine_text(Source("race.rules", f"{rules}\n{scenario}"))
    assert loaded.game is not None, loaded.findings
    (found,) = runner.run_all(loaded.game)
    return "" if found.failure is None else f"{found.failure.said}: {found.failure.found}"


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        ("    given ann.score is 5", 'this position cannot be: the invariant "no score is 5" does not hold'),
        ("    given ann.score is 4\n    when ann chooses 1", 'when ann chooses 1: the invariant "no score is 5"'),
        ("    given ann.score is 4\n    when ann chooses 2", ""),
        ("    given ann.score is 5\n    do turn(ann)\n    when ann chooses 1", ""),
        ("    given ann.runner is 3, bob.runner is 3", "this cannot be given: 3 of `path` holds 1 at most"),
        ("    given ann.runner is 5, bob.runner is 5", ""),
        ("    given ann.runner is 0, bob.runner is 0", ""),
        ("    given ann.runner is 3\n    given bob.runner is 3\n    do turn(ann)", "this cannot be given: 3 of `path`"),
    ],
)
def test_a_scenario_keeps_to_what_can_be(scenario: str, said: str) -> None:
    found = failure(f'scenario "it"\n    players ann, bob\n{scenario}\n    expect ann.seat is 1\n')
    assert found.startswith(said) if said else found == ""


def test_cards_that_a_given_pile_no_longer_holds_go_where_nobody_sees_them() -> None:
    lines = "    players ann, bob\n    given ann.hand is [], ann.used is [2]\n"
    assert failure(f'scenario "it"\n{lines}    expect ann.used is [2], no ann.hand, count stock is 4\n') == ""


def test_cards_that_would_lie_in_another_pile_in_play_are_a_finding() -> None:
    tiger = (paths.GAMES / "fuzzy_tiger.rules").read_text(encoding="utf-8").partition("\nscenario ")[0]
    lines = 'scenario "it"\n    players red, green\n    given red.hand is [9]'
    said = "[1, 2, 3, 4, 5, 6, 7, 8] lay in `red.hand` and are listed nowhere: give `red.played` or `red.discard` too"
    assert failure(f"{lines}\n", tiger) == f"this cannot be given: {said}"
    assert failure(f"{lines}, red.discard is 1..8\n", tiger) == ""


def test_a_match_ends_at_the_first_wait_where_one_does_not_hold(tmp_path: Path) -> None:
    file = tmp_path / "race.rules"
    file.write_text(RACE, encoding="utf-8")
    with pytest.raises(Failed) as found:
        command("run", str(file), "--seed", "1")
    assert found.value.exit_code == FOUND
    assert 'error[invariant]: the invariant "no score is 5" does not hold' in str(found.value)
    assert f"{file}:{RACE.count(chr(10))}:1" in str(found.value)


def test_check_looks_at_the_beginning_for_every_number_of_players(tmp_path: Path) -> None:
    file = tmp_path / "race.rules"
    file.write_text(RACE.replace("no (players where it.score is 5)", "count stock is not 3"), encoding="utf-8")
    found = command("check", str(file))
    assert (
        'error[invariant]: with 3 players, where play begins, the invariant "no score is 5" does not hold'
        in found.stdout
    )


@pytest.mark.parametrize("engine", ["interpreter", "wasm"])
def test_a_series_tests_every_hundredth_match_or_all(tmp_path: Path, engine: str) -> None:
    file = tmp_path / "race.rules"
    file.write_text(RACE, encoding="utf-8")
    words = ("simulate", str(file), "--games", "202", "--seed", "2", "--engine", engine, "--json")
    told = [one["game"] for one in json.loads(command(*words).stdout)["unfinished"]]
    assert told
    assert set(told) <= {0, 100, 200}
    all_told = [one["game"] for one in json.loads(command(*words, "--checked").stdout)["unfinished"]]
    assert {game for game in all_told if game % 100 == 0} == set(told)
    assert len(all_told) > 50


@pytest.mark.parametrize("path", some(sorted(paths.GAMES.glob("*.rules")), 2), ids=lambda path: path.stem)
def test_engines_agree_on_matches_that_are_tested(path: Path) -> None:
    made = [series(loaded(path), {}, max(2, loaded(path).least), "v", engine) for engine in ("wasm", "interpreter")]
    for one in made:
        one.test_all()
    rows = [one.rows(0, 3, ()) for one in made]
    assert rows[0] == rows[1]
    assert made[0].sums() == made[1].sums()
    assert all(row[0] == 0 for row in rows[0])


SETUP = """game "Setup"
    players 2
value lead of player
setup
    draw one from players
    set lead to one
play
    lead chooses n from 1..2
    end game
result: rank players by highest seat
invariant "somebody is first": lead is not none
"""


def test_what_need_not_hold_yet_is_not_looked_at_in_the_setup() -> None:
    game = examine_text(Source("setup.rules", SETUP)).game
    assert game is not None
    step = start(game, seed=None, checked=True)
    (asked,) = decisions(step.state)
    assert asked.seat == CHANCE
    step = apply(step.state, Action(CHANCE, asked.options[0]))
    assert decisions(step.state)[0].seat != CHANCE
    broken = examine_text(Source("setup.rules", SETUP.replace("set lead to one", "set lead to none"))).game
    assert broken is not None
    waits = start(broken, seed=None, checked=True).state
    with pytest.raises(RuleError):
        apply(waits, Action(CHANCE, decisions(waits)[0].options[0]))
