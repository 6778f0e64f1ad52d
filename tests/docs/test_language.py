"""The language reference against the language: every example, and every table that lists what the code has.

The word behind ```` ```rules ```` says how an example is to be read: nothing, a
whole game; `decl`, declarations; `stmt`, the lines of an action; `expr`, an
expression a line.  Parts are put into the game that is marked `stage`.  After
`bad` the example must give the code named in the line above it, and no other.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from attrs import frozen
from lark import Lark

from rulekit import library, limits
from rulekit.diagnostics import ERROR, render_all
from rulekit.hosting.seat_page import Refused
from rulekit.loading import Loaded, examine_text
from rulekit.model import builtin_signatures
from rulekit.play.engine import start
from rulekit.source import Source
from rulekit.syntax.unparse_expr import BEGINNERS
from rulekit.tools.examples.runner import run_all
from tests.model.test_check import codes_in
from tests.paths import DOCS, PACKAGE

PAGE = DOCS / "language.md"
TEXT = PAGE.read_text(encoding="utf-8")


@frozen
class Example:
    line: int
    how: str
    text: str
    above: str


def examples() -> list[Example]:
    found = []
    for match in re.finditer(r"^(?P<above>[^\n]*)\n```rules *(?P<how>[a-z ]*)\n(?P<text>.*?)^```$", TEXT, re.M | re.S):
        line = TEXT[: match.start("text")].count("\n") + 1
        found.append(Example(line, match["how"].strip(), match["text"], match["above"]))
    return found


(STAGE,) = [example.text for example in examples() if example.how == "stage"]


def wrapped(example: Example) -> str:
    """The example as a whole game."""
    kind = example.how.split()[-1] if example.how not in ("", "bad") else ""
    if kind in ("", "stage"):
        return example.text
    if kind == "decl":
        return f"{STAGE}\n{example.text}"
    if kind == "stmt":
        lines = "".join(f"    {line}\n" for line in example.text.splitlines())
        return f"{STAGE}\naction shown_lines(owner of player)\n{lines}setup: do shown_lines(starter)\n"
    assert kind == "expr", example
    defines = [f"define shown_{i}(owner of player) is {line}\n" for i, line in enumerate(example.text.splitlines())]
    return f"{STAGE}\n{''.join(defines)}"


def examined(example: Example) -> Loaded:
    return examine_text(Source(str(PAGE.with_name("example.rules")), wrapped(example)))


def params(*, bad: bool) -> list[Any]:
    chosen = [example for example in examples() if example.how.startswith("bad") == bad]
    return [pytest.param(example, id=f"line-{example.line}") for example in chosen]


@pytest.mark.parametrize("example", params(bad=False))
def test_examples_are_checked_without_errors(example: Example) -> None:
    loaded = examined(example)
    assert loaded.game is not None, render_all(loaded.findings, loaded.sources)
    start(loaded.game, seed="page")
    assert not [result.failure for result in run_all(loaded.game) if not result.passed]


@pytest.mark.parametrize("example", params(bad=True))
def test_faulty_examples_give_the_code_named_above_them(example: Example) -> None:
    (named,) = re.findall(r"`([a-z-]+)`", example.above)
    loaded = examined(example)
    assert {entry.code for entry in loaded.findings if entry.level == ERROR} == {named}


def test_nothing_shown_as_rules_escapes() -> None:
    assert len(examples()) == TEXT.count("```rules")
    assert len(examples()) >= 40


# ---------------------------------------------------------------- tables


def table(heading: str, first: str) -> list[list[str]]:
    """The rows of the tables of a section whose first column is headed so."""
    section = re.search(rf"^## {heading}.*?(?=^## |\Z)", TEXT, re.M | re.S)
    assert section is not None, heading
    rows: list[list[str]] = []
    wanted = False
    for line in section[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            wanted = False
        elif wanted and not set(cells[0]) <= {"-"}:
            rows.append(cells)
        elif cells[0] == first:
            wanted = True
    return rows


def test_every_built_in_word_is_listed_as_it_is() -> None:
    listed = {}
    for cells in table("13", "word"):
        match = re.fullmatch(r"`([a-z_]+)\((.*)\)`", cells[0])
        if match:
            listed[match[1]] = (tuple(match[2].split(", ")), cells[1])
    assert listed == {word.name: (word.takes, word.gives) for word in builtin_signatures.FUNCTIONS.values()}


def test_every_other_reserved_word_is_listed() -> None:
    cells = [cells[0] for cells in table("13", "word") if "(" not in cells[0]]
    listed = set(re.findall(r"`([a-z_]+)`", " ".join(cells)))
    turns = {word.name for word in builtin_signatures.ATTRIBUTES.values() if word.gives == "direction"}
    assert listed == (set(builtin_signatures.RESERVED) | turns) - set(builtin_signatures.FUNCTIONS)


def test_every_word_behind_a_dot_is_listed() -> None:
    listed = {name for cells in table("13", "behind a dot") for name in re.findall(r"`([a-z_]+)`", cells[0])}
    others = {word.name for word in builtin_signatures.ATTRIBUTES.values() if word.gives != "direction"}
    assert listed == others | {"number", "space", "placed", "home"}


def test_words_that_need_quotes_are_listed() -> None:
    (line,) = re.findall(r"need single quotes as a name:\n(.*?)\. Names", TEXT, re.S)
    assert set(re.findall(r"`([a-z]+)`", line)) == set(BEGINNERS)


def test_limits_are_listed_with_their_values() -> None:
    listed = {cells[0]: int(cells[1]) for cells in table("17", "name")}
    assert listed == {name: value for name, value in vars(limits).items() if name.isupper()}


def test_every_code_of_a_finding_or_fault_is_listed() -> None:
    rows = [cells[0].strip("`") for heading in ("18", "19") for cells in table(heading, "code")]
    assert set(rows) == codes_in("") - of_texts() - (codes_in("hosting") - codes_in("play"))
    for heading in ("18", "19"):
        codes = [cells[0] for cells in table(heading, "code")]
        assert len(set(codes)) == len(codes)


def test_every_code_of_a_table_is_listed_where_it_is_given() -> None:
    """What a page is told of an answer that is not taken is no fault of rules."""
    assert Refused.__doc__ is not None
    (listed,) = re.findall(r"code: +(.*?)\n    reason:", Refused.__doc__, re.S)
    words = re.split(r"[,.\s]+", re.sub(r"\(.*?\)", "", listed, flags=re.S).strip())
    assert {word for word in words if word} == set(codes_in("hosting"))


def of_texts() -> set[str]:
    """Codes about catalogues and anchors; the page for translators has them."""
    page = PAGE.with_name("translators.md").read_text(encoding="utf-8")
    tables = re.findall(r"^\| code \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", page, re.M)
    listed = re.findall(r"^\| `([a-z0-9-]+)`", "".join(tables), re.M)
    assert len(set(listed)) == len(listed) > 15
    return set(listed) - {"not-utf-8"}


def test_codes_of_texts_are_given_somewhere() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    assert [code for code in sorted(of_texts()) if f'"{code}"' not in sources] == []
    assert of_texts() <= codes_in("tools") | {"wrong-placeholders"}


def test_what_play_can_give_is_listed_with_play() -> None:
    listed = {cells[0].strip("`") for cells in table("19", "code")}
    assert listed == codes_in("play") | codes_in("record")


def test_warnings_are_marked() -> None:
    marked = {cells[0].strip("`") for cells in table("18", "code") if cells[1].startswith("(w)")}
    assert marked == (codes_in("model", ("warn",)) | codes_in("tools", ("warn",))) - of_texts()


def test_precedence_is_that_of_the_grammar() -> None:
    """Each level of the table holds what the next one may stand in, down to single words."""
    parser = Lark(library.grammar(), parser="lalr", lexer="basic", start="start")
    pairs = [
        ("if a then b else c where d", "where"),
        ("if a or b then c else d or e", "choice"),
        ("a and b or c", "disjunction"),
        ("not a and b", "conjunction"),
        ("not a is b", "unary"),
        ("a..b is c", "comparison"),
        ("a + b..c", "reach"),
        ("a * b + c", "sum"),
        ("-a * b", "product"),
        ("count a.b", "unary"),
    ]
    for text, outermost in pairs:
        tree: Any = parser.parse(f"define x is {text}\n")
        assert tree.children[0].children[-1].data == outermost, text
