"""Studies from Python come to what the commands say, as values and rows; who waits is told; notebooks show tables."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest

from rulekit import BadSetup, Table, compare, load, simulate, sweep
from rulekit.bots.bot import Chair
from rulekit.tools.series import simulation
from rulekit.tools.studies.batches import batches
from tests import paths
from tests.cli.test_run import called
from tests.extras import needs
from tests.generators.random_matches import game as loaded

TIGER = loaded(paths.GAMES / "fuzzy_tiger.rules")
FILE = "games/fuzzy_tiger.rules"
HORNOCHSEN = paths.GAMES / "hornochsen.rules"


def said(*arguments: str) -> dict[str, Any]:
    run = called(*arguments, "--json", typed="")
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)  # type: ignore[no-any-return]


# ---------------------------------------------------------------- simulate


@pytest.mark.parametrize("bots", [(), ("greedy", "random", "random")])
def test_a_simulation_comes_to_what_the_command_says(bots: tuple[str, ...], tmp_path: Path) -> None:
    games = 1 if bots else 300
    study = simulate(TIGER, games, players=3, bots=bots, seed="same", options={"wake_at": "one"})
    how = ["--players", "3", "--seed", "same", "--option", "wake_at=one", "--games", str(games)]
    how += ["--bots", ",".join(bots)] if bots else []
    told = said("simulate", FILE, *how, "--out", str(tmp_path / "out"))
    mine = study.data()
    for name in ("games", "seats", "figures", "questions", "came", "ties", "bots", "by_bot", "unfinished", "seed"):
        assert mine[name] == told[name], name
    with (tmp_path / "out" / "games.csv").open() as file:
        heading, *rows = csv.reader(file)
    assert list(study.matches.columns) == heading
    assert [["" if value is None else str(value) for value in row] for row in study.matches.rows] == rows


def test_a_figure_is_read_by_its_name() -> None:
    study = simulate(TIGER, 100, players=2)
    wins = study["red wins"]
    assert wins.low < wins.value < wins.high
    assert wins.value == sum(place == 1 for place in study.matches["place of red"]) / 100
    with pytest.raises(KeyError, match=r"no figure `red win`; did you mean `red wins`\?"):
        study["red win"]
    assert str(study).startswith("100 matches, 2 seats, seed 0")
    assert len(study.decisions) > 0
    assert len(study.occurrences) > 0


def test_a_rules_file_is_named_as_well_as_loaded() -> None:
    assert simulate(HORNOCHSEN, 20).data() == simulate(load(HORNOCHSEN), 20).data()


def test_who_waits_is_told_and_may_stop() -> None:
    told: list[tuple[int, int]] = []
    simulate(TIGER, 100, progress=lambda done, every: told.append((done, every)))
    assert told[-1] == (100, 100)
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    study = simulate(TIGER, 100, progress=lambda done, every: done < 20)
    assert 20 <= study.games < 100
    assert study.stopped
    assert len(study.matches) == study.games


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"players": 9}, "is for 2 to 5 players, not 9"),
        ({"options": {"wake": "one"}}, "there is no option `wake`; did you mean `wake_at`?"),
        ({"options": {"wake_at": "two"}}, "`wake_at` is one of"),
        ({"bots": "gredy"}, "gredy"),
        ({"bots": ("random", "random", "random")}, "one bot, or one for each of 2 seats, not 3"),
        ({"seed": None}, "a series needs a seed"),
    ],
)
def test_what_cannot_be_played_is_said(how: dict[str, Any], words: str) -> None:
    with pytest.raises(BadSetup) as caught:
        simulate(TIGER, 10, **how)
    assert words in str(caught.value)


# ---------------------------------------------------------------- several at once


@pytest.mark.parametrize("engine", ["wasm", "interpreter"])
def test_matches_come_to_the_same_for_any_number_of_jobs(engine: str) -> None:
    games = 5000 if engine == "wasm" else 24
    one, two = (simulation.series(load(paths.EXAMPLES / "goat_path.rules"), {}, 2, "s", engine) for _ in range(2))
    told: list[int] = []
    alone = list(batches(one, games))
    together = list(batches(two, games, (), lambda done, _: told.append(done), 2))
    assert together == alone
    assert told == [batch.first + len(batch.rows) for batch in alone]
    assert told[-1] == games


def test_jobs_are_taken_by_comparisons_and_sweeps() -> None:
    options = {"a_options": {"wake_at": "below_one"}, "b_options": {"wake_at": "one"}}
    assert compare(TIGER, TIGER, 3000, **options, jobs=2).data() == compare(TIGER, TIGER, 3000, **options).data()
    grid = {"wake_at": ["one", "below_one"]}
    assert sweep(TIGER, grid, 3000, jobs=3).rows == sweep(TIGER, grid, 3000).rows


def test_who_stops_a_study_of_several_jobs_waits_for_none_of_the_rest() -> None:
    study = simulate(TIGER, 10**9, jobs=2, progress=lambda done, _: done < 20)
    assert 20 <= study.games < 100


@pytest.mark.parametrize("jobs", [0, 257, "2", True])
def test_a_number_of_jobs_that_nobody_can_mean_is_refused(jobs: Any) -> None:
    for study in (simulate, lambda game, **how: sweep(game, {"wake_at": ["one"]}, **how)):
        with pytest.raises(BadSetup, match="`jobs` is a number from 1 to 256"):
            study(TIGER, jobs=jobs)  # type: ignore[operator]


def test_a_program_without_a_main_guard_is_told_where_workers_begin(tmp_path: Path) -> None:
    program = tmp_path / "study.py"
    file = str(paths.GAMES / "fuzzy_tiger.rules")
    program.write_text(f"import rulekit\nrulekit.simulate({file!r}, 9, bots='greedy', jobs=2)\n")
    run = subprocess.run([sys.executable, str(program)], cwd=paths.ROOT, capture_output=True, text=True, timeout=60)
    assert run.returncode == 1
    assert 'begins its work below `if __name__ == "__main__":`' in run.stderr


# ---------------------------------------------------------------- compare and sweep


def test_a_comparison_comes_to_what_the_command_says() -> None:
    made = compare(TIGER, TIGER, 400, a_options={"wake_at": "below_one"}, b_options={"wake_at": "one"}, seed="pairs")
    told = said("compare", FILE, "--a", "wake_at=below_one", "--b", "wake_at=one", "--games", "400", "--seed", "pairs")
    assert made.data() == told
    assert (made.games, made.differing) == (told["games"], told["differing"])
    assert dict(zip(made.figures["figure"], made.figures["b"], strict=True)) == {
        name: line["b"] for name, line in told["figures"].items()
    }


def test_a_comparison_stops_when_it_is_clear_or_somebody_says_so() -> None:
    clear = compare(TIGER, TIGER, 5000, until=0.5)
    assert clear.games < 5000
    stopped = compare(TIGER, TIGER, 5000, progress=lambda done, every: done < 100)
    assert 0 < stopped.games < 5000
    with pytest.raises(BadSetup, match="`until` is a part"):
        compare(TIGER, TIGER, until=5)


def test_a_sweep_has_a_row_for_each_combination_and_figure() -> None:
    options = {"wake_at": ["one", "below_one"], "left_out": [[], [1, 2]]}
    table = sweep(TIGER, options, 50, players=2, seed="sweep")
    told = said(
        "sweep", FILE, "--option", "wake_at=one,below_one", "--option", "left_out=[];[1, 2]",
        "--games", "50", "--players", "2", "--seed", "sweep",
    )  # fmt: skip
    wins = [row for row in table if row["figure"] == "red wins"]
    assert [(row["wake_at"], row["left_out"]) for row in wins] == [
        ("one", "[]"), ("one", "[1, 2]"), ("below_one", "[]"), ("below_one", "[1, 2]"),
    ]  # fmt: skip
    assert len(told["points"]) == 4
    for row, point in zip(wins, told["points"], strict=True):
        value = point["figures"]["red wins"]
        assert round(row["value"], 6) in [round(number, 6) for number in value]


def test_a_combination_that_cannot_be_played_says_why() -> None:
    table = sweep(TIGER, {"left_out": [[], range(1, 9)]}, 10)
    if any(table["why"]):
        assert [row["value"] for row in table if row["why"]] == [None]
    told: list[tuple[int, int]] = []
    sweep(TIGER, {"wake_at": ["one", "below_one"]}, 10, progress=lambda done, every: told.append((done, every)))
    assert told[-1] == (20, 20)
    with pytest.raises(BadSetup, match="give a list of them"):
        sweep(TIGER, {"wake_at": "one"})


# ---------------------------------------------------------------- tables


TABLE = Table(("name", "value"), [("<b>", 1.23456), ("none", None), ("yes", True)])


def test_a_table_is_read_by_columns_and_by_rows() -> None:
    assert TABLE["value"] == (1.23456, None, True)
    assert list(TABLE)[1] == {"name": "none", "value": None}
    assert len(TABLE) == 3
    with pytest.raises(KeyError, match=r"no column `valu`; did you mean `value`\?"):
        TABLE["valu"]


def test_a_notebook_shows_a_table_without_running_what_is_in_it() -> None:
    html = TABLE._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html
    assert "1.235" in html
    long = Table(("n",), [(n,) for n in range(60)])._repr_html_()
    assert "and 10 more rows" in long


@needs("parquet")
def test_a_table_is_handed_over_as_arrow() -> None:
    study = simulate(TIGER, 20)
    table = study.matches.arrow()
    assert table.column_names == list(study.matches.columns)
    assert table.num_rows == 20
    assert table["place of red"].to_pylist() == list(study.matches["place of red"])
    import pyarrow

    assert pyarrow.table(study.figures).to_pylist() == list(study.figures)


def test_without_pyarrow_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="pip install pyarrow"):
        TABLE.arrow()


class Last:
    """Bot that takes the last option, and notes for whom it was made."""

    listens = False
    chairs: ClassVar[list[Chair]] = []

    def __init__(self, chair: Chair) -> None:
        self.chairs.append(chair)

    def told(self, view: Any, events: Any) -> None: ...

    def answer(self, view: Any, decision: Any) -> Any:
        return decision.options[-decision.least :] if decision.several else decision.options[-1]

    def answered(self, decision: Any, value: Any) -> None: ...


def test_a_series_takes_a_bot_of_the_program_by_its_class() -> None:
    Last.chairs.clear()
    study = simulate(paths.EXAMPLES / "magpies.rules", 4, bots=[Last, "random"], seed=1)
    assert study.report.bots == ("Last", "random")
    assert [chair.seat for chair in Last.chairs] == [0, 1, 0, 1]


def test_each_match_has_a_copy_of_a_bot_of_the_program() -> None:
    bot = Last(Chair(load(paths.EXAMPLES / "magpies.rules"), {}, ("ann", "bob"), 0, "0"))
    first = simulate(paths.EXAMPLES / "magpies.rules", 3, bots=[bot, "random"], seed=1)
    again = simulate(paths.EXAMPLES / "magpies.rules", 3, bots=[bot, "random"], seed=1)
    assert list(first.matches) == list(again.matches)


def test_a_bot_of_the_program_plays_in_one_process() -> None:
    with pytest.raises(BadSetup, match="leave `jobs` at 1"):
        simulate(paths.EXAMPLES / "magpies.rules", 3, bots=[Last, "random"], jobs=2)
