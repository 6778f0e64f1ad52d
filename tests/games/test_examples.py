"""The teaching games and prototypes in `examples/`: short, no findings, scenarios pass, and they play to an end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulekit import State, decisions, outcome, start
from rulekit.apps.commands import cli
from rulekit.tools.series.option_values import chosen
from tests import paths
from tests.generators.random_matches import Answers, game, steps, taken
from tests.sizes import IS_LONG

EXAMPLES = sorted(paths.EXAMPLES.glob("*.rules"))
GAMES_EACH = 5 if IS_LONG else 2
TEACHING_LINES = 60
PROTOTYPE_LINES = 25
MOST = 20_000
"""Decisions in a match."""


def each_example(path: Path) -> str:
    return path.stem


def test_there_are_examples() -> None:
    assert {path.stem for path in EXAMPLES} >= {"magpies", "raft", "goat_path", "kind_tiger", "tenth_card"}


@pytest.mark.parametrize("path", EXAMPLES, ids=each_example)
def test_it_is_short_enough_to_be_read_at_once(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    most = PROTOTYPE_LINES if "    extends " in text else TEACHING_LINES
    assert len(text.splitlines()) <= most


@pytest.mark.parametrize("path", EXAMPLES, ids=each_example)
def test_nothing_is_found(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["check", "--strict", str(path)], prog_name="rulekit", standalone_mode=False)
    assert (code, capsys.readouterr().out) == (0, "1 file: nothing found\n")


@pytest.mark.parametrize("path", EXAMPLES, ids=each_example)
def test_its_scenarios_pass(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["test", str(path)], prog_name="rulekit", standalone_mode=False)
    match = re.fullmatch(r"(\d+) passed, 0 failed\n", capsys.readouterr().out)
    assert code == 0
    assert match is not None
    assert int(match[1]) > 0


@pytest.mark.parametrize("path", EXAMPLES, ids=each_example)
def test_every_clause_it_states_is_one_of_the_game(path: Path) -> None:
    stated = re.findall(r"^ *>-? *(\S+)", path.read_text(encoding="utf-8"), re.M)
    assert stated
    assert set(stated) <= set(game(path).clauses)


@pytest.mark.parametrize("path", EXAMPLES, ids=each_example)
def test_it_plays_to_an_end(path: Path) -> None:
    """Every invariant is tested whenever the match waits."""
    rules = game(path)
    for number in range(GAMES_EACH):
        seats = rules.least + number % (rules.most - rules.least + 1)
        last = [step.state for _, _, step in steps(rules, seats, f"{path.stem} {number}", MOST)][-1]
        assert outcome(last) is not None


@pytest.mark.parametrize("path", EXAMPLES, ids=each_example)
def test_its_rulesets_play_to_an_end(path: Path) -> None:
    for ruleset in game(path).rulesets:
        for seats in range(game(path).least, game(path).most + 1):
            assert outcome(played(path, ruleset.name, seats)) is not None


def played(path: Path, ruleset: str, seats: int) -> State:
    """The last state of a random match by a ruleset."""
    answers = Answers(f"{path.stem} {ruleset} {seats}")
    state = start(game(path), chosen(game(path), ruleset, ()), seats=seats, seed=ruleset, checked=True).state
    for _ in range(MOST):
        waiting = decisions(state)
        if not waiting:
            break
        decision = waiting[answers.below(len(waiting))]
        state = taken(state, decision, answers)[1].state
    return state
