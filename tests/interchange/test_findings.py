"""Findings as a table and in SARIF: whole, at their places, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner

from rulekit.apps.commands import cli
from rulekit.tools.interchange.finding_table import COLUMNS
from tests import paths

GOATS = str(paths.EXAMPLES / "goat_path.rules")
ANCHORS = str(paths.BOOKS / "goat_path.it.anchors")


def audited(folder: Path, *words: str, change: tuple[str, str] = ("", "")) -> tuple[Any, Path]:
    """The audit of a book in which some words were changed, run as a command."""
    book = folder / "book.md"
    text = (paths.BOOKS / "goat_path.it.md").read_text(encoding="utf-8")
    assert change[0] in text
    book.write_text(text.replace(*change, 1), encoding="utf-8")
    done = CliRunner().invoke(cli, ["text", "audit", GOATS, "--book", str(book), "--anchors", ANCHORS, *words])
    return done, book


def as_json(folder: Path, change: tuple[str, str]) -> list[dict[str, Any]]:
    done, _ = audited(folder, "--format", "json", change=change)
    found: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
    return found


@pytest.fixture(scope="module")
def change() -> tuple[str, str]:
    """A number of the book, and what looks like a formula in its place."""
    return "7", "=77"


def test_a_table_holds_every_finding_with_its_line(tmp_path: Path, change: tuple[str, str]) -> None:
    wanted = as_json(tmp_path, change)
    assert wanted
    for ending in (".csv", ".xlsx"):
        done, book = audited(tmp_path, "--table", str(out := tmp_path / f"found{ending}"), change=change)
        assert f"the table is in {out}" in done.output
        head, *rows = _rows(out)
        assert head[0] == "where"
        assert len(head) == len(COLUMNS)
        assert {row[8] for row in rows if row[8]} == {str(one["digest"]) for one in wanted}
        found = next(row for row in rows if row[3] == "77")
        assert found[0].startswith(f"{book}:")
        assert "=77" in found[2]


def _rows(path: Path) -> list[list[str]]:
    if path.suffix == ".csv":
        text = path.read_bytes().decode("utf-8-sig")
        return [list(row) for row in csv.reader(io.StringIO(text, newline=""))]
    sheet = openpyxl.load_workbook(path).worksheets[0]
    assert not any(cell.data_type == "f" for row in sheet.iter_rows() for cell in row)
    return [[str(value or "") for value in row] for row in sheet.iter_rows(values_only=True)]


def test_a_table_speaks_the_language_of_its_editor(tmp_path: Path, change: tuple[str, str]) -> None:
    audited(tmp_path, "--table", str(tmp_path / "found.csv"), "--html-lang", "it", change=change)
    head, first, *_ = _rows(tmp_path / "found.csv")
    assert head[0] == "dove"
    assert "il libro" in first[1].lower()


def test_a_table_of_another_kind_is_refused(tmp_path: Path) -> None:
    done, _ = audited(tmp_path, "--table", str(tmp_path / "found.ods"))
    assert done.exit_code == 2
    assert "name a file that ends in .csv or .xlsx" in done.output


def test_sarif_says_the_same_as_json(tmp_path: Path, change: tuple[str, str]) -> None:
    wanted = as_json(tmp_path, change)
    done, _ = audited(tmp_path, "--format", "sarif", change=change)
    (run,) = json.loads(done.stdout)["runs"]
    by_digest = {
        one["partialFingerprints"]["rulekit/v1"]: one for one in run["results"] if "partialFingerprints" in one
    }
    assert by_digest.keys() == {one["digest"] for one in wanted}
    for one in wanted:
        found = by_digest[one["digest"]]
        region = found["locations"][0]["physicalLocation"]["region"]
        assert (region["startLine"], region["startColumn"]) == (one["line"], one["column"])
        assert (region["endLine"], region["endColumn"]) == (one["end_line"], one["end_column"])
        assert found["ruleId"] == run["tool"]["driver"]["rules"][found["ruleIndex"]]["id"] == one["code"]
        assert ("suppressions" in found) == one["accepted"]


def test_check_writes_sarif_with_paths_that_are_addresses(tmp_path: Path) -> None:
    path = tmp_path / "two words.rules"
    path.write_text('game "X"\n    players 2\nsetup\n    raise skore by 1\n', encoding="utf-8")
    done = CliRunner().invoke(cli, ["check", str(path), "--format", "sarif"])
    told = json.loads(done.stdout)
    assert told["version"] == "2.1.0"
    found = next(one for one in told["runs"][0]["results"] if one["ruleId"] == "unknown-name")
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("/two%20words.rules")
    assert (place["region"]["startLine"], found["level"]) == (4, "error")
