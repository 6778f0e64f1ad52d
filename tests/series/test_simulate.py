"""Series of matches: the same whatever plays them and however they are cut; the command's manners."""

from __future__ import annotations

import csv
import errno
import json
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from click.testing import CliRunner, Result

from rulekit.apps.commands import cli
from rulekit.apps.console import Failed
from rulekit.apps.series.output_folder import CsvTable, write_table
from rulekit.apps.series.series_options import ENGINES
from rulekit.loading import load
from rulekit.tools.estimation.aggregates import Tally
from rulekit.tools.estimation.confidence_intervals import deviation, mean, share
from rulekit.tools.estimation.histogram import bins_of_edges, quantile_bounds
from rulekit.tools.estimation.summary import SeriesReport, lines
from rulekit.tools.series.reference_series import Interpreted
from rulekit.tools.series.simulation import Series, played, series
from tests import paths
from tests.bots.test_bots import USELESS
from tests.extras import needs
from tests.generators.random_matches import game
from tests.processes import HANG, take_interrupts

TIGER = paths.GAMES / "fuzzy_tiger.rules"


def simulate(*words: str) -> Result:
    return CliRunner().invoke(cli, ["simulate", *words], catch_exceptions=False)


def tally(made: Series, first: int, count: int) -> Tally:
    found = Tally(made.counters.sheet)
    found.add(first, made.rows(first, count, ()), made.sums())
    return found


def test_every_engine_gives_the_same_matches() -> None:
    reference = played(series(game(TIGER), {}, 3, "same", "interpreter"), 5, 3)
    assert [one.index for one in reference] == [5, 6, 7]
    for engine in ENGINES:
        if engine != "interpreter":
            assert played(series(game(TIGER), {}, 3, "same", engine), 5, 3) == reference, engine


def test_examples_are_not_read_and_change_nothing(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.rules"
    broken = '\n# About it.\nscenario "wrong" @X-1\n    do (nobody\n        knows)) this\n> Y-1 So be it.\n'
    wrong.write_text(f"{TIGER.read_text(encoding='utf-8')}{broken}define scenarios is 3\n", encoding="utf-8")
    assert "`knows` does not fit here" in CliRunner().invoke(cli, ["check", str(wrong)]).output
    told = [json.loads(simulate(str(path), "--games", "20", "--seed", "s", "--json").output) for path in (TIGER, wrong)]
    assert [one.pop("file") for one in told] == [str(TIGER), str(wrong)]
    assert told[0] == told[1]
    alone = load(TIGER, examples=False)
    assert alone.scenarios == ()
    assert alone.codes == game(TIGER).codes[: len(alone.codes)]


def test_loops_however_deep_are_played_by_every_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loops = "".join(f"{'    ' * depth}each x{depth} in players where hits above 50\n" for depth in range(1, 26))
    text = f"""game "Deep"
    players 2
counter hits 0..100
play
{loops}{"    " * 26}raise hits by 1
result
    rank players by 1
"""
    file = tmp_path / "deep.rules"
    file.write_text(text, encoding="utf-8")
    compiled, reference = (played(series(game(file), {}, 2, "deep", name), 0, 2) for name in ("wasm", "interpreter"))
    assert compiled == reference
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    assert series(game(file), {}, 2, "deep").engine == "interpreter"
    assert simulate(str(file), "--games", "2").exit_code == 0


def test_a_series_does_not_depend_on_how_it_is_cut() -> None:
    whole = series(game(TIGER), {}, 2, "cut")
    rows, sums = whole.rows(0, 9, (0,)), whole.sums()
    parts = series(game(TIGER), {}, 2, "cut")
    assert parts.rows(0, 2, (0,)) + parts.rows(2, 7, (0,)) == rows
    assert parts.sums() == sums
    assert len({row[1] for row in rows}) > 1


def test_means_and_ranges_are_those_of_the_books() -> None:
    assert deviation(3, 15, 101) == pytest.approx(3.6055512754639896)
    middle = mean(3, 15, 101)
    assert (middle.value, round(middle.high, 3)) == (5.0, 9.08)
    # Wilson 1927 for 8 of 10, as tables give it.
    wilson = share(8, 10)
    assert (round(wilson.low, 4), round(wilson.high, 4)) == (0.4902, 0.9433)


SHARED = """game "Shared"
    players 2..3
each player has
    counter wealth 0..5
play
    each player
        player chooses n from 0..2 "How much?"
        raise player.wealth by n
    if no (players whose wealth above 0): defeat players
result
    rank players by highest wealth
"""


def test_wins_alone_and_together_places_and_defeats_are_those_of_the_matches(tmp_path: Path) -> None:
    file = tmp_path / "shared.rules"
    file.write_text(SHARED, encoding="utf-8")
    made = series(game(file), {}, 2, "w")
    found, matches = tally(made, 0, 200), played(series(game(file), {}, 2, "w"), 0, 200)
    assert found.ties == sum(len(one.winners) > 1 for one in matches) > 0
    assert found.nobody == sum(not one.winners for one in matches) > 0
    for seat in (0, 1):
        assert found.won(seat) == sum(one.winners == (seat,) for one in matches)
        assert found.shared(seat) == sum(seat in one.winners and len(one.winners) == 2 for one in matches)
        assert found.places(seat).get(None) == sum(one.places[seat] is None for one in matches)
        assert found.places(seat)[2] == sum(one.places[seat] == 2 for one in matches)
    wealth = next(one for one in found.measures() if one.name == "wealth" and one.seat == 1)
    assert wealth.total == sum(one.figures[1] or 0 for one in matches)
    assert dict(wealth.shown()) == {n: sum(one.figures[1] == n for one in matches) for n in range(3)}


REACHED = """game "Reached"
    players 1
die steps: {die}
counter sum_of_steps -900..100000 starts 0
play
    roll k from steps
    raise sum_of_steps by k * {factor}
result: all reach sum_of_steps
"""


def reached_text(die: str, factor: int) -> str:
    return REACHED.format(die=die, factor=factor)


@pytest.mark.parametrize("engine", ["wasm", "interpreter"])
@pytest.mark.parametrize(("die", "factor"), [("1..3", 4500), ("[129, 257, 300]", 1), ("1..3", -300)])
def test_a_few_values_that_all_reach_are_shown_exactly(tmp_path: Path, engine: str, die: str, factor: int) -> None:
    file = tmp_path / "reached.rules"
    file.write_text(reached_text(die, factor), encoding="utf-8")
    told = simulate(str(file), "--games", "40", "--seed", "r", "--engine", engine).output
    asked = ["--games", "40", "--seed", "r", "--engine", engine, "--json"]
    data = json.loads(simulate(str(file), *asked).output)
    again = json.loads(simulate(str(file), *asked).output)
    assert {**again, "file": ""} == {**data, "file": ""}
    matches = played(series(game(file), {}, 1, "r", engine), 0, 40)
    counts = Counter(one.figures[0] or 0 for one in matches)
    assert len(counts) == 3
    bins = data["figures"]["sum_of_steps"]["histogram"]
    assert [(one["low"], one["high"], one["count"]) for one in bins] == [(n, n, counts[n]) for n in sorted(counts)]
    assert all(f"\n{value} of 100000 " in told for value in counts)


def test_many_values_that_all_reach_are_shown_as_ranges(tmp_path: Path) -> None:
    file = tmp_path / "reached.rules"
    file.write_text(reached_text("1..300", 32), encoding="utf-8")
    one = series(game(file), {}, 1, "r")
    words = one.counters.sheet.row_words
    found = Tally(one.counters.sheet)
    found.add(0, one.rows(0, 900, words), one.sums(), words)
    values = [match.figures[0] or 0 for match in played(series(game(file), {}, 1, "r"), 0, 900)]
    (measure,) = found.own()
    bins = found.histogram(measure)
    assert 10 < len(bins) <= 32
    assert (bins[0].low, bins[-1].high) == (min(values), max(values))
    assert [each.count for each in bins] == [sum(each.low <= n <= each.high for n in values) for each in bins]
    told = "\n".join(lines(SeriesReport(str(file), {}, "r", "wasm", found)))
    assert f"\n{bins[1].low} to {bins[1].high} of 100000 " in told


def test_bins_of_sums_state_the_range_that_they_hold(tmp_path: Path) -> None:
    """Sums alone count large values by ranges; nothing passes the lower bound of a range for a value."""
    file = tmp_path / "reached.rules"
    file.write_text(reached_text("[3, 130, 5000, 20000]", 1), encoding="utf-8")
    (measure,) = tally(series(game(file), {}, 1, "r"), 0, 60).own()
    bins = bins_of_edges(measure.bins, measure.least, measure.most)
    assert [(one.low, one.high) for one in bins] == [(3, 3), (128, 131), (4096, 20000)]
    assert [quantile_bounds(bins, part) for part in (0, 1)] == [(3, 3), (4096, 20000)]


def test_what_goes_with_winning_is_the_slope_within_matches(tmp_path: Path) -> None:
    """Choosing 2 rather than the average surely goes with winning; reckoned anew here from every single match."""
    file = tmp_path / "shared.rules"
    file.write_text(SHARED, encoding="utf-8")
    found = {
        one.label: one for one in tally(series(game(file), {}, 2, "w"), 0, 300).occurrences() if one.kind == "answer"
    }
    assert {label: found[label].effect.value > 0 for label in ("0", "2")} == {"0": False, "2": True}
    top, bottom, pairs = 0.0, 0.0, []
    for one in played(series(game(file), {}, 2, "w"), 0, 300):
        did = [float(wealth == 2) for wealth in one.figures]
        won = [float(seat in one.winners) for seat in (0, 1)]
        t = 2 * sum(d * w for d, w in zip(did, won, strict=True)) - sum(did) * sum(won)
        u = 2 * sum(did) - sum(did) ** 2
        top, bottom, pairs = top + t, bottom + u, [*pairs, (t, u)]
    slope = top / bottom
    error = sum((t - slope * u) ** 2 for t, u in pairs) ** 0.5 / bottom
    assert found["2"].effect.value == pytest.approx(slope)
    assert found["2"].effect.high == pytest.approx(slope + 1.959964 * error)
    assert found["2"].times == sum(
        n == 2 for one in played(series(game(file), {}, 2, "w"), 0, 300) for n in one.figures
    )


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
    assert report["figures"]["decisions"]["sum"] == len(answers)


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
    assert "1 match of 1 failed" in report.output
    assert "line 7: still asking `n` after 1,000 decisions (1 match, the first is number 0)" in report.output
    assert "see it with rulekit run" in report.output
    assert "--seed e#0" in report.output


ENDLESS = (
    'game "Endless"\n    players 2\neach player has\n    counter wealth 0..5\nplay\n'
    '    repeat\n        each player: player chooses n from 1..2 "How much <b>?"\n'
    "result\n    rank players by highest wealth\n"
)


def test_a_match_without_an_end_has_its_place_and_a_log_that_replays(tmp_path: Path) -> None:
    file, out = tmp_path / "endless.rules", tmp_path / "out"
    file.write_text(ENDLESS, encoding="utf-8")
    report = CliRunner().invoke(cli, ["simulate", str(file), "--games", "1", "--seed", "e", "--out", str(out)])
    assert "line 7: still asking `n`" in report.output
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "still asking `n` after 1,000 decisions" in page
    assert '<td class="number">7</td>' in page
    again = CliRunner().invoke(cli, ["replay", str(out / "match-0.log"), "--rules", str(file)])
    assert "All 1000 decisions hold; the match was not finished" in again.output


ASKS_NOTHING = (
    'game "Asks nothing"\n    players 2\neach player has\n    counter wealth 0..5\n'
    "play\n    raise starter.wealth by 1\nresult\n    rank players by highest wealth\n"
)


def test_a_game_in_which_nobody_is_asked_has_a_page(tmp_path: Path) -> None:
    file, out = tmp_path / "asks_nothing.rules", tmp_path / "out"
    file.write_text(ASKS_NOTHING, encoding="utf-8")
    assert simulate(str(file), "--games", "3", "--seed", "p", "--out", str(out)).exit_code == 0
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Who wins" in page
    assert "Decisions</h2>" not in page
    assert (out / "summary.json").exists()


def test_it_is_said_that_nobody_was_asked_anything(tmp_path: Path) -> None:
    path = tmp_path / "dice.rules"
    head = 'game "Dice"\n    players 2\ndie cube: 1..6\ncounter n 0..9\nresult: rank players by highest n mod 2\n'
    said = "no match asked anybody anything"
    path.write_text(f"{head}play\n    roll x from cube\n    set n to x\n", encoding="utf-8")
    assert said in simulate(str(path), "--games", "5").output
    asking = "play\n    roll x from cube\n    if x is 1: starter chooses n2 from 1..2\n    set n to x\n"
    path.write_text(head + asking, encoding="utf-8")
    assert said not in simulate(str(path), "--games", "50", "--seed", "1").output


def test_a_counter_that_is_called_as_a_statistic_is_told_once(tmp_path: Path) -> None:
    file = tmp_path / "asks_nothing.rules"
    text = ASKS_NOTHING.replace("play\n", "counter spread 0..9 starts 7\nplay\n", 1)
    text = text.replace("players 2", "players 1..2")
    file.write_text(text, encoding="utf-8")
    alone = simulate(str(file), "--games", "3", "--seed", "p", "--players", "1").output
    assert alone.count("spread") == 1
    both = simulate(str(file), "--games", "3", "--seed", "p", "--players", "2").output
    assert re.findall(r"^spread +mean (\d)", both, re.M) == ["1", "7"]


def test_the_page_stands_alone_and_escapes_what_the_rules_say(tmp_path: Path) -> None:
    file, out = tmp_path / "shared.rules", tmp_path / "out"
    text = SHARED.replace('game "Shared"', 'game "Shared <script>"').replace("How much?", "How <i>much")
    file.write_text(text, encoding="utf-8")
    assert simulate(str(file), "--games", "300", "--seed", "p", "--out", str(out)).exit_code == 0
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "Shared &lt;script&gt;" in page
    assert not re.search(r"(?:src|href|url)\s*[=(]|https?:|@import", page)
    headings = set(re.findall(r"<h2>(.*?)</h2>", page))
    assert {"Who wins", "How a match begins", "Numbers at the end", "Choices that go with winning"} <= headings
    assert 'class="rulekit"' in page
    fromstring("<page>" + "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL)) + "</page>")


def test_tables_hold_what_came_up(tmp_path: Path) -> None:
    file, out = tmp_path / "shared.rules", tmp_path / "out"
    file.write_text(SHARED, encoding="utf-8")
    assert simulate(str(file), "--games", "60", "--seed", "p", "--out", str(out)).exit_code == 0
    with (out / "came.csv").open(encoding="utf-8", newline="") as lines:
        came = [row for row in csv.DictReader(lines) if row["kind"] == "answer"]
    assert [(row["what"], row["which"], row["line"]) for row in came] == [("n", str(n), "7") for n in range(3)]
    assert sum(int(row["times"]) for row in came) == 120
    with (out / "decisions.csv").open(encoding="utf-8", newline="") as lines:
        assert [(row["times"], row["mean options"]) for row in csv.DictReader(lines)] == [("120", "3.0")]
    with (out / "games.csv").open(encoding="utf-8", newline="") as lines:
        assert sum(int(row["red.wealth"]) == 2 for row in csv.DictReader(lines)) <= int(came[2]["times"])


def test_a_full_disk_loses_nothing_that_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, left = CsvTable.add, [3]

    def full(table: CsvTable, rows: Any) -> None:
        left[0] -= 1
        if not left[0]:
            # What a disk does that takes a part of the text.
            table._file.write(b"7,do")
            table._file.truncate(table._file.tell() - 4)
            raise OSError(errno.ENOSPC, "full", str(table.path))
        real(table, rows)

    monkeypatch.setattr(CsvTable, "add", full)
    out = tmp_path / "out"
    words = ["simulate", str(TIGER), "--games", "500", "--seed", "f", "--out", str(out), "--json"]
    run = CliRunner().invoke(cli, words)
    assert isinstance(run.exception, Failed)
    assert "no space left on device; the report above holds all 1 matches" in str(run.exception)
    assert json.loads(run.stdout)["games"] == 1
    assert len((out / "games.csv").read_text(encoding="utf-8").splitlines()) == 2


def test_a_table_ends_with_whole_rows_where_a_file_may_grow_no_further(tmp_path: Path) -> None:
    """A limit on the size of files stands for a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    table = CsvTable(tmp_path / "table.csv")
    try:
        table.add([("a", "b")])
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
        with pytest.raises(OSError, match="large"):
            table.add([("x" * 40, "y" * 40)] * 9)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
        table.close()
    assert (tmp_path / "table.csv").read_text(encoding="utf-8") == "a,b\n"


def test_each_bot_sits_one_seat_further_on_in_every_match(tmp_path: Path) -> None:
    file = tmp_path / "shared.rules"
    file.write_text(SHARED, encoding="utf-8")
    report = json.loads(simulate(str(file), "--games", "30", "--seed", "b", "--bots", "random", "--json").stdout)
    assert report["by_bot"] == {}
    assert report["engine"] == "wasm"
    one = Interpreted(game(file), {}, 3, "b", "", ("greedy", "random", "lucky"))
    assert [one.bots_of(index) for index in (0, 1, 4)] == [
        *(("greedy", "random", "lucky"), ("lucky", "greedy", "random"), ("lucky", "greedy", "random")),
    ]


@pytest.mark.parametrize(
    ("bots", "why"),
    [
        ("nobody", "no bot is called"),
        ("random,random,random", "one for each of 2 seats, not 3"),
        ("", "no bot is called"),
    ],
)
def test_bots_that_there_are_not_are_refused(bots: str, why: str) -> None:
    refused = simulate(str(TIGER), "--bots", bots)
    assert refused.exit_code == 2
    assert why in " ".join(refused.output.replace("│", " ").split())


@pytest.mark.parametrize(
    ("jobs", "stop", "code"), [("1", signal.SIGINT, 130), ("2", signal.SIGINT, 130), ("2", signal.SIGTERM, 143)]
)
def test_a_run_that_is_stopped_reports_the_whole_beginning_that_is_done(
    jobs: str, stop: signal.Signals, code: int, tmp_path: Path
) -> None:
    """Stopped somewhere, the report is that of as many matches; nothing of a match that was not done is in it."""
    file, out = tmp_path / "shared.rules", tmp_path / "out"
    file.write_text(SHARED, encoding="utf-8")
    words = [sys.executable, "-m", "rulekit", "simulate", str(file), "--seed", "i", "--json", "--players", "3"]
    run = subprocess.Popen(
        [*words, "--games", "1000000000", "--jobs", jobs, "--out", str(out)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=take_interrupts,
    )  # fmt: skip
    while not (out / "games.csv").exists() or (out / "games.csv").stat().st_size < 9000:
        assert run.poll() is None
        time.sleep(0.02)
    run.send_signal(stop)
    told, faults = run.communicate(timeout=HANG)
    assert run.returncode == code, faults
    report = json.loads(told)
    assert report["stopped"]
    assert report["games"] > 100
    rows = (out / "games.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == report["games"] + 1
    whole = json.loads(simulate(*words[4:], "--games", str(report["games"])).stdout)
    assert {**whole, "stopped": True} == report


FORMULAS = ("=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(1)", " plain", "3 - 2", "-3")


def test_no_text_of_the_rules_is_a_formula_in_a_spreadsheet(tmp_path: Path) -> None:
    file, out = tmp_path / "formulas.rules", tmp_path / "out"
    head = 'game "F"\n    players 2\neach player has\n    counter score 0..9\nplay\n    each player\n'
    ways = "".join(f'            "{text}": raise player.score by 1\n' for text in FORMULAS)
    end = "result: rank players by highest score\n"
    file.write_text(f'{head}        player chooses "How?"\n{ways}{end}', encoding="utf-8")
    assert simulate(str(file), "--games", "50", "--out", str(out)).exit_code == 0
    texts = [path.read_text(encoding="utf-8").splitlines() for path in out.glob("*.csv")]
    cells = {cell for text in texts for row in csv.reader(text) for cell in row}
    assert {"'=cmd|' /C calc'!A0", "'+1+1", "'-1+1", "'@SUM(1)", " plain", "3 - 2", "-3"} <= cells
    assert not [cell for cell in cells if re.match(r"[=+@\t\r\n]|-(?!\d+(\.\d+)?$)", cell)]


def test_cells_that_are_no_text_stay_as_they_are(tmp_path: Path) -> None:
    write_table(tmp_path / "a.csv", ["=x"], [[-3], [-0.5], ["+2"], [None], [True], ["\t=1"]])
    assert (tmp_path / "a.csv").read_text("utf-8") == "'=x\n-3\n-0.5\n+2\n\"\"\nTrue\n'\t=1\n"


@needs("parquet")
def test_parquet_holds_what_the_tables_hold(tmp_path: Path) -> None:
    from pyarrow import parquet

    out = tmp_path / "out"
    assert simulate(str(TIGER), "--games", "20", "--seed", "q", "--out", str(out), "--parquet").exit_code == 0
    for name in ("games", "decisions", "came"):
        with (out / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        table = parquet.read_table(out / f"{name}.parquet")
        assert table.num_rows == len(rows)
        assert table.column_names == list(rows[0])
    games = parquet.read_table(out / "games.parquet").to_pylist()
    assert [one["game"] for one in games] == list(range(20))


def test_without_pyarrow_the_command_that_installs_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Failed, match=r"python -m pip install 'pyarrow>="):
        simulate(str(TIGER), "--out", str(tmp_path / "out"), "--parquet")
    assert not (tmp_path / "out").exists()
    assert simulate(str(TIGER), "--parquet").exit_code == 2


OFFERS = """game "Offers"
    players 2
cards offers of offer
    | offer | worth |
    | 1     | 3     |
    | 2     | 0     |
each player has
    counter score 0..99
play
    each turn in 1..3
        each player
            player chooses offer from offers "Which?"
            raise player.score by offer.worth
result: rank players by highest score
"""


def test_a_card_that_nobody_chooses_is_told(tmp_path: Path) -> None:
    file, out = tmp_path / "offers.rules", tmp_path / "out"
    file.write_text(OFFERS, encoding="utf-8")
    words = (str(file), "--seed", "n", "--json")
    assert json.loads(simulate(*words, "--games", "50").stdout)["never"] == []
    thinking = json.loads(simulate(*words, "--games", "4", "--bots", "mcts:60", "--out", str(out)).stdout)
    assert thinking["never"] == ["offer: 2"]
    assert "<li>offer: 2</li>" in (out / "report.html").read_text(encoding="utf-8")


def test_spaces_that_nobody_went_to_are_no_answers_that_nobody_chose() -> None:
    told = json.loads(simulate(str(paths.GAMES / "china_moon.rules"), "--games", "50", "--seed", "n", "--json").stdout)
    assert any(question["question"] == "pad" for question in told["questions"])
    assert not [name for name in told["never"] if name.startswith("pad: ")]


BEGINNERS = """game "Beginners"
    players 3
each player has
    counter wealth
setup
    draw one from players
    set starter to one
play
    let first be starter
    each n in 1..3: do turn
    raise first.wealth by 5
action turn
    starter chooses next from players "Who begins then?"
    set starter to next
result: rank players by highest wealth
"""


@pytest.mark.parametrize("engine", ["interpreter", "wasm"])
def test_who_began_is_told_beside_the_seats_whoever_begins_later(tmp_path: Path, engine: str) -> None:
    file = tmp_path / "beginners.rules"
    file.write_text(BEGINNERS, encoding="utf-8")
    words = ("--games", "60", "--seed", "b", "--engine", engine)
    told = json.loads(simulate(str(file), *words, "--json").stdout)
    assert told["beginner"][1] == 1.0
    assert all(0 < seat["won"] < 60 for seat in told["seats"])
    assert "\nwho begins  wins 100.0% (94.0 to 100.0)\n" in simulate(str(file), *words).stdout
    tiger = json.loads(simulate(str(TIGER), *words, "--json").stdout)
    assert tiger["beginner"] is None


@pytest.mark.parametrize("engine", ["interpreter", "wasm"])
def test_parts_of_shared_wins_add_up(tmp_path: Path, engine: str) -> None:
    file = tmp_path / "shared.rules"
    file.write_text(SHARED, encoding="utf-8")
    words = ("--games", "200", "--seed", "w", "--engine", engine, "--json")
    told = json.loads(simulate(str(file), *words).stdout)
    assert sum(seat["parts"] for seat in told["seats"]) == pytest.approx(200 - told["nobody"])
    for seat in told["seats"]:
        assert seat["parts"] == pytest.approx(seat["won"] + seat["shared"] / 2)


def test_a_useless_card_among_hidden_hands_is_told_as_never_chosen_well(tmp_path: Path) -> None:
    """Whoever searches leaves it in hand; whoever plays anything plays it too."""
    file = tmp_path / "useless.rules"
    file.write_text(USELESS, encoding="utf-8")
    words = (str(file), "--seed", "u", "--json")
    told = json.loads(simulate(*words, "--games", "12", "--bots", "mcts:200").stdout)
    assert told["never"] == ["card: useless"]
    assert json.loads(simulate(*words, "--games", "12").stdout)["never"] == []


BARRED = """game "Barred"
    players 2
kind shape: round, square
cards tiles of tile
    tile red "Red"
    tile blue "Blue"
cards deck of card
    | card | worth |
    | 1..3 | 2     |
    | 4    | 5     |
pile stock of card starts deck
pile box of tile starts tiles
define sayable is deck except 2
play
    repeat
        starter chooses a from deck except [1, 2]
        starter chooses b from deck where it is not 1
        starter chooses c from tiles except red
        starter chooses d from deck where it is not 1 and not (it is 3)
        starter chooses e from sayable
        starter chooses f from deck where it not in [1, 2]
        starter chooses g from deck where it.worth below 3
        starter chooses h from deck where it is 3 or it.worth at least 4
        starter chooses i from stock where it is not 1 or count box is 1
        end game
result: rank players by highest seat
"""


def test_what_the_rules_never_offer_is_not_told_as_never_chosen(tmp_path: Path) -> None:
    """Only what is left out whatever the position is; another box could let the last question offer card 1."""
    file = tmp_path / "barred.rules"
    file.write_text(BARRED, encoding="utf-8")
    told = json.loads(simulate(str(file), "--seed", "b", "--json", "--games", "100").stdout)
    assert told["never"] == ["i: 1"]
