"""Sentence segmentation: the sentences of a book, with what parts each from the one before it.

A heading is a line alone without a closing mark; what follows it belongs to it, and a blank line before a sentence
makes it likelier that another rule begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.tools.audit.anchors import words
from rulekit.values import frozen

BESIDE, APART, HEADED = range(3)
"""How a sentence follows the one before: in the same paragraph, after a blank line, under a heading."""
_END = re.compile(
    r"(?<=[.!?:])(?<!\bfig\.)(?<!\bFig\.)(?<!\bes\.)(?<!\bEs\.)(?<!\bEx\.)(?<!\bAbb\.)(?<!z\.B\.)\s+|\n\s*\n|\n(?=\s*[-*#>\d])"
)
_LETTER = re.compile(r"[^\W\d_]")
_CLOSING = '.!?:;»”")*>…'
_HEADING_WORDS = 8
_EXAMPLE = re.compile(r"\b(esempi|beispiel|example|fig\b|figur|es\.|z\. ?b\.|e\. ?g\.)", re.IGNORECASE)
_FADING = 0.7
"""How much of being an example passes from a sentence to the next."""


@frozen
class Sentence:
    """A stretch of a book.

    follows:     how it comes after the one before: `BESIDE`, `APART` or `HEADED`.
    is_heading:  whether it is a heading itself.
    shows:       1 where it speaks of an example or a figure, less and less behind that, 0 before.
    """

    start: int
    end: int
    follows: int
    is_heading: bool
    shows: float


def sentences(text: str) -> tuple[Sentence, ...]:
    """All sentences that hold a word, in order."""
    made: list[Sentence] = []
    shows = 0.0
    for start, end in _stretches(text):
        if not words(text[start:end]):
            continue
        shows = 1.0 if _EXAMPLE.search(text[start:end]) else shows * _FADING
        follows = _follows(text[made[-1].end : start], made[-1]) if made else APART
        made.append(Sentence(start, end, follows, _is_heading(text[start:end]), shows))
    return tuple(made)


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """What stands between two ends; what holds no letter, such as `3.`, goes with what follows it."""
    start = 0
    for match in _END.finditer(text):
        if _LETTER.search(text, start, match.start()):
            yield start, match.start()
            start = match.end()
    yield start, len(text)


def _follows(gap: str, before: Sentence) -> int:
    if before.is_heading:
        return HEADED
    return APART if gap.count("\n") > 1 else BESIDE


def _is_heading(text: str) -> bool:
    return text.strip()[-1] not in _CLOSING and len(words(text)) <= _HEADING_WORDS
