"""Teams share their end, and what all reach together is no matter of wins."""

from __future__ import annotations

import pytest

from rulekit import load_text, outcome, start
from rulekit.adapters.spaces import rewards
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.match_state import Outcome, Reached
from rulekit.tools.estimation.aggregates import Tally
from rulekit.tools.estimation.summary import SeriesReport, lines
from rulekit.tools.series.simulation import series

_TEAMS = 'game "Teams"\n    players 2..4\n    teams by player.seat mod 2\n'
_ALL = 'game "All"\n    players 2\ncounter lit 0..10 starts 4\n'


def _text(head: str, result: str) -> str:
    return f"{head}play: end game\nresult\n    {result}\n"


def _ended(head: str, result: str, seats: int) -> Outcome:
    end = outcome(start(load_text(_text(head, result)), seats=seats).state)
    assert end is not None
    return end


def _report(head: str, result: str, seats: int, engine: str) -> list[str]:
    one = series(load_text(_text(head, result)), {}, seats, "a", engine)
    tally = Tally(one.counters.sheet)
    tally.add(0, one.rows(0, 10, ()), one.sums())
    return [" ".join(line.split()) for line in lines(SeriesReport("x.rules", {}, "a", "", tally))]


@pytest.mark.parametrize(
    ("result", "ranking", "defeated"),
    [
        ("rank players by highest it.seat", ((1, 3), (0, 2)), ()),
        ("rank players by (it.seat + 2) mod 4", ((1, 3), (0, 2)), ()),
        ("rank [first players]", ((0, 2), (1, 3)), ()),
        ("defeat [last players]", ((0, 2),), (1, 3)),
        ("rank players", ((0, 1, 2, 3),), ()),
    ],
)
def test_a_team_stands_where_the_first_of_its_players_stands(
    result: str, ranking: tuple[tuple[int, ...], ...], defeated: tuple[int, ...]
) -> None:
    end = _ended(_TEAMS, result, 4)
    assert (end.ranking, tuple(sorted(end.defeated))) == (ranking, defeated)


def test_players_of_whom_all_would_be_in_one_team_cannot_begin() -> None:
    with pytest.raises(BadSetup, match="all would be in one team"):
        _ended(_TEAMS.replace("mod 2", "mod 1"), "rank players", 2)


@pytest.mark.parametrize("engine", ["interpreter", "wasm"])
def test_reports_count_teams(engine: str) -> None:
    told = _report(_TEAMS, "rank players by highest it.seat", 4, engine)
    assert "red + green wins 0.0% (0.0 to 27.8) places 2: 10" in told
    assert "blue + yellow wins 100.0% (72.2 to 100.0) places 1: 10" in told
    assert any(line.startswith("ties 0.0%") for line in told)


@pytest.mark.parametrize("engine", ["interpreter", "wasm"])
def test_reports_tell_what_all_reached_in_place_of_wins_and_ties(engine: str) -> None:
    told = _report(_ALL, "all reach lit", 2, engine)
    assert "4 of 10 100.0% (72.2 to 100.0)" in told
    assert not [line for line in told if "wins" in line or line.startswith("ties")]


def test_what_all_reach_is_what_the_end_is_worth() -> None:
    end = _ended(_ALL, "all reach lit", 2)
    assert (end.together, rewards(end, 2)) == (Reached(4, 0, 10), (2 * 0.4 - 1,) * 2)
    lost = _ended(_ALL, "defeat players\n    all reach lit", 2)
    assert rewards(lost, 2) == (-1.0, -1.0)
