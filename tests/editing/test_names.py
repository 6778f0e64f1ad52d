"""Where names stand and what they mean: definition, references, outline, folds."""

from __future__ import annotations

from collections.abc import Mapping
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
from rulekit.tools.editing.hover import hover
from rulekit.tools.editing.name_roles import ROLES
from rulekit.tools.editing.navigation import definition, folds, outline, references
from rulekit.tools.editing.occurrences import Symbol
from rulekit.tools.editing.rename import Refused, renamed
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


VARIANT = """game "Valley"
    extends "hill"

replace play
    repeat
        each player: do re│st(player)
        if lo│ng and ti│es is first│_seat: stop repeat
        if twi│ce(rou│nd) above 3: raise starter.sc│ore by 1
        each taken in starter.ha│nd
            if taken is ru│n and taken.co│st is 2 and taken.mo│od is an│gry: set starter.ti│red to no
        each sleeper in tired│_ones: move sleeper.go│at ba│ck by 1
    roll rolled from cu│be
    if rolled above 3: end game  @HI│-1

after re│st
    raise starter.sc│ore by 1

before ly│ing if lo│ng: raise rou│nd by 1

each player has
    piece cow on hi│ll at 0
    list moods of 0..9 for mo│od
    pile other of ca│rd

define merry(mood) is mood is ca│lm
option short "Short, as in {lo│ng}?" flag default no
ruleset "Slow"
    use lo│ng is yes
"""
"""Every sort of name of a base, in every sort of place; what nothing can be made of is named by its letters."""


def test_each_sort_of_name_of_an_extended_game_leads_to_its_declaration(tmp_path: Path) -> None:
    base = tmp_path / "hill.rules"
    base.write_text(GAME.replace("kind mood", "die cube: 1..6\nkind mood"), encoding="utf-8")
    text = VARIANT.replace("│", "")
    of = Document(Source(str(tmp_path / "valley.rules"), text))
    unknown = []
    for number, line in enumerate(VARIANT.split("\n"), 1):
        for index, _ in enumerate(line.split("│")[:-1]):
            column = len("".join(line.split("│")[: index + 1])) + 1
            place = definition(of, number, column)
            shown = hover(of, number, column)
            sources = {one.span.source for one in references(of, number, column)}
            is_known = place is not None and place.source == str(base) and shown is not None
            if not is_known or sources != {str(base), of.source.name}:
                unknown.append(("│".join(line.split("│")[index : index + 2]), place, sources))
    assert unknown == []


@pytest.mark.parametrize("word", ["rest", "lying", "twice", "long", "hill", "run", "HI-1"])
def test_a_name_of_an_extended_game_is_renamed_there_too(word: str, tmp_path: Path) -> None:
    base = tmp_path / "hill.rules"
    base.write_text(GAME, encoding="utf-8")
    text = (
        'game "Valley"\n    extends "hill"\nreplace play\n    each player: do rest(player)  @HI-1\n    end game\n'
        "after rest: raise round by twice(1)\nbefore lying if long: raise round by 1\n"
        'replace card run "Running", cost 3, mood calm\n'
        "each player has\n    piece cow on hill at 0\n"
    )
    of = Document(Source(str(tmp_path / "valley.rules"), text))
    assert of.loaded.game is not None, of.loaded.findings
    number = next(number for number, line in enumerate(text.split("\n"), 1) if word in line and number > 2)
    made = renamed(of, number, text.split("\n")[number - 1].index(word) + 2, "NEW-1" if "-" in word else "renamed")
    assert not isinstance(made, Refused), made.reason
    assert {edit.span.source for edit in made} == {str(base), of.source.name}


def _copied(of: Document, nodes_: list[nodes.Declaration]) -> tuple[str, dict[int, int]]:
    """A variant in which declarations are replaced by themselves, and by each of its lines the line of the base."""
    ends, lines = dict(folds(of)), of.source.text.split("\n")
    made = ['game "Variant"', f'    extends "{Path(of.source.name).stem}"']
    where: dict[int, int] = {}
    for node in nodes_:
        first, last = node.span.line, ends.get(node.span.line, node.span.line)
        for number in range(first, last + 1):
            made.append(("replace " if number == first else "") + lines[number - 1])
            where[len(made)] = number
    return "\n".join(made) + "\n", where


def _meant(of: Document, where: Mapping[int, int], offsets: set[int]) -> set[tuple[int, int, str, str, str]]:
    """The names in lines: the line of the base, the column there, and what is meant."""
    found = set()
    for one in of.index.all:
        if one.span.source == of.source.name and one.span.line in where:
            column = one.span.column - 8 * (one.span.line in offsets)
            owner = "" if one.symbol.sort == "local" else one.symbol.owner
            found.add((where[one.span.line], column, one.symbol.sort, one.symbol.name, owner))
    return found


@pytest.mark.parametrize("path", some(games(), 2), ids=lambda path: path.stem)
@pytest.mark.parametrize("half", [0, 1])
def test_a_declaration_that_is_repeated_in_a_variant_means_what_it_meant(path: Path, half: int) -> None:
    base = shipped(path)
    kinds = nodes.Action | nodes.Define | nodes.Part
    chosen = [node for node in base.file.declarations if isinstance(node, kinds)][half::2]
    text, where = _copied(base, chosen)
    variant = Document(Source(str(path.parent / "variant.rules"), text))
    heads = {line for line in where if text.split("\n")[line - 1].startswith("replace ")}
    assert _meant(variant, where, heads) == _meant(base, {line: line for line in where.values()}, set())


@pytest.mark.parametrize("path", some(games(), 2), ids=lambda path: path.stem)
def test_what_is_declared_is_known_without_resolving_anything(path: Path) -> None:
    of = shipped(path)
    first: dict[Symbol, Span] = {}
    for one in of.index.all:
        if one.declares:
            first.setdefault(one.symbol, one.span)
    assert list(of.declared.items()) == list(first.items())
