"""Our lexer and automaton against Lark's own: the same tokens, the same trees, and a fault at the same token.

Lark's run-time parser is fed the tokens that ours are fed, since it knows neither our layout nor that a keyword may
be a name.  Where a keyword is taken as a name, it is asked whether it would take the keyword.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from lark import Lark, Token, Tree, UnexpectedToken
from lark.lark import PostLex

from rulekit import library
from rulekit.diagnostics import Problems
from rulekit.source import Span
from rulekit.syntax import indentation, lark_tables
from rulekit.syntax.blocks import Block
from rulekit.syntax.indentation import Mark
from rulekit.syntax.lalr_parser import CITE, END, NAME, LalrParser, lexed
from rulekit.syntax.parse import tokenized
from rulekit.syntax.parse_tables import Tables, tables, tables_in
from tests import paths
from tests.sizes import some
from tests.syntax.random_texts import grow, mutant

FOLDERS = (paths.GAMES, paths.EXAMPLES, paths.CASES)
FILES = sorted(path for folder in FOLDERS for path in folder.rglob("*.rules"))
GROWN = 20
MUTANTS = 60


def tree(name: str, extent: Span, children: list[Any]) -> Any:
    """What a rule makes: its name, where it stands, and the children."""
    return name, _place(extent), children


class KeepBad(PostLex):
    """Lark keeps no terminal that is in no rule, unless it is asked to."""

    always_accept = ("BAD",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return stream


@cache
def lark() -> Lark:
    return Lark(library.grammar(), parser="lalr", lexer="basic", postlex=KeepBad(), propagate_positions=True)


def _place(extent: Any) -> tuple[int, int, int, int]:
    return extent.line, extent.column, extent.end_line, extent.end_column


def as_ours(theirs: Any) -> Any:
    """A tree of Lark's in the form of `tree`."""
    if not isinstance(theirs, Tree):
        return None if theirs is None else str(theirs)
    place = (1, 1, 1, 1) if theirs.meta.empty else _place(theirs.meta)
    return str(theirs.data), place, [as_ours(child) for child in theirs.children]


def same_tree(text: str, using: Tables | None = None) -> bool:
    """Whether a text parses; asserts that both say so, with the same tree or a fault at the same token."""
    try:
        tokens = tokenized(Block("text", 1, text.count("\n") + 2, text), Problems())
    except indentation.TooDeep:
        return False
    ours, theirs = LalrParser(using or tables(), "text", tree), lark().parse_interactive("")
    for number, token in enumerate(tokens):
        if token.type == CITE and not ours.ends_part(tokens, number):
            continue
        role = ours.role(token)
        check_role(role, token, theirs)
        is_taken = ours.feed(role, token)
        assert is_taken == is_fed(theirs, role, token), token
        if not is_taken:
            assert ours.expected() == sorted(theirs.accepts()), token
            return False
    assert ours.expected() == sorted(theirs.accepts())
    if not ours.takes(END):
        return False
    assert ours.whole() == as_ours(theirs.feed_eof())
    return True


def check_role(role: str, token: Mark, theirs: Any) -> None:
    """A keyword is a name only where Lark takes it as nothing else."""
    if role != token.type:
        assert role == NAME, token
        assert token.type not in theirs.choices() or token.type not in theirs.accepts(), token


def is_fed(parser: Any, role: str, token: Mark) -> bool:
    place = {"line": token.line, "column": token.column, "end_line": token.end_line, "end_column": token.end_column}
    try:
        parser.feed_token(Token(role, token.text, **place))
    except UnexpectedToken:
        return False
    return True


def texts(path: Path) -> list[str]:
    """The texts in a file: bad cases hold several."""
    return re.split(r"^# ---- chunk\n", path.read_text(encoding="utf-8"), flags=re.M)


# ---------------------------------------------------------------- every rules file


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_lexer_finds_what_lark_finds(path: Path) -> None:
    written = "\n" + path.read_text(encoding="utf-8")
    lexer = lark().parse_interactive(written).lexer_thread
    theirs = [(t.type, str(t), t.line, t.column, t.end_line, t.end_column) for t in lexer.lex(None)]
    ours = [(t.type, t.text, t.line, t.column, t.end_line, t.end_column) for t in lexed(tables(), written)]
    assert ours == theirs


def test_every_rules_file_has_the_tree_that_lark_gives_it() -> None:
    files = some(FILES, 3)
    parsed = Counter(path.parent.name for path in files for text in texts(path) if same_tree(text))
    wanted = Counter(path.parent.name for path in files)
    assert parsed["games"] == wanted["games"] > 0
    assert parsed["examples"] == wanted["examples"] > 0
    assert parsed["good"] >= 10


# ---------------------------------------------------------------- texts made by chance


def test_grown_texts_have_the_tree_that_lark_gives_them() -> None:
    assert all(same_tree(grow(seed).text) for seed in range(GROWN))


@pytest.mark.parametrize("part", range(4))
def test_mutants_fail_at_the_token_at_which_lark_fails(part: int) -> None:
    rng = random.Random(part)
    small = [text for path in FILES for text in texts(path) if 200 < len(text) < 2000]
    whole = [*rng.sample(small, MUTANTS), *(grow(seed).text for seed in range(part, GROWN, 4))]
    parse = Counter(same_tree(mutant(text, rng)) for text in whole)
    assert parse[True] > MUTANTS // 10
    assert parse[False] > MUTANTS // 3


# ---------------------------------------------------------------- faults that must be seen

TEXT = """game "Planted"
    players 2..4
each player has
    counter wealth 0..9 starts 3, seen by owner
action gain(n, who of player)
    let old be who.wealth
    if old above n and not (n is 2): raise who.wealth by n
    else: move who.piece to home[1, n]
play
    player chooses card from player.hand[1] where -count cards is -1 "Which?"
"""


@cache
def serialized() -> tuple[Any, Any]:
    return lark_tables.serialized(library.grammar())


def misread(name: str) -> Tables:
    """The tables, in which every alternative of a rule was read with its first symbol behind the others."""
    data, memo = serialized()
    wrong = dict(memo)
    for number, rule in memo.items():
        if rule["__type__"] == "Rule" and rule["origin"]["name"] == name:
            first, *others = rule["expansion"]
            wrong[number] = {**rule, "expansion": [*others, first]}
    return tables_in(lark_tables.tables_of(data, wrong))


@pytest.mark.parametrize("name", ["let", "change_by", "variable", "compare", "postfix", "query", "parameter", "choose"])
def test_an_expansion_that_is_misread_is_seen(name: str) -> None:
    with pytest.raises((AssertionError, TypeError, ValueError)):
        same_tree(TEXT, misread(name))


def test_two_reductions_that_are_exchanged_are_seen() -> None:
    known = tables()
    sums = [number for number, rule in enumerate(known.rules) if rule.makes in ("where", "whose") and rule.size == 3]
    rules = list(known.rules)
    rules[sums[0]], rules[sums[1]] = rules[sums[1]], rules[sums[0]]
    assert same_tree(TEXT)
    with pytest.raises(AssertionError):
        same_tree(TEXT, evolve(known, rules=tuple(rules)))
