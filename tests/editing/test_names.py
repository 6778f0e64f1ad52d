"""Where names stand and what they mean: definition, references, outline, folds."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from rulekit.diagnostics import Problems
from rulekit.model.builtin_signatures import CONTEXT, WORDS
from rulekit.model.colours import COLOURS
from rulekit.source import Source, Span
from rulekit.syntax import nodes
from rulekit.syntax.parse import parse
from rulekit.syntax.traversal import walk
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.name_roles import ROLES
from rulekit.tools.editing.navigation import definition, folds, outline, references
from rulekit.tools.editing.occurrences import Symbol
from tests.editing.texts import GAME, at, document, games, shipped
from tests.paths import CASES
from tests.sizes import some

ENGINE = {
    ("Full", "word"), ("Edge", "word"), ("Steps", "word"), ("SpaceColour", "word"), ("Heading", "means"),
    ("Happened", "event"), ("EventFact", "name"),
}  # fmt: skip
"""Fields whose names are words of the engine: how a track ends, the colour of a space, what an event tells."""


def _written(of: Document, symbol: Symbol) -> list[str]:
    return [of.source.line(one.span.line).strip() for one in of.index.of(symbol)]


@pytest.mark.parametrize(
    ("symbol", "count"),
    [
        (Symbol("variable", "score", "player"), 7),
        (Symbol("variable", "tired", "player"), 4),
        (Symbol("variable", "round"), 3),
        (Symbol("member", "calm", "mood"), 2),
        (Symbol("trait", "mood", "card"), 1),
        (Symbol("kind", "card"), 3),
        (Symbol("action", "rest"), 3),
        (Symbol("define", "tired_ones"), 2),
        (Symbol("option", "long"), 2),
        (Symbol("reading", "first_seat", "ties"), 1),
        (Symbol("place", "hill"), 2),
        (Symbol("clause", "HI-1"), 2),
    ],
    ids=lambda value: str(value),
)
def test_all_places_of_a_name_are_known(symbol: Symbol, count: int) -> None:
    of = document(GAME)
    assert len(_written(of, symbol)) == count, _written(of, symbol)
    assert symbol in of.declared


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (GAME.replace("do rest(player)", "do re│st(player)"), "action rest(owner of player)"),
        (GAME.replace("lower sleeper.sc", "lower sleeper.│sc"), "counter score 0..99 starts 3"),
        (GAME.replace("lower sleeper", "lower sleepe│r"), "each sleeper in tired_ones"),
        (GAME.replace("expect ann", "expect │ann"), "players ann, bob"),
        (GAME.replace("to no\n    if owner", "to no\n    if ow│ner"), "action rest(owner of player)"),
        (
            GAME.replace("play\n", "play\n    reveal whether long as slow\n    if sl│ow: end game\n"),
            "reveal whether long as slow",
        ),
        (GAME.replace("@HI-1", "@H│I-1"), "> HI-1 Who is tired rests."),
    ],
)
def test_a_name_leads_to_where_it_is_declared(text: str, line: str) -> None:
    of, number, column = at(text)
    place = definition(of, number, column)
    assert place is not None
    assert of.source.line(place.line).strip().startswith(line)
    assert place in [one.span for one in references(of, number, column)]


def test_names_given_in_two_actions_are_two_names() -> None:
    of, number, column = at(
        GAME.replace("rest(owner of", "rest(own│er of") + "action other(owner of player)\n    next owner\n"
    )
    assert {one.span.line for one in references(of, number, column)} == {24, 25, 26}


def test_names_mean_something_where_a_line_is_broken() -> None:
    of, number, column = at(
        GAME.replace("expect ann", "expect │ann").replace("define tired_ones is", "define tired_ones iss")
    )
    assert definition(of, number, column) is not None


@pytest.mark.parametrize("path", games(), ids=lambda path: path.stem)
def test_every_name_of_a_game_that_ships_is_known_or_built_in(path: Path) -> None:
    of = shipped(path)
    known = {(one.span.line, one.span.column) for one in of.index.all}
    words = {
        *WORDS,
        *CONTEXT,
        "players",
        "neutrals",
        "everyone",
        "number",
        "space",
        "placed",
        "home",
        "chance",
        "nobody",
    }
    words |= {"up", "down", "top", "repeat", "direction", "directions", "orthogonals", "diagonals"}
    words |= {"refuses", "pushes", "stops", "goes_on", "leaves", "wraps", "bounces", "stacks", "swaps", "others"}
    words |= {*COLOURS}
    words |= {"north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest", "player", "cell"}
    names = [token for role, token in of.tokens if role == "NAME" and (token.line, token.column) not in known]
    assert {token.text for token in names} - words == set()
    assert {symbol for symbol in of.index.by_symbol if symbol not in of.declared} <= {Symbol("member", "space", "pad")}


def test_every_field_that_holds_a_name_has_a_role() -> None:
    """In a text that has every line of the language; the words of the engine are not names of a game."""
    tree = parse(Source("lines", (CASES / "syntax" / "good" / "every_line.rules").read_text("utf-8")), Problems()).file
    found = set()
    for node in walk(tree.declarations):
        for part in attrs.fields(type(node)):
            value = getattr(node, part.name)
            if any(isinstance(each, nodes.Name) for each in (value if isinstance(value, tuple) else (value,))):
                found.add((type(node), part.name))
    expressions = {(nodes.Word, "name"), (nodes.Attribute, "name")}
    assert {(kind.__name__, part) for kind, part in found - set(ROLES) - expressions} == ENGINE
    assert all(part in {one.name for one in attrs.fields(kind)} for kind, part in ROLES)


def test_the_outline_has_what_is_declared_with_what_is_in_it() -> None:
    of = document(GAME)
    found = {one.title: one for one in outline(of)}
    assert [one.title for one in found["ties"].inner] == ["first_seat", "nobody_wins"]
    assert [one.title for one in found["player"].inner] == ["score", "tired", "hand", "goat"]
    assert (found["rest"].sort, found["rest"].whole.line, found["rest"].whole.end_line) == ("action", 24, 27)
    assert {"Hill", "deck", "hill", "play", "nobody is tired"} <= set(found)


def test_blocks_can_be_folded() -> None:
    assert {(27, 32), (28, 32), (30, 31), (24, 26)} <= set(folds(document(GAME)))


def test_a_game_that_extends_another_knows_its_names() -> None:
    path = games()[0].parent / "variant.rules"
    text = 'game "Fox"\n    extends "foxy"\ndefine strict is ha│rd\n'
    of, number, column = at(text)
    of = Document(Source(str(path), of.source.text))
    place = definition(of, number, column)
    assert place is not None
    assert place.source.endswith("foxy.rules")


@pytest.mark.parametrize("path", some(games(), 2), ids=lambda path: path.stem)
def test_what_is_declared_is_known_without_resolving_anything(path: Path) -> None:
    of = shipped(path)
    first: dict[Symbol, Span] = {}
    for one in of.index.all:
        if one.declares:
            first.setdefault(one.symbol, one.span)
    assert list(of.declared.items()) == list(first.items())
