"""Number tokens: the words and digits of a text, with those that make one number or fraction put together.

`two hundred and fifty` is a token of its own, with its value; `half a dozen` and `12 1/2` are fractions, which have
none.  Never decides whether a word such as `one` is a number where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import cache
from itertools import pairwise

from rulekit.distribution import install_hint
from rulekit.library import ABSENT, NoPackage
from rulekit.tools.audit.numeral_tables import LANGUAGES, Language
from rulekit.tools.audit.text_layout import blank_layout
from rulekit.tools.documents.reader_text import SCRIPTS, SYMBOLS
from rulekit.values import evolve, field, frozen

_LETTER = rf"[^\W\d_{SCRIPTS}{SYMBOLS}]"
_SEPARATORS = ".,'’‘ʼ\u00a0\u2007\u2008\u2009\u202f"
_APOSTROPHES = "'’‘ʼ＇´`"
"""Of English contractions with *not*, which are words of their own (`don't`)."""
_FRACTION = (
    r"(?<![\d.,])\d{1,3}(?:,\d{3})+\.\d{1,2}(?!\d)|(?<![\d.,])\d{1,3}(?:\.\d{3})+,\d{1,2}(?!\d)"
    r"|(?<![\d/])(?:\d+[ \u00a0\u202f]+)?\d{1,3}/\d{1,3}(?![\d/])"
    r"|(?<![\d.,])\d+[.,]\d{1,2}(?![\d]|[.,]\d)|(?<![\d.,])0[.,]\d+(?![.,]?\d)"
)
_SPACED = r"(?<![\d.,])(?<!\d )[1-9]\d{0,2}(?: \d{3})+(?![\d.,]?\d| \d)"
_TOKEN = re.compile(
    rf"(?P<fraction>{_FRACTION})|{_SPACED}|\d{{1,3}}(?:[{_SEPARATORS}]\d{{3}})+(?!\d)|\d+"
    rf"|{_LETTER}+[nN][{_APOSTROPHES}][tT](?!{_LETTER})|{_LETTER}+(?:-{_LETTER}+)*"
)
_APOSTROPHE = re.compile(rf"[{_APOSTROPHES}]")
_SLASHED = re.compile(r"(?P<whole>\d+\s+)?(?P<above>\d+)/(?P<below>\d+)")
_DIGITS = re.compile(r"\d+")
_PART = re.compile(r"[^-]+")
_VALUE = re.compile(r"(\d+)(.*)", re.DOTALL)
_SENTENCE_END = re.compile(r"[.;!?|]|\n\s*\n")
_CLAUSE_END = re.compile(r"[,)\]…]|\s[-–—]\s|[—]|\n[ \t]*[-*•#]")
_TOGETHER = re.compile(r"[\s*_-]*")
_HUNDRED, _THOUSAND, _DOZEN, _SMALLEST_TENS = 100, 1000, 12, 20
_FIRST_PARTS = 10
"""1/2 to 1/10 are fractions; 2/3 may be *two or three* as well."""


class TokenGap(IntEnum):
    """Strongest punctuation between a token and the one before it."""

    NONE = 0
    CLAUSE = 1
    SENTENCE = 2


@frozen
class TextToken:
    """Word or number of a text, with what parts it from the one before.

    value, kind:  of a number that several words make; kind is `fraction` where there is no value.
    is_certain:   whether a fraction is no pair of whole numbers.
    low:          in lower case, with plain apostrophes.
    """

    text: str
    start: int
    end: int
    follows: TokenGap = TokenGap.NONE
    value: int | None = None
    kind: str = ""
    is_certain: bool = True
    low: str = field(init=False, default="", eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "low", _APOSTROPHE.sub("'", self.text.lower()))


def tokens_of(blanked: str, table: Language) -> list[TextToken]:
    """The tokens of a text without layout, numbers of several words put together."""
    plain = plain_tokens(blanked)
    parts = [part for token in plain for part in (_parts(token, table) if "-" in token.text else [token])]
    return list(_merged(blanked, parts, table))


def plain_tokens(blanked: str) -> list[TextToken]:
    """Words and digits one by one."""
    found: list[TextToken] = []
    at = 0
    for match in _TOKEN.finditer(blanked):
        for start, end, kind, is_certain in _pieces(match, blanked):
            follows = _break(blanked[at:start], found[-1].text if found else "")
            found.append(TextToken(blanked[start:end], start, end, follows, None, kind, is_certain))
            at = end
    return found


def _pieces(match: re.Match[str], text: str) -> Iterator[tuple[int, int, str, bool]]:
    """A match as one token, or its whole numbers where it may be no fraction."""
    if match["fraction"] is None:
        yield match.start(), match.end(), "", True
        return
    slashed = _SLASHED.fullmatch(match.group())
    if slashed is None:
        yield match.start(), match.end(), "fraction", False
        return
    above, below = int(slashed["above"]), int(slashed["below"])
    if above < below and (slashed["whole"] or (above == 1 and below <= _FIRST_PARTS)):
        yield match.start(), match.end(), "fraction", True
        return
    for digits in _DIGITS.finditer(match.group()):
        yield match.start() + digits.start(), match.start() + digits.end(), "", True


def _break(gap: str, before: str) -> TokenGap:
    if before.lower() in _ABBREVIATIONS and gap.startswith("."):
        gap = gap[1:]
    if _SENTENCE_END.search(gap):
        return TokenGap.SENTENCE
    return TokenGap.CLAUSE if _CLAUSE_END.search(gap) else TokenGap.NONE


_ABBREVIATIONS = frozenset(("max", "min", "fig", "figg", "abb", "bsp", "pag", "pagg", "nr", "ca", "ver", "vs", "es"))
"""Words whose full stop ends no sentence."""


# ---------------------------------------------------------------- words


def single_number(word: str, table: Language) -> tuple[int, str] | None:
    """The value and kind of a single number word: word, ordinal or multiplier."""
    return _single_number(word, table.code)


@cache
def _single_number(word: str, code: str) -> tuple[int, str] | None:
    table = LANGUAGES[code]
    if word in table.gaps:
        return table.gaps[word], "ordinal" if word.endswith(("imo", "ima")) else "word"
    return _spelt(word, code) or _with_ending(word, table)


@cache
def _spelt(word: str, code: str) -> tuple[int, str] | None:
    """A single word as a number; languages write numbers below a hundred in one word, or with a hyphen."""
    try:
        from text_to_num import alpha2digit
    except ABSENT:
        raise NoPackage(f"numbers in words need text2num: {install_hint('text')}") from None
    match = _VALUE.fullmatch(alpha2digit(word, code, threshold=0.0))
    if match is None:
        plain = word
        for written, umlaut in (("ue", "ü"), ("oe", "ö")) if code == "de" else ():
            plain = plain.replace(written, umlaut)
        return _spelt(plain, code) if plain != word else None
    return int(match[1]), "ordinal" if match[2] else "word"


def _with_ending(word: str, table: Language) -> tuple[int, str] | None:
    """A number with an ending that makes a multiplier of it (`viermal`, `fourfold`)."""
    for ending in table.number_endings:
        number = _stem(word, ending, table)
        if number is not None and number > 1:
            return number, "multiplier"
    return None


def _stem(word: str, ending: str, table: Language) -> int | None:
    """The number before an ending, None where there is none."""
    if not word.endswith(ending) or len(word) <= len(ending):
        return None
    stem = word.removesuffix(ending)
    found = _spelt(stem, table.code) or (_spelt(stem[3:], table.code) if stem.startswith("ver") else None)
    return found[0] if found is not None and found[1] == "word" else None


def is_number_word(word: str, table: Language) -> bool:
    """Whether a word is a number, whatever stands beside it."""
    return word in table.multipliers or single_number(word, table) is not None


def is_cardinal(word: str, table: Language) -> bool:
    """Whether a word is a whole number that is never an article."""
    if not word.isalpha() or word in table.ones:
        return False
    found = single_number(word, table)
    return found is not None and found[1] == "word"


def _is_fraction(word: str, table: Language) -> bool:
    return word in table.fractions or _ends_as_fraction(word, table.code)


@cache
def _ends_as_fraction(word: str, code: str) -> bool:
    table = LANGUAGES[code]
    return any(_stem(word, ending, table) for ending in table.fraction_endings)


def _parts(token: TextToken, table: Language) -> list[TextToken]:
    """The parts of a hyphenated word where a part is a number and the whole is none."""
    places = [(match.group(), match.start(), match.end()) for match in _PART.finditer(token.text)]
    words = [word.lower() for word, _, _ in places]
    is_part = words[0] in table.whole_ones and words[-1] in table.ordinal_parts
    is_number = is_part or any(is_cardinal(word, table) or _is_fraction(word, table) for word in words)
    if is_number_word(token.low, table) or _is_fraction(token.low, table) or not is_number:
        return [token]
    made = [evolve(token, text=word, start=token.start + start, end=token.start + end) for word, start, end in places]
    return [made[0], *(evolve(part, follows=TokenGap.NONE) for part in made[1:])]


# ---------------------------------------------------------------- several words


def _merged(text: str, tokens: Sequence[TextToken], table: Language) -> Iterator[TextToken]:
    joins = [
        False,
        *(_TOGETHER.fullmatch(text[a.end : b.start]) is not None and not b.follows for a, b in pairwise(tokens)),
    ]
    phrases = _Phrases(text, tokens, joins, table)
    at = 0
    while at < len(tokens):
        end = phrases.fraction_end(at)
        if end is not None:
            first, last = tokens[at], tokens[end - 1]
            is_certain = all(one.is_certain for one in tokens[at:end])
            yield evolve(first, text=text[first.start : last.end], end=last.end, kind="fraction", is_certain=is_certain)
            at = end
            continue
        found = phrases.compound(at)
        if found is not None:
            end, value, kind = found
            yield evolve(
                tokens[at],
                text=text[tokens[at].start : tokens[end - 1].end],
                end=tokens[end - 1].end,
                value=value,
                kind=kind,
            )
            at = end
            continue
        yield tokens[at]
        at += 1


@frozen
class _Phrases:
    """Finds numbers of several words.  joins: whether nothing but blanks parts each token from the one before."""

    text: str
    tokens: Sequence[TextToken]
    joins: Sequence[bool]
    table: Language

    def _low(self, at: int) -> str:
        return self.tokens[at].low if at < len(self.tokens) else ""

    def _next(self, at: int) -> str:
        """The word at a place that goes on from the one before; "" where none does."""
        return self._low(at) if at < len(self.tokens) and self.joins[at] else ""

    def _number(self, word: str) -> tuple[int, str] | None:
        """A cardinal or ordinal, in digits or words; `one` counts."""
        if word.isdecimal() and word.isascii():
            return int(word[:_LONGEST]), "word"
        if not word.isalpha() and "-" not in word:
            return None
        if word in self.table.ones:
            return (1, "word") if word in self.table.whole_ones else None
        found = single_number(word, self.table) if word else None
        return found if found is not None and found[1] != "multiplier" else None

    # ------------------------------------------------ fractions

    def fraction_end(self, at: int) -> int | None:
        """Where a fraction ends that begins at a token, with the whole before it; None where none begins."""
        if self.tokens[at].kind == "fraction":
            return self._with_unit(at + 1)
        table = self.table
        if self._is_part(at, ""):
            return self._with_unit(at + 1)
        number = self._number(self._low(at)) or ((_DOZEN, "word") if self._is_unit(self._low(at)) else None)
        before = self._low(at - 1) if at and self.joins[at] else ""
        is_article = number is None and self._low(at) in table.ones | table.fraction_articles
        if number is None and not is_article:
            return None
        place = at + 1
        if self._next(place) in table.joints:
            place += 1
            if self._next(place) in table.ones or self._next(place) in table.fraction_articles:
                place += 1
            is_part = self._next(place) and (self._is_part(place, "") or self.tokens[place].kind == "fraction")
            return self._with_unit(place + 1) if is_part and not is_article else None
        if not self._next(place) or (is_article and before in table.ones):
            return None
        last = "1" if is_article else self._low(at)
        is_fraction = self._is_part(place, last) or (not is_article and self.tokens[place].kind == "fraction")
        return self._with_unit(place + 1) if is_fraction else None

    def _is_part(self, at: int, number: str) -> bool:
        """Whether a word is a part of a whole.  number: how many of them, "" where nothing says it."""
        word, behind = self._low(at), self._next(at + 1)
        before = self._low(at - 1) if at and self.joins[at] else ""
        if word in self.table.part_idioms and before in self.table.part_idioms[word]:
            return False
        if _is_fraction(word, self.table):
            # Two halves are two things.
            count = self._number(number or before) if word in self.table.halves else None
            return count is None or count[0] == 1
        if not number or word not in self.table.ordinal_parts:
            return False
        found = self._number(number)
        is_several = number not in self.table.ones and number != "1" and found is not None and found[1] == "word"
        is_plural = word in self.table.plural_parts
        is_one = number in self.table.whole_ones
        return (
            (is_several and is_plural) or is_one or (number == "1" and (not behind or behind in self.table.part_links))
        )

    def _with_unit(self, end: int) -> int:
        """The end of a fraction with what it is a part of, if that is a number (`half a dozen`)."""
        place = end
        for _ in range(2):
            word = self._next(place)
            if self._is_unit(word):
                return place + 1
            if word not in self.table.part_links | self.table.ones | self.table.fraction_articles:
                return end
            place += 1
        return place + 1 if self._is_unit(self._next(place)) else end

    def _is_unit(self, word: str) -> bool:
        return word in self.table.powers or self.table.multipliers.get(word, 0) == _DOZEN

    # ------------------------------------------------ whole numbers

    def compound(self, at: int) -> tuple[int, int, str] | None:
        """Where a number of several words ends, its value and its kind; None where one word says it all."""
        first = self._number(self._low(at))
        is_digits = self.tokens[at].text[0].isdecimal()
        if first is None or first[1] != "word" or (is_digits and not self._is_unit(self._next(at + 1))):
            return None
        total, current = (first[0], 0) if first[0] >= _THOUSAND and not is_digits else (0, first[0])
        if is_digits and not self.tokens[at].text.isdecimal():
            return None
        place, kind, was_power = at + 1, "word", self._low(at) in self.table.powers
        while kind == "word" and (word := self._next(place)):
            step = place
            if word in self.table.number_joints and was_power and not self._is_between(at):
                step, word = place + 1, self._next(place + 1)
            added = self._added(total, current, word, step, is_joined=step > place) if word else None
            if added is None:
                break
            total, current, kind = added
            was_power = word in self.table.powers
            place = step + 1
        return (place, total + current, kind) if place > at + 1 else None

    def _is_between(self, at: int) -> bool:
        """Whether what stands before makes a range of two numbers (`between one hundred and …`)."""
        before = self._low(at - 1) if at else ""
        return any(before in firsts and links & self.table.number_joints for firsts, links in self.table.ranges)

    def _added(self, total: int, current: int, word: str, at: int, *, is_joined: bool) -> tuple[int, int, str] | None:
        """The number with one more word; None where the word begins another number."""
        if self.table.multipliers.get(word, 0) == _DOZEN:
            return (0, current * _DOZEN, "end") if not (total or is_joined) and current % _DOZEN else None
        power = self.table.powers.get(word, 0)
        if len(word) == 1 and self.tokens[at].start != self.tokens[at - 1].end:
            return None
        if power == _HUNDRED:
            return (total, current * power, "word") if 0 < current < _HUNDRED and not is_joined else None
        if power:
            is_next = 0 < current < _THOUSAND and (not total or total % (power * _THOUSAND) == 0) and not is_joined
            return (total + current * power, 0, "word") if is_next else None
        found = self._number(word)
        if found is None or word.isdecimal() or self._is_compound_part(at):
            return None
        value, kind = found
        fits_hundreds = current >= _HUNDRED and current % _HUNDRED == 0 and value < _HUNDRED
        fits_thousands = bool(total) and current == 0 and value < _THOUSAND
        is_tens = current % _HUNDRED >= _SMALLEST_TENS and current % 10 == 0
        fits_tens = self.table.has_split_tens and is_tens and 0 < value < 10
        if not (fits_hundreds or fits_thousands or (fits_tens and not is_joined)):
            return None
        is_new = is_joined and self._next(at + 1) in self.table.powers
        return None if is_new else (total, current + value, kind)

    def _is_compound_part(self, at: int) -> bool:
        """Whether a hyphen ties a number to a word behind it (`twenty five-card hands`)."""
        token = self.tokens[at]
        return self.text[token.end : token.end + 1] == "-" and self._number(self._next(at + 1)) is None


_LONGEST = 15
"""A number with more digits is none of a game."""


def uncertain_places(text: str, table: Language) -> Iterator[tuple[int, int, bool]]:
    """Fractions and digits that may be one number or several: start, end, and whether it is a fraction for certain."""
    blanked = blank_layout(text)
    tokens = tokens_of(blanked, table)
    for before, token in zip([None, *tokens], tokens, strict=False):
        is_label = before is not None and before.low in table.labels and not token.follows
        if token.kind == "fraction" and not is_label:
            yield token.start, token.end, token.is_certain
    for pattern in (_ALTERNATIVES, _SPACED_DIGITS):
        for match in pattern.finditer(blanked):
            is_rising = pattern is _SPACED_DIGITS or int(match["above"]) < int(match["below"])
            is_read = not any(token.kind == "fraction" and token.start <= match.start() < token.end for token in tokens)
            if is_rising and is_read:
                yield match.start(), match.end(), False


def roman_places(text: str, table: Language) -> Iterator[tuple[int, int]]:
    """Roman numerals of several letters, but those of items, behind a label, and in headings in capitals."""
    for match in _ROMAN.finditer(text):
        line_start, line_end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
        before, line = text[line_start : match.start()], text[line_start : line_end if line_end >= 0 else len(text)]
        words = re.findall(r"\w+", before[-_LABEL_REACH:])
        is_heading = line.isupper() and len(line.split()) > 1
        if words and words[-1].lower() not in table.labels and not is_heading:
            yield match.start(), match.end()


_LABEL_REACH = 24
"""So many letters before a Roman numeral are looked at for a label."""
_ROMAN = re.compile(r"\b(?:X{0,3}(?:IX|IV|V?I{2,3}|VI)|X{1,3}I|X{2,3})\b")
_ALTERNATIVES = re.compile(r"(?<![\d/])(?P<above>\d{1,3}) ?/ ?(?P<below>\d{1,3})(?! ?[\d/])")
_SPACED_DIGITS = re.compile(_SPACED)
