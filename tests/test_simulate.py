"""Series of matches: the same whatever plays them and however they are cut; the command's manners."""

from __future__ import annotations

import json
import math
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from matches import game

from rulekit.apps.cli import cli
from rulekit.apps.console import Failed
from rulekit.tools.series import ENGINES, Played, series
from rulekit.tools.tally import Sums, Tally, share

TIGER = Path(__file__).parent.parent / "games" / "fuzzy_tiger.rules"


def simulate(*words: str) -> Result:
    return CliRunner().invoke(cli, ["simulate", *words], catch_exceptions=False)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_gives_the_same_matches(engine: str) -> None:
    reference = series(game(TIGER), {}, 3, "same", "interpreter").played(5, 4)
    assert [played.index for played in reference] == [5, 6, 7, 8]
    assert series(game(TIGER), {}, 3, "same", engine).played(5, 4) == reference


def test_loops_too_deep_for_python_are_played_by_another_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops = "".join(f"{'    ' * depth}each x{depth} in players\n" for depth in range(1, 26))
    text = f"""game "Deep"
    players 1..1
counter hits 0..100
play
{loops}{"    " * 26}raise hits by 1
result
    rank players by 1
"""
    file = tmp_path / "deep.rules"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(Failed, match="cannot play this game: loops or expressions nested as deep as here"):
        simulate(str(file), "--games", "2", "--engine", "python")
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    assert series(game(file), {}, 1, "deep").engine == "interpreter"
    assert simulate(str(file), "--games", "2").exit_code == 0


def test_a_series_does_not_depend_on_how_it_is_cut() -> None:
    whole = series(game(TIGER), {}, 2, "cut").played(0, 9)
    parts = series(game(TIGER), {}, 2, "cut")
    assert parts.played(0, 2) + parts.played(2, 7) == whole
    assert len({played.figures for played in whole}) > 1


def test_sums_are_exact_and_ranges_are_those_of_the_books() -> None:
    sums = Sums()
    for value in (2, 4, 9):
        sums.add(value)
    assert (sums.count, sums.total, sums.squares, sums.least, sums.most) == (3, 15, 101, 2, 9)
    assert math.isclose(sums.deviation(), 3.6055512754639896)
    # Wilson 1927 for 8 of 10, as tables give it.
    wilson = share(8, 10)
    assert (round(wilson.low, 4), round(wilson.high, 4)) == (0.4902, 0.9433)


def test_a_tally_knows_wins_alone_and_together_and_what_did_not_end() -> None:
    tally = Tally(("a", "b"), ())
    tally.add(
        [Played(0, 0, 5, (1, 2), (0,), ()), Played(1, 0, 7, (1, 1), (0, 1), ()), Played(2, 3, 0, (1, 1), (0, 1), ())]
    )
    assert (tally.won, tally.shared, tally.ties, tally.unfinished) == ([1, 0], [1, 1], 1, [(2, 3)])
    assert tally.wins(0).value == 1.0
    assert tally.decisions.total == 12


def test_the_report_is_the_same_for_any_number_of_jobs() -> None:
    words = (str(TIGER), "--games", "40", "--players", "3", "--seed", "j", "--json")
    alone, together = simulate(*words), simulate(*words, "--jobs", "2")
    assert alone.exit_code == together.exit_code == 0
    assert alone.stdout == together.stdout
    assert json.loads(alone.stdout)["games"] == 40


def test_a_match_of_a_series_can_be_watched() -> None:
    report = json.loads(simulate(str(TIGER), "--games", "1", "--players", "2", "--seed", "w", "--json").stdout)
    watched = CliRunner().invoke(cli, ["run", str(TIGER), "--players", "2", "--seed", "w#0", "--json"])
    answers = [line for line in watched.stdout.splitlines() if '"choose"' in line and '"asked":true' in line]
    assert report["decisions"]["sum"] == len(answers)


def test_files_hold_every_match_and_an_old_folder_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = (str(TIGER), "--games", "7", "--seed", "f", "--out", str(out))
    assert simulate(*words).exit_code == 0
    rows = (out / "games.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 8
    assert rows[0].startswith("game,status,decisions,place of red,place of blue,tiger")
    assert json.loads((out / "summary.json").read_text(encoding="utf-8"))["games"] == 7
    (out / "mine.txt").write_text("kept", encoding="utf-8")
    with pytest.raises(Failed, match="exists already"):
        simulate(*words)
    assert (out / "mine.txt").read_text(encoding="utf-8") == "kept"


@pytest.mark.parametrize("count", ["0", "-3", "99999999999", "many"])
def test_an_absurd_count_is_refused(count: str) -> None:
    refused = simulate(str(TIGER), "--games", count)
    assert refused.exit_code == 2
    assert re.search(r"--games", refused.output)


def test_a_game_that_does_not_end_is_told_with_the_way_to_see_it(tmp_path: Path) -> None:
    endless = tmp_path / "endless.rules"
    endless.write_text(
        'game "Endless"\n    players 2\neach player has\n    counter wealth 0..5\nplay\n'
        '    repeat\n        each player: player chooses n from 1..2 "?"\n'
        "result\n    rank players by highest wealth\n",
        encoding="utf-8",
    )
    words = ["simulate", str(endless), "--games", "1", "--seed", "e"]
    report = CliRunner().invoke(cli, words, standalone_mode=False)
    assert report.return_value == 1
    assert "match 0: no end; see it with rulekit run" in report.output
    assert "--seed e#0" in report.output
