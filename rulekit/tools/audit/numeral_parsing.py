"""Numeral parsing: numbers in running text, as digits, words, ordinals, ranges and multipliers, with their places.

Turns a text and a language into what a reader would count, and leaves out
what only numbers the text itself (list items, figures, pages, dates, links).
Also counts how often a text denies, permits and obliges (deontic modality).
Number words are text2num's; `numeral_tables` settles what it cannot.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise

from rulekit.distribution import install_hint
from rulekit.library import ABSENT, NoPackage
from rulekit.tools.audit.numeral_tables import LANGUAGES, Language
from rulekit.tools.constants.constant_values import AT_LEAST, AT_MOST, EXACT
from rulekit.tools.documents.reader_text import SCRIPTS, SYMBOLS, NumberWords
from rulekit.values import evolve, frozen

_DIGITS = 15
"""A longer number is none of a game."""

_LETTER = rf"[^\W\d_{SCRIPTS}{SYMBOLS}]"
_TOKEN = re.compile(rf"\d{{1,3}}(?:[.,\u00a0\u2009\u202f]\d{{3}})+(?!\d)|\d+|{_LETTER}+(?:-{_LETTER}+)*")
_LAYOUT = re.compile(
    r"(?m)<su[bp]\b[^<>]*>[\d\s,;*]*</su[bp]>|\[\^[^\]\s]+\]|https?://\S+|www\.\S+|<[^<>]*>"
    r"|^[ \t]*(?:[-*>#•]+[ \t]*)*\d+(?:[.)]|[ \t][-–])(?=\s)"
    r"|(?:\.{3,}|\t)[ \t]*\d+[ \t]*$"
    r"|\b\d+/\d+(?:/\d+)?\b|\b[A-Za-z]-?\d+(?:\.\d+)*\b|©[ \t]*\d+"
)
_PART = re.compile(r"[^-]+")
_ITEM = re.compile(r"<li>\s*\d+[.)](?=\s)")
_TIGHT, _LOOSE = re.compile(r"(?<![^\s(.…:*])[-−–]$"), re.compile(r"[^\s-][^\S\n]*[-−–][^\S\n]$")
_DASH = re.compile(r"\s*[-–—−]\s*")
_STRESSES = ("only", "exactly", "least", "most", "than")
"""Words behind which `one` is a number whatever comes then."""
_SIGN = 8
"""So many letters before a number are looked at for its sign."""
_JOINED, _DENIED = re.compile(r"[\s*_]*"), 3
"""So many words before a comparison may deny it, if nothing but blanks stands between them."""
_STOPS, _NEAR = (".", ";", "\n\n", "|"), 200
_VALUE = re.compile(r"(\d+)(.*)", re.DOTALL)


@frozen
class Numeral:
    """One number read.

    value:       what it says; below 0 with a minus sign.
    bound:       whether the words beside it make it `at most` or `at least`; "": as it stands.
    limit:       the last value that the bound includes (`below 1`: 0); without a bound `value`.
    start, end:  where it stands in the text, 0-based, end excluded.
    kind:        digit, word, ordinal, multiplier or one.
    may_sink:    it has a minus sign, or its sentence speaks of a loss.
    edge:        `at least` and `at most` for the two numbers of a range, `two to four`; `at most` beside `only`.
    """

    value: int
    bound: str
    limit: int
    start: int
    end: int
    text: str
    kind: str
    may_sink: bool = False
    edge: str = EXACT


@frozen
class ModalWord:
    """A word that denies, permits or obliges (kind: not, may or must), and where it stands in the text."""

    kind: str
    start: int
    end: int
    text: str


@frozen
class _Token:
    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        return self.text.lower()


def numerals(text: str, language: str) -> tuple[Numeral, ...]:
    """All numbers of a text in their order; raises `NoPackage` without text2num."""
    table = LANGUAGES[language]
    blanked = _blanked(text)
    tokens = _parted(_tokens(blanked), table)
    found = []
    for index, token in enumerate(tokens):
        read = _read(tokens, index, table)
        if read is not None:
            is_minus = _is_minus(blanked, tokens, index, table)
            value = -read[0] if is_minus else read[0]
            bound, limit = _bound(blanked, tokens, index, value, table)
            sinks = is_minus or _is_loss(blanked, token, table)
            edge = AT_MOST if _is_only(tokens, index, table) else EXACT
            found.append(Numeral(value, bound, limit, token.start, token.end, token.text, read[1], sinks, edge))
    return _ranged(found, blanked, table)


def number_words(language: str) -> NumberWords:
    """What a language knows of number words; nothing where it has no tables.  May raise `NoPackage` when asked."""
    table = LANGUAGES.get(language)
    if table is None:
        return NumberWords(lambda word: False, has_compounds=False)
    return NumberWords(
        lambda word: word in table.multipliers or _number_word(word, table) is not None, table.has_compounds
    )


def _parted(tokens: list[_Token], table: Language) -> list[_Token]:
    """The tokens, with the parts of a hyphenated word one by one where a part is a number and the whole is none."""
    made: list[_Token] = []
    for token in tokens:
        made += _parts(token, table) if "-" in token.text else [token]
    return made


def _parts(token: _Token, table: Language) -> list[_Token]:
    parts = [_Token(m.group(), token.start + m.start(), token.start + m.end()) for m in _PART.finditer(token.text)]
    is_number = [_is_cardinal(part.low, table) for part in parts]
    is_fraction = any(part.low in table.fractions for part in parts)
    is_whole = token.low in table.multipliers or _number_word(token.low, table) is not None
    return [token] if is_whole or is_fraction or not any(is_number) else parts


def _is_only(tokens: list[_Token], index: int, table: Language) -> bool:
    """Whether `only` stands beside a number: it says a bound where there is one, and nothing where there is none."""
    before, after = _low(tokens, index - 1), _low(tokens, index + 1)
    if before in table.one_between:
        before = _low(tokens, index - 2)
    return not table.onlys.isdisjoint((before, after))


def articles(text: str, language: str) -> tuple[Numeral, ...]:
    """The words of a text that are 1 elsewhere and here only articles: `una` without `almeno` before it."""
    table = LANGUAGES[language]
    tokens = _parted(_tokens(_blanked(text)), table)
    places = [i for i, token in enumerate(tokens) if token.low in table.ones and _read(tokens, i, table) is None]
    found = [tokens[place] for place in places]
    return tuple(Numeral(1, EXACT, 1, token.start, token.end, token.text, "one") for token in found)


def _ranged(found: list[Numeral], text: str, table: Language) -> tuple[Numeral, ...]:
    """The numbers, with those marked that are the two ends of a range."""
    made = list(found)
    for place, (first, last) in enumerate(pairwise(found)):
        if first.value != last.value and _spans(text, first, last, table):
            is_rising = first.value < last.value
            made[place] = evolve(made[place], edge=AT_LEAST if is_rising else AT_MOST)
            made[place + 1] = evolve(made[place + 1], edge=AT_MOST if is_rising else AT_LEAST)
    return tuple(made)


def _spans(text: str, first: Numeral, last: Numeral, table: Language) -> bool:
    """Whether the words before and between two numbers make a range of them."""
    between = text[first.end : last.start].lower()
    if _DASH.fullmatch(between):
        return True
    link, before = between.strip(), _tokens(text[max(0, first.start - _SIGN) : first.start])
    is_beside = abs(first.value - last.value) == 1 and link in table.either
    word = before[-1].low if before else ""
    return is_beside or any(link in links and (not firsts or word in firsts) for firsts, links in table.ranges)


def _is_minus(text: str, tokens: list[_Token], index: int, table: Language) -> bool:
    """Whether a minus sign stands before a number; apart from it only where points are counted."""
    before = text[: tokens[index].start][-_SIGN:]
    return bool(_TIGHT.search(before) or (_low(tokens, index + 1) in table.scores and _LOOSE.search(before)))


def _is_loss(text: str, token: _Token, table: Language) -> bool:
    """Whether the sentence around a number speaks of a loss."""
    first = max(text.rfind(stop, 0, token.start) for stop in _STOPS)
    last = min((at for stop in _STOPS if (at := text.find(stop, token.end)) >= 0), default=len(text))
    sentence = text[max(0, first, token.start - _NEAR) : min(last, token.end + _NEAR)]
    return not table.losses.isdisjoint(part.low for part in _tokens(sentence))


def modality_counts(text: str, language: str) -> Counter[str]:
    """How often a text denies, permits and obliges: not, may and must."""
    return Counter(word.kind for word in modal_words(text, language))


def modal_words(text: str, language: str) -> tuple[ModalWord, ...]:
    """The words of a text that deny, permit and oblige, in their order; one that does two of these stands twice."""
    table = LANGUAGES[language]
    found = []
    tokens = _tokens(_blanked(text))
    for index, token in enumerate(tokens):
        before, after = _low(tokens, index - 1), _low(tokens, index + 1)
        pairs = {token.low, f"{token.low}_{after}"}
        is_idle = bool({f"{before}_{token.low}", f"{token.low}_{after}"} & table.idle)
        kinds = {"not": pairs & table.nots and not is_idle, "may": pairs & table.mays, "must": pairs & table.musts}
        found += [ModalWord(kind, token.start, token.end, token.text) for kind, holds in kinds.items() if holds]
    return tuple(found)


def denying_words(text: str, language: str) -> tuple[ModalWord, ...]:
    """The negations of a text and its implicit negations, which deny without saying *not*, in their order."""
    implicit = LANGUAGES[language].implicit
    hidden = [ModalWord("not", t.start, t.end, t.text) for t in _tokens(_blanked(text)) if t.low in implicit]
    plain = [word for word in modal_words(text, language) if word.kind == "not"]
    return tuple(sorted((*plain, *hidden), key=lambda word: word.start))


def _blanked(text: str) -> str:
    """The text with everything that only numbers or lays out the text itself turned into blanks."""
    for pattern in (_ITEM, _LAYOUT):
        text = pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    return text


def _tokens(text: str) -> list[_Token]:
    return [_Token(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(text)]


def _read(tokens: list[_Token], index: int, table: Language) -> tuple[int, str] | None:
    """The number and kind that a token stands for, if any."""
    token, before, after = tokens[index], _low(tokens, index - 1), _low(tokens, index + 1)
    if token.text[0].isdecimal():
        is_number = before not in table.labels and len(token.text) <= _DIGITS
        return (int(re.sub(r"\D", "", token.text)), "digit") if is_number else None
    word = token.low
    is_counted = after in table.counted or _behind(tokens, index, (*table.more, *table.fewer))
    is_hollow = before in table.hollow.get(word, ()) and not is_counted
    if is_hollow or word in table.nones or after in table.not_before.get(word, ()):
        return None
    if word in table.multipliers:
        return table.multipliers[word], "multiplier"
    if word in table.ones:
        return (1, "one") if _is_one(tokens, index, table) else None
    if word in table.firsts:
        return (1, "ordinal") if before in table.articles else None
    return _number_word(word, table)


def _low(tokens: list[_Token], index: int) -> str:
    return tokens[index].low if 0 <= index < len(tokens) else ""


def _is_one(tokens: list[_Token], index: int, table: Language) -> bool:
    """Whether a word that may be an article is meant as a number."""
    before, after = _low(tokens, index - 1), _low(tokens, index + 1)
    if table.not_ones:
        is_verb = bool(table.verb_ending) and after.endswith(table.verb_ending)
        is_person = (is_verb or after in table.persons) and not _ends(tokens, index, _STRESSES)
        is_shown = _low(tokens, index - 2) in table.shown_by
        return not ({before, after} & table.not_ones or is_person or is_shown)
    if after.isdecimal():
        # `A 9` is a card with this number.
        return False
    if before in table.one_after or after in table.one_before:
        return True
    if before in table.one_between and _low(tokens, index - 2) in table.one_after:
        return True
    if before in table.one_links and _is_ordinal(tokens, index - 2, table):
        return True
    if before in table.one_links and (after in table.units or _ends(tokens, index, (*table.above, *table.below))):
        return True
    further = _low(tokens, index + 2) if after in table.one_joins else after
    return _is_stressed(tokens, index) or _is_cardinal(further, table)


def _ends(tokens: list[_Token], index: int, phrases: tuple[str, ...]) -> bool:
    """Whether one of some phrases stands right before a token."""
    before = [token.low for token in tokens[max(0, index - 4) : index]]
    return any(before[-len(phrase.split()) :] == phrase.split() for phrase in phrases)


def _behind(tokens: list[_Token], index: int, phrases: tuple[str, ...]) -> bool:
    """Whether one of some phrases stands right behind a token."""
    behind = [token.low for token in tokens[index + 1 : index + 4]]
    return any(behind[: len(phrase.split())] == phrase.split() for phrase in phrases)


def _behind_noun(text: str, tokens: list[_Token], index: int, phrases: tuple[str, ...], table: Language) -> bool:
    """Whether one of some phrases stands behind the noun that a token counts (`63 points or more`)."""
    near = tokens[index : index + 5]
    sizes = [len(phrase.split()) for phrase in phrases if _behind(tokens, index + 1, (phrase,))]
    if len(near) < 3 or not sizes or not near[1].low.isalpha() or near[2].low not in table.either:
        return False
    return all(not text[one.end : other.start].strip() for one, other in pairwise(near[: max(sizes) + 2]))


def _is_stressed(tokens: list[_Token], index: int) -> bool:
    """In capitals among words that are not."""
    beside = [token.text for token in tokens[max(0, index - 1) : index + 2]]
    return len(beside) == 3 and len(beside[1]) > 1 and [text.isupper() for text in beside] == [False, True, False]


def _is_cardinal(word: str, table: Language) -> bool:
    if not word.isalpha() or word in table.ones:
        return False
    number = _number_word(word, table)
    return number is not None and number[1] == "word"


def _is_ordinal(tokens: list[_Token], index: int, table: Language) -> bool:
    read = _read(tokens, index, table) if index >= 0 and tokens[index].low not in table.ones else None
    return read is not None and read[1] == "ordinal"


def _number_word(word: str, table: Language) -> tuple[int, str] | None:
    if word in table.gaps:
        return table.gaps[word], "ordinal" if word.endswith(("imo", "ima")) else "word"
    return _spelt(word, table.code)


@cache
def _spelt(word: str, code: str) -> tuple[int, str] | None:
    """A single word as a number; languages write numbers below a hundred in one word, or with a hyphen."""
    try:
        from text_to_num import alpha2digit
    except ABSENT:
        raise NoPackage(f"numbers in words need text2num: {install_hint('text')}") from None
    match = _VALUE.fullmatch(alpha2digit(word, code, threshold=0.0))
    if match is None:
        return None
    return int(match[1]), "ordinal" if match[2] else "word"


def _bound(text: str, tokens: list[_Token], index: int, value: int, table: Language) -> tuple[str, int]:
    """The bound that the words beside a number give it, and the last value that this includes."""
    for phrases, name in ((table.more, AT_LEAST), (table.fewer, AT_MOST)):
        if _behind(tokens, index, phrases) or _behind_noun(text, tokens, index, phrases, table):
            return name, value
    shifts = (
        (table.unbound, EXACT, 0),
        (table.below, AT_MOST, -1),
        (table.above, AT_LEAST, 1),
        (table.most, AT_MOST, 0),
        (table.least, AT_LEAST, 0),
    )
    is_duration = _low(tokens, index + 1) in table.durations
    # The longest phrase counts: `not more than` is no `more than`.
    ends = [
        (len(phrase.split()), name, shift)
        for phrases, name, shift in shifts
        for phrase in phrases
        if _ends(tokens, index, (phrase,)) and not (phrase in table.throughout and is_duration)
    ]
    size, name, shift = max(ends, default=(0, EXACT, 0))
    if shift and _is_denied(text, tokens[max(0, index - size - _DENIED) : index - size + 1], table):
        # What never goes beyond nine is at most nine.
        return (AT_MOST if name == AT_LEAST else AT_LEAST), value
    return name, value + shift


def _is_denied(text: str, tokens: list[_Token], table: Language) -> bool:
    """Whether one of the words before the last denies it, in the same part of the sentence."""
    found = False
    for word, following in pairwise(tokens):
        is_apart = not _JOINED.fullmatch(text[word.end : following.start])
        found = (found or word.low in table.nots) and not is_apart
    return found
