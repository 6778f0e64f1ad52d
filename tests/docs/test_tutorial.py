"""The tutorial holds: every file in it is a game, every command shows what stands there, every answer comes out."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from rulekit import outcome
from rulekit.apps.commands import cli
from rulekit.apps.console import guarded
from tests.docs.tutorial import DOCS, Command, Step, difference, words
from tests.docs.tutorial import steps as tutorial_steps
from tests.generators.random_matches import game, steps

STEPS = tutorial_steps()
WORDS = words()
COMMANDS = [
    pytest.param(command, id=f"{step.number}-line-{command.line}-{place}")
    for step in (*STEPS, *WORDS)
    for place, command in enumerate(step.commands)
]
FILES = [
    pytest.param(step, name, id=f"{step.number}-{name.removesuffix('.rules')}")
    for step in (*STEPS, *WORDS)
    for name in step.written
]


def run(words: tuple[str, ...], typed: tuple[str, ...] = ()) -> str:
    """What a command shows, on both streams."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        guarded(lambda: cli.main(list(words), prog_name="rulekit", standalone_mode=False), debug=False)
    return out.getvalue() + err.getvalue()


def saved(files: dict[str, str], folder: Path) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def test_there_are_ten_steps_and_each_is_a_file_that_grows_or_varies_the_one_before() -> None:
    assert [step.number for step in STEPS] == list(range(1, 11))
    assert all(len(step.written) == 1 for step in STEPS)
    texts = [next(iter(step.written.values())) for step in STEPS]
    assert len(set(texts)) == 10
    assert all(step.commands for step in STEPS)


def test_each_game_behind_the_steps_is_about_words_that_they_lack() -> None:
    said = [next(iter(step.written.values())) for step in WORDS]
    new = ("seen_before(", "teams by", "all reach", "first (hungry by", "each its own")
    assert all(word in text for word, text in zip(new, said, strict=True))
    assert all(step.commands for step in WORDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_shows_what_stands_there(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved(command.files, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert not (difference(command.shown, run(command.words, command.typed)))


@pytest.mark.parametrize(("step", "name"), FILES)
def test_a_file_is_checked_laid_out_and_played_to_an_end(
    step: Step, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(step.files, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run(("check", "--strict", name)) == "1 file: nothing found\n"
    assert run(("fmt", "--diff", name)) == ""
    rules = game(tmp_path / name)
    for seats in range(rules.least, rules.most + 1):
        last = [step.state for _, _, step in steps(rules, seats, f"tutorial {seats}", 2000)]
        assert not last or outcome(last[-1]) is not None


# ---------------------------------------------------------------- questions and answers


def numbered(page: str) -> dict[str, str]:
    """The questions or answers of a page by their number."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = re.finditer(r"^\*\*(\d+\.\d+)\*\* (.*?)(?=^\*\*\d|^## |\Z)", text, re.M | re.S)
    return {match[1]: match[2] for match in found}


QUESTIONS, ANSWERS = numbered("tutorial-questions.md"), numbered("tutorial-answers.md")
SHOWN = {number: re.findall(r"^```rules(?: (\S+))?\n(.*?)^```$", text, re.M | re.S) for number, text in ANSWERS.items()}
"""The blocks of rules of an answer: the name of a file of its own or "", and the text."""


def test_every_step_has_questions_and_every_question_an_answer() -> None:
    assert list(QUESTIONS) == list(ANSWERS)
    assert {int(number.split(".")[0]) for number in QUESTIONS} == set(range(1, 11))


def test_most_answers_are_shown_by_an_example() -> None:
    assert sum(1 for texts in SHOWN.values() if texts) * 2 > len(ANSWERS)


@pytest.mark.parametrize("number", [number for number, texts in SHOWN.items() if texts])
def test_an_answer_comes_out(number: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its examples pass, written below the file of the step or in a file of their own."""
    step = STEPS[int(number.split(".")[0]) - 1]
    (last,) = step.written
    saved(step.files, tmp_path)
    monkeypatch.chdir(tmp_path)
    for own, text in SHOWN[number]:
        name = own or last
        saved({name: text if own else f"{step.written[last]}\n{text}"}, tmp_path)
        told = run(("test", "-v", name))
        assert re.search(r"^[1-9]\d* passed, 0 failed$", told, re.M), told
