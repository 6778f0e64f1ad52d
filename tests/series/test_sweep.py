"""Figures over options, and the search for options: the same seeds for all, resumable, clear about bad words."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulekit.apps.commands import cli
from rulekit.apps.console import Failed
from rulekit.play.state.errors import BadSetup
from rulekit.tools.report.pages import sweep_page

GIFTS = """game "Gifts"
    players 2
option gift "What does the first player begin with?" 0..6 default 0
unclear tied "Who wins a tie?"
    all "everybody" default
    nobody "nobody"
each player has
    counter wealth 0..40
setup
    raise starter.wealth by gift
play
    each turn in 1..3
        each player
            player chooses n from 0..3 "How much?"
            raise player.wealth by n
result
    if tied is nobody and count (players with highest wealth) above 1: defeat players
    rank players by highest wealth
"""


@pytest.fixture
def gifts(tmp_path: Path) -> str:
    file = tmp_path / "gifts.rules"
    file.write_text(GIFTS, encoding="utf-8")
    return str(file)


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


def test_a_sweep_tells_every_combination_with_the_same_seeds(gifts: str) -> None:
    words = ("sweep", gifts, "--option", "gift=0..3", "--option", "tied=all", "--games", "200", "--seed", "s", "--json")
    points = json.loads(run(*words).stdout)["points"]
    combined = [(p["options"]["gift"], p["options"]["tied"]) for p in points]
    assert combined[:3] == [("0", "all"), ("0", "nobody"), ("1", "all")]
    shares = [p["figures"]["red wins"][1] for p in points if p["options"]["tied"] == "all"]
    assert shares == sorted(shares)
    assert shares[3] > shares[0] + 0.2
    single = ("simulate", gifts, "--option", "gift=3", "--games", "200", "--seed", "s", "--json")
    seat = json.loads(run(*single).stdout)["seats"][0]
    assert seat["wins"][1] == shares[3]


def test_a_sweep_shows_the_figure_that_is_asked_for_and_writes_a_page(gifts: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("sweep", gifts, "--option", "gift=0..2", "--games", "50", "--figure", "first seat wins", "--out", str(out))
    told = run(*words).stdout.splitlines()
    assert told[0].split() == ["red", "wins"]
    assert len(told) == 4
    assert (out / "sweep.csv").read_text(encoding="utf-8").startswith("gift,figure,value,from,to\n0,red wins,")
    assert "<polyline" in (out / "report.html").read_text(encoding="utf-8")
    with pytest.raises(Failed, match="exists already"):
        run(*words)


def test_a_sweep_that_was_stopped_at_once_has_a_page() -> None:
    page = sweep_page("Gifts", "stopped", [], {"ties": "ties"})
    assert "<th>ties</th>" in page
    assert "<svg" not in page


def test_a_search_finds_the_option_that_comes_nearest(gifts: str, tmp_path: Path) -> None:
    study = tmp_path / "gifts.sqlite"
    words = ("tune", gifts, "--option", "gift=0..4", "--target", "first seat wins 80%", "--games", "200", "--seed", "t")
    swept = json.loads(run("sweep", gifts, "--option", "gift=0..4", *words[6:], "--json").stdout)
    away = {p["options"]["gift"]: abs(p["figures"]["red wins"][1] - 0.8) for p in swept["points"]}
    first = json.loads(run(*words, "--trials", "4", "--study", str(study), "--json").stdout)
    assert first["trials"] == 4
    whole = json.loads(run(*words, "--trials", "9", "--study", str(study), "--json").stdout)
    assert whole["trials"] == 9
    assert whole["best"][0]["options"]["gift"] == min(away, key=lambda gift: away[gift])
    again = json.loads(run(*words, "--trials", "9", "--study", str(study), "--json").stdout)
    assert again == whole
    told = run(*words, "--trials", "9", "--study", str(study)).stdout
    assert "see the first: rulekit simulate" in told


def test_a_search_goes_on_with_its_own_file_alone(gifts: str, tmp_path: Path) -> None:
    study, other = tmp_path / "gifts.sqlite", tmp_path / "other.sqlite"
    words = ("tune", gifts, "--option", "gift=0..1", "--games", "20", "--seed", "t", "--trials", "1")
    assert run(*words, "--target", "ties 5%", "--study", str(study)).exit_code == 0
    with pytest.raises(Failed, match="other rules, options, targets or games"):
        run(*words, "--target", "ties 6%", "--study", str(study))
    other.write_text("mine", encoding="utf-8")
    with pytest.raises(Failed, match="not a study that can be used"):
        run(*words, "--target", "ties 6%", "--study", str(other))
    assert other.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("first seat wins", "a target is a figure and a number"),
        ("third seat wins 5%", "there is no figure"),
        ("round 5", "there is no figure"),
        ("ties 5%%", "a target is a figure and a number"),
    ],
)
def test_a_target_that_cannot_be_read_is_refused(gifts: str, target: str, why: str) -> None:
    refused = run("tune", gifts, "--option", "gift=0..1", "--target", target)
    assert refused.exit_code == 2
    assert why in " ".join(refused.output.replace("│", " ").split())


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ("gif=1..2", "there is no option `gif`"),
        ("gift=2..1", "from less to more"),
        ("gift=0..7", "cannot be `7`"),
        ("gift=x", "cannot be `x`"),
        ("gift=0..99999", "from less to more"),
    ],
)
def test_values_that_an_option_cannot_have_are_refused(gifts: str, option: str, why: str) -> None:
    with pytest.raises(BadSetup, match=why):
        run("sweep", gifts, "--option", option, "--games", "5")


def test_without_optuna_the_command_that_installs_it_is_told(gifts: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(Failed, match=r"python -m pip install 'optuna>="):
        run("tune", gifts, "--option", "gift=0..1", "--target", "ties 5%")
