"""Drawings: every game and example at many positions, nothing that the seat may not see, colours that can be read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulekit
from rulekit import SPECTATOR, State, decisions, drawing, load, position, start
from rulekit.play.state.value import Ref
from rulekit.tools.drawing import palette
from rulekit.tools.drawing.canvas import STYLE, Canvas
from rulekit.tools.drawing.course_layout import laid_out
from rulekit.tools.drawing.picture import Picture
from rulekit.tools.drawing.picture_making import picture
from rulekit.tools.language.display_names import Names
from tests.generators.random_matches import Answers, taken
from tests.paths import EXAMPLES, GAMES

FILES = [*sorted(GAMES.glob("*.rules")), *sorted(EXAMPLES.glob("*.rules"))]
_SVG = "{http://www.w3.org/2000/svg}"


def positions(path: Path, count: int = 60, every: int = 20) -> Iterator[State]:
    game = load(path)
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
                assert [card.value for card in pile.cards] == list(told[pile.path].shown)  # type: ignore[arg-type]


def test_what_differs_only_in_what_a_seat_may_not_see_is_drawn_alike() -> None:
    """The positions differ in the other's hand alone; the planted fault is what the referee sees."""
    game = load(GAMES / "hornochsen.rules")
    one = position(game, {"red.hand": [1, 2], "blue.hand": [3, 4]}, seats=2).state
    other = position(game, {"red.hand": [1, 2], "blue.hand": [7, 9]}, seats=2).state
    assert drawing(one, "red").svg == drawing(other, "red").svg
    assert drawing(one).svg == drawing(other).svg
    assert drawing(one, "blue").svg != drawing(other, "blue").svg
    assert drawing(one, rulekit.REFEREE).svg != drawing(other, rulekit.REFEREE).svg


def test_what_may_be_chosen_is_marked_for_who_chooses_and_for_nobody_else() -> None:
    state = start(load(GAMES / "fuzzy_tiger.rules"), seats=2, seed="1").state
    root = ElementTree.fromstring(drawing(state, "red").svg)
    chosen = [one.attrib["data-choice"] for one in root.iter(f"{_SVG}g") if "data-choice" in one.attrib]
    assert chosen == [str(option.key) for option in decisions(state)[0].options if isinstance(option, Ref)]
    assert "data-choice" not in drawing(state).svg


def test_a_name_of_markup_stays_a_name() -> None:
    rules = (
        'game "<b>&"\n    players 2\ncards deck of card\n    card 1 "<script>&amp;"\n'
        "pile stock of card starts deck\nplay: end game\nresult: rank players by highest seat\n"
    )
    svg = drawing(start(rulekit.load_text(rules, "m.rules"), seats=2).state).svg
    assert "<script" not in svg
    assert "&lt;script&gt;&amp;amp;" in svg


@pytest.mark.parametrize("name", palette.COLOURS)
def test_what_is_written_on_a_colour_can_be_read(name: str) -> None:
    """4.5 to 1, as WCAG 2.2 wants for small text (1.4.3)."""
    colour = palette.COLOURS[name]
    assert palette.contrast(colour, palette.text_on(colour)) >= 4.5


def test_what_is_written_on_grounds_and_seats_can_be_read() -> None:
    assert all(palette.contrast(palette.ground(number), palette.DARK) >= 7 for number in range(9))
    seats = [palette.of_seat(f"seat {number}", number) for number in range(8)]
    assert all(palette.contrast(colour, palette.text_on(colour)) >= 4.5 for colour in seats)
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
    assert 'x="0.3" y="2" width="3"' in canvas.finished("a box")
