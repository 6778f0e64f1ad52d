"""The glossary: each module that it names exists and has the term at the head of its docstring."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.paths import DOCS

GLOSSARY = DOCS / "glossary.md"
HEAD = 10
"""So many lines of a docstring are its head."""


def rows(columns: int) -> list[list[str]]:
    """The rows of the table with so many columns, without its heading."""
    lines = [line for line in GLOSSARY.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if len(row) == columns and row[1] != "where"]


def modules(cell: str) -> list[Path]:
    return [(DOCS / link).resolve() for link in re.findall(r"\]\(([^)]+)\)", cell)]


def plain(text: str) -> str:
    """Small letters and single blanks; a hyphen is a blank."""
    return " ".join(text.lower().replace("-", " ").split())


def names(term: str) -> list[str]:
    """The names in the first column: what stands before the brackets, which hold other names for it."""
    return [plain(name) for name in term.partition("(")[0].split(",")]


TERMS = [(row[0], path) for row in rows(4) for path in modules(row[1])]
OWN_WORDS = rows(3)


@pytest.mark.parametrize(("term", "module"), TERMS, ids=lambda each: each.stem if isinstance(each, Path) else each)
def test_a_module_says_its_term_at_the_head_of_its_docstring(term: str, module: Path) -> None:
    docstring = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    head = plain(" ".join(docstring.splitlines()[:HEAD]))
    assert not [name for name in names(term) if name not in head]


@pytest.mark.parametrize("row", OWN_WORDS, ids=lambda row: row[0])
def test_a_word_of_our_own_stands_in_its_module(row: list[str]) -> None:
    assert [path for path in modules(row[1]) if row[0] in plain(path.read_text(encoding="utf-8"))]


def test_every_row_names_a_module() -> None:
    assert len(OWN_WORDS) >= 16
    assert len(TERMS) >= 150
    assert not [row for row in (*rows(3), *rows(4)) if not modules(row[1]) or not row[2]]


@pytest.mark.parametrize("columns", [3, 4])
def test_terms_are_in_the_order_of_the_alphabet_and_each_once(columns: int) -> None:
    terms = [re.sub(r"[^a-z0-9 ]", "", plain(row[0])) for row in rows(columns)]
    assert terms == sorted(set(terms))
