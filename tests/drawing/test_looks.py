"""Looks: drawn, seen by no rule, and no part of what a log pins."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from rulekit import decisions, drawing, load_text, start
from rulekit.diagnostics import Problems
from rulekit.play.state.match_state import State
from rulekit.play.state.value import Ref
from rulekit.record.json_values import rules_digest
from rulekit.source import Source
from rulekit.syntax.looks import without_looks
from rulekit.syntax.parse import parse
from rulekit.tools.constants.constant_extraction import constants
from rulekit.tools.drawing.picture import Token
from rulekit.tools.drawing.picture_making import picture
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.translator_comments import behaviour_digest, tied
from rulekit.tools.tell.menu import answer, menu

_SVG = "{http://www.w3.org/2000/svg}"
_PLAIN = """\
game "Looks"
    players 2
kind sort
    sort mud "Mud, look_colour brown"
    sort sea "Sea", deep
table pads of pad
    | pad | sort | next | far |
    | 1   | mud  |      | 7   |     # first
    | 2   | sea  |      |     |
    | 3   | mud  | none | 9   |
course pond of pad
pieces rocks of rock on pond
    | rock |
    | big  |
setup
    let them be rocks
    each it in them: move it to pond[1]
play
    end game
result: rank players by highest seat
"""
_SHOWN = """\
game "Looks"
    players 2
kind sort
    sort mud "Mud, look_colour brown", look_colour brown
    sort sea "Sea", look_glyph s, deep, look_colour blue
table pads of pad
    | pad | look_x | sort | next | look_y | far |
    | 1   | 0      | mud  |      | 0      | 7   |     # first
    | 2   | 2      | sea  |      | 0      |     |
    | 3   | 2      | mud  | none | 2      | 9   |
course pond of pad
pieces rocks of rock on pond
    | rock | look_colour | look_glyph |
    | big  | #aa0000     | ◆          |
setup
    let them be rocks
    each it in them: move it to pond[1]
play
    end game
result: rank players by highest seat
"""


def shown(text: str) -> State:
    return start(load_text(text, "looks.rules"), seats=2).state


def test_the_text_without_looks_is_the_one_before_they_were_written() -> None:
    assert without_looks(_SHOWN) == _PLAIN
    assert without_looks(_PLAIN) == _PLAIN


def test_looks_leave_the_digest_of_the_rules_and_other_changes_do_not() -> None:
    plain = rules_digest(load_text(_PLAIN, "looks.rules"))
    assert rules_digest(load_text(_SHOWN, "looks.rules")) == plain
    assert rules_digest(load_text(_SHOWN.replace("| 9 ", "| 8 "), "looks.rules")) != plain


def test_no_kind_has_a_look_among_its_traits_and_no_tool_takes_one_for_a_number_of_the_rules() -> None:
    game = load_text(_SHOWN, "looks.rules")
    assert {name: tuple(kind.traits) for name, kind in game.kinds.items() if kind.looks} == {
        "sort": ("deep",),
        "pad": ("sort", "next", "far"),
        "rock": (),
    }


def test_spaces_lie_where_their_looks_say_and_have_their_colours() -> None:
    root = ElementTree.fromstring(drawing(shown(_SHOWN)).svg)
    spaces = [one for one in root.iter(f"{_SVG}rect") if "space" in one.attrib["class"] and "rx" in one.attrib]
    (x1, y1), (x2, y2), (x3, y3) = [(float(one.attrib["x"]), float(one.attrib["y"])) for one in spaces]
    assert (y1, x2) == (y2, x3)
    assert x2 - x1 == y3 - y2 > 80
    assert [one.attrib["fill"] for one in spaces] == ["#8b5a2b", "#2c6fbb", "#8b5a2b"]
    tokens = [one for one in root.iter(f"{_SVG}circle") if "token" in one.attrib["class"]]
    assert tokens[0].attrib["fill"] == "#aa0000"
    assert "◆" in [one.text for one in root.iter(f"{_SVG}text")]


def test_spaces_that_would_be_too_small_are_laid_out_as_without_looks() -> None:
    wide = _SHOWN.replace("| 2      | mud", "| 90     | mud")
    root = ElementTree.fromstring(drawing(shown(wide), width=360).svg)
    assert max(float(one.attrib["x"]) for one in root.iter(f"{_SVG}rect")) < 360


_BARE = """\
game "Track"
    players 2..3
option far "How far?" 1..9 default 7
track road 0..
    edge stops
piece man on road at 0
play
    end game
result: rank players by highest seat
"""
_LOOKS = """\
    look_colour brown at [far, 3]
    look_glyph "!" at [count players]
"""
_TRACK = _BARE.replace("    edge stops\n", "    edge stops\n" + _LOOKS)


def test_spaces_of_a_track_look_as_its_lines_say() -> None:
    """By options and the number of players; a track without an end reaches what its lines name."""
    for seats, far in ((2, 5), (3, 7)):
        state = start(load_text(_TRACK, "track.rules"), seats=seats, options={"far": far}).state
        spots = picture(state, 0, Names(state.setting)).boards[0].spots
        assert {spot.value: spot.fill for spot in spots if spot.fill} == {3: "brown", far: "brown"}
        assert {spot.value: spot.glyph for spot in spots if spot.glyph} == {seats: "!"}
        assert spots[-1].value == far + 1
        root = ElementTree.fromstring(drawing(state).svg)
        lit = [one for one in root.iter(f"{_SVG}rect") if "lit" in one.attrib["class"]]
        assert [one.attrib["fill"] for one in lit] == ["#8b5a2b", "#8b5a2b"]


def test_lines_about_looks_are_no_part_of_the_rules() -> None:
    assert without_looks(_TRACK) == _BARE
    assert rules_digest(load_text(_TRACK, "track.rules")) == rules_digest(load_text(_BARE, "track.rules"))
    assert _numbers(_TRACK) == _numbers(_BARE)


def test_looks_are_no_numbers_of_the_rules() -> None:
    """Nobody tries what happens with another number there."""
    assert _numbers(_SHOWN) == _numbers(_PLAIN)
    assert (7, "far") in _numbers(_PLAIN)


@pytest.mark.parametrize(
    ("bare", "looks"),
    [
        (
            "track road 0..9 @EX-1\n    edge stops\n",
            "track road 0..9 @EX-1\n    edge stops\n    look_colour red at 3\n",
        ),
        ("kind sort\n    sort mud @EX-1\n", "kind sort\n    sort mud, look_colour brown @EX-1\n"),
        (
            "table pads of pad @EX-1\n    | pad | far |\n    | 1   | 7   |\n",
            "table pads of pad @EX-1\n    | pad | look_glyph | far |\n    | 1   | s          | 7   |\n",
        ),
        (
            "table pads of pad\n    | pad | far |\n    | 1   | 7   | @EX-1\n",
            "table pads of pad\n    | pad | far | look_glyph |\n    | 1   | 7   | s          | @EX-1\n",
        ),
    ],
    ids=["track", "member", "column", "row"],
)
def test_no_translation_is_looked_at_again_because_of_looks(bare: str, looks: str) -> None:
    """What tells translators that the behaviour behind a clause changed."""
    files = [parse(Source("rules", text), Problems()).file for text in (bare, looks)]
    digests = [behaviour_digest(tied(list(file.declarations))) for file in files]
    assert digests[0] == digests[1] != ""


def _numbers(text: str) -> list[tuple[int, str]]:
    declarations = list(parse(Source("looks.rules", text), Problems()).file.declarations)
    return [(constant.value, constant.label) for constant in constants(declarations)]


def test_pieces_are_drawn_by_a_value_of_their_own_while_it_is_something() -> None:
    game = load_text(
        'game "Sides"\n    players 2\ngrid board 3 by 1\npieces discs of disc on board\n    | disc |\n    | 1..3 |\n'
        "each disc has\n    value side of player\n    counter height 0..9\nshow disc as SHOWN\nsetup\n"
        "    move discs[1] to board[1, 1]\n    move discs[2] to board[2, 1]\n"
        "    set discs[1].side to last players\n    set discs[1].height to 7\n"
        'play\n    starter always chooses "What now?"\n        "pass"\nresult: rank players\n'.replace("SHOWN", "side")
    )
    by_side = _standing(start(game, seats=("ann", "bob")).state)
    assert [(token.label, token.side, token.name) for token in by_side] == [("B", 1, "bob"), ("2", None, "2")]


def _standing(state: State) -> list[Token]:
    board = picture(state, 0, Names(state.setting)).boards[0]
    return [token for spot in board.spots for token in spot.tokens]


def test_a_row_is_called_by_its_look_and_a_log_does_not_know() -> None:
    """Its piece has the beginning of that name, and its number."""
    plain = _PLAIN.replace("    | big  |", "    | b1   |")
    named = plain.replace("| rock |", "| rock | look_name |").replace("| b1   |", "| b1   | boulder 1 |")
    state = shown(named)
    assert Names(state.setting).value(Ref("rock", "b1")) == "rock boulder 1"
    assert "bou1" in [one.text for one in ElementTree.fromstring(drawing(state).svg).iter(f"{_SVG}text")]
    assert rules_digest(state.setting.game) == rules_digest(load_text(plain, "looks.rules"))


CARDS = """\
game "Cards"
    players 2
cards deck of card
    | card | look_name | copies |
    | 1    | 3♣        | 30     |
    | 2    | 3♦        | 30     |
    | 9    | K♠        | 2      |
pile stock of card starts deck
pile waste of card
each player has
    pile hand of card
setup
    each player: move [first stock, first (stock where it is 2), last stock] to player.hand
play
    each player
        player chooses card from player.hand
        move card to waste
result: rank players by highest seat
"""


def test_what_is_called_by_a_look_has_no_number_for_people() -> None:
    """On the board, in sentences, in the drawing and in menus, where a number is a line or, if there is none, a key."""
    state = start(load_text(CARDS, "cards.rules"), seats=2).state
    names = Names(state.setting)
    assert [names.short(Ref("card", "2")), names.value(Ref("card", "2"))] == ["3♦", "card 3♦"]
    assert names.value((Ref("card", "1"), Ref("card", "9"))) == "cards 3♣ and K♠"
    drawn = [one.text for one in ElementTree.fromstring(drawing(state).svg).iter(f"{_SVG}text")]
    assert {"3♣", "3♦", "K♠"} <= set(drawn)
    assert not {"1", "2", "9"} & set(drawn)
    (decision,) = decisions(state)
    shown = menu(decision, names)
    assert [(entry.key, entry.text) for entry in shown.entries] == [("1", "3♣"), ("2", "3♦"), ("3", "K♠")]
    assert [answer(shown, typed).key for typed in ("2", "3♦", "3", "9")] == ["2", "2", "9", "9"]  # type: ignore[union-attr]


def test_a_large_open_pile_is_drawn_by_sorts() -> None:
    state = start(load_text(CARDS, "cards.rules"), seats=2).state
    svg = ElementTree.fromstring(drawing(state).svg)
    labels = [one.get("aria-label") or "" for one in svg.iter(f"{_SVG}g")]
    assert [label for label in labels if "×" in label] == ["3♣ × 28", "3♦ × 28"]


def test_the_sides_of_a_grid_are_named_where_directions_matter() -> None:
    text = """\
game "Compass"
    players 2
grid meadow unbounded
pieces sheep of ewe on meadow
    | ewe |
    | one |
value facing "front" of direction starts west
setup
    picture sheep
        | one |
play
    end game
result: rank players by highest seat
"""
    sides = {"N", "E", "S", "W: front"}
    assert sides < {one.text for one in ElementTree.fromstring(drawing(shown(text)).svg).iter(f"{_SVG}text")}
    bare = shown(text.replace('value facing "front" of direction starts west\n', ""))
    assert sides.isdisjoint(one.text for one in ElementTree.fromstring(drawing(bare).svg).iter(f"{_SVG}text"))
