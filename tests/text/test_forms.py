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
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.tell import narration
from tests import paths

RED, BLUE = Ref("player", "red"), Ref("player", "blue")
CARD = Ref("card", "8")


@cache
def names(game: str, language: str) -> Names:
    rules = load(paths.GAMES / f"{game}.rules")
    words = SOURCE if language == "en" else tongue(language, rules, known(rules))[0]
    return Names(started(rules, seats=3, seed="forms").state.setting, words)


def told(game: str, language: str, name: str, **facts: Value) -> str:
    event = Event(name, tuple(Told(fact.rstrip("_"), value) for fact, value in facts.items()))
    return narration.sentence(event, names(game, language))


MOVED = {"things": (CARD,), "from_": "red.hand", "to": "red.played"}


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Card 8 (Lasso) goes from red's hand to red's played cards."),
        ("it", "La carta 8 (Lazo) passa dalla mano di Rosso fra le sue carte giocate."),
        ("de", "Karte 8 (Lasso) kommt aus der Hand von Rot auf den Tisch."),
    ],
)
def test_a_place_is_said_in_the_form_that_the_language_has(language: str, sentence: str) -> None:
    assert told("fuzzy_tiger", language, "move", **MOVED) == sentence


def test_own_is_only_for_what_stays_with_one_player() -> None:
    said = told("fuzzy_tiger", "it", "move", **{**MOVED, "to": "blue.played"})
    assert said == "La carta 8 (Lazo) passa dalla mano di Rosso fra le carte giocate da Blu."


@pytest.mark.parametrize(("steps", "sentence"), [(1, "Blu fa un passo."), (2, "Blu fa 2 passi.")])
def test_one_answer_may_have_a_sentence_of_its_own(steps: int, sentence: str) -> None:
    assert told("fuzzy_tiger", "it", "choose", player=BLUE, what="steps", answer=steps, asked=True) == sentence


def test_what_only_keeps_the_books_is_not_told() -> None:
    assert told("hornochsen", "it", "set", what="red.declared", value=2) == ""
    assert told("hornochsen", "en", "set", what="red.declared", value=2) == "red's purchase is now 2."


def test_what_is_chosen_stands_in_its_case() -> None:
    frog = Ref("frog", "red_2")
    assert told("china_moon", "de", "choose", player=BLUE, what="frog", answer=frog, asked=True) == (
        "Blau wählt den Frosch 2 von Rot."
    )


def test_names_that_hold_a_list_are_set_apart() -> None:
    cards = (Ref("card", "hen_pig"), Ref("card", "a_bear"))
    assert names("foxy", "it").value(cards) == "le carte gallina e maiale; orso"
    assert names("fuzzy_tiger", "it").value((CARD, Ref("card", "9"))) == "le carte 8 (Lazo) e 9 (Pensare)"


def test_a_seat_that_somebody_named_keeps_its_name() -> None:
    rules = load(paths.GAMES / "fuzzy_tiger.rules")
    words = tongue("it", rules, known(rules))[0]
    seats = Names(started(rules, seats=("ada", "red"), seed="forms").state.setting, words)
    assert [seats.seat("ada"), seats.seat("red")] == ["ada", "Rosso"]


@pytest.mark.parametrize("path", sorted((paths.GAMES / "text").glob("*.forms")), ids=lambda path: path.name)
def test_the_forms_that_ship_are_of_their_games(path: Path) -> None:
    game, language, _ = path.name.split(".")
    rules = load(paths.GAMES / f"{game}.rules")
    assert tongue(language, rules, known(rules))[1] == []


def test_what_is_wrong_with_a_list_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "text").mkdir()
    rules = tmp_path / "ping.rules"
    rules.write_text(
        'game "Ping"\n    players 2\neach player has\n    counter points\nplay\n    end game\n'
        "result\n    rank players by highest points\n",
        encoding="utf-8",
    )
    lines = "set points = {owner}: {value}\nset pints = -\nsay points = x\nset points 1 = {title}\n"
    (tmp_path / "text" / "ping.it.forms").write_text(lines, encoding="utf-8")
    game = load(rules)
    found, findings, _ = tongue("it", game, known(game))
    assert isinstance(found, Tongue)
    assert found.forms == {"set points": "{owner}: {value}"}
    assert [(one.code, one.span.line) for one in findings] == [
        ("unknown-form", 2),
        ("unknown-form", 3),
        ("wrong-placeholders", 4),
    ]
