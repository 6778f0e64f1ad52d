"""`diff`, `coverage` and `audit` from Python find what the commands find."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulekit import BadSetup, audit, coverage, diff, load, load_text
from tests import paths
from tests.cli.test_run import called

GOAT = paths.EXAMPLES / "goat_path.rules"


def said(*arguments: str, exit_code: int = 0) -> dict[str, Any]:
    run = called(*arguments, typed="")
    assert run.returncode == exit_code, run.stderr
    return json.loads(run.stdout)  # type: ignore[no-any-return]


# ---------------------------------------------------------------- diff


def edited(tmp_path: Path, old: str, new: str) -> Path:
    text = GOAT.read_text(encoding="utf-8")
    assert old in text
    other = tmp_path / "edited.rules"
    other.write_text(text.replace(old, new, 1), encoding="utf-8")
    return other


def test_a_difference_is_the_one_that_the_command_finds(tmp_path: Path) -> None:
    other = edited(tmp_path, "rank players by highest", "rank players by lowest")
    told = said("diff", str(GOAT), str(other), "--games", "50", "--json", exit_code=1)
    found = diff(GOAT, other, 50)
    assert not found.equal
    mine = (found.what, found.first, found.second, list(found.clauses), found.seats, found.seed, found.scenario)
    sides = (told["first"]["value"], told["second"]["value"], told["clauses"])
    assert mine == (told["what"], *sides, told["seats"], told["seed"], told["scenario"])
    assert [row["first line"] for row in found.changes] == [change["first"]["line"] for change in told["changes"]]
    assert found.what in str(found)
    assert "<td>" in found._repr_html_()


def test_equal_games_are_said_to_be_equal() -> None:
    told: list[int] = []
    again = load_text(GOAT.read_text(encoding="utf-8"))
    found = diff(load(GOAT), again, 40, progress=lambda done, _: told.append(done))
    assert found.equal
    assert found.games >= 40
    assert str(found) == f"equal in {found.games} matches"
    assert told[-1] == found.games
    assert diff(GOAT, GOAT, 10**6, progress=lambda done, _: False).games < 10**6


def test_one_game_with_two_options() -> None:
    tiger = paths.GAMES / "fuzzy_tiger.rules"
    found = diff(tiger, tiger, 20, a_options={"wake_at": "one"}, b_options={"wake_at": "below_one"}, players=2)
    assert not found.equal
    with pytest.raises(BadSetup, match=r"there is no option `wak_at`; did you mean `wake_at`\?"):
        diff(tiger, tiger, a_options={"wak_at": "one"})


# ---------------------------------------------------------------- coverage


def test_what_is_covered_is_what_the_command_says() -> None:
    told = said("text", "coverage", str(GOAT), "--games", "60", "--json")
    found = coverage(GOAT, 60)
    assert found.games == told["games"] == 60
    assert [(row["kind"], row["name"], row["games"], row["why"]) for row in found.lines] == [
        (line["kind"], line["name"], line["games"], line["why"]) for line in told["lines"]
    ]
    assert [", ".join(line["examples"]) for line in told["lines"]] == list(found.lines["examples"])
    assert list(found.conditions["condition"]) == [way["test"] for way in told["conditions"]]


def test_coverage_tells_who_waits_and_stops() -> None:
    told: list[tuple[int, int]] = []
    coverage(GOAT, 60, players=2, progress=lambda done, every: told.append((done, every)))
    assert told[-1] == (60, 60)
    assert coverage(GOAT, 10**5, players=2, progress=lambda done, every: False).games < 10**5
    with pytest.raises(BadSetup, match="players, not 77"):
        coverage(GOAT, players=77)


# ---------------------------------------------------------------- audit


def test_findings_are_those_of_the_command(tmp_path: Path) -> None:
    other = edited(tmp_path, "The cliff has 30 ledges", "The cliff has 31 ledges")
    book = paths.BOOKS / "goat_path.it.md"
    anchors = book.with_suffix(".anchors")
    for rules, how in ((other, {}), (GOAT, {"book": book, "anchors": anchors})):
        named = [part for name, path in how.items() for part in (f"--{name}", str(path))]
        told = said("text", "audit", str(rules), *named, "--format", "json", exit_code=1)
        found = audit(rules, **how)
        assert len(found) > 0
        assert [(row["code"], row["line"], row["accepted"]) for row in found if row["digest"]] == [
            (one["code"], one["line"], one["accepted"]) for one in told["findings"]
        ]


def test_what_does_not_go_together_is_said() -> None:
    with pytest.raises(ValueError, match="book together with anchors"):
        audit(GOAT, book=paths.BOOKS / "goat_path.it.md")
    with pytest.raises(ValueError, match="no table of numerals for `xx`"):
        audit(GOAT, lang="xx")
