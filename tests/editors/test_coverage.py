"""What examples and matches exercise, and why something never happens."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from rulekit.apps.commands import cli
from rulekit.compiler.plan.ir import Status
from rulekit.loading import examine_text, load_text
from rulekit.model.game import Game
from rulekit.source import Source
from rulekit.tools.analysis.branch_coverage import Point
from rulekit.tools.analysis.statement_coverage import CoverageProbes
from rulekit.tools.coverage import clause_coverage
from rulekit.tools.coverage.clause_coverage import Agreed, Coverage, Line
from rulekit.tools.series import simulation
from tests.generators.random_matches import GAMES, game

SMALL = """game "Steps"
    players 2
unclear paid "Who pays?"
    > U-1 It is paid.
    all "all" default
    none "nobody"
track road 0..
    forward is up
> C-0 There are two cards.
cards deck of card
    > C-1 The short card goes one on.
    card short "Short": move owner.pawn forward by 1
    > C-2 The long card goes four on.
    card long "Long": move owner.pawn forward by 4
    > C-3 The third card is never dealt.
    card third "Third": move owner.pawn forward by 9
each player has
    piece pawn on road at 0
    pile hand of card starts (deck except third), seen by owner
    counter coins 0..999
play
    repeat
        > S-1 Everybody chooses in secret.
        secretly each player
            player chooses card from player.hand
            do note(player)
        each player
            do player.hand[1] for player
            > S-2 Who comes far is paid for it.
            if player.pawn at least 5
                raise player.coins by 1
            > S-3 Nobody is ever rich.
            if player.coins above 900
                raise player.coins by 2
            > S-4 Who is paid waits.
            if player.coins at least 0: next player
            > S-5 Nobody comes here.
            raise player.coins by 3
        > S-6 The end.
        if any (players where it.coins at least 3): end game
> S-7 Everybody has chosen.
action note(who of player)
    set who.coins to who.coins
> S-8 Nothing calls this.
action idle
    end game
scenario "a step"                                             @C-1
    players red, blue
    when red chooses short
    when blue chooses short
    expect red.pawn is 1
result: rank players by highest coins
"""


def small() -> Game:
    loaded = examine_text(Source("small.rules", SMALL))
    assert loaded.game is not None, loaded.findings
    return loaded.game


def lines(of: Coverage) -> dict[str, Line]:
    return {line.name: line for line in of.lines()}


def covered(games: int = 20) -> dict[str, Line]:
    made = Coverage(small())
    for _ in made.look_at_examples():
        pass
    for _ in made.play(Agreed(2, {}), games, "test"):
        pass
    return lines(made)


def test_what_happens_and_why_something_never_does() -> None:
    found = covered()
    assert {name: found[name].games for name in ("S-1", "S-2", "C-1", "S-6", "S-7")} == {
        "S-1": 20, "S-2": 20, "C-1": 20, "S-6": 20, "S-7": 20,
    }  # fmt: skip
    assert str(found["S-3"].why) == "condition never true: `player.coins above 900` (line 33)"
    assert str(found["S-5"].why) == "shadowed by line 36: `player.coins at least 0` always held"
    assert str(found["S-8"].why) == "never reached: nothing calls `idle`"
    assert str(found["C-3"].why).startswith("never reached: `card third` never came up")
    assert found["C-0"].games is None


def test_which_examples_exercise_what() -> None:
    found = covered(1)
    assert found["S-1"].examples == found["C-1"].examples == ("a step",)
    assert found["S-2"].examples == ()


@pytest.mark.parametrize("path", [GAMES[1], GAMES[2]], ids=lambda path: path.stem)
def test_a_marked_match_is_the_match(path: Path) -> None:
    rules = game(path)
    marked = CoverageProbes(rules)
    plain, flagged = (simulation.series(each, {}, rules.least + 1, "same") for each in (rules, marked.marked))
    places, words = marked.words(flagged.counters)
    own, more = plain.rows(0, 5, ()), flagged.rows(0, 5, words)
    assert [row[:2] for row in more] == [row[:2] for row in own]
    assert all(marked.blocks_run(places, row[2:]) for row in more)


def test_every_engine_comes_by_the_same_lines() -> None:
    rules = small()
    marked = CoverageProbes(rules)
    came = []
    for name in ("wasm", "interpreter"):
        one = simulation.series(marked.marked, {}, 2, "same", name)
        places, words = marked.words(one.counters)
        came.append([marked.blocks_run(places, row[2:]) for row in one.rows(0, 3, words)])
    assert came[0] == came[1]


UNEVEN = """game "Uneven"
    players 2
counter left 0..9
play
    repeat
        > E-1 Some matches divide by nothing.
        starter chooses n from 0..9 "How many?"
        if n is 0: set left to 1 / left
        > E-2 Some never end.
        if n above 7
            repeat
                > E-3 For ever.
                starter chooses m from 1..1 "Again?"
        > E-4 Some end.
        if n is 3 or n is 4: end game
result: rank players by highest left
"""


def sums_and_rows(of: Coverage, seats: int, games: int) -> tuple[set[int], Counter[Point], Counter[str]]:
    """How matches end, and in how many of them points and clauses came up, counted match by match."""
    one = simulation.series(of.marked.marked, {}, seats, "summed")
    options = one.counters.storage.setting.options
    places, words = of.marked.words(one.counters)
    rows = one.rows(0, games, words)
    matches = [of.marked.blocks_run(places, row[2:]) for row in rows if row[0] == Status.DONE]
    fired = Counter(clause for came in matches for clause in of.points.exercised(came, options))
    return {row[0] for row in rows}, Counter(point for came in matches for point in came), fired


@pytest.mark.parametrize("path", [None, GAMES[2]], ids=lambda path: path.stem if path else "uneven")
def test_sums_are_what_matches_that_end_came_by_one_by_one(path: Path | None) -> None:
    of = Coverage(game(path) if path else load_text(UNEVEN))
    statuses, counts, fired = sums_and_rows(of, 2, 40)
    assert len(statuses) == (1 if path else 3), "an end, a fault and no end"
    assert [*of.play(Agreed(2, {}), 40, "summed")] == [40]
    assert (+of.counts, +of.fired) == (counts, fired)


def test_engines_sum_up_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for engine in ("wasm", "interpreter"):
        monkeypatch.setattr(clause_coverage.simulation, "series", partial(simulation.series, engine_name=engine))
        made.append(Coverage(small()))
        assert [*made[-1].play(Agreed(2, {}), 3, "same")] == [3]
        monkeypatch.undo()
    assert made[0].counted() == made[1].counted()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "small.rules"
    file.write_text(SMALL)
    assert cli(["text", "coverage", str(file), "--games", "10", "--never"], standalone_mode=False) == 0
    assert "condition never true" in capsys.readouterr().out
    assert cli(["text", "coverage", str(file), "--games", "10", "--json"], standalone_mode=False) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 10
    assert {"kind", "name", "line", "text", "examples", "games", "why"} == set(told["lines"][0])
    assert {"test", "line", "clauses", "missing", "games", "examples"} == set(told["conditions"][0])
