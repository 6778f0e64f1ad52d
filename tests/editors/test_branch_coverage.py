"""A clause is exercised where the branch, row, trait, define, option or condition that it stands at is."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from benchmarks.fuel import spent
from rulekit.compiler.pipeline import lowered
from rulekit.loading import examine_text, load_text
from rulekit.model.game import Game
from rulekit.source import Source
from rulekit.tools.analysis.branch_coverage import Points
from rulekit.tools.analysis.statement_coverage import CoverageProbes
from rulekit.tools.coverage.clause_coverage import Agreed, Coverage
from rulekit.tools.coverage.traceability import ClausePoints
from rulekit.tools.examples import runner
from rulekit.tools.series.simulation import series
from tests.generators.random_matches import GAMES, game

RULES = """game "Branches"
    players 2
option wild "Is it wild?" flag default no                                        @V-1
option goal "How far?"
    > O-1 Near.
    near "near" default
    > O-2 Far.
    far "far"
unclear silent "Does anybody ask?" flag default no                               @O-3
track road 0..20
    forward is up
    spaces 1..20 hold 1
    > T-1 A full space pushes on.
    full pushes forward
> K-0 There are three cards.
cards deck of card
    | card  | worth | size |
    | one   | 1     | 5    | @K-1
    | two   | 2     | 5    | @K-2
    | three | 3     | 5    | @K-3
each player has
    piece pawn on road at 0
    pile hand of card starts (deck except three), seen by owner
    counter coins 0..999
define target is (if goal is near then 3 @D-1 else 9 @D-2)
> D-3 Who is rich.
define rich(who of player) is who.coins at least 3
> D-4 Nobody asks this.
define asked(who of player) is (who.coins at least 1 @D-5 or who.pawn at least 900 @D-6)
> D-7 Only an invariant says it.
define sound is no (players where it.coins below 0)
play
    secretly each player
        do note(player)
    repeat
        each player
            player chooses card from player.hand
            > L-1 What a card is worth.
            raise (player.coins @A-1) by card.worth
            let gain be (if card is one then 1 @B-1 else if card is two then 2 @B-2 else 3 @B-3)
            > W-1 Wild, all is worth more.
            raise player.coins by (if wild then 5 @W-2 else 0)
            move player.pawn forward by gain
            let both be (player.coins at least 0 @C-1 or player.pawn above 1 @C-2)
            let few be count (players where it.coins above 900 @Q-1 and it.pawn is 0 @Q-2)
            let sum_of be sum of (it.coins @Q-3) over (players where it.coins above 900)
            if player.coins at least 900 @C-3: raise player.coins by (if asked(player) then 1 else 2)
            if rich(player): raise player.coins by 0
            player chooses "On?"
                > Y-1 On.
                "on": raise player.coins by 0
                "idle"                                                           @Y-2
        if any (players where it.pawn at least target): end game
action note(who of player)
    who chooses "Noted?"
        > Z-2 Noted.
        "yes": set who.coins to who.coins
        > Z-3 Not noted.
        "no": set who.coins to 0
    > Z-4 Who is rich by then.
    if who.coins above 900: set who.coins to 0
> X-1 Nobody answers in time.
result: rank players by highest coins
invariant "sound": sound                                                         @D-7
scenario "a card"
    players red, blue
    when red chooses "yes"
    when blue chooses "yes"
    when red chooses one then "on"
    expect red.coins is 1, asked(red), sound
"""
IDS = "A-1 V-1 O-3 K-1 K-2 K-3 D-1 D-2 D-5 D-6 B-1 B-2 B-3 W-2 C-1 C-2 C-3 Q-1 Q-2 Q-3 Y-2"


@cache
def branches() -> Game:
    loaded = examine_text(Source("branches.rules", RULES + "".join(f"> {id_} Said.\n" for id_ in IDS.split())))
    assert loaded.game is not None, loaded.findings
    return loaded.game


def played(games: int = 40, **options: object) -> Coverage:
    made = Coverage(branches())
    for _ in made.look_at_examples():
        pass
    for _ in made.play(Agreed(2, options), games, "branches"):  # type: ignore[arg-type]
        pass
    return made


def test_a_clause_counts_where_its_part_of_a_line_does() -> None:
    found = {line.name: line for line in played().lines()}
    every = [
        "A-1",
        "L-1",
        "B-1",
        "B-2",
        "D-1",
        "D-3",
        "C-1",
        "C-3",
        "Q-1",
        "K-1",
        "K-2",
        "O-1",
        "Y-1",
        "Y-2",
        "T-1",
        "W-1",
    ]
    never = ["B-3", "D-2", "D-4", "D-5", "D-6", "C-2", "Q-2", "Q-3", "K-3", "O-2", "V-1", "W-2"]
    assert {name: found[name].games for name in never} == dict.fromkeys(never, 0)
    assert {name for name in every if not found[name].games} == set()
    # An option that nobody looks at, and what only an invariant says, are no part of what is done.
    assert [found[name].games for name in ("O-3", "D-7", "K-0")] == [None, None, None]
    assert found["T-1"].games
    # Called in secret, where nobody's flags can be set.
    assert [bool(found[name].games) for name in ("Z-2", "Z-3", "Z-4")] == [True, True, False]


def test_another_reading_and_a_variant_exercise_other_clauses() -> None:
    found = {line.name: line.games for line in played(goal="far", wild=True).lines()}
    assert [found[name] for name in ("D-1", "O-1")] == [0, 0]
    assert (found["goal=near"], found["goal=far"]) == (None, 40)
    assert [found[name] for name in ("D-2", "O-2", "V-1", "W-2")] == [40] * 4


def test_why_a_part_is_never_come_by() -> None:
    found = {line.name: str(line.why) for line in played().lines()}
    assert found["B-3"] == "shadowed by line 40: `card is two` always held"
    assert found["D-2"] == "shadowed by line 25: `goal is near` always held"
    assert found["Q-2"] == "condition never true: `it.coins above 900` (line 45)"
    assert found["Q-3"] == "never anything in `players where it.coins above 900` (line 46)"
    assert found["D-4"] == "condition never true: `player.coins at least 900` (line 47)"
    assert found["K-3"] == "never read: `three`"
    assert found["V-1"] == "no match was played with `wild`"
    assert found["O-2"] == "no match was played with `goal=far`"


def test_what_examples_exercise_is_not_what_they_expect() -> None:
    found = {line.name: line.examples for line in played(1).lines()}
    assert [bool(found[name]) for name in ("B-1", "K-1", "Y-1", "Z-2")] == [True] * 4
    assert [bool(found[name]) for name in ("B-2", "K-2", "Y-2", "D-1", "D-5", "D-7", "Z-3")] == [False] * 7


def test_conditions_that_went_one_way_alone() -> None:
    found = {(way.text, way.missing): way for way in played().ways()}
    assert found["player.coins at least 0", "failed"].clauses == ("C-1",)
    assert found["it.coins above 900", "held"].games == 40
    assert ("card is one", "failed") not in found
    # What an option decides is agreed, and what was never looked at went no way.
    assert not {"wild", "goal is near", "it.pawn is 0", "player.pawn above 1"} & {text for text, _ in found}


def instructions_of_probes(rows: int) -> int:
    """What probes cost in a match that reads a trait of a table a hundred times; so many rows have clauses."""
    text = 'game "Rows"\n    players 2\ncards deck of card\n    | card | worth |\n'
    text += "".join(f"    | c{row} | 1 | @K-{row}\n" for row in range(rows))
    text += "counter gained 0..\nplay\n    repeat\n        starter chooses card from deck\n"
    text += "        raise gained by card.worth\n        if gained is 100: end game\n"
    text += "result: rank players by highest gained\n"
    made = load_text(text + "".join(f"> K-{row} Said.\n" for row in range(rows)))
    plain, marked = (spent(lowered(one, {}, 2)[0], 1)[0] for one in (made, CoverageProbes(made).marked))
    return marked - plain


def test_the_row_of_a_trait_is_found_without_a_search() -> None:
    assert instructions_of_probes(64) < 2 * instructions_of_probes(8)


def came_by(made: Game, engine: str, options: dict[str, object], seats: int, seed: str) -> list[Points]:
    """By match the points that it came by."""
    probes = CoverageProbes(made)
    one = series(probes.marked, options, seats, seed, engine)  # type: ignore[arg-type]
    points, words = probes.words(one.counters)
    return [probes.blocks_run(points, row[2:]) for row in one.rows(0, 2, words)]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_engines_come_by_the_same_points_of_a_game(path: Path) -> None:
    made = game(path)
    found = [came_by(made, engine, {}, made.least + 1, "same") for engine in ("wasm", "interpreter")]
    assert found[0] == found[1]
    assert all(found[0])


@pytest.mark.parametrize("path", GAMES[:3], ids=lambda path: path.stem)
def test_examples_come_out_in_the_game_with_probes(path: Path) -> None:
    made = game(path)
    marked = CoverageProbes(made).marked
    assert [s.name for s in made.scenarios if not runner.run(marked, s).passed] == []


@pytest.mark.parametrize("ranked", ["players", "(players where it.score above 0)"])
@pytest.mark.parametrize(
    ("scores", "luck", "used"),
    [((5, 4, 3), (0, 0, 0), []), ((5, 5, 3), (1, 2, 0), ["T-1"]), ((1, 1, 1), (0, 2, 2), ["T-1", "T-2"])],
)
def test_a_tie_breaker_counts_where_what_stands_before_it_leaves_a_tie(
    scores: tuple[int, ...], luck: tuple[int, ...], used: list[str], ranked: str
) -> None:
    text = 'game "Ties"\n    players 3\neach player has\n    counter score 0..9\n    counter luck 0..9\n'
    text += "    counter age 0..9\nplay\n    each player in players\n"
    for name, values in (("score", scores), ("luck", luck)):
        for seat, value in enumerate(values):
            text += f"        if player is players[{seat + 1}]: set player.{name} to {value}\n"
    text += f"    end game\nresult: rank {ranked} by highest score then highest luck @T-1 then highest (age @T-2)\n"
    text += "> T-1 Then luck.\n> T-2 Then age.\n"
    loaded = examine_text(Source("ties.rules", text))
    assert loaded.game is not None, loaded.findings
    points = ClausePoints(CoverageProbes(loaded.game))
    for engine in ("wasm", "interpreter"):
        came = came_by(loaded.game, engine, {}, 3, "ties")[0]
        assert sorted(points.exercised(came, ())) == used, engine
