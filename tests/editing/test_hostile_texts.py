"""Whatever stands in a text, editors get an answer: broken, endless, deep, in strange letters."""

from __future__ import annotations

import random

import pytest

from rulekit import limits
from rulekit.tools.editing.beside.lenses import hints, lenses
from rulekit.tools.editing.completion import completion
from rulekit.tools.editing.corrections.corrections import corrections
from rulekit.tools.editing.corrections.formatting import formatting
from rulekit.tools.editing.document import findings
from rulekit.tools.editing.hover import hover
from rulekit.tools.editing.navigation import causes, definition, effects, folds, outline, references
from rulekit.tools.editing.rename import renamed
from rulekit.tools.editing.semantic_tokens import semantic_tokens
from tests.editing.texts import GAME, document
from tests.sizes import IS_LONG

MUTANTS = 40 if IS_LONG else 16
_STRANGE = [
    "",
    "\n",
    "    ",
    "🐐",
    '"',
    "(",
    "]",
    "|",
    "@",
    "@AB-1",
    "> ",
    ">- X",
    "#",
    ":",
    ",",
    ".",
    "'",
    "{round}",
    "\t",
]
_STRANGE += ["each player has\n    ", 'extends "foxy"', "if ", " where ", "\x00", "‮", "99999999999999999999"]


def _mutant(rng: random.Random) -> str:
    """The game with a few stretches cut out, doubled, or replaced by what is strange there."""
    text = GAME
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(text))
        end = min(len(text), start + rng.randrange(12))
        text = text[:start] + rng.choice([rng.choice(_STRANGE), text[start:end] * 2, ""]) + text[end:]
    return text


def _asked_everything(text: str, rng: random.Random, *, corrected: int) -> None:
    of = document(text)
    for entry in findings(of)[:corrected]:
        corrections(of, entry)
    for answer in (semantic_tokens, outline, folds, lenses, hints):
        answer(of)
    formatting(of.source)
    lines = text.split("\n")
    line = rng.randrange(len(lines)) + 1
    for column in {1, rng.randrange(len(lines[line - 1]) + 1) + 1, len(lines[line - 1]) + 1}:
        for asked in (completion, hover, definition, references, causes, effects):
            asked(of, line, column)
        renamed(of, line, column, "other")


@pytest.mark.parametrize("seed", range(MUTANTS))
def test_a_broken_text_is_answered_for(seed: int) -> None:
    rng = random.Random(seed)
    _asked_everything(_mutant(rng), rng, corrected=1)


@pytest.mark.parametrize(
    "text",
    [
        "", "\n\n", "(" * 200, "define x is " + "(" * (limits.NESTING + 9), "define x is 1" + " + 1" * 2000,
        "play\n" + "    if a\n" * 50, "x" * 5000, "🐐" * 500, "| a |\n" * 300, "> " * 300, GAME * 20,
    ],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip
def test_an_endless_text_is_answered_for(text: str) -> None:
    _asked_everything(text, random.Random(1), corrected=0)
