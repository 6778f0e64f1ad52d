"""What somebody reads off a drawing: nothing twice, nothing that says nothing, pieces that are not taken for others."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from rulekit import SPECTATOR, Action, apply, decisions, drawing, position, start
from rulekit.model.colours import COLOURS
from rulekit.play.state.match_state import State
from rulekit.play.state.value import Ref
from rulekit.play.view import view
from rulekit.tools.drawing.picture import Picture
from rulekit.tools.drawing.picture_making import picture
from rulekit.tools.language.catalogue_loader import tongue
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.message_extraction import known
from rulekit.web.seat_content import question_of
from tests.generators.random_matches import game as loaded
from tests.paths import GAMES

_KEY = "empty circle: stood here before"
_SVG = "{http://www.w3.org/2000/svg}"


def seen(state: State, seat: int = 0) -> Picture:
    return picture(state, seat, Names(state.setting))


def written(state: State, seat: str | int, since: State | None = None) -> list[str]:
    root = ElementTree.fromstring(drawing(state, seat, since=since).svg)
    return [one.text or "" for one in root.iter(f"{_SVG}text")]


def test_a_card_tells_no_trait_that_its_name_tells_already() -> None:
    """A pig shows a pig; slam 2 is not called slam2 besides."""
    foxy = start(loaded(GAMES / "foxy.rules"), seats=2, seed="1").state
    cards = {card.name: card for pile in seen(foxy).shared.piles for card in pile.cards}
    assert cards
    assert all(not card.lines or card.name == "fox" for card in cards.values())
    panic = start(loaded(GAMES / "shear_panic.rules"), seats=3, seed="1").state
    squares = [card for owner in seen(panic).players for pile in owner.piles for card in pile.cards]
    assert {card.title for card in squares} == {""}
    assert "number 2" in next(card.lines for card in squares if card.name == "slam 2")


@pytest.mark.parametrize("language", ["it", "de"])
def test_a_card_is_called_by_one_language_alone(language: str) -> None:
    """No English title stands below what a translation calls a card."""

    def titles(name: str) -> dict[str, str]:
        game = loaded(GAMES / f"{name}.rules")
        state = start(game, seats=3, seed="1").state
        made = picture(state, 0, Names(state.setting, tongue(language, game, known(game))[0]))
        return {card.name: card.title for owner in made.players for pile in owner.piles for card in pile.cards}

    assert set(titles("shear_panic").values()) == {""}
    assert titles("fuzzy_tiger")["6"] == {"it": "Corriere", "de": "Laufen"}[language]


@pytest.mark.parametrize(("language", "told"), [("it", "nord"), ("de", "Norden")])
def test_a_direction_is_offered_in_the_language(language: str, told: str) -> None:
    game = loaded(GAMES / "shear_panic.rules")
    names = Names(start(game, seats=2, seed="1").state.setting, tongue(language, game, known(game))[0])
    assert names.entry(Ref("direction", "north")) == names.ref(Ref("direction", "north")) == told


def test_pieces_of_nobody_have_letters_that_differ() -> None:
    state = start(loaded(GAMES / "fuzzy_tiger.rules"), seats=2, seed="1").state
    made = seen(state)
    on_boards = [token for board in made.boards for spot in board.spots for token in spot.tokens]
    assert [token.label for token in (*on_boards, *made.off) if token.owner is None] == ["Tig", "Tim"]


def test_what_lies_on_a_space_has_another_shape_than_pieces() -> None:
    """Flowers are square, frogs round."""
    state = start(loaded(GAMES / "china_moon.rules"), seats=3, seed="1").state
    root = ElementTree.fromstring(drawing(state).svg)
    marks = [mark for spot in seen(state).boards[0].spots for mark in spot.marks if mark.colour]
    tokens = [one.tag for one in root.iter() if "token" in one.attrib.get("class", "").split()]
    assert tokens.count(f"{_SVG}rect") == len(marks) > 10


def test_a_no_is_left_out_until_it_is_new() -> None:
    game = loaded(GAMES / "fuzzy_tiger.rules")
    awake = position(game, {"red.sheltered": True}, seats=2).state
    asleep = position(game, {}, seats=2).state
    assert "sheltered: no" not in written(asleep, "red")
    assert written(awake, "red").count("sheltered: yes") == 1
    assert "sheltered: no" in written(asleep, "red", since=awake)


def test_a_pile_without_cards_is_told_in_words() -> None:
    game = loaded(GAMES / "hornochsen.rules")
    state = position(game, {"red.hand": [1, 2]}, seats=2).state
    words = written(state, "red")
    assert "tiles laid: –" in words
    assert "shown (0)" not in words
    assert "hand (2)" in words


def test_who_looks_reads_which_of_the_players_that_is() -> None:
    state = start(loaded(GAMES / "hornochsen.rules"), seats=2, seed="1").state
    assert "Blue (you) ▸ decides" in written(state, "blue")
    assert not [words for words in written(state, SPECTATOR) if "you" in words]


def test_a_seat_has_the_colour_of_what_it_moves() -> None:
    """Whoever is called red and plays the green sheep has a green dot; with pieces of its own, one like these."""
    state = start(loaded(GAMES / "shear_panic.rules"), seats=3, seed="1").state
    assert seen(state).colours == tuple(COLOURS[name] for name in ("red", "blue", "green"))
    for _ in range(3):
        asked = decisions(state)[0]
        state = apply(state, Action(asked.seat, asked.options[-1])).state
    assert seen(state).colours == tuple(COLOURS[name] for name in ("yellow", "blue", "green"))


@pytest.mark.parametrize("width", [390, 960])
def test_pieces_of_a_crowd_are_large_enough_to_be_read(width: int) -> None:
    """All frogs of five players begin on one space."""
    state = start(loaded(GAMES / "china_moon.rules"), seats=5, seed="1").state
    root = ElementTree.fromstring(drawing(state, 0, width).svg)
    pieces = [one for one in root.iter(f"{_SVG}g") if "frog" in one.attrib["aria-label"]]
    frogs = [circle for piece in pieces for circle in piece.findall(f"{_SVG}circle")]
    assert len(frogs) == 15
    assert min(float(frog.attrib["r"]) for frog in frogs) >= 10
    assert max(float(frog.attrib["cx"]) + float(frog.attrib["r"]) for frog in frogs) <= width
    assert "× 15" in written(state, "red")


def test_a_space_shows_which_piece_has_left_it() -> None:
    game = loaded(GAMES / "fuzzy_tiger.rules")
    old = position(game, {"red.monkey": 6, "blue.monkey": 5}, seats=2).state
    new = position(game, {"red.monkey": 3, "blue.monkey": 5}, seats=2).state
    assert left(new, old) == ["R"]
    moved = position(game, {"red.monkey": 3, "blue.monkey": 6}, seats=2).state
    # Where somebody else stands now, the old place is not drawn.
    assert left(moved, old) == ["B"]
    assert left(moved, moved) == []


def left(now: State, before: State) -> list[str | None]:
    root = ElementTree.fromstring(drawing(now, "red", since=before).svg)
    parents = {child: parent for parent in root.iter() for child in parent}
    rings = [one for one in root.iter(f"{_SVG}circle") if "left" in one.attrib.get("class", "").split()]
    texts = [list(parents[ring])[list(parents[ring]).index(ring) + 1].text for ring in rings]
    return [text for text in texts if text != _KEY]


def test_dashes_are_explained_where_there_are_some() -> None:
    game = loaded(GAMES / "fuzzy_tiger.rules")
    old, new = (position(game, {"red.monkey": space, "blue.monkey": 5}, seats=2).state for space in (6, 3))
    assert {"dashed: changed since the last look", _KEY} < {*written(new, "red", since=old)}
    assert "dashed: changed since the last look" not in written(old, "red", since=old)


def test_frames_are_explained_where_something_drawn_may_be_chosen() -> None:
    foxy, tiger = (start(loaded(GAMES / f"{name}.rules"), seats=2, seed="1").state for name in ("foxy", "fuzzy_tiger"))
    assert "framed: may be chosen" not in written(foxy, "red")
    assert "framed: may be chosen" in written(tiger, "red")


@pytest.mark.parametrize("width", [960, 366])
def test_tiles_lie_on_what_is_printed_on_their_row(width: int) -> None:
    """A covered cow is no open one, and the next free space is the first that is open."""
    game = loaded(GAMES / "hornochsen.rules")
    state = position(game, {"l6.line": [42, 45]}, seats=2).state
    root = ElementTree.fromstring(drawing(state, SPECTATOR, width=width).svg)
    tile = next(one for one in root.iter(f"{_SVG}g") if one.attrib.get("aria-label") == "45")
    assert [one.text for one in tile.iter(f"{_SVG}text")] == ["45", "♥"]
    hearts = [one for one in root.iter(f"{_SVG}g") if one.attrib.get("aria-label") == "cow"]
    assert len(hearts) == 2
    panels = {one.attrib["x"] for one in root.iter(f"{_SVG}rect") if one.attrib["class"] == "panel"}
    assert len(panels) == 2


def test_what_is_offered_says_its_number_what_it_does_and_where_it_stands() -> None:
    tiger, moon = (
        start(loaded(GAMES / f"{name}.rules"), seats=2, seed="1").state for name in ("fuzzy_tiger", "china_moon")
    )
    assert (3, "4 Liana", "move 2, or go straight to space 3.") in offered(tiger)
    assert (0, "Red's frog 1", "on 0") in offered(moon)


def offered(state: State) -> tuple[tuple[int, str, str], ...]:
    return question_of(1, decisions(state)[0], Names(state.setting), view(state, 0).values).options


def test_what_is_printed_on_a_row_stands_below_its_cards_and_rows_below_each_other() -> None:
    """As on the board: the left half in the left column, each space below the tile that lies on it."""
    game = loaded(GAMES / "hornochsen.rules")
    root = ElementTree.fromstring(drawing(position(game, {"l6.line": [4, 44]}, seats=2).state, "red").svg)
    titles = {one.text: one for one in root.iter(f"{_SVG}text") if "title" in one.attrib.get("class", "").split()}
    left = [titles[f"row left {number}"] for number in range(1, 7)]
    assert {one.attrib["x"] for one in left} != {titles["row right 1"].attrib["x"]}
    assert len({one.attrib["x"] for one in left}) == 1
    assert sorted(left, key=lambda one: float(one.attrib["y"])) == left
    here, half = float(left[5].attrib["y"]), float(titles["row right 1"].attrib["x"])
    at = [(one.text, float(one.attrib["x"]), float(one.attrib["y"])) for one in root.iter(f"{_SVG}text")]
    words = {text: x for text, x, y in at if here < y < here + 90 and x < half}
    assert words["44"] == words["♥"]
    assert words["4"] < words["44"] < words["3"]


@pytest.mark.parametrize("width", [200, 366, 960])
def test_a_strip_stays_in_its_panel(width: int) -> None:
    root = ElementTree.fromstring(drawing(start(loaded(GAMES / "hornochsen.rules"), seats=2).state, 0, width).svg)
    assert max(float(one.attrib["x"]) + float(one.attrib["width"]) for one in root.iter(f"{_SVG}rect")) <= width


def test_a_card_says_what_it_does() -> None:
    """In the words of its own clauses, without those of all cards, and without its name before them."""
    state = start(loaded(GAMES / "fuzzy_tiger.rules"), seats=2, seed="1").state
    cards = {card.title or card.name: card for pile in seen(state).players[0].piles for card in pile.cards}
    assert cards["Liana"].text == "move 2, or go straight to space 3."
    assert "go straight" in " ".join(written(state, "red"))
    rows = start(loaded(GAMES / "hornochsen.rules"), seats=2, seed="1").state
    assert {card.text for owner in seen(rows).players for pile in owner.piles for card in pile.cards} == {""}


@pytest.mark.parametrize(("language", "told"), [("it", "occhio"), ("de", "Auge")])
def test_what_is_written_on_a_space_is_in_the_language(language: str, told: str) -> None:
    game = loaded(GAMES / "hornochsen.rules")
    state = start(game, seats=2).state
    made = picture(state, 0, Names(state.setting, tongue(language, game, known(game))[0]))
    assert told in {spot.glyph for spot in made.boards[0].spots}
