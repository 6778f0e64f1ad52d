"""Two versions compared over pairs: nothing is found where there is nothing, a planted change is; looks are fixed."""

from __future__ import annotations

import json
import math
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from rulekit.apps.commands import cli
from rulekit.apps.console import Failed
from rulekit.compiler.plan.ir import Status
from rulekit.tools.compare.comparison_text import lines
from rulekit.tools.compare.paired_comparison import Pair, PairedComparison, PairedFigure, looks
from rulekit.tools.estimation.confidence_sequence import mean_bounds
from rulekit.tools.series.simulation import MatchResult
from tests.paths import GAMES

TIGER = str(GAMES / "fuzzy_tiger.rules")
SMALL = """game "Small"
    players 2..4
each player has
    counter wealth 0..40
setup
    raise starter.wealth by {gift}
play
    each turn in 1..3
        each player
            player chooses n from 0..3 "How much?"
            raise player.wealth by n
result
    rank players by highest wealth
"""
GIFT = 'game "A gift"\n    extends "fuzzy_tiger"\nsetup\n    move starter.score up by 1\n'


def compare(*words: str) -> Result:
    return CliRunner().invoke(cli, ["compare", *words], catch_exceptions=False)


@pytest.fixture
def gift(tmp_path: Path) -> str:
    """One point for the first seat."""
    (tmp_path / "gift.rules").write_text(GIFT, encoding="utf-8")
    return str(tmp_path / "gift.rules")


@pytest.fixture
def small(tmp_path: Path) -> tuple[str, str]:
    """A game, and the same with two points for the first seat."""
    files = [tmp_path / "small.rules", tmp_path / "more.rules"]
    for file, gift in zip(files, (0, 2), strict=True):
        file.write_text(SMALL.format(gift=gift), encoding="utf-8")
    return str(files[0]), str(files[1])


def test_a_against_a_shows_no_difference_game_by_game() -> None:
    found = json.loads(compare(TIGER, "--games", "300", "--seed", "a", "--players", "4", "--json").stdout)
    assert (found["games"], found["differing"], found["first differing"]) == (300, 0, None)
    assert {one["verdict"] for one in found["figures"].values()} == {"the same in every match"}


@pytest.mark.parametrize("seed", ["one", "two"])
def test_a_planted_point_for_the_first_seat_is_found_within_2000_games(gift: str, seed: str) -> None:
    words = (TIGER, gift, "--players", "4", "--games", "2000", "--until", "0.5%", "--seed", seed, "--json")
    found = json.loads(compare(*words).stdout)
    wins = found["figures"]["red wins"]
    assert found["games"] <= 2000
    assert wins["interval"][0] > 0
    assert found["differing"] > 0.9 * found["games"]


def test_readings_of_one_file_are_compared_and_what_cannot_be_shown_is_said() -> None:
    told = compare(TIGER, "--a", "wake_at=below_one", "--b", "wake_at=one", "--games", "200", "--seed", "o").stdout
    assert "no difference that 200 games can show: at most" in told
    assert told.startswith("200 pairs of matches from the same seeds")


def test_where_it_stops_does_not_depend_on_the_workers(small: tuple[str, str], tmp_path: Path) -> None:
    """The other way round nothing differs, but that is clear only after some looks."""
    turned = tmp_path / "turned.rules"
    turned.write_text(SMALL.format(gift=0).replace("by n\n", "by 3 - n\n"), encoding="utf-8")
    words = (small[0], str(turned), "--players", "3", "--until", "12%", "--seed", "j", "--json")
    alone, together = compare(*words), compare(*words, "--jobs", "2")
    assert alone.stdout == together.stdout
    found = json.loads(alone.stdout)
    assert found["games"] in set(looks(10**6))
    assert found["looks"] > 1


def test_looks_end_with_all() -> None:
    assert list(looks(50)) == [50]
    assert list(looks(300)) == [100, 150, 225, 300]


def test_a_difference_has_the_interval_of_the_books() -> None:
    line = PairedFigure("x")
    for a, b in ((0, 1), (0, 2), (0, 3)):
        line.add(a, b)
    line.add(None, 5)
    found = line.difference()
    assert (found.value, line.count) == (2.0, 3)
    # With two pairs more, one to each side, that differ by sqrt(14 / 3).
    assert found.high == pytest.approx((6 + 1.959964 * math.sqrt(14 + 28 / 3 - 36 / 5)) / 5)


def test_many_looks_find_a_difference_that_is_not_there_less_often_than_the_error() -> None:
    """150 series without a difference, 760 pairs each, looked at up to 7 times: at most 5 % go wrong, and chance."""
    chance, wrong = Random(7), 0
    ends = [
        MatchResult(0, int(Status.DONE), 9, (1, 2), (0,), ()),
        MatchResult(0, int(Status.DONE), 9, (2, 1), (1,), ()),
    ]
    for _ in range(150):
        made = PairedComparison(("red", "blue"), ())
        for look in looks(760):
            while made.games < look:
                made.add(Pair(chance.choice(ends), chance.choice(ends)))
            made.is_clear(0.0)
            if any(made.interval(line).low > 0 or made.interval(line).high < 0 for line in made.wins):
                wrong += 1
                break
    assert wrong <= 13
    assert next(lines(made)).startswith("760 pairs")


def test_bounds_hold_at_every_look_also_where_differences_are_rare() -> None:
    """300 series in which one pair of a hundred differs, always to the same side: after few there may be none yet."""
    chance, wrong = Random(3), 0
    for _ in range(300):
        more = count = 0
        for look in looks(3000):
            more += sum(chance.random() < 0.01 for _ in range(look - count))
            count = look
            found = mean_bounds(more, 0, count, 0.05)
            if not found.low <= 0.01 <= found.high:
                wrong += 1
                break
    assert wrong <= 15


def test_bounds_close_in_on_the_mean_from_both_sides() -> None:
    wide, narrow = mean_bounds(30, 10, 100, 0.05), mean_bounds(3000, 1000, 10_000, 0.05)
    assert wide.low < narrow.low < narrow.value == 0.2 < narrow.high < wide.high
    assert narrow.high - narrow.low < 0.06
    mirrored = mean_bounds(1000, 3000, 10_000, 0.05)
    assert (mirrored.low, mirrored.high) == (-narrow.high, -narrow.low)


@pytest.mark.parametrize(("more", "less", "count"), [(1, 0, 1), (5, 0, 5), (0, 5, 5), (0, 0, 7)])
def test_bounds_of_a_handful_are_between_all_and_nothing(more: int, less: int, count: int) -> None:
    found = mean_bounds(more, less, count, 0.01)
    assert -1 <= found.low <= found.value <= found.high <= 1
    assert not mean_bounds(0, 0, 0, 0.01).known


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((TIGER, TIGER, TIGER), "one file or two"),
        ((TIGER, "--until", "0%"), "a share above 0%"),
        ((TIGER, "--until", "soon"), "a share above 0%"),
        ((TIGER, "--games", "1"), "--games"),
        ((TIGER, "--backend", "dask"), "go together"),
    ],
)
def test_bad_words_are_refused(words: tuple[str, ...], why: str) -> None:
    refused = compare(*words)
    assert refused.exit_code == 2
    assert why in " ".join(refused.output.replace("│", " ").split())


def test_the_folder_is_new_and_the_page_tells_both(small: tuple[str, str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = (*small, "--games", "200", "--seed", "p", "--out", str(out))
    assert compare(*words).exit_code == 0
    page = (out / "report.html").read_text(encoding="utf-8")
    assert {"Who wins more", "All figures"} <= set(page.split("h2>")) | {part[:-2] for part in page.split("h2>")}
    assert json.loads((out / "compare.json").read_text(encoding="utf-8"))["games"] == 200
    with pytest.raises(Failed, match="exists already"):
        compare(*words)
