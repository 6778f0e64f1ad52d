"""Where the project's folders are: no other module of the tests looks for them from its own place."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "rulekit"
GAMES, EXAMPLES = ROOT / "games", ROOT / "examples"
GRAMMAR, DOCS = ROOT / "grammar", ROOT / "docs"

CASES = Path(__file__).parent / "cases"
"""Rules texts that tests go through chunk by chunk."""
CORPUS = Path(__file__).parent / "corpus"
"""Texts that once failed in a long run."""
PLAYTHROUGHS, SCREENS = Path(__file__).parent / "playthroughs", Path(__file__).parent / "screens"
"""Golden files."""
BOOKS = Path(__file__).parent / "books"
"""A rulebook of an example, with its anchors."""
PLANTED = Path(__file__).parent / "editors" / "planted_edits.txt"
"""Edits planted by hand in the games that ship, each with its clauses."""
