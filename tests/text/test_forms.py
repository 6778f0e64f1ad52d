"""Sentences in the forms that a language has of its own, and what is wrong with a list of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rulekit.loading import load
from rulekit.play.state.event import Event, Told
from rulekit.play.state.value import Ref, Value
from rulekit.record.match import started
from rulekit.tools.language.catalogue_loader import tongue
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.message_extraction import known
from rulekit.tools.language.translation import Tongue
from rulekit.tools.tell import narration
from tests import paths
from tests.generators.random_matches import game as loaded

RED, BLUE = Ref("player", "red"), Ref("player", "blue")
CARD = Ref("card", "8")


@cache
def names(game: str, language: str) -> Names:
    rules = loaded(paths.GAMES / f"{game}.rules")
    words = tongue(language, rules, known(rules))[0]
    return Names(started(rules, seats=3, seed="forms").state.setting, words)


def told(game: str, language: str, name: str, **facts: Value) -> str:
    event = Event(name, tuple(Told(fact.rstrip("_"), value) for fact, value in facts.items()))
    return narration.sentence(event, names(game, language))


MOVED = {"things": (CARD,), "from_": "red.hand", "to": "red.played"}


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Red lays card 8 (Lasso) face down."),
        ("it", "Rosso mette coperta la carta 8 (Lazo)."),
        ("de", "Rot legt Karte 8 (Lasso) verdeckt hin."),
    ],
)
def test_a_move_from_pile_to_pile_is_what_a_player_does(language: str, sentence: str) -> None:
    assert told("fuzzy_tiger", language, "move", **MOVED) == sentence


def test_own_is_only_for_what_stays_with_one_player() -> None:
    said = told("fuzzy_tiger", "it", "move", **{**MOVED, "to": "blue.played"})
    assert said == "La carta 8 (Lazo) passa dalla mano di Rosso fra le carte giocate da Blu."


@pytest.mark.parametrize(("steps", "sentence"), [(1, "Blu fa un passo."), (2, "Blu fa 2 passi.")])
def test_one_answer_may_have_a_sentence_of_its_own(steps: int, sentence: str) -> None:
    assert told("fuzzy_tiger", "it", "choose", player=BLUE, what="steps", answer=steps, asked=True) == sentence


def test_what_only_keeps_the_books_is_not_told() -> None:
    assert told("hornochsen", "it", "set", what="red.declared", value=2) == ""
    assert told("hornochsen", "en", "set", what="red.declared", value=2) == ""


def test_what_is_chosen_stands_in_its_case() -> None:
    frog = Ref("frog", "red_2")
    assert told("china_moon", "de", "choose", player=BLUE, what="frog", answer=frog, asked=True) == (
        "Blau zieht Frosch 2 von Rot."
    )


@pytest.mark.parametrize(
    ("origin", "goal", "sentence"),
    [
        (3, 2, "Red's monkey goes to space 2."),
        (2, 5, "Red's monkey goes back to space 5."),
        (4, 0, "Red's monkey lands on the tiger."),
    ],
)
def test_a_piece_moves_as_a_player_says_it(origin: int, goal: int, sentence: str) -> None:
    facts: dict[str, Value] = {"piece": Ref("monkey", "red"), "from_": origin, "to": goal}
    assert told("fuzzy_tiger", "en", "travel", **facts) == sentence


@pytest.mark.parametrize(
    ("goal", "sentence"),
    [
        ((3, 4), "La pecora rossa 1 si sposta di 2 celle a est."),
        ((2, 3), "La pecora rossa 1 si sposta di una cella a nord-est."),
        ((0, 6), "La pecora rossa 1 si sposta di 1 a ovest e 2 a sud."),
    ],
)
def test_a_cell_is_told_by_direction_and_distance(goal: tuple[int, int], sentence: str) -> None:
    cells = {"from_": Ref("meadow", "1,4"), "to": Ref("meadow", f"{goal[0]},{goal[1]}")}
    assert told("shear_panic", "it", "move", piece=Ref("sheep", "r1"), **cells) == sentence


def test_a_number_that_changes_again_at_once_is_told_once() -> None:
    told_of = [Event("set", (Told("what", what), Told("value", n))) for what, n in (("a", 1), ("a", 2), ("b", 3))]
    assert [event["value"] for event in narration.spoken_of(told_of)] == [2, 3]


def test_a_number_that_only_some_may_know_is_told_apart() -> None:
    open_, hidden = (
        Event("set", (Told("what", "a"), Told("value", 1, audience))) for audience in (None, frozenset({0}))
    )
    assert list(narration.spoken_of([open_, hidden])) == [open_, hidden]


def test_names_that_hold_a_list_are_set_apart() -> None:
    cards = (Ref("card", "hen_pig"), Ref("card", "a_bear"))
    assert names("foxy", "it").value(cards) == "le carte gallina e maiale; orso"
    assert names("fuzzy_tiger", "it").value((CARD, Ref("card", "9"))) == "le carte 8 (Lazo) e 9 (Pensare)"


def test_a_seat_that_somebody_named_keeps_its_name() -> None:
    rules = loaded(paths.GAMES / "fuzzy_tiger.rules")
    words = tongue("it", rules, known(rules))[0]
    seats = Names(started(rules, seats=("ada", "red"), seed="forms").state.setting, words)
    assert [seats.seat("ada"), seats.seat("red")] == ["ada", "Rosso"]


@pytest.mark.parametrize("path", sorted((paths.GAMES / "text").glob("*.forms")), ids=lambda path: path.name)
def test_the_forms_that_ship_are_of_their_games(path: Path) -> None:
    game, language, _ = path.name.split(".")
    rules = loaded(paths.GAMES / f"{game}.rules")
    assert tongue(language, rules, known(rules))[1] == []


def test_what_is_wrong_with_a_list_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "text").mkdir()
    rules = tmp_path / "ping.rules"
    rules.write_text(
        'game "Ping"\n    players 2\neach player has\n    counter points\nplay\n    end game\n'
        "result\n    rank players by highest points\n",
        encoding="utf-8",
    )
    lines = "from hand\nset points = {owner}: {value}\nset pints = -\nsay points = x\n"
    lines += "set points 1 = {title}\nset points\n= x"
    (tmp_path / "text" / "ping.it.forms").write_text(lines, encoding="utf-8")
    game = load(rules)
    found, findings, _ = tongue("it", game, known(game))
    assert isinstance(found, Tongue)
    assert found.forms == {"set points": "{owner}: {value}"}
    assert [(one.code, one.span.line) for one in findings] == [
        ("unknown-form", 1),
        ("unknown-form", 3),
        ("unknown-form", 4),
        ("wrong-placeholders", 5),
        ("unknown-form", 6),
        ("unknown-form", 7),
    ]
