"""Every file of the tutorial is one that plays, and what is shown below a command is what comes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulekit.apps.cli import cli

DOCS = Path(__file__).parent.parent / "docs"
TEXT = (DOCS / "tutorial.md").read_text(encoding="utf-8")
STEPS = re.split(r"(?m)^## \d+\. ", TEXT)[1:]
FENCE = re.compile(r"(?ms)^```(\w+)\n(.*?)^```$")


def rulekit(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), standalone_mode=False, catch_exceptions=False)


def rules_of(step: str, folder: Path) -> Path:
    """The step's file, as a reader saves it."""
    (text,) = (block for kind, block in FENCE.findall(step) if kind == "rules")
    path = folder / "stairs.rules"
    path.write_text(text, encoding="utf-8")
    return path


def test_there_are_ten_steps_each_with_a_question_and_an_answer() -> None:
    assert len(STEPS) == 10
    for name in ("tutorial-questions.md", "tutorial-answers.md"):
        numbers = re.findall(r"(?m)^(\d+)\. ", (DOCS / name).read_text(encoding="utf-8"))
        assert [int(number) for number in numbers] == list(range(1, 11))


@pytest.mark.parametrize("number", range(1, 11))
def test_a_step_has_no_findings(number: int, tmp_path: Path) -> None:
    found = rulekit("check", "--strict", str(rules_of(STEPS[number - 1], tmp_path)))
    assert found.output == "1 file: nothing found\n"
    assert rulekit("fmt", "--check", str(tmp_path / "stairs.rules")).return_value == 0


@pytest.mark.parametrize("number", range(1, 11))
def test_what_is_shown_is_what_comes(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules_of(STEPS[number - 1], tmp_path)
    monkeypatch.chdir(tmp_path)
    for kind, block in FENCE.findall(STEPS[number - 1]):
        if kind == "console":
            command, *shown = block.splitlines()
            got = [line.rstrip() for line in rulekit(*shlex.split(command)[2:]).stdout.splitlines()]
            whole = shown[-1] != "…"
            expected = shown if whole else shown[:-1]
            assert got[: len(expected)] == expected
            assert len(got) == len(expected) or not whole


def test_the_last_step_fails_where_the_tutorial_says(tmp_path: Path) -> None:
    path = rules_of(STEPS[9].replace("given ann.climber is 4", "given ann.climber is 3"), tmp_path)
    failed = rulekit("test", str(path))
    assert failed.return_value == 1
    assert "ann.climber is 5" in failed.output
    assert "@ST-7" in failed.output
