"""A written text as its reader takes it: words broken at line ends, raised digits, and what is uncertain.

A hyphen at a line end stays where the word needs it (`twenty-/six`, `10-/12`, `Kreuz-/Sieben`) and is dropped where it
only parts syllables.  Superscripts and subscripts are references or exponents: they belong to no number beside them.
Fractions, circled digits, Roman numerals in one character and private characters are not read as numbers either, but
reported as doubts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import cache
from html import unescape

from rulekit.values import evolve, field, frozen

RAISED, LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"
_DIGITS = "0123456789"
_TO_RAISED, _TO_LOWERED = str.maketrans(_DIGITS, RAISED), str.maketrans(_DIGITS, LOWERED)
SCRIPTS = "¹²³⁰⁴-⁹₀-₉"
"""Superscript and subscript digits, for a class of a regular expression."""
SYMBOLS = "¼-¾⅐-↉①-⓿❶-➓㉑-㉟㊱-㊿\ue000-\uf8ff\ufffd"
"""Other characters that show a number, or nobody knows what, for a class of a regular expression."""
UNREADABLE = "\ufffd"
"""What stands for letters of a document that have no meaning as text."""
_SYMBOL = re.compile(rf"[{SYMBOLS}]+|(?<=\d)[{SCRIPTS}]+[/⁄]|[¹²³⁰⁴-⁹]+[⁄/][\d₀-₉]+|\d+⁄\d+")

_SCRIPT = re.compile(
    r"(?<![/⁄₀-₉])[₀-₉]+|(?<=[^.!?:\n][^\S\n])[¹²³⁰⁴-⁹]+(?=[^\S\n]+[^\W\d_])"
    r"|<sub\b[^<>]*>[\s*]*\d[\d\s]*</sub>|(?<=[^.!?:\n][^\S\n])<sup\b[^<>]*>[\s*]*\d[\d\s]*</sup>(?=[^\S\n]+[^\W\d_])"
)
"""Lowered digits, and raised digits that stand alone before a word: `deal ¹³ cards`."""
_ATTACHED = re.compile(r"(?<=[^\W\d_]{3})\d{1,2}(?!\w)|(?<=[^\W\d_]{3}[.,;:!?)])\d{1,2}(?=\s|$)")
_APART = re.compile(r"(?<![^\W_])(?:[^\W_] ){4,}[^\W_](?![^\W_])")
_DIGITS_APART, _A_LETTER = re.compile(r"\d(?: \d)+"), re.compile(r"[^\W\d_]")
_LABEL, _BEFORE = re.compile(r"(?:^|\n)[ \t>#*•-]*$"), 10
_LEAST = 3
"""So many letters that stand apart are a word in which letters stand apart."""


class DoubtKind(Enum):
    """Why a reading is uncertain; the value is the end of the message's name."""

    SYMBOL = "symbol"
    EQUATION = "equation"
    SPACED = "spaced"
    HIDDEN = "hidden"
    HYPHEN = "hyphen"
    REFERENCE = "reference"
    DIGITS = "digits"
    SCRIPT = "script"
    ROMAN = "roman"
    STRUCK = "struck"


@frozen
class Doubt:
    """A stretch of a text whose reading is uncertain.

    start, end:  offsets; equal where nothing of it is in the text.
    """

    start: int
    end: int
    kind: DoubtKind


def raised(text: str) -> str:
    """A text with its digits as superscripts, of the same length."""
    return text.translate(_TO_RAISED)


def lowered(text: str) -> str:
    """A text with its digits as subscripts, of the same length."""
    return text.translate(_TO_LOWERED)


def doubts_of(text: str) -> Iterator[Doubt]:
    """What can be read wrongly in any text: symbols, fractions, digits at a word's end or among letters set apart."""
    for match in _SYMBOL.finditer(text):
        if _LABEL.search(text[max(0, match.start() - _BEFORE) : match.start()]) and not match.group()[0].isdecimal():
            continue  # What begins a line is the mark of an item.
        yield Doubt(match.start(), match.end(), DoubtKind.SYMBOL)
    for match in _SCRIPT.finditer(text):
        yield Doubt(match.start(), match.end(), DoubtKind.SCRIPT)
    for match in _ATTACHED.finditer(text):
        yield Doubt(match.start(), match.end(), DoubtKind.REFERENCE)
    for match in _APART.finditer(text):
        digits = _DIGITS_APART.search(match.group())
        if digits is not None and len(_A_LETTER.findall(match.group())) >= _LEAST:
            yield Doubt(match.start() + digits.start(), match.start() + digits.end(), DoubtKind.SPACED)


# ---------------------------------------------------------------- broken words

Vocabulary = Callable[[], frozenset[str]]
_BREAK = re.compile(
    r"(?<![^\W_])(?P<left>[^\W_]+)"
    r"(?:(?P<hyphen>[-\u2010\u2011])[ \t\r]*\n[ \t>]*|(?P<soft>\u00ad)(?:[ \t\r]*\n[ \t>]*)?)"
    r"(?P<right>[^\W_]+)"
    r"|(?P<nothing>[\u00ad\u200b\u2060\ufeff]+)|[\u2010\u2011]"
)
_CHARACTER_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_INSTEAD = {"<": "&lt;", ">": "&gt;", "&": "&amp;", "\n": " ", "\r": " "}
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_SUSPENDED = frozenset(["und", "oder", "bis", "and", "or", "to", "e", "o", "ed", "od", "a"])
"""Words before which a hyphen stands for what follows later (`Vor- und Nachteile`)."""


@frozen
class NumberWords:
    """What a language knows of number words.

    is_number:       whether a word is a number.
    has_compounds:   whether compounds with a number keep their hyphen (`three-card`).
    """

    is_number: Callable[[str], bool]
    has_compounds: bool


@frozen
class UnbrokenText:
    """A text without broken words.  doubts: breaks of which nobody can say whether the hyphen belongs to the word."""

    text: str = field(repr=False)
    doubts: tuple[Doubt, ...] = ()
    _starts: tuple[int, ...] = field(default=(0,), repr=False)
    _originals: tuple[int, ...] = field(default=(0,), repr=False)
    """Where stretches that are the same in both texts begin, here and in the original."""
    _decoded: UnbrokenText | None = field(default=None, repr=False)
    """The original without character references, whose places `_originals` are; None if it is the original."""

    def original(self, offset: int) -> int:
        """The place in the original text of the character at an offset."""
        stretch = bisect_right(self._starts, offset) - 1
        place = self._originals[stretch] + offset - self._starts[stretch]
        return place if self._decoded is None else self._decoded.original(place)

    def original_end(self, start: int, end: int) -> int:
        """The place in the original text behind a range."""
        return self.original(end - 1) + 1 if end > start else self.original(end)

    def moved(self, doubt: Doubt) -> Doubt:
        """A doubt about the original text, with its place in this one."""
        inner = doubt if self._decoded is None else self._decoded.moved(doubt)
        return Doubt(self._here(inner.start), self._here(inner.end), doubt.kind)

    def _here(self, original: int) -> int:
        stretch = bisect_right(self._originals, original) - 1
        here = self._starts[stretch] + original - self._originals[stretch]
        return min((here, *self._starts[stretch + 1 : stretch + 2]))


def unbroken(text: str, numbers: NumberWords) -> UnbrokenText:
    """A text with its character references decoded, its broken words joined, and its hyphens all of one kind."""
    if _CHARACTER_REFERENCE.search(text) is None:
        return _edited(text, _edits(text, numbers))
    decoded = _edited(text, _decodings(text))
    return evolve(_edited(decoded.text, _edits(decoded.text, numbers)), decoded=decoded)


def _edited(text: str, edits: Iterable[tuple[int, int, str, int]]) -> UnbrokenText:
    """A text after replacements: start, end, by what, and how many letters before it are doubtful with it."""
    parts: list[str] = []
    doubts: list[Doubt] = []
    starts, originals = [0], [0]
    size = at = 0
    for start, end, instead, doubtful in edits:
        parts += (text[at:start], instead)
        size += start - at + len(instead)
        at = end
        starts.append(size)
        originals.append(at)
        if doubtful:
            doubts.append(Doubt(size - len(instead) - doubtful, size, DoubtKind.HYPHEN))
    parts.append(text[at:])
    return UnbrokenText("".join(parts), tuple(doubts), tuple(starts), tuple(originals))


def _decodings(text: str) -> Iterator[tuple[int, int, str, int]]:
    """The characters of character references in HTML; what would become mark-up is written by its name."""
    for match in _CHARACTER_REFERENCE.finditer(text):
        decoded = unescape(match.group())
        if decoded != match.group():
            yield match.start(), match.end(), _INSTEAD.get(decoded, decoded), 0


def _edits(text: str, numbers: NumberWords) -> Iterator[tuple[int, int, str, int]]:
    """What to replace: start, end, by what, and how many letters before it are doubtful with it."""
    vocabulary = cache(lambda: frozenset(_WORD.findall(text.lower())))
    at = 0
    while (match := _BREAK.search(text, at)) is not None:
        at = match.start("right") if match["left"] else match.end()
        if match["left"] is None:
            yield match.start(), match.end(), "" if match["nothing"] else "-", 0
            continue
        is_soft = match["soft"] is not None
        hyphen = _hyphen(match["left"], match["right"], is_soft, numbers, vocabulary)
        if hyphen is not None:
            yield match.end("left"), match.start("right"), hyphen[0], len(match["left"]) if hyphen[1] else 0


def _hyphen(
    left: str, right: str, is_soft: bool, numbers: NumberWords, vocabulary: Vocabulary
) -> tuple[str, bool] | None:
    """The hyphen or nothing, and whether it is doubtful; None where a line only ends with a hyphen."""
    plain, compound = left + right, f"{left}-{right}"
    if is_soft:
        is_compound = numbers.is_number(compound.lower()) and not numbers.is_number(plain.lower())
        return "-" if is_compound else "", False
    if right.lower() in _SUSPENDED or (right[0].isdecimal() and not left[-1].isdecimal()):
        return None
    if left[-1].isdecimal() or (right[0].isupper() and not (len(left) > 1 and left.isupper())):
        return "-", False
    if numbers.is_number(plain.lower()):
        return "", False
    if numbers.is_number(compound.lower()):
        return "-", False
    if not (numbers.has_compounds and numbers.is_number(left.lower())):
        return "", False
    # As the text has the word elsewhere; else as a compound with a number.
    if plain.lower() in vocabulary():
        return "", False
    return "-", compound.lower() not in vocabulary()
