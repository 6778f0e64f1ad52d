"""Edits of a text as people make them while they write: words, lines and blanks change, come, go and move."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

_WORD = re.compile(r"[A-Za-z_0-9]+|[^\sA-Za-z_0-9]")
_PIECES = ("(", ")", "[", "]", '"', "#", "> ", ">- AB-1 words", "@AB-1", ":", "|", ",", "\t", "else", "é\u200b", "\r")
Lines = list[str]


def edited(text: str, rng: random.Random) -> str:
    """The text with one edit in it."""
    lines = text.split("\n")
    rng.choice(_EDITS)(lines, rng.randrange(len(lines)), rng)
    return "\n".join(lines)


def _delete(lines: Lines, at: int, rng: random.Random) -> None:
    del lines[at : at + rng.choice((1, 1, 1, 2, 5))]
    lines += [""] * (not lines)


def _insert(lines: Lines, at: int, rng: random.Random) -> None:
    lines.insert(at, rng.choice(("", "", "# a comment", "> AB-1 Words.", "    # indented", rng.choice(lines))))


def _copy(lines: Lines, at: int, rng: random.Random) -> None:
    """Some lines once more in another place."""
    to = rng.randrange(len(lines))
    lines[to:to] = lines[at : at + rng.randrange(1, 8)]


def _swap(lines: Lines, at: int, rng: random.Random) -> None:
    other = rng.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]


def _indent(lines: Lines, at: int, rng: random.Random) -> None:
    width = len(lines[at]) - len(lines[at].lstrip())
    lines[at] = " " * max(0, width + rng.choice((-4, -2, -1, 1, 2, 4))) + lines[at].lstrip()


def _change_word(lines: Lines, at: int, rng: random.Random) -> None:
    """A word of the line becomes one that stands elsewhere, or loses a letter."""
    words = list(_WORD.finditer(lines[at]))
    others = _WORD.findall(rng.choice(lines)) or ["x"]
    if words:
        word = rng.choice(words)
        new = rng.choice((rng.choice(others), word[0][:-1], word[0] + "x"))
        lines[at] = lines[at][: word.start()] + new + lines[at][word.end() :]


def _rename(lines: Lines, at: int, rng: random.Random) -> None:
    """A word becomes another one wherever it stands in the text."""
    if words := re.findall(r"\b[a-z_]{3,}\b", lines[at]):
        old = re.compile(rf"\b{rng.choice(words)}\b")
        new = rng.choice(("renamed", rng.choice(words)))
        lines[:] = [old.sub(new, line) for line in lines]


def _number(lines: Lines, at: int, rng: random.Random) -> None:
    lines[at] = re.sub(r"\d+", lambda found: str(int(found[0]) + rng.choice((-1, 1, 10))), lines[at], count=1)


def _put(lines: Lines, at: int, rng: random.Random) -> None:
    """A character that may open or close what other lines depend on."""
    place = rng.randrange(len(lines[at]) + 1)
    lines[at] = lines[at][:place] + rng.choice(_PIECES) + lines[at][place:]


_EDITS: tuple[Callable[[Lines, int, random.Random], None], ...] = (
    _delete, _insert, _copy, _swap, _indent, _change_word, _rename, _number, _number, _put,
)  # fmt: skip
