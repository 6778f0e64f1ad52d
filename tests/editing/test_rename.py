"""Rename at all places, and nothing else; there and back gives the files back."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from rulekit import library
from rulekit.model.declare.kinds import COLUMNS
from rulekit.source import Source
from rulekit.syntax.looks import is_look
from rulekit.tools.editing.edits import Edit, applied
from rulekit.tools.editing.occurrences import Symbol
from rulekit.tools.editing.rename import Refused, renamed
from tests.editing.texts import GAME, at, games, shipped
from tests.paths import EXAMPLES
from tests.sizes import IS_LONG, some

DECK = GAME + "cards stack of leaf\n    | leaf | worth | copies |\n    | ace  | 1     | 3      |\n"
SYMBOLS = 5 if IS_LONG else 1
"""So many symbols of each game are renamed and back again."""


def _after(text: str, new: str) -> str:
    of, line, column = at(text)
    edits = renamed(of, line, column, new)
    assert not isinstance(edits, Refused), edits
    return applied(of.source, edits).text


def test_a_variable_is_renamed_with_what_is_read_of_it() -> None:
    text = _after(GAME.replace("counter score", "counter sc│ore"), "points")
    assert text == GAME.replace("score", "points")


def test_a_clause_is_renamed_with_its_citations() -> None:
    assert _after(GAME.replace("@HI-1", "@HI-│1"), "HO-7b") == GAME.replace("HI-1", "HO-7b")


def test_only_the_names_of_the_same_action_are_renamed() -> None:
    text = _after(GAME.replace("sleeper in", "sl│eeper in") + "define other is players as sleeper\n", "dozer")
    assert text == GAME.replace("sleeper", "dozer") + "define other is players as sleeper\n"


@pytest.mark.parametrize("at_copy", [False, True])
def test_a_line_is_renamed_with_its_copies(at_copy: bool) -> None:
    text = (EXAMPLES / "mills.rules").read_text(encoding="utf-8")
    old, new = ("[small_1", "[sma│ll_1") if at_copy else ("| small ", "| sma│ll ")
    after = _after(text.replace(old, new, 1), "tiny")
    assert after == re.sub(r"(?<!four )small(?=_\d| )(?! mill| one)", "tiny", text)


def test_a_name_that_would_begin_a_value_is_quoted() -> None:
    text = _after(GAME.replace("counter round", "counter rou│nd") + "> HI-2 It is {round}.\n", "first")
    assert "counter 'first' 0..20" in text
    assert "It is {first}." in text


@pytest.mark.parametrize(
    ("text", "new", "reason"),
    [
        (GAME.replace("counter round", "counter rou│nd"), "Round", "small letters"),
        (GAME.replace("counter round", "counter rou│nd"), "starter", "always means something else"),
        (GAME.replace("counter round", "counter rou│nd"), "long", "something else already"),
        (GAME.replace("counter round", "counter rou│nd"), "r" * 65, "at most 64"),
        (GAME.replace("> HI-1", "> HI-│1"), "hi", "a clause is called as"),
        (
            GAME.replace("each player: do", "each play│er: do"),
            "one",
            "write `one in …` or `one of player`",
        ),
        (GAME.replace("result: rank", "result: ra│nk"), "x", "no name of this game"),
        (DECK.replace("copies", "co│pies"), "times", "`copies` at the head of a column means"),
        (DECK.replace("worth", "wo│rth"), "look_colour", "`look_colour` at the head of a column means"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(text: str, new: str, reason: str) -> None:
    refused = renamed(*at(text), new)
    assert isinstance(refused, Refused)
    assert reason in refused.reason


def _may_change(symbol: Symbol) -> bool:
    return symbol.sort != "trait" or not (symbol.name in COLUMNS or is_look(symbol.name))


def _changed(files: dict[str, Source], edits: tuple[Edit, ...]) -> dict[str, Source]:
    return {name: applied(source, edits) for name, source in files.items()}


@pytest.mark.parametrize("path", some(games(), 2), ids=lambda path: path.stem)
def test_there_and_back_gives_the_files_back(path: Path) -> None:
    of = shipped(path)
    beside = {str(each): library.decode(str(each), each.read_bytes()) for each in library.companions(str(path))}
    assert any(name.endswith(".po") for name in beside)
    symbols = sorted(filter(_may_change, of.declared), key=lambda symbol: str(of.declared[symbol]))
    clause = next(symbol for symbol in symbols if symbol.sort == "clause")
    touched = set()
    for symbol in (clause, *random.Random(path.stem).sample(symbols, SYMBOLS)):
        place = of.declared[symbol]
        new = "ZZ-9" if symbol.sort == "clause" else "renamed_by_a_test"
        there = renamed(of, place.line, place.column, new, beside.values())
        assert not isinstance(there, Refused), (symbol, there)
        files = _changed({of.source.name: of.source, **beside}, there)
        touched |= {name for name in files if files[name] != {of.source.name: of.source, **beside}[name]}
        changed = of.changed(files.pop(of.source.name))
        back = renamed(changed, place.line, place.column, symbol.name, files.values())
        assert not isinstance(back, Refused), (symbol, back)
        assert applied(changed.source, back) == of.source
        assert _changed(files, back) == beside
    assert len(touched) > 1


@pytest.mark.parametrize(
    ("cursor", "new", "listed"),
    [
        ("owner chooses h│im from", "her", "choice him -> her\n"),
        ("each s│leeper in", "her", ""),
        ("kind m│ood:", "state", "kind mood -> state\n"),
        ("mood: c│alm", "cool", "member mood.calm -> cool\n"),
        ("nobody│_wins ", "nobody_does", "reading ties.nobody_wins -> nobody_does\n"),
        ("@HI-│1", "HI-2", ""),
    ],
)
def test_only_what_logs_have_names_of_is_listed(cursor: str, new: str, listed: str) -> None:
    text = GAME.replace("    step lying", "    owner chooses him from players\n    step lying")
    before = cursor.replace("│", "")
    beside = Source("hill.renames", "")
    edits = renamed(*at(text.replace(before, cursor, 1)), new, [beside])
    assert not isinstance(edits, Refused), edits
    assert applied(beside, edits).text == listed


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.it.po", 'msgctxt "option long"\nmsgid "Long {long}?"\nmsgstr "Lunga {long}, long?"\n',
         'msgctxt "option slow"\nmsgid "Long {slow}?"\nmsgstr "Lunga {slow}, long?"\n'),
        ("a.it.po", 'msgctxt "name long"\nmsgid "long"\nmsgstr "lungo"\n',
         'msgctxt "name slow"\nmsgid "slow"\nmsgstr "lungo"\n'),
        ("a.it.anchors", '"long way" to "x" : @FX-1\n    reads long:low, long_one\n',
         '"long way" to "x" : @FX-1\n    reads slow:low, long_one\n'),
        ("a.reads", "FX-1: - (how long), long\n", "FX-1: - (how long), slow\n"),
        ("a.renames", "option size -> long\n", "option size -> long\noption long -> slow\n"),
        ("a.renames", "action a -> b\noption slow -> long\n", "action a -> b\n"),
        ("a.renames", "", "option long -> slow\n"),
        ("a.it.po.accepted", "1af8 long FX-1: long\n", "1af8 long FX-1: long\n"),
    ],
)  # fmt: skip
def test_files_beside_it_are_renamed_where_the_name_is_meant(name: str, text: str, expected: str) -> None:
    beside = Source(name, text)
    edits = renamed(*at(GAME.replace("option long", "option lo│ng")), "slow", [beside])
    assert not isinstance(edits, Refused)
    assert applied(beside, edits).text == expected
    assert not re.search(r"\blong or\b", applied(at(GAME + "│")[0].source, edits).text)
