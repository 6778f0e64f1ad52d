"""A position arranged by hand: what can be put where, what is refused, and that it is said as an example that holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.studio.arranging import NOWHERE_KEY, Arranging, CannotBe, arranging
from rulekit.studio.kept_example import rules_under
from rulekit.studio.studio import Studio
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.translation import SOURCE
from tests.paths import EXAMPLES, GAMES
from tests.studio.studios import edited, played, studio


def begun(made: Studio, count: int = 0) -> Arranging:
    played(made, count)
    table = made.match.table
    assert table is not None
    return arranging(table, rules_under(table), count)


def seen(of: Arranging) -> tuple[set[str], set[str], dict[str, str]]:
    found = of.choices(Names(of.state.setting, SOURCE))
    return (
        {one.key for one in found.things},
        {one.key for one in found.places},
        {one.key: one.now for one in found.values},
    )


def kept(made: Studio, of: Arranging) -> str:
    """The example, which holds in the rules."""
    text = of.example("by hand")
    count = len(made.game.scenarios) if made.game else 0
    edited(made, made.text.text, f"{made.text.text}\n{text}")
    assert made.game is not None
    assert len(made.game.scenarios) == count + 1
    assert made.begin_at("by hand") is None
    return text


def test_pieces_cards_and_values_are_arranged_and_a_match_begins_there(tmp_path: Path) -> None:
    with studio(tmp_path, GAMES / "fuzzy_tiger.rules") as made:
        of = begun(made, 2)
        things, places, values = seen(of)
        assert {"piece tiger", "card red.hand 5"} <= things
        assert {"space sleep 2", "pile red.discard"} <= places
        assert values["value red.sheltered"] == "yes"
        of.move("piece tiger", "space sleep 2")
        of.move("card red.hand 5", "pile red.discard")
        of.move("piece timer", NOWHERE_KEY)
        of.take_back()
        of.set("red.sheltered", "no")
        text = kept(made, of)
        assert "tiger is 2" in text
        assert "red.sheltered" not in text
        assert "timer" not in text
        assert "use " not in text
        table = made.match.table
        assert table is not None
        again = seen(arranging(table, rules_under(table), 0))
        assert "card red.discard 5" in again[0]
        assert "card red.hand 5" not in again[0]


def test_pieces_of_a_grid_and_places_of_a_list_are_arranged(tmp_path: Path) -> None:
    with studio(tmp_path, EXAMPLES / "tic_tac_toe.rules") as made:
        of = begun(made)
        of.move("piece marks.red_2", "space board 3,1")
        assert "board[3, 1]" in kept(made, of)
    with studio(tmp_path, GAMES / "foxy.rules") as made:
        of = begun(made)
        of.set("red.sheet[#4]", "7")
        assert "red.sheet[5] is 7" in kept(made, of)


def test_a_piece_is_put_on_any_space_of_an_open_track_by_its_number(hand: Arranging) -> None:
    """Of such a track only the next space is drawn."""
    choices = hand.choices(Names(hand.state.setting, SOURCE))
    assert "space whiskers 8" not in [one.key for one in choices.places]
    assert "value red.score" in [one.key for one in choices.values]
    hand.set("red.score", "8")
    values = hand.choices(Names(hand.state.setting, SOURCE)).values
    assert next(one.now for one in values if one.key == "value red.score") == "8"
    hand.take_back()


@pytest.mark.parametrize(
    ("what", "to"),
    [
        ("piece tiger", "space distance 2"), ("piece tiger", "space sleep 99"), ("piece tiger", "space sleep x"),
        ("piece tiger", "pile red.hand"), ("piece nobody", "space sleep 2"), ("card red.hand 99", "pile red.discard"),
        ("card red.hand 5", "space sleep 2"), ("card nothing 5", "pile red.discard"),
        ("card red.hand 5", "pile nothing"),
        ("card red.sheltered 5", "pile red.hand"), ("", ""), ("piece", "space"), ("card", "pile"),
        ("piece red.hand", "space sleep 2"),
    ],
)  # fmt: skip
def test_what_cannot_be_put_somewhere_stays(hand: Arranging, what: str, to: str) -> None:
    with pytest.raises(CannotBe):
        hand.move(what, to)
    assert len(hand.steps) == 1


@pytest.mark.parametrize(
    ("what", "value"),
    [("red.sheltered", "7"), ("red.sheltered", ""), ("red.sheltered", "yes\n    do wake"), ("nothing", "7"),
     ("red.sheltered[#0]", "yes"), ("tiger", "99"), ("red.sheltered", "yes, red.harm is 3")],
)  # fmt: skip
def test_what_cannot_be_a_value_is_refused(hand: Arranging, what: str, value: str) -> None:
    with pytest.raises(CannotBe):
        hand.set(what, value)
    assert len(hand.steps) == 1


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Arranging:
    with studio(tmp_path_factory.mktemp("hand"), GAMES / "fuzzy_tiger.rules") as made:
        return begun(made)


def test_a_position_that_the_rules_do_not_allow_says_why(tmp_path: Path) -> None:
    with studio(tmp_path, EXAMPLES / "tic_tac_toe.rules") as made:
        of = begun(made)
        of.move("piece marks.red_1", "space board 1,1")
        with pytest.raises(CannotBe, match="holds 1 at most"):
            of.move("piece marks.blue_1", "space board 1,1")
