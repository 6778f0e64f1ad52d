"""Drawings: every game and example at many positions, nothing that the seat may not see, colours that can be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulekit
from rulekit import SPECTATOR, Action, State, apply, decisions, drawing, position, start
from rulekit.loading import examine_text
from rulekit.model.colours import COLOURS, DARK, contrast, text_on
from rulekit.source import Source
from rulekit.tools.drawing import palette
from rulekit.tools.drawing.canvas import STYLE, Canvas, room, shortened, styled
from rulekit.tools.drawing.course_layout import laid_out
from rulekit.tools.drawing.marks import Control
from rulekit.tools.drawing.picture import Picture
from rulekit.tools.drawing.picture_making import picture
from rulekit.tools.language.display_names import Names
from tests.generators.random_matches import Answers, taken
from tests.generators.random_matches import game as loaded
from tests.paths import EXAMPLES, GAMES
from tests.sizes import some

FILES = some([*sorted(GAMES.glob("*.rules")), *sorted(EXAMPLES.glob("*.rules"))], 2)
_SVG = "{http://www.w3.org/2000/svg}"


def positions(path: Path, count: int = 60, every: int = 20) -> Iterator[State]:
    game = loaded(path)
    step = start(game, seats=min(max(2, game.least), game.most), seed="drawn")
    answers = Answers("drawn")
    for turn in range(count):
        if turn % every == 0:
            yield step.state
        waiting = decisions(step.state)
        if not waiting:
            break
        step = taken(step.state, waiting[0], answers)[1]


def shown(state: State, seat: int) -> Picture:
    return picture(state, seat, Names(state.setting))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_position_is_a_picture_that_lies_within_its_frame(path: Path) -> None:
    for state in positions(path):
        for seat, width in ((SPECTATOR, 960), (0, 360)):
            root = ElementTree.fromstring(drawing(state, seat, width).svg)
            high = float(root.attrib["height"])
            for box in root.iter(f"{_SVG}rect"):
                assert float(box.attrib["x"]) + float(box.attrib["width"]) <= width + 1, box.attrib
                assert float(box.attrib["y"]) + float(box.attrib["height"]) <= high + 1, box.attrib
            for one in root.iter(f"{_SVG}polygon"):
                for x, y in (corner.split(",") for corner in one.attrib["points"].split()):
                    assert 0 <= float(x) <= width + 1, one.attrib
                    assert 0 <= float(y) <= high + 1, one.attrib
            for disc in root.iter(f"{_SVG}circle"):
                assert float(disc.attrib["cx"]) <= width + 1, disc.attrib
            assert float(root.attrib["width"]) == width


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_piece_stands_once_and_every_card_that_is_seen_is_drawn(path: Path) -> None:
    for state in positions(path):
        seen = rulekit.view(state, 0)
        made = shown(state, 0)
        tokens = [token.path for board in made.boards for spot in board.spots for token in spot.tokens]
        assert len(tokens) == len(set(tokens))
        told = {one.path: one for one in seen.values}
        assert all(told[token].shown is not None for token in tokens)
        for owner in (*made.players, made.shared, *made.things):
            for pile in owner.piles:
                assert len(pile.cards) + pile.covered == told[pile.path].count
                # A player's hand may lie in another order; which one, the next test says.
                assert Counter(card.value for card in pile.cards) == Counter(told[pile.path].shown)  # type: ignore[arg-type]


HANDS = """game "Hands"
    players 1
cards deck of card
    | card |
    | 1..9 |
pile stock of card starts deck, seen by nobody
each player has
    pile hand of card, seen by owner
    pile row of card, seen by owner
    pile open of card
setup
    shuffle stock
    each player: deal 4 from stock to player.hand
    each player: deal 3 from stock to player.row
    each player: deal 2 from stock to player.open
play
    each round in 1..2
        starter chooses card from starter.hand "Which?"
        move first starter.row to starter.open
result: rank players
"""


def test_a_hand_is_held_as_it_is_printed_unless_rules_name_places_in_it() -> None:
    loaded = examine_text(Source("hands.rules", HANDS))
    assert loaded.game is not None, loaded.findings
    held, kept = set(), set()
    for seed in range(8):
        state = rulekit.start(loaded.game, seed=str(seed)).state
        seen = {one.path: one.shown for one in rulekit.view(state, 0).values}
        for pile in shown(state, 0).players[0].piles:
            numbers = [int(card.name) for card in pile.cards]
            (held if numbers == sorted(numbers) else kept).add(pile.title)
            assert pile.title == "hand" or [card.value for card in pile.cards] == list(seen[pile.path])
    assert held - kept == {"hand"}


def test_a_direction_is_told_with_its_arrow() -> None:
    state = rulekit.start(loaded(GAMES / "shear_panic.rules"), seats=2, seed="1").state
    assert "front: north ↑" in rulekit.drawing(state).svg


def test_what_differs_only_in_what_a_seat_may_not_see_is_drawn_alike() -> None:
    """The positions differ in the other's hand alone; the planted fault is what the referee sees."""
    game = loaded(GAMES / "hornochsen.rules")
    one = position(game, {"red.hand": [1, 2], "blue.hand": [3, 4]}, seats=2).state
    other = position(game, {"red.hand": [1, 2], "blue.hand": [7, 9]}, seats=2).state
    assert drawing(one, "red").svg == drawing(other, "red").svg
    assert drawing(one).svg == drawing(other).svg
    assert drawing(one, "blue").svg != drawing(other, "blue").svg
    assert drawing(one, rulekit.REFEREE).svg != drawing(other, rulekit.REFEREE).svg


def test_what_may_be_chosen_carries_its_option_for_who_chooses_and_for_nobody_else() -> None:
    state = start(loaded(GAMES / "fuzzy_tiger.rules"), seats=2, seed="1").state
    drawn = drawing(state, "red")
    root = ElementTree.fromstring(drawn.svg)
    chosen = [one for one in root.iter(f"{_SVG}g") if "data-option" in one.attrib]
    options = decisions(state)[0].options
    assert [options[int(one.attrib["data-option"])] for one in chosen] == list(options)
    assert [one.attrib["id"] for one in chosen] == [part.id for part in drawn.parts]
    assert all(one.attrib["role"] == "button" and one.findtext(f"{_SVG}title") for one in chosen)
    assert "data-option" not in drawing(state).svg


def test_a_card_that_lies_in_two_piles_is_chosen_where_all_on_offer_lie() -> None:
    """Its like in the other's discard is not what one plays."""
    game = loaded(GAMES / "fuzzy_tiger.rules")
    given = {"red.hand": [2, 3, 4, 6, 7, 8, 9], "red.discard": [1, 5]}
    given |= {"blue.hand": [1, 2, 3, 5, 8, 9], "blue.discard": [4, 6, 7]}
    state = position(game, given, seats=2).state
    assert [part.value for part in drawing(state, "red").parts] == list(decisions(state)[0].options)
    root = ElementTree.fromstring(drawing(state, "red").svg)
    assert len([one for one in root.iter() if "data-option" in one.attrib]) == 7


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_option_is_one_element_with_an_id_of_its_own(path: Path) -> None:
    for state in positions(path):
        for decision in decisions(state):
            if decision.seat >= 0:
                drawn = drawing(state, decision.seat)
                ids = [one.attrib["id"] for one in ElementTree.fromstring(drawn.svg).iter() if "id" in one.attrib]
                assert len(ids) == len(set(ids)) == len(drawn.parts)
                assert all(decision.options[part.option] == part.value for part in drawn.parts)


def test_a_page_says_what_an_option_becomes() -> None:
    state = start(loaded(GAMES / "fuzzy_tiger.rules"), seats=2, seed="1").state
    linked = drawing(state, "red", control=lambda option: Control("a", {"href": f"?a=1&option={option}"})).inline
    links = list(ElementTree.fromstring(linked).iter(f"{_SVG}a"))
    assert [link.attrib["href"] for link in links] == [f"?a=1&option={number}" for number in range(9)]
    pressed = drawing(state, "red", control=lambda option: Control("button", {"name": "option", "value": str(option)}))
    buttons = list(ElementTree.fromstring(pressed.inline).iter("{http://www.w3.org/1999/xhtml}button"))
    assert [button.attrib["value"] for button in buttons] == [str(number) for number in range(9)]
    assert all(button.attrib["aria-label"] for button in buttons)
    assert pressed.inline.count("</button>") == len(buttons)


def test_what_is_new_since_an_earlier_look_is_marked_and_nothing_else() -> None:
    game = loaded(GAMES / "fuzzy_tiger.rules")
    old = position(game, {"red.discard": [1], "blue.discard": [2]}, seats=2).state
    new = position(game, {"red.discard": [1, 5], "blue.discard": [2]}, seats=2).state
    root = ElementTree.fromstring(drawing(new, "red", since=old).svg)
    marked = [one for one in root.iter(f"{_SVG}g") if any("new" in _classes(part) for part in one)]
    assert [one.findtext(f"{_SVG}title") for one in marked] == ["Walk. move 1 or 2."]
    assert not [one for one in ElementTree.fromstring(drawing(new, "red", since=new).svg).iter() if _is_new(one)]


def test_no_mark_tells_what_others_did_in_secret() -> None:
    """Planted: blue's hand is another one now; what blue sees of it is marked, what red sees is not."""
    game = loaded(GAMES / "hornochsen.rules")
    old = position(game, {"red.hand": [1, 2], "blue.hand": [3, 4]}, seats=2).state
    new = position(game, {"red.hand": [1, 2], "blue.hand": [7, 9]}, seats=2).state
    for seat, told in (("red", False), (SPECTATOR, False), ("blue", True)):
        svg = drawing(new, seat, since=old).svg
        assert any(map(_is_new, ElementTree.fromstring(svg).iter())) == told


def test_a_piece_that_changed_sides_is_marked() -> None:
    """Planted: the disc lies where it lay, and is another player's now."""
    game = loaded(EXAMPLES / "reversi.rules")
    old = start(game, seats=2, seed="1").state
    asked = decisions(old)[0]
    new = apply(old, Action(asked.seat, asked.options[0])).state
    turned = [
        circle.attrib
        for circle in ElementTree.fromstring(drawing(new, SPECTATOR, since=old).svg).iter(f"{_SVG}circle")
        if _is_new(circle)
    ]
    assert len(turned) == 2


NUMBERS = """game "Numbers"
    players 2
track path 0..9
each player has
    piece man on path at 0
play
    each player
        player chooses pace from 1..3 "How far?"
        move player.man up by pace
result: rank players by highest man
"""


def test_only_what_was_put_on_a_space_since_is_marked() -> None:
    """Flowers lie on two spaces, on one of them since the earlier look."""
    game = loaded(GAMES / "china_moon.rules")
    old = position(game, {"3.bloom": ["pink"], "7.bloom": []}, seats=2).state
    new = position(game, {"3.bloom": ["pink"], "7.bloom": ["white"]}, seats=2).state
    root = ElementTree.fromstring(drawing(new, SPECTATOR, since=old).svg)
    marked = [one for one in root.iter(f"{_SVG}g") if any(_is_new(part) for part in one)]
    assert [one.findtext(f"{_SVG}title", "").partition(":")[0] for one in marked] == ["pad 7"]


def test_the_key_names_no_mark_that_is_not_drawn() -> None:
    """The options are numbers, as the spaces of the track are."""
    game = examine_text(Source("numbers.rules", NUMBERS)).game
    assert game is not None
    assert "may be chosen" not in drawing(start(game, seats=2, seed="1").state, 0).svg


def _classes(element: ElementTree.Element) -> list[str]:
    return element.attrib.get("class", "").split()


def _is_new(element: ElementTree.Element) -> bool:
    return "new" in _classes(element)


def test_what_belongs_to_nobody_stands_before_what_players_have_and_empty_rows_are_shown() -> None:
    svg = drawing(start(loaded(GAMES / "hornochsen.rules"), seats=2, seed="1").state, "blue").svg
    titles = [one.text for one in ElementTree.fromstring(svg).iter(f"{_SVG}text") if "title" in _classes(one)]
    rows = [title for title in titles if title and title.startswith("row ")]
    assert len(rows) == 12
    assert titles.index(rows[-1]) < min(at for at, title in enumerate(titles) if title and title.startswith("Blue"))


def test_sorts_of_spaces_are_told_by_letters_that_differ() -> None:
    made = shown(next(positions(GAMES / "china_moon.rules")), 0).boards[0]
    letters = {spot.sort: spot.glyph for spot in made.spots}
    assert letters["Black flower"] == "Bf"
    assert letters["Lily pad"] == ""
    assert len(set(letters.values())) == len(letters) == len(made.sorts)


def test_pieces_of_a_crowd_are_still_marked() -> None:
    """All frogs begin on one space."""
    root = ElementTree.fromstring(drawing(next(positions(GAMES / "china_moon.rules")), 0, 390).svg)
    written = {one.text for one in root.iter(f"{_SVG}text")}
    assert {"R1", "R2", "R3", "B1", "B2", "B3"} <= written


@pytest.mark.parametrize("count", range(1, 40))
def test_a_text_fits_into_the_room_that_it_takes(count: int) -> None:
    assert shortened("x" * count, room("x" * count, 10), 10) == "x" * count


def test_no_style_stands_within_an_element() -> None:
    """So a page may forbid them: its policy needs no `unsafe-inline`."""
    state = next(positions(GAMES / "china_moon.rules"))
    assert not [one for one in ElementTree.fromstring(drawing(state, 0).inline).iter() if "style" in one.attrib]
    assert "<style" not in drawing(state, 0).inline


def test_a_track_too_long_to_draw_is_drawn_around_its_pieces() -> None:
    rules = (
        'game "Long"\n    players 2\ntrack road 0..9999\n'
        "each player has\n    piece pawn on road at 500\n"
        "play: end game\nresult: rank players by highest pawn\n"
    )
    made = shown(start(rulekit.load_text(rules, "long.rules"), seats=2).state, 0)
    assert [spot.value for spot in made.boards[0].spots] == [498, 499, 500, 501, 502]


def test_a_way_or_a_player_that_a_seat_holds_is_no_card() -> None:
    rules = (
        'game "Ways"\n    players 2\ngrid field 3 by 3\n'
        "each player has\n    value facing of direction\n    value rival of player\n"
        "setup\n    each player\n        set player.facing to north\n        set player.rival to player\n"
        'play\n    each player\n        player chooses way from 1..2 "Which?"\nresult: rank players by highest seat\n'
    )
    made = shown(start(rulekit.load_text(rules, "ways.rules"), seats=2).state, 0)
    assert "north" in str(made).lower()


def test_a_name_of_markup_stays_a_name() -> None:
    rules = (
        'game "<b>&"\n    players 2\ncards deck of card\n    card 1 "<script>&amp;"\n'
        "pile stock of card starts deck\nplay: end game\nresult: rank players by highest seat\n"
    )
    svg = drawing(start(rulekit.load_text(rules, "m.rules"), seats=2).state).svg
    assert "<script" not in svg
    assert "&lt;script&gt;&amp;amp;" in svg


@pytest.mark.parametrize("name", COLOURS)
def test_what_is_written_on_a_colour_can_be_read(name: str) -> None:
    """4.5 to 1, as WCAG 2.2 wants for small text (1.4.3)."""
    colour = COLOURS[name]
    assert contrast(colour, text_on(colour)) >= 4.5


def test_what_is_written_on_grounds_and_seats_can_be_read() -> None:
    assert all(contrast(palette.ground(number), DARK) >= 7 for number in range(9))
    seats = [palette.of_seat(f"seat {number}", number) for number in range(8)]
    assert all(contrast(colour, text_on(colour)) >= 4.5 for colour in seats)
    assert "#" in STYLE


@given(st.lists(st.integers(1, 3), min_size=1, max_size=60), st.integers(2, 20))
def test_spaces_of_a_course_never_lie_on_one_another(steps: list[int], across: int) -> None:
    """A chain with forks: each space leads to some of the next three."""
    count = len(steps)
    links = [[at + step for step in range(1, width + 1) if at + step < count] for at, width in enumerate(steps)]
    laid = laid_out(links, across)
    assert len(set(laid.at)) == count
    for (x, y), (u, v) in pairwise(sorted(laid.at)):
        assert abs(x - u) >= 0.99 or abs(y - v) >= 0.4
    assert all(0 <= x <= laid.width - 1 and -0.01 <= y <= laid.height - 0.99 for x, y in laid.at)


@given(st.integers(3, 80), st.integers(2, 20))
def test_a_course_that_comes_back_is_a_ring(count: int, across: int) -> None:
    laid = laid_out([[(at + 1) % count] for at in range(count)], across)
    assert len(set(laid.at)) == count
    assert all(x <= laid.width - 1 and y <= laid.height - 1 for x, y in laid.at)


def test_numbers_are_short() -> None:
    canvas = Canvas(100)
    canvas.put("rect", x=1 / 3, y=2.0, width=3)
    canvas.y = 5
    assert 'x="0.3" y="2" width="3"' in styled(canvas.finished("a box", 100))
