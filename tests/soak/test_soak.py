"""The short form of the long runs, and every text that once failed."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.generators.combinations import Combination, counts, covering, every, switches, values
from tests.generators.random_matches import GAMES, game
from tests.paths import CORPUS, ROOT
from tests.processes import HANG, take_interrupts
from tests.sizes import IS_LONG, some
from tests.soak import companions
from tests.soak.catalogues import EDITS, walked
from tests.soak.games import Failure, Job, Played, play
from tests.soak.texts import Chooser, batch, one


def test_mutated_texts_never_raise_and_are_quick() -> None:
    count = 120 if IS_LONG else 60
    tally, failed, slowest = batch(("ci", 0, count, False))
    assert not failed, failed[0]
    assert sum(tally.values()) == count
    assert tally["findings"] > 0.4 * count
    assert slowest < 2


def test_mutated_cases_never_raise_and_are_quick() -> None:
    count = 900 if IS_LONG else 600
    tally, failed, slowest = batch(("ci", 0, count, True))
    assert not failed, failed[0]
    assert tally["findings"] > count / 3
    assert slowest < 2


def test_mutated_companion_files_are_findings_or_refused_and_never_a_fault() -> None:
    count = 130 if IS_LONG else 26
    tally, failed, slowest = companions.batch(("ci", 0, count, ""))
    assert not failed, failed[0]
    assert sum(tally.values()) == count
    assert {name.split()[0] for name in tally} == set(companions.formats())
    assert slowest < companions.SECONDS


def test_companion_files_that_are_not_mutated_are_sound() -> None:
    """Else every mutant would be refused for the same reason."""
    sound = {"po": "0 0 1 0", "back.po": "0", "back.xlf": "0", "forms": "0 1", "edition": "0 1", "log": "0 0 1"}
    assert {name: companions.outcome(name, companions.formats()[name].text) for name in sound} == sound


def test_texts_that_once_failed() -> None:
    kept = sorted(CORPUS.glob("*.rules"))
    assert kept
    for path in kept:
        one(path.read_text(encoding="utf-8"), Chooser("kept"))


# ---------------------------------------------------------------- matches


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
def test_a_match_under_every_value_of_every_option_ends_well(path: Path) -> None:
    failures = [
        failure
        for combination in covering(path, game(path))
        for failure in play(Job(combination, range(1), "ci")).failures
    ]
    assert not failures, "\n".join(f"{each.combination}: {each.reason}\n  {each.command}" for each in failures)


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
def test_the_sample_meets_every_value_and_every_number_of_players(path: Path) -> None:
    rules = game(path)
    sample, whole = covering(path, rules), list(every(path, rules))
    assert {each.players for each in sample} == {each.players for each in whole} == set(counts(rules))
    met = {pair for each in sample for pair in each.options}
    assert met == {pair for each in whole for pair in each.options}
    assert len(set(whole)) == len(whole)


def test_every_combination_of_variants_is_played() -> None:
    path = next(path for path in GAMES if path.stem == "china_moon")
    variants = [option.name for option in game(path).options if option.type.name == "flag" and not option.unclear]
    assert len(switches(game(path))) == 2 ** len(variants) == 16
    for players in counts(game(path)):
        found = [dict(each.options) for each in every(path, game(path)) if each.players == players]
        assert len({tuple(each.get(name, False) for name in variants) for each in found}) == 16


def test_of_a_set_the_empty_one_each_single_and_the_largest_are_played() -> None:
    path = next(path for path in GAMES if path.stem == "fuzzy_tiger")
    option = game(path).options[0]
    assert option.type.is_set
    assert values(game(path), option, 3) == [(), *((number,) for number in range(1, 9)), (1, 2)]
    assert values(game(path), option, 5) == [()]


FAULTY = 'game "Faulty"\n    players 2\ncounter beat 0..\nplay\n{}\nresult: rank players\n'
FAULTS = {
    "invariant": "    repeat\n        starter always chooses n from 1..1\n        raise beat by n",
    "no end within": "    repeat: starter always chooses n from 1..1",
    "did not come to a decision": "    repeat: set beat to 1",
    "division by zero": "    starter always chooses n from 0..0\n    set beat to 1 / n",
}


@pytest.mark.parametrize("reason", FAULTS)
def test_a_fault_is_found_and_can_be_played_again(reason: str, tmp_path: Path) -> None:
    path = tmp_path / "faulty.rules"
    path.write_text(FAULTY.format(FAULTS[reason]) + 'invariant "few": beat at most 3\n', encoding="utf-8")
    played = play(Job(Combination(path, 2, ()), range(2), "seed"))
    assert [reason in failure.reason for failure in played.failures] == [True, True], played.failures
    assert len({failure.seed for failure in played.failures}) == 2
    assert played.failures[0].command.startswith("rulekit run games/faulty.rules --players=2 --seed=seed-")


def test_the_command_of_a_failure_plays_the_same_match() -> None:
    path = next(path for path in GAMES if path.stem == "fuzzy_tiger")
    combination = next(each for each in every(path, game(path)) if each.players == 3 and dict(each.options))
    command = shlex.split(Failure(combination, combination.seed("ci", 7), "").command)
    told = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=ROOT, check=True)
    played = play(Job(combination, range(7, 8), "ci"))
    assert f"{played.decisions} decisions." in told.stdout.splitlines()[-1]


@pytest.mark.parametrize(("stop", "code"), [(False, 0), (True, 130)])
def test_the_long_run_reports_what_it_did_and_can_be_stopped(stop: bool, code: int) -> None:
    games = "100000" if stop else "1"
    command = [sys.executable, "-m", "tests.soak.games", "--game=foxy", "--match=players=1 smallest", "--games", games]
    run = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, preexec_fn=take_interrupts
    )
    if stop:
        assert run.stderr is not None
        assert "matches" in run.stderr.readline()
        run.send_signal(signal.SIGINT)
    told, complained = run.communicate(timeout=HANG)
    assert run.returncode == code, complained
    report = json.loads(told.splitlines()[-1])
    assert report["failures"] == 0
    assert report["finished"] is not stop
    assert report["matches"] > 0


def test_what_was_played_is_counted() -> None:
    path = next(path for path in GAMES if path.stem == "foxy")
    played = play(Job(Combination(path, 1, ()), range(3), "count"))
    assert played == Played(3, 60)


# ---------------------------------------------------------------- catalogues


@pytest.mark.parametrize("seed", some(["one", "two", "three"], 3))
def test_no_edit_of_a_catalogue_or_its_game_loses_a_translation(seed: str) -> None:
    walk = walked(400 if IS_LONG else 80, seed)
    assert walk.faults == []
    assert walk.done.keys() == {name for name, _ in EDITS} | {"translations"}
    assert walk.done["translations"] > 20
