"""Grids: what moves together where, and what the words about cells, lines and groups give."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from rulekit import Action, IllegalAction, RuleError, apply, decisions, notation, start
from rulekit.loading import Loaded, examine_text
from rulekit.model.builtin_signatures import DIRECTIONS
from rulekit.model.game import Game, Place
from rulekit.model.types import Type
from rulekit.play.machine.closure_compilation import evaluate
from rulekit.play.machine.working_state import Machine, thaw
from rulekit.play.meaning.grid import beyond, line, reach, standing
from rulekit.play.meaning.grid_slides import pieces_apart
from rulekit.play.meaning.travel import on_board
from rulekit.play.state.match_state import State
from rulekit.source import Source
from tests.generators.random_matches import game as loaded
from tests.generators.random_matches import steps
from tests.paths import CASES

OPEN = "unbounded"
"""The grids of these tests: one without end, and boards of so many columns by so many rows."""

RULES = """game "Stones on a grid"
    players 2
kind colour: red as "R", blue as "B", green as "G"
grid board {grid}
    spaces board hold 1
    full {full}
    edge {edge}
pieces stones of stone on board
    | stone | colour |
    | a     | red    |
    | b     | red    |
    | c     | blue   |
    | d     | blue   |
    | e     | green  |
    | f     | green  |
counter landed
snapshot before_it of stones
{more}
define asked is {ask}
when stone lands: raise landed by 1
setup
    picture stones
{picture}
play
    set landed to 0
    set before_it to stones
    {do}
result: rank players
"""

Cell = tuple[int, int]


def examined(picture: str, grid: str = OPEN, edge: str = "stops", full: str = "refuses", **lines: str) -> Loaded:
    """A game on a grid that begins as the picture shows; rows stand between strokes."""
    rows = "\n".join(f"        | {row.strip()} |" for row in picture.split("/"))
    parts = {"more": "", "ask": "no stones", "do": "set landed to landed", **lines}
    return examine_text(Source("stones.rules", RULES.format(grid=grid, edge=edge, full=full, picture=rows, **parts)))


def rules(picture: str, **lines: str) -> Game:
    loaded = examined(picture, **lines)
    assert loaded.game is not None, [finding.title for finding in loaded.findings]
    return loaded.game


def faults(**lines: str) -> set[str]:
    """The codes of what is wrong with a game of one stone."""
    loaded = examined("a", **lines)
    assert loaded.game is None
    return {finding.code for finding in loaded.findings if finding.level == "error"}


def played(picture: str, do: str, **lines: str) -> State:
    return start(rules(picture, do=do, **lines), seats=2).state


def cells_of(state: State) -> dict[str, Cell]:
    """The cell of every piece that stands on the board, by its name."""
    slots = state.setting.piece_slot.items()
    cells = {state.setting.things[piece].key: state.values[slot] for piece, slot in slots}
    return {key: cell for key, cell in cells.items() if cell is not None}  # type: ignore[misc]


def after(picture: str, do: str, **lines: str) -> dict[str, Cell]:
    return cells_of(played(picture, do, **lines))


def landed(picture: str, do: str) -> int:
    """How many reactions to a landing there were."""
    state = played(picture, do)
    index = next(i for i, variable in enumerate(state.setting.game.variables) if variable.name == "landed")
    return int(state.values[state.setting.bases[index]])  # type: ignore[arg-type]


def shown(picture: str, left: int = 0, top: int = 0) -> dict[str, Cell]:
    """The cells of a picture whose first glyph is at column `left` and row `top`."""
    rows = [row.split() for row in picture.split("/")]
    return {g: (x + left, y + top) for y, row in enumerate(rows) for x, g in enumerate(row) if g != "."}


def asked(picture: str, ask: str, **lines: str) -> Any:
    """The value of an expression in a position: pieces by name, cells and directions as pairs."""
    state = start(rules(picture, ask=ask, **lines), seats=2).state
    define = next(define for define in state.setting.game.defines if define.name == "asked")
    return _named(state, evaluate(thaw(state), define.value), define.type)


def _named(state: State, value: Any, kind: Type) -> Any:
    if kind.is_set:
        return tuple(_named(state, item, kind.element) for item in value)
    return state.setting.things[value].key if kind.name == "thing" and value is not None else value


def refused(picture: str, do: str, **lines: str) -> str:
    with pytest.raises(RuleError) as caught:
        played(picture, do, **lines)
    return caught.value.code


# ---------------------------------------------------------------- pictures


def test_a_picture_places_pieces_by_name_or_by_the_glyph_of_a_trait() -> None:
    assert after("R . B / . G R", "set landed to 0") == {"a": (0, 0), "c": (2, 0), "e": (1, 1), "b": (2, 1)}
    assert after("f . / . R", "set landed to 0") == {"f": (0, 0), "a": (1, 1)}


def test_a_picture_puts_all_down_together() -> None:
    lines = {"more": "action again\n    picture stones\n        | . a b |"}
    assert after("a b", "do again", **lines) == {"a": (1, 0), "b": (2, 0)}


def test_a_picture_larger_than_the_board_is_refused() -> None:
    assert refused("a . . b", "set landed to 0", grid="3 by 3") == "off-the-board"


# ---------------------------------------------------------------- push


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ("east", shown(". a b c / d e f")),
        ("west", shown("a . b . c / . d e f", left=-1)),
        ("north", shown("a / . b . c / d e f", top=-1)),
        ("south", shown(". b . c / a e f / d")),
        ("southeast", shown(". b . c / d a f / . . e")),
    ],
)
def test_a_push_moves_the_unbroken_run_and_a_gap_takes_it_up(way: str, expected: dict[str, Cell]) -> None:
    assert after("a b . c / d e f", f"push a toward {way}") == expected


def test_every_piece_of_a_push_lands() -> None:
    assert landed("a b c . d", "push a toward east") == 3


def test_a_push_over_the_edge_is_refused() -> None:
    assert refused("a b c", "push a toward east", grid="3 by 1") == "off-the-board"
    assert refused("a / b", "push b toward north", grid="1 by 2") == "off-the-board"


def test_a_push_goes_on_at_the_other_side_of_a_grid_that_wraps() -> None:
    assert after("b . a", "push a toward east", grid="3 by 1", edge="wraps") == shown("a b .")
    assert after("a b c", "push b toward east", grid="3 by 1", edge="wraps") == shown("c a b")


def test_a_push_takes_pieces_off_a_grid_that_they_leave() -> None:
    assert after("a b c", "push a toward east", grid="3 by 1", edge="leaves") == shown(". a b")


# ---------------------------------------------------------------- compact


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ("east", ". . a b / . . . c / . d e f"),
        ("west", "a b . . / c . . . / d e f ."),
        ("north", "a c b f / d . e ."),
        ("south", ". . . . / a . b . / d c e f"),
    ],
)
def test_compact_slides_every_line_to_the_outermost(way: str, expected: str) -> None:
    assert after("a . b . / . c . . / d . e f", f"compact stones toward {way}") == shown(expected)


def test_compact_stays_on_the_outermost_line_of_the_pieces_not_of_the_board() -> None:
    assert after("a . . . / . b . .", "compact stones toward east", grid="4 by 3") == {"a": (1, 0), "b": (1, 1)}


def test_compact_slantwise_stops_short_where_a_line_does_not_meet_the_ruler() -> None:
    # The ruler is the slanting line through c, column + row = 6; b's line has only odd sums.
    expected = {"a": (3, 3), "b": (3, 2), "c": (2, 4)}
    assert after("a b . . / . . . . / . . . . / . . . . / . . c .", "compact stones toward southeast") == expected


def test_only_pieces_that_move_land() -> None:
    assert landed("a . b / c d", "compact stones toward west") == 1


# ---------------------------------------------------------------- shift


def test_a_shift_moves_a_set_as_it_stands() -> None:
    assert after("a b / c d", "shift [a, b] toward north by 3") == shown("a b / . . / . . / . . / c d", top=-3)
    assert after("a b / c d", "shift stones toward east by 1") == shown("a b / c d", left=1)
    assert after("a b", "shift stones toward southwest by -1") == shown("a b", left=1, top=-1)
    assert after("a b . c", "shift a toward south by 2") == shown(". b . c / . . / a")


def test_a_shift_onto_others_meets_the_policy_of_the_grid() -> None:
    assert refused("a b c", "shift [a, b] toward east by 1") == "full"
    assert after("a b c", "shift [a, b] toward east by 1", full="stacks") == {"a": (1, 0), "b": (2, 0), "c": (2, 0)}
    assert after("a b c", "shift [b] toward east by 1", full="swaps") == shown("a c b")


def test_a_shift_by_a_displacement() -> None:
    lines = {"do": "let jump be first contact_jumps([a])\n    shift [a] by jump"}
    assert cells_of(start(rules("a . . b", **lines), seats=2).state) == {"a": (2, 0), "b": (3, 0)}


def test_a_shift_over_the_edge() -> None:
    assert refused("a b", "shift stones toward east by 2", grid="3 by 1") == "off-the-board"
    assert refused("a b", "shift stones toward north by 1", grid="2 by 2") == "off-the-board"
    assert after("a b .", "shift stones toward east by 2", grid="3 by 1", edge="wraps") == shown("b . a")
    assert after("a b .", "shift stones toward east by 2", grid="3 by 1", edge="leaves") == shown(". . a")


def test_pieces_that_stand_nowhere_do_not_move() -> None:
    assert after("a", "shift stones toward east by 1") == {"a": (1, 0)}
    assert refused("a", "push b toward east") == "not-placed"


# ---------------------------------------------------------------- moving one piece


def test_a_move_to_a_cell_off_the_board() -> None:
    assert refused("a", "move a to beside(a, west)", grid="2 by 2") == "off-the-board"
    assert after("a", "move a to beside(a, west)", grid="2 by 2", edge="wraps") == {"a": (1, 0)}
    assert after("a b", "move a to beside(a, west)", grid="2 by 2", edge="leaves") == {"b": (1, 0)}
    assert refused("a b", "move a to b.space") == "full"


# ---------------------------------------------------------------- single cells and lines


def test_beside_and_empty() -> None:
    assert asked("a b / c", "beside(b, southwest)") == (0, 1)
    assert asked("a b / c", "beside(a, north)") == (0, -1)
    assert asked("a b / c", "beside(a, north).empty") is True
    assert asked("a b / c", "beside(a, east).empty") is False
    assert asked("a b / c", "beside(a, north).empty", grid="2 by 2") is False
    assert asked("a b / c", "beside(a, north).empty", grid="2 by 2", edge="wraps") is False
    assert asked("a b / c", "beside(b, north).empty", grid="2 by 2", edge="wraps") is True


def test_neighbours() -> None:
    picture = "a b . / c d e / . f ."
    assert asked(picture, "neighbours(d, orthogonals)") == ("b", "e", "f", "c")
    assert asked(picture, "neighbours(d, diagonals)") == ("a",)
    assert asked(picture, "neighbours(d.space, [northwest, west])") == ("a", "c")
    assert asked(picture, "neighbours(beside(b, east), directions)") == ("e", "d", "b")
    assert asked("a . b", "neighbours(a, orthogonals)", grid="3 by 3") == ()
    assert asked("a . b", "neighbours(a, orthogonals)", grid="3 by 3", edge="wraps") == ("b",)


def test_touching() -> None:
    assert asked("a b / . . c", "touching(a, b, orthogonals)") is True
    assert asked("a b / . . c", "touching([a], [c], directions)") is False
    assert asked("a b / . . c", "touching([a, b], [c], orthogonals)") is False
    assert asked("a b / . . c", "touching([a, b], c, diagonals)") is True
    assert asked("a b / . . c", "touching(a, b, [west])") is False
    assert asked("a b / . . c", "touching(a, d, directions)") is False
    assert asked("a . b", "touching(a, b, orthogonals)", grid="3 by 1", edge="wraps") is True


def test_cells_touch_pieces_only_on_the_board() -> None:
    assert asked("a . b", "touching(shifted([a], east, 1), [b], orthogonals)") is True
    assert asked("a b", "touching(shifted([a], north, 1), [b], diagonals)") is True
    assert asked("a b", "touching(shifted([a], north, 1), [b], diagonals)", grid="2 by 1") is False


def test_chain_and_ahead() -> None:
    assert asked("a b c . d / e", "chain(a, east)") == ("b", "c")
    assert asked("a b c . d / e", "chain(c, east)") == ()
    assert asked("a b c . d / e", "chain(b, southwest)") == ("e",)
    assert asked("a b c . d / e", "ahead(a, east)") == ("b", "c", "d")
    assert asked("a b c . d / e", "ahead(d, west)") == ("c", "b", "a")
    assert asked("a . . . . / . . . . . / . . b", "ahead(a, southeast)") == ("b",)
    assert asked("a . b / c", "ahead(b, east)", grid="3 by 2", edge="wraps") == ("a",)
    assert asked("a b c", "chain(b, east)", grid="3 by 1", edge="wraps") == ("c", "a")


def test_the_name_of_a_bounded_grid_is_the_set_of_its_cells() -> None:
    assert asked("a .", "board", grid="2 by 3") == ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2))
    assert asked("a . / . b", "board where it.empty", grid="2 by 2") == ((1, 0), (0, 1))
    assert asked("a . / . b", "board where it.row is 2 and it.column is 1", grid="2 by 2") == ((0, 1),)
    assert asked("a . / . b", "board where touching(it, a, orthogonals)", grid="2 by 2") == ((1, 0), (0, 1))


def test_cells_of_a_grid_with_an_end_under_a_condition() -> None:
    """Also a cell beyond the end can be named: there may be none."""
    asks = {"ask": "[board[9, 9].empty, count (board where it.empty) is 3]"}
    assert asked("a .", **asks, grid="2 by 2 if count players is 2") == (False, True)
    open_one = start(rules("a .", **asks, grid="2 by 2 if count players is 3"), seats=2).state
    with pytest.raises(RuleError, match="no end in this match"):
        evaluate(thaw(open_one), open_one.setting.game.defines[0].value)


@pytest.mark.parametrize("grid", [OPEN, "3 by 2"])
def test_a_cell_by_column_and_row(grid: str) -> None:
    assert asked("a . . / . . b", "board[1, 1] is a.space", grid=grid) is True
    assert asked("a . . / . . b", "board[2 + 1, 3 - 1] is b.space", grid=grid) is True
    assert asked("a . . / . . b", "[b.space.column, b.space.row]", grid=grid) == (3, 2)
    assert asked("a . . / . . b", "board[count stones, 1].empty", grid=grid) is (grid == OPEN)


def test_words_about_lines_may_begin_at_a_cell() -> None:
    assert asked(". a b . c", "beside(board[1, 1], south) is board[1, 2]") is True
    assert asked(". a b . c", "chain(board[1, 1], east)") == ("a", "b")
    assert asked(". a b . c", "ahead(board[1, 1], east)") == ("a", "b", "c")
    assert asked(". a b . c", "first_gap(board[1, 1], east) is board[4, 1]") is True


def test_cells_are_counted_for_people_from_one() -> None:
    more = "action go(mover of player)\n    mover chooses to_cell from board where it.empty\n    move a to to_cell"
    state = start(rules("a b / . .", grid="2 by 2", more=more, do="do go(first players)"), seats=2).state
    (decision,) = decisions(state)
    assert [str(option) for option in decision.options] == ["1,2", "2,2"]
    assert cells_of(apply(state, Action(decision.seat, "2,2")).state) == {"a": (1, 1), "b": (1, 0)}


def test_first_gap() -> None:
    assert asked("a b c . d", "first_gap(a, east)") == (3, 0)
    assert asked("a b c . d", "first_gap(d, east)") == (5, 0)
    assert asked("a b c . d", "first_gap(a, south)") == (0, 1)
    assert asked("a b c", "first_gap(a, east)", grid="3 by 1") == (3, 0)
    assert asked("a b c", "first_gap(a, east).empty", grid="3 by 1") is False
    assert asked("a b .", "first_gap(b, west)", grid="3 by 1", edge="wraps") == (2, 0)
    assert asked("a b c", "first_gap(b, west)", grid="3 by 1", edge="wraps") == (1, 0)


# ---------------------------------------------------------------- sets of pieces


def test_depth() -> None:
    picture = ". a . / b . c / . . d"
    ways = {"north": (1, 2, 2, 3), "south": (3, 2, 2, 1), "east": (2, 3, 1, 1), "southeast": (4, 4, 2, 1)}
    for way, depths in ways.items():
        assert tuple(asked(picture, f"depth({piece}, stones, {way})") for piece in "abcd") == depths
    assert asked(picture, "depth(a, [a, b], west)") == 2


def test_hexagons_have_six_sides() -> None:
    for grid in ("unbounded hexagonal", "4 by 3 hexagonal"):
        assert asked(". a . / b c d / . e f", "groups([a, d])", grid=grid) == (("a",), ("d",))
        assert asked(". a / b .", "groups([a, b])", grid=grid) == (("a", "b"),)
        assert asked("a . / . b", "groups([a, b])", grid=grid) == (("a",), ("b",))
        around = "neighbours(c.space, hexagonals)"
        assert set(asked("f a e / b c d / . . .", around, grid=grid)) == {"a", "b", "d", "e"}
        assert asked(". . a / . . . / b . .", "contact_steps([b], northeast)", grid=grid) == 1
    assert asked("a . . / . . . / . b .", "groups([a, b])", grid="3 by 3 hexagonal", edge="wraps") == (("a", "b"),)


@pytest.mark.parametrize("ask", ["depth(a, stones, north)", "contact_jumps([a])", "north.left", "east.right"])
def test_what_is_about_squares_is_told_where_there_are_hexagons(ask: str) -> None:
    assert faults(grid="3 by 3 hexagonal", ask=ask) == {"on-hexagons"}
    assert faults(grid="3 by 3 hexagonal", do="compact stones toward north") == {"on-hexagons"}


def test_groups() -> None:
    assert asked("a b . e / . . c / d", "groups(stones)") == (("a", "b"), ("c",), ("d",), ("e",))
    assert asked("a . b / c d e", "groups(stones)") == (("a", "b", "c", "d", "e"),)
    assert asked("a . b / c d e", "groups([b, c, a])") == (("b",), ("c", "a"))
    assert asked("a . b", "groups(stones)", grid="3 by 2", edge="wraps") == (("a", "b"),)


def test_shifted() -> None:
    assert asked("a b / . c", "shifted([a, c], southeast, 2)") == ((2, 2), (3, 3))
    assert asked("a b / . c", "shifted(b, west, 2)") == ((-1, 0),)
    assert asked("a b", "shifted([a, b], east, 1)", grid="2 by 1", edge="wraps") == ((1, 0), (0, 0))


def test_alike_up_to_a_shift_and_with_like_pieces_exchanged() -> None:
    # before_it holds the first position.
    same = "shift stones toward east by 2"
    twins = "let there be a.space\n    move a to beside(b, south)\n    move b to there\n    move a to beside(b, east)"
    strangers = "swap a for c"
    moved = "push c toward east"
    results = [asked("a b c", "alike(stones, before_it)", do=do) for do in (same, twins, strangers, moved)]
    assert results == [True, True, False, False]


def test_a_board_with_edges_has_no_shifts() -> None:
    ask, do = "alike(stones, before_it)", "shift stones toward east by 1"
    assert asked("a b .", ask, do=do, grid="3 by 1") is False
    assert asked("a b .", ask, do="swap a for b", grid="3 by 1") is True


# ---------------------------------------------------------------- how far something can slide


def test_contact_steps() -> None:
    picture = "a b . . c / . . . . . / . . . d"
    assert asked(picture, "contact_steps([a, b], east)") == 2
    assert asked(picture, "contact_steps([a, b], south)") is None
    # At a corner of d the way on is blocked.
    assert asked(picture, "contact_steps([a, b], southeast)") is None
    assert asked("a . . . / . . . . / . . . b", "contact_steps([a], southeast)") == 2
    assert asked(picture, "contact_steps([a], east)") == 0
    assert asked("a . / . b", "contact_steps([a], southeast)") is None
    assert asked("a . / . b", "contact_steps([a], east)") == 1
    assert asked("a . . . b", "contact_steps([a], west)", grid="5 by 1") is None
    assert asked("a . . . b .", "contact_steps([a], west)", grid="6 by 1", edge="wraps") == 1


def test_free_steps() -> None:
    picture = "a b . . c"
    assert asked(picture, "free_steps([a, b], east)") == 2
    assert asked(picture, "free_steps([a], east)") == 0
    assert asked(picture, "free_steps([a, b], west)") is None
    assert asked(picture, "free_steps([a, b], south)") is None
    assert asked(picture, "free_steps([a, b], south)", grid="5 by 4") == 3
    assert asked(picture, "free_steps([a, b], west)", grid="5 by 4") == 0
    assert asked("a . . b .", "free_steps([a], west)", grid="5 by 1", edge="wraps") == 1
    assert asked("a . . b .", "free_steps([b], east)", grid="5 by 1", edge="leaves") is None


def test_contact_jumps_shortest_first() -> None:
    assert asked("a . . b", "contact_jumps([a])") == ((2, 0), (3, -1), (4, 0), (3, 1))
    assert asked("a . . b", "contact_jumps([a])", grid="4 by 2") == ((2, 0), (3, 1))
    assert asked("a . . b", "contact_jumps([a]).length") == (2, 4)
    assert asked("a c . b", "contact_jumps([a, c])")[0] == (1, 0)
    assert asked("a . . . b", "contact_jumps([a])", grid="5 by 1", edge="wraps") == ((-2, 0),)


# ---------------------------------------------------------------- what the checker says


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        ("chain(red, east)", "wrong-type"),
        ("touching(a, red, orthogonals)", "wrong-type"),
        ("touching(a, b, north)", "wrong-type"),
        ("alike(stones, stones)", "wrong-type"),
        ("first_free(a)", "wrong-type"),
        ("behind(a)", "wrong-type"),
    ],
)
def test_words_about_grids_want_pieces_of_a_grid(ask: str, code: str) -> None:
    assert code in faults(ask=ask)


@pytest.mark.parametrize("full", ["pushes up", "goes_on", "stops_short"])
def test_a_policy_that_needs_the_line_of_a_track_is_none_of_a_grid(full: str) -> None:
    assert "unknown-word" in faults(full=full)


def test_nothing_bounces_off_the_edge_of_a_grid() -> None:
    assert "unknown-word" in faults(edge="bounces", grid="3 by 3")


@pytest.mark.parametrize("do", ["push landed toward east", "push stones toward east", "shift [1] toward east by 1"])
def test_only_pieces_of_a_grid_move_toward_a_direction(do: str) -> None:
    assert "wrong-type" in faults(do=do)


def test_of_two_grids_a_cell_alone_does_not_say_which() -> None:
    more = "grid other unbounded\npieces men of man on other\n    | man |\n    | x   |"
    assert "several-grids" in faults(more=more, ask="a.space.empty")
    assert "several-grids" in faults(more=more, ask="neighbours(a.space, directions)")


def test_on_a_grid_with_several_kinds_what_stands_there_has_no_type() -> None:
    more = "pieces men of man on board\n    | man |\n    | x   |"
    for ask in ("chain(a, east)", "ahead(a, east)", "neighbours(a, directions)"):
        assert faults(more=more, ask=ask) == {"several-kinds"}


# ---------------------------------------------------------------- in a match


def moving(picture: str, grid: str) -> State:
    """A player moves stone `a` to an empty cell beside it."""
    way = "mover chooses way from orthogonals\n    only if beside(a, way).empty\n    move a to beside(a, way)"
    more = f"action go(mover of player)\n    {way}"
    return start(rules(picture, grid=grid, more=more, do="do go(first players)"), seats=2).state


def test_an_only_if_about_cells_takes_away_what_it_refuses() -> None:
    (decision,) = decisions(moving("b a / . .", "3 by 3"))
    assert [str(option) for option in decision.options] == ["east", "south"]


def test_an_answer_by_direction_moves_the_piece() -> None:
    state = moving("b a / . .", "3 by 3")
    (decision,) = decisions(state)
    assert cells_of(apply(state, Action(decision.seat, "south")).state) == {"b": (0, 0), "a": (1, 1)}


def test_a_set_among_sets_may_be_answered_in_any_order() -> None:
    more = "action go(mover of player)\n    mover chooses part from groups(stones)\n    shift part toward south by 3"
    lines = {"more": more, "do": "do go(first players)"}
    state = start(rules("a b . c", **lines), seats=2).state
    (decision,) = decisions(state)
    assert [notation(option) for option in decision.options] == ["[a, b]", "[c]"]
    answered = apply(state, Action(decision.seat, ("b", "a"))).state
    assert cells_of(answered) == {"a": (0, 3), "b": (1, 3), "c": (3, 0)}
    for wrong in (("a",), ("a", "b", "c"), ("a", "a")):
        with pytest.raises(IllegalAction):
            apply(state, Action(decision.seat, wrong))


def test_the_only_way_left_is_gone_without_asking() -> None:
    assert cells_of(moving("a b / . c", "2 by 2")) == {"a": (0, 1), "b": (1, 0), "c": (1, 1)}


def anew(m: Machine, place: Place) -> dict[Any, tuple[int, ...]]:
    """The pieces on a grid by cell, worked out with nothing kept."""
    found: dict[Any, list[int]] = {}
    for piece in m.setting.on_place[place.name]:
        cell = m.values[m.setting.piece_slot[piece]]
        if cell is not None and piece not in m.gone:
            found.setdefault(cell, []).append(piece)
    return {cell: tuple(pieces) for cell, pieces in found.items()}


def test_what_is_kept_of_a_position_is_the_position() -> None:
    rules = loaded(CASES / "engines" / "kings.rules")
    for _, _, step in steps(rules, 2, "kept", most=40):
        m = thaw(step.state)
        place = m.setting.places["board"]
        spent = m.steps
        assert standing(m, place) == standing(m, place) == anew(m, place)
        assert m.steps == spent
        for piece in m.setting.on_place["board"]:
            m.values[m.setting.piece_slot[piece]] = None
            m.changed()
            assert standing(m, place) == anew(m, place)


@pytest.mark.parametrize("edge", ["stops", "wraps"])
def test_a_line_is_what_is_met_step_by_step(edge: str) -> None:
    place = Place("board", "grid", width=4, height=6, edge=edge)
    for begin, way in product(product(range(-1, 5), range(-1, 7)), DIRECTIONS.values()):
        most = reach(place, [begin], ())
        walked: list[tuple[int, int]] = []
        cell = beyond(place, begin, way)
        while len(walked) < most and cell != begin and on_board(place, cell):
            walked.append(cell)
            cell = beyond(place, cell, way)
        assert list(line(4, 6, edge == "wraps", begin, way)) == walked


@pytest.mark.parametrize("edge", ["stops", "wraps", "leaves"])
def test_pieces_slide_as_far_as_each_step_is_free(edge: str) -> None:
    place, chance = Place("board", "grid", width=4, height=6, edge=edge), random.Random(edge)
    cells = [*product(range(4), range(6))]
    for _ in range(100):
        own, others = chance.sample(cells, chance.randint(0, 3)), frozenset(chance.sample(cells, chance.randint(0, 5)))
        if chance.random() < 0.1:
            own.append((-1, chance.randint(-1, 6)))
        sliding = pieces_apart(place, own, others - {*own})
        for way in DIRECTIONS.values():
            held = [steps - 1 for steps in range(1, sliding.reach + 1) if not sliding.free(way, steps)]
            assert sliding.free_steps(way) == min(held, default=None)
