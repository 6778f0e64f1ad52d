"""Numeral parsing: numbers in running text, as digits, words, ordinals, ranges and multipliers, with their places.

Turns a text and a language into what a reader would count, and leaves out
what only numbers the text itself (list items, figures, pages, dates, links).
Also counts how often a text denies, permits and obliges (deontic modality).
Number words are text2num's; `numeral_tables` settles what it cannot.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from rulekit.tools.audit.number_tokens import (
    TextToken,
    TokenGap,
    is_cardinal,
    is_number_word,
    plain_tokens,
    roman_places,
    single_number,
    tokens_of,
    uncertain_places,
)
from rulekit.tools.audit.numeral_tables import LANGUAGES, Language
from rulekit.tools.audit.text_layout import blank_layout
from rulekit.tools.constants.constant_values import AT_LEAST, AT_MOST, EXACT
from rulekit.tools.documents.reader_text import SCRIPTS, Doubt, DoubtKind, NumberWords
from rulekit.values import evolve, frozen

_DIGITS = 15
"""A longer number is none of a game."""

_TIGHT, _LOOSE = re.compile(r"(?<![^\s(.…:*])(?<!\d\.)[-−–]$"), re.compile(r"[^\s-][^\S\n]*[-−–][^\S\n]$")
_DASH = re.compile(r"\.?\s*(?:[-‐‑‒–—―−~÷…]|\.{2,3})\s*")
_MARKS = re.compile(rf"[*_`{SCRIPTS}\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
"""Mark-up, references and signs of direction, which part no two numbers."""
_LABEL_GAP = re.compile(r"\.?[\s*_`]*")
_SIGNS = (
    (re.compile(r"(?:≥|⩾|>=)\s*$"), AT_LEAST, 0),
    (re.compile(r"(?:≤|⩽|<=)\s*$"), AT_MOST, 0),
    (re.compile(r"(?<=[^\n>])>\s*$"), AT_LEAST, 1),
    (re.compile(r"<\s*$"), AT_MOST, -1),
)
"""Signs before a number that bound it, with what they add to it; at the beginning of a line `>` quotes."""
_OR_MORE = re.compile(r"\+(?![\w+])(?!\s*\d)")
_STRESSES = ("only", "exactly", "least", "most", "than")
"""Words behind which `one` is a number whatever comes then."""
_SIGN = 8
"""So many letters before a number are looked at for its sign."""
_LINK = 24
"""So many letters before a range are looked at for the word that begins it."""
_JOINED, _DENIED = re.compile(r"[\s*_]*"), 3
"""So many words before a comparison may deny it, if nothing but blanks stands between them."""
_STOPS, _NEAR = (".", ";", "\n\n", "|"), 200
_COUNTED = 3
"""So many words may stand between a number and a comparison behind it (`two cards per player at most`)."""
_NO_VERBS, _SHORT_VERB = ("ss", "us", "is"), 3
"""How words end that look like verbs of English and are none (`one compass`)."""


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


def numerals(text: str, language: str) -> tuple[Numeral, ...]:
    """All numbers of a text in their order; raises `NoPackage` without text2num."""
    table = LANGUAGES[language]
    blanked = blank_layout(text)
    tokens = tokens_of(blanked, table)
    values = [_read(blanked, tokens, index, table) for index in range(len(tokens))]
    behind = dict(_bounds_behind(blanked, tokens, [value is not None for value in values], table))
    used = {place for _, places in behind.values() for place in places}
    found = []
    for index, (token, read) in enumerate(zip(tokens, values, strict=True)):
        if read is not None:
            is_minus = _is_minus(blanked, tokens, index, table)
            value = -read[0] if is_minus else read[0]
            bound, limit = (behind[index][0], value) if index in behind else ("", value)
            if not bound:
                bound, limit = _bound(blanked, tokens, index, value, used, table)
            sinks = is_minus or _is_loss(blanked, token, table)
            edge = AT_MOST if _is_only(tokens, index, table) else EXACT
            words = text[token.start : token.end]
            found.append(Numeral(value, bound, limit, token.start, token.end, words, read[1], sinks, edge))
    return _ranged(found, blanked, table)


def uncertain_numbers(text: str, language: str) -> Iterator[Doubt]:
    """Fractions and Roman numerals, which are not read, and digits that may be one number or several.

    Nothing for a language without a table.
    """
    table = LANGUAGES.get(language)
    if table is None:
        return
    for start, end, is_fraction in uncertain_places(text, table):
        yield Doubt(start, end, DoubtKind.SYMBOL if is_fraction else DoubtKind.DIGITS)
    for start, end in roman_places(text, table):
        yield Doubt(start, end, DoubtKind.ROMAN)


def number_words(language: str) -> NumberWords:
    """What a language knows of number words; nothing where it has no tables.  May raise `NoPackage` when asked."""
    table = LANGUAGES.get(language)
    if table is None:
        return NumberWords(lambda word: False, has_compounds=False)
    return NumberWords(lambda word: is_number_word(word, table), table.has_compounds)


def _is_only(tokens: list[TextToken], index: int, table: Language) -> bool:
    """Whether `only` stands beside a number: it says a bound where there is one, and nothing where there is none."""
    before, after = _low(tokens, index - 1), _low(tokens, index + 1)
    if before in table.one_between:
        before = _low(tokens, index - 2)
    return not table.onlys.isdisjoint((before, after))


def articles(text: str, language: str) -> tuple[Numeral, ...]:
    """The words of a text that are 1 elsewhere and here only articles: `una` without `almeno` before it."""
    table = LANGUAGES[language]
    blanked = blank_layout(text)
    tokens = tokens_of(blanked, table)
    places = [i for i, one in enumerate(tokens) if one.low in table.ones and _read(blanked, tokens, i, table) is None]
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
    between = _MARKS.sub("", text[first.end : last.start])
    if _DASH.fullmatch(between):
        return True
    link = between.strip()
    if first.text.isdecimal() and link.startswith(".") and link.islower():
        link = link[1:].strip()  # A German ordinal: `2. bis 5.`
    link, before = link.lower(), plain_tokens(text[max(0, first.start - _LINK) : first.start])
    is_beside = abs(first.value - last.value) == 1 and link in table.either
    word = before[-1].low if before else ""
    return is_beside or any(link in links and (not firsts or word in firsts) for firsts, links in table.ranges)


def _is_minus(text: str, tokens: list[TextToken], index: int, table: Language) -> bool:
    """Whether a minus sign stands before a number; apart from it only where points are counted."""
    before = text[: tokens[index].start][-_SIGN:]
    return bool(_TIGHT.search(before) or (_low(tokens, index + 1) in table.scores and _LOOSE.search(before)))


def _is_loss(text: str, token: TextToken, table: Language) -> bool:
    """Whether the sentence around a number speaks of a loss."""
    first = max(text.rfind(stop, 0, token.start) for stop in _STOPS)
    last = min((at for stop in _STOPS if (at := text.find(stop, token.end)) >= 0), default=len(text))
    sentence = text[max(0, first, token.start - _NEAR) : min(last, token.end + _NEAR)]
    return not table.losses.isdisjoint(part.low for part in plain_tokens(sentence))


def modality_counts(text: str, language: str) -> Counter[str]:
    """How often a text denies, permits and obliges: not, may and must."""
    return Counter(word.kind for word in modal_words(text, language))


def modal_words(text: str, language: str) -> tuple[ModalWord, ...]:
    """The words of a text that deny, permit and oblige, in their order; one that does two of these stands twice."""
    table = LANGUAGES[language]
    found = []
    tokens = plain_tokens(blank_layout(text))
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
    hidden = [ModalWord("not", t.start, t.end, t.text) for t in plain_tokens(blank_layout(text)) if t.low in implicit]
    plain = [word for word in modal_words(text, language) if word.kind == "not"]
    return tuple(sorted((*plain, *hidden), key=lambda word: word.start))


def _read(text: str, tokens: list[TextToken], index: int, table: Language) -> tuple[int, str] | None:
    """The number and kind that a token stands for, if any."""
    token = tokens[index]
    if token.kind:
        return None if token.value is None else (token.value, token.kind)
    before, after = _before(tokens, index), _after(tokens, index)
    if token.text[0].isdecimal():
        is_number = not _is_label(text, tokens, index, table) and len(token.text) <= _DIGITS
        return (int(re.sub(r"\D", "", token.text)), "digit") if is_number else None
    word = token.low
    is_hollow = before in table.hollow.get(word, ()) and not _is_counted(tokens, index, table)
    is_some = word in table.somes and token.text == word
    if is_hollow or is_some or word in table.nones or after in table.not_before.get(word, ()):
        return None
    if word in table.multipliers:
        return table.multipliers[word], "multiplier"
    if word in table.ones:
        return (1, "one") if _is_one(text, tokens, index, table) else None
    if word in table.firsts:
        return (1, "ordinal") if before in table.articles else None
    return single_number(word, table)


def _is_counted(tokens: list[TextToken], index: int, table: Language) -> bool:
    """Whether what stands behind a word makes a number of it."""
    return _after(tokens, index) in table.counted or _behind(tokens, index, (*table.more, *table.fewer))


def _is_label(text: str, tokens: list[TextToken], index: int, table: Language) -> bool:
    """Whether a number only points to another place of the text (`fig. 3`), and not behind `for example`."""
    before = tokens[index - 1] if index else None
    if before is None or before.low not in table.labels or _low(tokens, index - 2) in table.label_idioms:
        return False
    gap = text[before.end : tokens[index].start]
    return not tokens[index].follows and _LABEL_GAP.fullmatch(gap) is not None


def _low(tokens: list[TextToken], index: int) -> str:
    return tokens[index].low if 0 <= index < len(tokens) else ""


def _before(tokens: list[TextToken], index: int) -> str:
    """The word before a token in the same sentence."""
    return "" if tokens[index].follows == TokenGap.SENTENCE else _low(tokens, index - 1)


def _after(tokens: list[TextToken], index: int) -> str:
    """The word behind a token in the same sentence."""
    is_last = index + 1 >= len(tokens) or tokens[index + 1].follows == TokenGap.SENTENCE
    return "" if is_last else tokens[index + 1].low


def _is_one(text: str, tokens: list[TextToken], index: int, table: Language) -> bool:
    """Whether a word that may be an article is meant as a number."""
    before, after = _before(tokens, index), _after(tokens, index)
    if table.not_ones:
        is_noun = len(after) > _SHORT_VERB and after.endswith(_NO_VERBS)
        is_verb = bool(table.verb_ending) and after.endswith(table.verb_ending) and not is_noun
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
    if before in table.one_links and _is_ordinal(text, tokens, index - 2, table):
        return True
    if before in table.one_links and (after in table.units or _ends(tokens, index, (*table.above, *table.below))):
        return True
    further = _low(tokens, index + 2) if after in table.one_joins else after
    return _is_stressed(tokens, index) or is_cardinal(further, table)


def _ends(tokens: list[TextToken], index: int, phrases: tuple[str, ...]) -> bool:
    """Whether one of some phrases stands right before a token, in the same part of the sentence."""
    before = _low(tokens, index - 1)
    for phrase in phrases:
        words = _words(phrase)
        first = index - len(words)
        is_there = words[-1] == before and first >= 0 and [token.low for token in tokens[first:index]] == words
        if is_there and not any(token.follows for token in tokens[first + 1 : index + 1]):
            return True
    return False


def _behind(tokens: list[TextToken], index: int, phrases: tuple[str, ...]) -> bool:
    """Whether one of some phrases stands right behind a token, in the same sentence."""
    return _phrase_at(tokens, index + 1, phrases) > 0


def _phrase_at(tokens: list[TextToken], index: int, phrases: tuple[str, ...]) -> int:
    """How many words the longest of some phrases has at a place, in the sentence of the word before; 0 for none."""
    found, first = 0, _low(tokens, index)
    for phrase in phrases:
        words = _words(phrase)
        if words[0] == first:
            near = tokens[index : index + len(words)]
            if [token.low for token in near] == words and all(token.follows < TokenGap.SENTENCE for token in near):
                found = max(found, len(words))
    return found


@cache
def _words(phrase: str) -> list[str]:
    return phrase.split()


def _behind_noun(text: str, tokens: list[TextToken], index: int, phrases: tuple[str, ...], table: Language) -> bool:
    """Whether one of some phrases stands behind the noun that a token counts (`63 points or more`)."""
    near = tokens[index : index + 5]
    sizes = [len(phrase.split()) for phrase in phrases if _behind(tokens, index + 1, (phrase,))]
    if len(near) < 3 or not sizes or not near[1].low.isalpha() or near[2].low not in table.either:
        return False
    return all(not text[one.end : other.start].strip() for one, other in pairwise(near[: max(sizes) + 2]))


def _is_stressed(tokens: list[TextToken], index: int) -> bool:
    """In capitals among words that are not."""
    beside = [token.text for token in tokens[max(0, index - 1) : index + 2]]
    return len(beside) == 3 and len(beside[1]) > 1 and [text.isupper() for text in beside] == [False, True, False]


def _is_ordinal(text: str, tokens: list[TextToken], index: int, table: Language) -> bool:
    read = _read(text, tokens, index, table) if index >= 0 and tokens[index].low not in table.ones else None
    return read is not None and read[1] == "ordinal"


# ---------------------------------------------------------------- bounds


def _bounds_behind(
    text: str, tokens: list[TextToken], are_numbers: list[bool], table: Language
) -> Iterator[tuple[int, tuple[str, range]]]:
    """By index of a number the bound that stands behind it, and the words that say it (`five coins at most`)."""
    sides = ((table.least_behind, AT_LEAST), (table.most_behind, AT_MOST))
    for index, is_number in enumerate(are_numbers):
        for place in range(index + 1, min(index + _COUNTED + 2, len(tokens))) if is_number else ():
            if tokens[place].follows or are_numbers[place]:
                break
            sizes = [(_phrase_at(tokens, place, phrases), name) for phrases, name in sides]
            size, name = max(sizes)
            if size:
                if not _bounds_next(text, tokens, are_numbers, place + size):
                    yield index, (name, range(place, place + size))
                break
            if tokens[place].low in table.joints | table.either | table.nots or not tokens[place].low.isalpha():
                break


def _bounds_next(text: str, tokens: list[TextToken], are_numbers: list[bool], index: int) -> bool:
    """Whether words of comparison before a place bound what stands there: a number or article in the same line."""
    if index >= len(tokens) or tokens[index].follows:
        return False
    gap = text[tokens[index - 1].end : tokens[index].start]
    return are_numbers[index] and "\n" not in gap and ":" not in gap


def _bound(
    text: str, tokens: list[TextToken], index: int, value: int, used: set[int], table: Language
) -> tuple[str, int]:
    """The bound that the words beside a number give it, and the last value that this includes.

    used:  the places of words that bound the number before them.
    """
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
        if _ends(tokens, index, (phrase,))
        and index - 1 not in used
        and not (phrase in table.throughout and is_duration)
    ]
    size, name, shift = max(ends, default=(0, EXACT, 0))
    if shift and _is_denied(text, tokens[max(0, index - size - _DENIED) : index - size + 1], table):
        # What never goes beyond nine is at most nine.
        return (AT_MOST if name == AT_LEAST else AT_LEAST), value
    return (name, value + shift) if size else _signed(text, tokens[index], value)


def _signed(text: str, token: TextToken, value: int) -> tuple[str, int]:
    """The bound of a sign beside a number: `≥ 5`, `5+`."""
    before = text[max(0, token.start - _SIGN) : token.start]
    for sign, name, shift in _SIGNS:
        if sign.search(before):
            return name, value + shift
    return (AT_LEAST if _OR_MORE.match(text, token.end) else EXACT), value


def _is_denied(text: str, tokens: list[TextToken], table: Language) -> bool:
    """Whether one of the words before the last denies it, in the same part of the sentence."""
    found = False
    for word, following in pairwise(tokens):
        is_apart = not _JOINED.fullmatch(text[word.end : following.start])
        found = (found or word.low in table.nots) and not is_apart
    return found
