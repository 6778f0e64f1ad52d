"""Which clause two games part by: that of the part of the rules that is not the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.source import Source
from rulekit.tools.compare.clause_attribution import Change, changes_behind, named_first
from rulekit.tools.compare.differential_testing import Search
from rulekit.tools.compare.shrinking import Version
from rulekit.tools.examples.mutation_operators import Rules, rules_of
from rulekit.tools.structure.structural_difference import structural_difference, taken_back
from tests.editors.named import planted
from tests.paths import GAMES, PLANTED
from tests.soak.planted_edits import applied, edits
from tests.soak.rule_edits import LISTS

GAME = """game "Hills"
    players 2..3
> H-13 Roads may be steep.
option steep "Steep?" flag default no
track road 0..
    forward is up
> H-1 Cards are worth 1, 2 and 5.
cards deck of card
    | card  | worth |
    > H-2 A short one.
    | short | 1     |
    | long  | 2     |
    > H-3 The longest.
    | giant | 5     |
each player has
    > H-4 Pawns begin at 0.
    piece pawn on road at 0
    pile hand of card starts deck, seen by owner
    > H-5 Everybody begins with three coins.
    counter coins 0..999 starts 3
> H-6 A pawn at 10 or beyond is far; on steep roads 8 will do.
> H-7 On steep roads.
define far(player) is player.pawn at least (if steep then 8 @H-7 else 10)
define spare is 1
> H-14 On the way nothing is spent.
define spent(player) is if player.coins above 4 then 1 else (0 @H-14)
play
    each round in 1..4
        each player
            > H-8 A card moves the pawn by its worth.
            player chooses card from player.hand
            move player.pawn forward by card.worth                    @H-8
            > H-9 Then the bank pays.
            raise player.coins by spare
            > H-10 And once more who is far.
            if far(player): raise player.coins by 2
            > H-11 A toll is paid last.
            if player.coins above 5: lower player.coins by 1
            > H-15 Then what was spent.
            lower player.coins by spent(player)
> H-12 Coins win, then the road.
result: rank players by highest coins then highest pawn
"""
COINS, SPARE = "    counter coins 0..999 starts 3\n", "define spare is 1\n"


def rules(*changes: tuple[str, str]) -> Rules:
    text = GAME
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return rules_of(Source("hills.rules", text))


def hunks(*changes: tuple[str, str]) -> int:
    a, b = rules(), rules(*changes)
    found = structural_difference(a.declarations, b.declarations)
    assert not structural_difference(a.declarations, taken_back(b.declarations, found))
    return len(found)


def changed(*edits: tuple[str, str]) -> tuple[tuple[Change, ...], tuple[str, ...]]:
    a, b = (rules(*each) for each in ((), edits))
    search = Search(Version(a, {}, a.game), Version(b, {}, b.game), (2, 3), 100, "test")
    for _ in search.run():
        pass
    assert search.best is not None
    made = changes_behind(search.a, search.b, search.best, f"{search.seed}#{search.best.number}", lambda: True)
    return made, named_first(made, a.game, search.best.clauses[0])


@pytest.mark.parametrize(
    ("old", "new", "clause"),
    [
        ("| giant | 5     |", "| giant | 4     |", "H-3"),
        ("| long  | 2     |", "| long  | 3     |", "H-1"),
        ("pawn on road at 0", "pawn on road at 1", "H-4"),
        ("starts 3", "starts 4", "H-5"),
        ("else 10)", "else 9)", "H-6"),
        ("then 8 @H-7", "then 5 @H-7", "H-7"),
        ("pawn forward by card.worth", "pawn forward by card.worth + 1", "H-8"),
        ("coins by spare", "coins by spare * 2", "H-9"),
        ("if far(player):", "if player.coins above 5 and far(player):", "H-10"),
        ("highest pawn", "lowest pawn", "H-12"),
        ("if steep then", "if not steep then", "H-13"),
        ("if player.coins above 4 then", "if player.coins above 6 then", "H-14"),
    ],
)
def test_the_clause_of_what_is_not_the_same_comes_first(old: str, new: str, clause: str) -> None:
    made, named = changed((old, new))
    assert [change.clauses[0] for change in made] == [clause]
    assert named[0] == clause


def test_of_two_lines_that_changed_places_both_are_named() -> None:
    far = """            > H-10 And once more who is far.
            if far(player): raise player.coins by 2
"""
    toll = """            > H-11 A toll is paid last.
            if player.coins above 5: lower player.coins by 1
"""
    made, named = changed((far + toll, toll + far))
    assert len(made) == 1
    assert set(named[:2]) == {"H-10", "H-11"}


def test_a_line_that_no_clause_covers_is_named_by_its_place() -> None:
    made, _ = changed(("define spare is 1", "define spare is 2"))
    assert [(change.here.line if change.here else 0, change.clauses) for change in made] == [(24, ())]


@pytest.mark.parametrize(
    "changes",
    [
        [("> H-8 A card moves", "# a comment\n            > H-8 One card moves")],
        [("each round in 1..4\n", "each round in (1..4)\n")],
        [(COINS, ""), ("    pile hand", f"{COINS}    pile hand")],
        [(SPARE, ""), ("    players 2..3\n", f"    players 2..3\n{SPARE}")],
        [("define spare is", "define paid is"), ("coins by spare", "coins by paid")],
        [("player chooses card from", "player chooses one from"), ("by card.worth", "by one.worth")],
    ],
)  # fmt: skip
def test_what_is_only_moved_renamed_or_laid_out_anew_is_no_difference(changes: list[tuple[str, str]]) -> None:
    assert hunks(*changes) == 0


def test_a_game_with_other_names_plays_the_same() -> None:
    a = rules()
    b = rules_of(Source("hills.rules", GAME.replace("coins", "money").replace("hand", "held")))
    assert not structural_difference(a.declarations, b.declarations)
    search = Search(Version(a, {}, a.game), Version(b, {}, b.game), (2, 3), 20, "test")
    for _ in search.run():
        pass
    assert search.best is None


def test_of_several_edits_the_one_is_named_without_which_there_is_no_difference() -> None:
    late = ("highest pawn", "lowest pawn")
    early = ("pawn on road at 0", "pawn on road at 1")
    never = ("define spare is 1", "define spare is 2 - 1")
    assert hunks(late, early, never) == 3
    made, named = changed(late, early, never)
    assert [change.clauses for change in made] == [("H-4",)]
    assert named[0] == "H-4"


def test_of_two_edits_that_do_the_same_each_is_named() -> None:
    made, _ = changed(("pawn on road at 0", "pawn on road at 1"), ("starts 3", "starts 4"))
    assert {change.clauses for change in made} == {("H-4",), ("H-5",)}


def test_what_came_and_what_went_is_taken_back_where_it_was() -> None:
    assert hunks(("            raise player.coins by spare\n", "")) == 1
    assert hunks(("    | long  | 2     |\n", "")) == 1
    assert hunks(("raise player.coins by spare", "let more be spare\n            raise player.coins by more")) == 2
    assert hunks(("if far(player): raise player.coins by 2", "if far(player)\n                do give(player)"),
                 ("play\n", "action give(owner of player): raise owner.coins by 2\nplay\n")) == 2  # fmt: skip


@pytest.mark.parametrize("path", sorted(PLANTED.parent.glob("*planted_edits.txt")), ids=lambda path: path.stem)
def test_every_planted_edit_fits_its_game(path: Path) -> None:
    for edit in planted(path):
        text = (GAMES / f"{edit.game}.rules").read_text(encoding="utf-8")
        assert edit.applied(text) != text


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_every_planted_edit_of_the_soaks_fits_its_game(path: Path) -> None:
    for edit in edits(path.read_text(encoding="utf-8")):
        text = (GAMES / f"{edit.game}.rules").read_text(encoding="utf-8")
        assert applied(edit, text) != text


def test_every_edit_of_the_list_is_one_hunk_with_its_clause() -> None:
    trees = {}
    for edit in planted(PLANTED):
        if edit.game == "foxy":
            a, b = edit.rules()
            trees[edit] = structural_difference(a.declarations, b.declarations)
    assert trees
    assert {len(found) for found in trees.values()} == {1}
