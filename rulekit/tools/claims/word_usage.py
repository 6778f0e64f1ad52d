"""Word usage: which of the words that claim something a text has between which others (naive Bayes).

A book says *draw a card* twenty times.  Where it says *draw a space* once, and the rules of that passage have cards,
a word may have been exchanged.  Learned from the book itself and from the game's texts in its language; a place never
counts for its own word.  What is unusual is no fault yet: it is one only where the rules have the usual word.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log

from rulekit.tools.claims.claim_values import ClaimWord
from rulekit.tools.claims.word_tables import SENTENCE_END, WordTable, read_words
from rulekit.values import field, frozen

_LETTERS = re.compile(r"[^\W_]+")
_NEAR, _LONG, _STEM = 6, 4, 5
"""So many words on both sides are looked at; those with so many letters count by their stem, wherever they stand."""
_WEIGHTS = {"-1": 0.5, "+1": 1.0, "-2": 0.5, "+2": 0.5, "-2-1": 1.0, "+1+2": 1.0, "-1+1": 1.0, "near": 0.6}
"""What counts how much, by its place: neighbours overlap, so that none counts whole."""
_EVEN = 4.0
"""How soon a word's own neighbours outweigh those of all words."""
_PRIOR = 0.5
"""How much it counts that one word is more common than another."""


@frozen
class Place:
    """A word of a text that claims something, and what stands around it."""

    word: ClaimWord
    around: tuple[tuple[str, str], ...] = field(repr=False)


@frozen
class Usage:
    """What stands around words.  words: how often each was seen; senses: what each can say."""

    words: Mapping[str, int]
    senses: Mapping[str, frozenset[str]]
    beside: Mapping[str, Counter[tuple[str, str]]] = field(repr=False)
    total: Counter[tuple[str, str]] = field(repr=False)

    def odds(self, other: str, place: Place) -> float:
        """How much likelier another word is at a place than the one that stands there, as a logarithm."""
        own, seen = self.beside[place.word.text], self.beside[other]
        most, count = self.words[place.word.text] - 1, self.words[other]
        everything = sum(self.words.values()) - 1
        odds = _PRIOR * log((count + 1) / (most + 1))
        for key in place.around:
            usual = (self.total[key] - 1) / everything
            if usual > 0:
                theirs = (seen[key] + _EVEN * usual) / (count + _EVEN)
                ours = (max(0, own[key] - 1) + _EVEN * usual) / (most + _EVEN)
                odds += _WEIGHTS[key[0]] * log(theirs / ours)
        return odds


@frozen
class ReadText:
    """A text with the words in it that claim something, and how it uses them."""

    places: tuple[Place, ...] = field(repr=False)
    usage: Usage

    def inside(self, start: int, end: int) -> tuple[Place, ...]:
        first, last = (bisect_left(self.places, at, key=lambda place: place.word.start) for at in (start, end))
        return self.places[first:last]


def learned(places: Iterable[Place]) -> Usage:
    words: Counter[str] = Counter()
    senses: dict[str, frozenset[str]] = {}
    beside: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    total: Counter[tuple[str, str]] = Counter()
    for place in places:
        words[place.word.text] += 1
        senses[place.word.text] = place.word.senses
        beside[place.word.text].update(place.around)
        total.update(place.around)
    return Usage(words, senses, beside, total)


def places_in(text: str, table: WordTable) -> tuple[Place, ...]:
    """The words of a text that claim something, each with what is around it in its sentence."""
    ends = [match.end() for match in SENTENCE_END.finditer(text)]
    letters = [(_plain(match.group()), match.start()) for match in _LETTERS.finditer(text)]
    starts = [start for _, start in letters]
    made = []
    for word in read_words(text, table):
        sentence = bisect_right(ends, word.start)
        first = bisect_left(starts, ends[sentence - 1] if sentence else 0)
        last = bisect_left(starts, ends[sentence] if sentence < len(ends) else len(text))
        at, behind = bisect_right(starts, word.start) - 1, bisect_left(starts, word.end)
        before = letters[max(first, at - _NEAR) : at]
        after = letters[behind : max(behind, min(last, behind + _NEAR))]
        made.append(Place(word, tuple(_around([one for one, _ in before], [one for one, _ in after]))))
    return tuple(made)


def _around(before: Sequence[str], behind: Sequence[str]) -> Iterator[tuple[str, str]]:
    left2, left = ["", "", *before][-2:]
    right, right2 = [*behind, "", ""][:2]
    yield from (("-1", left), ("+1", right), ("-2", left2), ("+2", right2))
    yield from (("-2-1", f"{left2} {left}"), ("+1+2", f"{right} {right2}"), ("-1+1", f"{left} {right}"))
    stems = {word[:_STEM] for word in (*before, *behind) if len(word) >= _LONG}
    yield from (("near", stem) for stem in sorted(stems))


def _plain(word: str) -> str:
    folded = unicodedata.normalize("NFD", word.lower())
    return "".join(letter for letter in folded if not unicodedata.combining(letter))
