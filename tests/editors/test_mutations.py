"""Mutation operators: every place of the rules can be changed, and belongs to the clauses whose part it is."""

from __future__ import annotations

from functools import cache

import pytest

from rulekit import library
from rulekit.source import Source
from rulekit.syntax import nodes
from rulekit.syntax.traversal import walk
from rulekit.tools.coverage.mutation_testing import MutationTest, sample
from rulekit.tools.examples.mutation_operators import Edit, Rules, edits, of_clause, rule_variants, rules_of
from tests.paths import GAMES

TEXT = """\
game "Small"
    players 2..3

> M-1 A long and a short way.
option way "Which way?"
    long  "the long one" default
    short "the short one"
kind shape: round, square, flat
> M-2 Tiles: what they cost, whether they are banned, what they show.
table tiles of tile
    | tile | cost | banned | shows        | steps |
    | one  | 3    | yes    | round square | 1 2   |
    | two  | 4    | no     | flat         | 4 7   |
> M-3 A road of six spaces.
track road 0..6
    on is up, back is down
    edge stops
each player has
    piece pawn on road at 0
    counter score
> M-4 What a tile is worth, @M-5 twice with the short way.
define worth(tile) is (if way is short then 2 * tile.cost else tile.cost @M-6)    @M-5
play
    > M-7 Each in turn goes on and is paid.
    each player in players where it.score below 9 by lowest score
        let before be player.pawn.number
        move player.pawn on by 1
        raise player.score by worth(one)                                          @M-8
        > M-9 Then it is over for those in front.
        if player.pawn is 6 and not one.banned: raise player.score by 2
    while no (players where it.score above 0)
        raise (first players).score by 1
    end game
result
    rank players by highest score then lowest pawn
"""


@cache
def small() -> Rules:
    return rules_of(Source("small.rules", TEXT))


@cache
def changes() -> tuple[Edit, ...]:
    return tuple(edits(small(), rule_variants))


def on_line(part: str) -> set[tuple[str, str]]:
    """What changes on the lines that contain something."""
    return {(edit.old, edit.new) for edit in changes() if part in TEXT.splitlines()[edit.span.line - 1]}


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("| one  |", "yes", "no"),
        ("| one  |", "3", "4"),
        ("| one  |", "1 2", "1 3"),
        ("| one  |", "1 2", "2"),
        ("| two  |", "4 7", "4 8"),
        ("| two  |", "flat", "round"),
        ("| one  |", "round square", "square square"),
        ("| one  |", "round square", "square"),
        ("| one  |", "| one | 3 | yes | round square | 1 2 |", ""),
        ("edge stops", "edge stops", ""),
        ('long  "', "long", "short"),
        ("players 2", "3", "4"),
        ("define worth", "short", "long"),
        ("define worth", "way is short", "no"),
        ("define worth", "tile.cost", "tile.cost + 1"),
        ("each player in", "it.score below 9", "yes"),
        ("each player in", "by lowest score", ""),
        ("each player in", "below", "at most"),
        ("move player", "on", "back"),
        ("move player", "move player.pawn on by 1", ""),
        ("raise player.score by worth", "raise", "lower"),
        ("if player", "and", "or"),
        ("if player", "not", ""),
        ("while", "no", "any"),
        (
            "move player",
            "move player.pawn on by 1 / raise player.score by worth(one)",
            "raise player.score by worth(one) / move player.pawn on by 1",
        ),
        ("rank", "highest score then lowest pawn", "lowest pawn then highest score"),
        ("rank", "highest score", ""),
        ("rank", "lowest", "highest"),
    ],
)
def test_what_is_changed(part: str, old: str, new: str) -> None:
    assert (old, new) in on_line(part)


def test_a_list_of_equal_things_is_shortened_once() -> None:
    text = TEXT.replace("round square", "round round ")
    shorter = [edit for edit in edits(rules_of(Source("small.rules", text)), rule_variants) if edit.new == "round"]
    assert [edit.old for edit in shorter if edit.operator == "element deletion"] == ["round round"]


def test_lines_that_do_not_touch_one_another_are_not_exchanged() -> None:
    text = TEXT.replace("    end game", "    set red.score to 1\n    set blue.score to 2\n    end game")
    assert text != TEXT
    named = text.replace("red.score", "(first players).score").replace("blue.score", "way_taken")
    named = named.replace("play\n", "flag way_taken\nplay\n").replace("to 2", "to yes")
    swapped = [edit for edit in edits(rules_of(Source("small.rules", named)), rule_variants) if "way_taken" in edit.old]
    assert not [edit for edit in swapped if edit.old.startswith("set (first")]


@pytest.mark.parametrize(
    ("clause", "inside", "outside"),
    [
        ("M-1", {("long", "short")}, {("short", "long")}),
        ("M-2", {("3", "4"), ("yes", "no")}, {("6", "7")}),
        ("M-3", {("6", "7"), ("edge stops", "")}, {("3", "4")}),
        ("M-5", {("way is short", "yes"), ("2", "3")}, {("tile.cost", "tile.cost + 1")}),
        ("M-6", {("tile.cost", "tile.cost + 1")}, {("way is short", "yes"), ("2", "3")}),
        ("M-7", {("move player.pawn on by 1", ""), ("below", "at most")}, {("raise", "lower"), ("and", "or")}),
        ("M-8", {("raise", "lower"), ("raise player.score by worth(one)", "")}, {("move player.pawn on by 1", "")}),
        ("M-9", {("and", "or"), ("2", "3")}, {("move player.pawn on by 1", "")}),
    ],
)
def test_the_part_of_a_clause(clause: str, inside: set[tuple[str, str]], outside: set[tuple[str, str]]) -> None:
    found = {(edit.old, edit.new) for edit in of_clause(small(), clause)}
    assert inside <= found
    assert not outside & found


@pytest.mark.parametrize("name", ["foxy", "fuzzy_tiger", "china_moon", "hornochsen", "shear_panic"])
def test_every_cell_and_every_line_of_a_game_can_be_changed(name: str) -> None:
    rules = rules_of(library.read(GAMES / f"{name}.rules"))
    changed = {(edit.span.line, edit.span.column) for edit in edits(rules, rule_variants)}
    lines = {line for line, _ in changed}
    assert 0 not in lines
    own = [node for node in rules.declarations if not isinstance(node, nodes.Scenario)]
    tables = [table.rows for table in walk(tuple(own)) if isinstance(table, nodes.Deck) and table.rows]
    for heading, *rows in tables:
        for row in rows:
            assert isinstance(row, nodes.Row)
            for index, cell in enumerate(row.cells):
                is_rule = index and cell and not heading.cells[index].startswith("look_")
                assert not is_rule or (row.span.line, row.cell(index).column) in changed, (row, index)
    bodies = [node for node in walk(tuple(own)) if isinstance(node, nodes.Body)]
    for line in (line for body in bodies for line in body.statements):
        # What only names something can be changed where its value can.
        assert isinstance(line, nodes.Let | nodes.Chance) or lines & {part.span.line for part in walk(line)}, line


@pytest.mark.parametrize(("row", "column"), [("| line1  |", 5), ("| slam2  |", 3)])
def test_pinning_tries_a_yes_or_no_of_a_table(row: str, column: int) -> None:
    rules = rules_of(library.read(GAMES / "shear_panic.rules"))
    pinning = MutationTest(rules, 0, propose=False)
    (edit,) = (
        edit
        for edit in pinning.changes()
        if row in rules.source.line(edit.span.line) and (edit.old, edit.new) == ("yes", "no")
    )
    assert rules.source.line(edit.span.line)[: edit.span.column].count("|") == column + 1
    for _ in pinning.run([edit]):
        pass
    assert pinning.tried == pinning.noticed + len(pinning.survivors) == 1


def test_a_sample_meets_every_place() -> None:
    found = list(changes())
    taken = sample(found)
    assert len(taken) < len(found)
    wanted = [edit for edit in found if edit.operator != "unary operator insertion"]
    places = {(edit.span.line, edit.span.column) for edit in wanted}
    assert {(edit.span.line, edit.span.column) for edit in taken} == places
    assert {edit.new for edit in taken if (edit.old, edit.span.line) == ("9", 25)} == {"10", "8"}


def test_a_sample_meets_every_operator_of_a_game() -> None:
    found = list(edits(rules_of(library.read(GAMES / "china_moon.rules")), rule_variants))
    met = {edit.operator for edit in sample(found)}
    assert met == {edit.operator for edit in found} - {"unary operator insertion"}


def test_what_is_not_tried_is_counted() -> None:
    some, every = MutationTest(small(), 0), MutationTest(small(), 0, whole=True)
    assert len(some.changes()) + some.left_out == len(every.changes()) == len(changes())
    assert every.left_out == 0


def test_a_change_is_noticed_by_examples_that_do_not_cite_it_too() -> None:
    text = TEXT + 'scenario "far away"\n    players red, blue\n    given red.score is 9\n    expect blue.pawn is 1\n'
    made = MutationTest(rules_of(Source("small.rules", text)), 0, propose=False, only=["M-7"])
    for _ in made.run(made.changes()):
        pass
    assert made.killed == {"far away": made.noticed}
    assert made.noticed > 0
