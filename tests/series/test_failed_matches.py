"""Matches that fail: every command and function that plays reports them and counts them in no figure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rulekit
from rulekit.apps.commands import cli
from rulekit.loading import load_text
from rulekit.studio.figures.line_counts import line_counts
from rulekit.tools.analysis.execution_counts import ExecutionCounts
from rulekit.tools.coverage.clause_coverage import Agreed, Coverage
from rulekit.tools.series import simulation

FAILS = """game "Fails"
    players 2
each player has
    counter score 0..9
play
    > FA-1 Each player chooses a number.
    each player
        player chooses n from 1..4 "How many?"
        > FA-2 Who chooses 4 divides by nothing.
        if n is 4: set player.score to 1 / player.score
        set player.score to n
unclear tie "Who wins?"
    > FA-3 The highest wins, or the lowest.
    high "the highest" default
    low "the lowest"
result: rank players by highest (if tie is high then it.score else -it.score)
"""
"""Seven matches of sixteen fail, all at line 10."""
SAME = ["--games", "40", "--seed", "f"]
PLAYING = {
    "simulate": ["simulate", "FILE", *SAME],
    "compare": ["compare", "FILE", "--a", "tie=high", "--b", "tie=low", *SAME],
    "sweep": ["sweep", "FILE", "--option", "tie=all", *SAME],
    "tune": ["tune", "FILE", "--option", "tie=all", "--target", "decisions 2", "--trials", "2", *SAME],
    "unclear": ["text", "unclear", "FILE", "--players", "2", *SAME],
    "coverage": ["text", "coverage", "FILE", *SAME],
    "witness": ["text", "witness", "FILE", "FA-3", *SAME],
    "pin": ["text", "pin", "FILE", "--clause", "FA-2", "--games", "20"],
    "diff": ["diff", "FILE", "OTHER", *SAME],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "fails.rules"
    path.write_text(FAILS)
    (tmp_path / "other.rules").write_text(FAILS.replace("How many?", "Which?"))
    return path


def run(file: Path, words: list[str]) -> Result:
    names = {"FILE": str(file), "OTHER": str(file.with_name("other.rules"))}
    return CliRunner().invoke(cli, [names.get(word, word) for word in words], standalone_mode=False)


@pytest.mark.parametrize("command", PLAYING)
def test_a_command_that_plays_reports_failed_matches_with_line_fault_and_count(command: str, file: Path) -> None:
    if command == "tune":
        pytest.importorskip("optuna")
    report = run(file, PLAYING[command])
    assert report.return_value == 1
    assert "line 10: division by zero" in report.output
    assert "failed: they are left out of all figures, which are incomplete" in report.output


def test_no_failed_match_is_in_a_rate_of_readings(file: Path) -> None:
    (reading,) = json.loads(run(file, [*PLAYING["unclear"], "--json"]).output)["readings"]
    failures = reading["failures"]["default"]
    assert 0 < failures["failed"] < 40 == failures["games"]
    assert reading["games"] == 40 - failures["failed"]
    assert reading["parted"] <= reading["games"]
    # Only equal scores, a third of the finished matches, end alike.
    assert reading["share"]["value"] > 0.5


def test_pairs_with_a_failed_match_come_to_no_end(file: Path) -> None:
    told = json.loads(run(file, [*PLAYING["compare"], "--json"]).output)
    failed = told["failures"]["a"]["failed"]
    assert told["unended"] == failed > 0
    assert told["figures"]["red wins"]["pairs"] == 40 - failed
    assert told["differing"] <= 40 - failed
    text = run(file, ["compare", "FILE", "--a", "tie=high", "--b", "tie=high", *SAME]).output
    assert f"{40 - failed} came to the same end in both" in text


@pytest.mark.parametrize("engine", ["wasm", "interpreter"])
def test_coverage_counts_only_matches_that_end(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = simulation.series

    def chosen(*args: Any, **named: Any) -> simulation.Series:
        return made(*args, engine_name=engine, **named)

    monkeypatch.setattr("rulekit.tools.coverage.clause_coverage.simulation.series", chosen)
    coverage = Coverage(load_text(FAILS))
    assert sum(coverage.play(Agreed(2, {}), 40, "f")) == coverage.started == 40
    assert coverage.games == 40 - len(coverage.failed) < 40
    monkeypatch.undo()
    games = {line.name: line.games for line in coverage.lines() if line.kind == "clause"}
    assert games == {"FA-1": coverage.games, "FA-2": 0, "FA-3": coverage.games}
    (cause,) = coverage.find_failures().causes
    assert (cause.where.line, cause.count, cause.seats) == (10, len(coverage.failed), 2)


def test_where_all_matches_fail_coverage_gives_no_other_reason() -> None:
    coverage = Coverage(load_text(FAILS.replace("1..4", "4..4")))
    assert list(coverage.play(Agreed(2, {}), 20, "all")) == [20]
    assert coverage.games == 0
    reasons = {str(line.why) for line in coverage.lines() if line.kind in ("rule", "clause")}
    assert reasons == {"no match came to its end"}


def test_a_page_and_a_table_of_a_series_leave_failed_matches_out_and_say_so(file: Path, tmp_path: Path) -> None:
    for command in ("compare", "sweep"):
        out = tmp_path / command
        assert run(file, [*PLAYING[command], "--out", str(out)]).return_value == 1
        assert "line 10: division by zero" in (out / "report.html").read_text()


def test_functions_report_failed_matches(file: Path) -> None:
    study = rulekit.simulate(file, 40, seed="f")
    assert study.failed > 0
    ((line, fault, games, first),) = study.failures.rows
    assert (line, games) == (10, study.failed)
    assert "division by zero" in fault
    assert study.matches.rows[first][1] == "failed"
    assert "which are incomplete" in str(study)
    assert "which are incomplete" in study._repr_html_()
    comparison = rulekit.compare(file, file, 40, b_options={"tie": "low"}, seed="f")
    assert comparison.failed == study.failed
    assert [row[:3] for row in comparison.failures.rows] == [(v, 10, fault) for v in "ab"]
    covered = rulekit.coverage(file, 40)
    assert covered.games == 40 - covered.failed < 40
    assert [row[0] for row in covered.failures.rows] == [10]
    parting = rulekit.diff(file, file, 40)
    assert parting.equal
    assert parting.failed > 0
    assert "line 10" in str(parting)
    assert all("line 10" in row[-1] for row in rulekit.sweep(file, {"tie": ["high", "low"]}, 20).rows)


def test_line_counts_are_of_matches_that_end() -> None:
    counter = ExecutionCounts(load_text(FAILS))
    found = line_counts(counter, simulation.series(counter.counted, {}, 2, "f"), lambda: False)
    assert found is not None
    assert 400 < found.games < 700
    assert found.counts[8] == 2
    assert 10 not in found.counts or found.counts[10] == 2
