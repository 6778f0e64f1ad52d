"""The questions that readers of the first game are asked, answered by the engine.

`cases/reading/reading_test.rules` holds one scenario for each question of
`docs/reading-test.md`, with the numbers of the answers beside it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulekit import BadSetup, Ref, decisions, load, start
from rulekit.loading import Loaded, examine, examine_text
from rulekit.model.game import Game, Scenario
from rulekit.source import Source
from rulekit.tools.examples import runner
from tests import paths

RULES = paths.CASES / "reading" / "reading_test.rules"
QUESTIONS = paths.DOCS / "reading-test.md"
BASE = paths.GAMES / "fuzzy_tiger.rules"
NAMED = {"Spaces": "monkey", "Scores": "score", "Damage": "harm"}
"""How a question calls what every player has, and how the rules call it."""
AT_FIRST = {"monkey": 6, "score": 0, "harm": 0}


@cache
def loaded() -> Loaded:
    return examine(RULES)


def game() -> Game:
    found = loaded().game
    assert found is not None, loaded().findings
    return found


@cache
def base() -> Game:
    return load(BASE)


# ---------------------------------------------------------------- the scenarios


@pytest.mark.parametrize("scenario", game().scenarios, ids=lambda s: s.name)
def test_an_answer_is_what_happens(scenario: Scenario) -> None:
    result = runner.run(game(), scenario)
    assert result.passed, result.failure


def test_there_are_no_findings() -> None:
    assert loaded().findings == ()


def test_every_question_has_its_scenario() -> None:
    titles = re.findall(r"^## (.+)$", QUESTIONS.read_text(encoding="utf-8"), re.M)
    assert [scenario.name for scenario in game().scenarios] == titles
    assert len(titles) == 12


@pytest.mark.parametrize("scenario", game().scenarios, ids=lambda s: s.name)
def test_the_position_is_that_of_the_question(scenario: Scenario) -> None:
    text = section(RULES, f'scenario "{scenario.name}"', "\nscenario ")
    given = " ".join(line for line in text.split("\n") if line.startswith("    given "))
    facts = re.findall(r"(\w+\.(?:monkey|score|harm)|tiger|timer) is (\d+)", given)
    at_first = start_of(scenario.seats)
    assert at_first | {name: int(value) for name, value in facts} == at_first | asked(scenario)


def asked(scenario: Scenario) -> dict[str, int]:
    """The position that a question tells: where somebody or something stands."""
    text = section(QUESTIONS, f"## {scenario.name}\n", "\n## ").split("Revealed:")[0]
    found: dict[str, int] = {}
    for word, name in NAMED.items():
        if match := re.search(rf"{word} ([\d, ]+)\.", text):
            values = [int(value) for value in match[1].split(",")]
            found |= {f"{seat}.{name}": value for seat, value in zip(scenario.seats, values, strict=True)}
    for word, name in (("Sleep", "tiger"), ("Timer", "timer")):
        if match := re.search(rf"{word} (\d+)\.", text):
            found[name] = int(match[1])
    return found


def start_of(seats: tuple[str, ...]) -> dict[str, int]:
    return {"tiger": 6} | {f"{seat}.{name}": value for seat in seats for name, value in AT_FIRST.items()}


def section(path: Path, begin: str, end: str) -> str:
    return path.read_text(encoding="utf-8").split(begin)[1].split(end)[0]


def test_a_wrong_last_number_of_any_answer_is_found_on_its_line() -> None:
    lines = RULES.read_text(encoding="utf-8").split("\n")
    wrong: dict[str, int] = {}
    name = ""
    for number, line in enumerate(lines, 1):
        name = line.split('"')[1] if line.startswith("scenario ") else name
        if name and line.startswith("    expect ") and re.search(r" is \d+(?=,|$| )", line):
            wrong[name] = number
    for number in wrong.values():
        lines[number - 1] = one_more(lines[number - 1])
    changed = examine_text(Source(str(RULES), "\n".join(lines))).game
    assert changed is not None
    for scenario in changed.scenarios:
        difference = runner.run(changed, scenario).failure
        assert difference is not None, scenario.name
        assert difference.span.line == wrong[scenario.name], scenario.name


def one_more(line: str) -> str:
    """The line with the last number it expects made one larger."""
    match = list(re.finditer(r" is (\d+)(?=,|$| )", line))[-1]
    return f"{line[: match.start(1)]}{int(match[1]) + 1}{line[match.end(1) :]}"


# ---------------------------------------------------------------- 12 c: what may be agreed


@pytest.mark.parametrize(
    ("seats", "left_out", "words"),
    [
        pytest.param(3, (2, 9), "a set of numbers in 1..8", id="the 9"),
        pytest.param(3, (4, 5, 6), "`left_out` requires", id="three cards"),
        pytest.param(3, ((4, 5), (1, 6), (1, 6)), "a set of numbers in 1..8", id="not the same for everybody"),
        pytest.param(4, (1, 6), "`left_out` requires", id="two with four players"),
        pytest.param(5, (3,), "`left_out` requires", id="one with five players"),
    ],
)
def test_what_the_table_cannot_agree_on(seats: int, left_out: Any, words: str) -> None:
    with pytest.raises(BadSetup) as caught:
        start(base(), {"left_out": left_out}, seats=seats)
    assert words in str(caught.value)


@pytest.mark.parametrize(("seats", "left_out"), [(3, (3,)), (3, (1, 6)), (4, (6,)), (5, ())], ids=str)
def test_what_the_table_can_agree_on(seats: int, left_out: tuple[int, ...]) -> None:
    state = start(base(), {"left_out": left_out}, seats=seats).state
    hand = tuple(Ref("card", str(card)) for card in range(1, 10) if card not in left_out)
    assert [decision.options for decision in decisions(state)] == [hand] * seats
