"""Record linkage: which entry of an old catalogue holds the translation of a text of today.

A translation moves with its words, whatever became of the id.  To other words it is only lent: a translator
looks at it, and the old entry stays as it was.  So words and their translation never part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from rulekit.legibility import has_visible_character
from rulekit.values import frozen

_ALIKE = 0.6
"""How alike two texts must be for one to be offered for the other, from 0 to 1; `msgmerge` wants as much."""


@frozen
class Link:
    """Where the translation of a text comes from.

    is_lent:  it was made for other words, or for a text of another sort.
    """

    old: Any
    is_lent: bool


def links(texts: Sequence[Any], old: Iterable[Any]) -> list[Link | None]:
    """For each text the translated entry that is its own, in the order of the texts; None where there is none.

    texts, old:  entries of PO files.  An old entry moves to one text at most, but may be lent to several.
    """
    # Living entries come first, wherever they stand in their file.
    translated = sorted((entry for entry in old if any(forms(entry))), key=lambda entry: bool(entry.obsolete))
    known, bare = [e for e in translated if id_of(e)], [e for e in translated if not id_of(e)]
    matching = _Matching(texts, translated)
    for key in (_id_and_words, _sort_and_words):
        matching.move(key, known)
    for key in (_words_notes_and_places, _words_and_notes, _words_and_places, _words):
        matching.move(key, bare)
    matching.lend(_sort_and_words, known)
    matching.lend(_words, translated)
    shared = Counter(map(id_of, texts))
    matching.lend(_id, [entry for entry in known if shared[id_of(entry)] < 2])
    matching.lend_alike()
    return matching.found


def forms(entry: Any) -> list[str]:
    """The translation of an entry, or one for each plural form by its index.

    It is "" where there is none, or none of which anything is seen.
    """
    by_index = entry.msgstr_plural or {0: entry.msgstr}
    said = [by_index.get(index, "") for index in range(max(by_index) + 1)]
    return [text if has_visible_character(text) else "" for text in said]


def id_of(entry: Any) -> str:
    """The id of an entry; "" for one that came back from a tool which drops ids.

    In its place such a tool may write where the text stands, to tell it from another in the same words.
    """
    return "" if entry.msgctxt in (None, places_of(entry)) else str(entry.msgctxt)


def places_of(entry: Any) -> str:
    """The places of an entry with a blank between them, where `csv2po` writes a plus sign."""
    return " ".join(f"{name}:{line}" for name, line in entry.occurrences).replace("+", " ")


class _Matching:
    def __init__(self, texts: Sequence[Any], translated: list[Any]) -> None:
        self.texts, self.translated = texts, translated
        self.found: list[Link | None] = [None] * len(texts)
        self.used = set[int]()

    def move(self, key: Callable[[Any], Hashable], among: list[Any]) -> None:
        """Give each text that has none the first entry with its key, which then is no other's."""
        there: dict[Hashable, list[Any]] = {}
        for entry in reversed(among):
            if id(entry) not in self.used:
                there.setdefault(key(entry), []).append(entry)
        for place in self._without():
            if fitting := there.get(key(self.texts[place])):
                self._link(place, fitting.pop(), is_lent=False)

    def lend(self, key: Callable[[Any], Hashable], among: list[Any]) -> None:
        """Lend each text that has none the first entry with its key."""
        there: dict[Hashable, Any] = {}
        for entry in among:
            there.setdefault(key(entry), entry)
        for place in self._without():
            if (fitting := there.get(key(self.texts[place]))) is not None:
                self._link(place, fitting, is_lent=True)

    def lend_alike(self) -> None:
        """Lend what is still left to texts of the same sort in nearly the same words, the most alike first."""
        for _, place, number in sorted(self._alike()):
            entry = self.translated[number]
            if self.found[place] is None and id(entry) not in self.used:
                self._link(place, entry, is_lent=True)

    def _alike(self) -> Iterator[tuple[float, int, int]]:
        """How little alike, which text, which entry."""
        left = [(number, entry) for number, entry in enumerate(self.translated) if id(entry) not in self.used]
        offered = [(number, entry, _bigrams(entry.msgid)) for number, entry in left]
        for place in self._without():
            text = self.texts[place]
            words = _bigrams(text.msgid)
            for number, entry, other in offered:
                if _sort(entry) in (_sort(text), None) and (alike := _dice_coefficient(words, other)) >= _ALIKE:
                    yield -alike, place, number

    def _link(self, place: int, entry: Any, *, is_lent: bool) -> None:
        self.found[place] = Link(entry, is_lent)
        self.used.add(id(entry))

    def _without(self) -> list[int]:
        return [place for place, link in enumerate(self.found) if link is None]


# ---------------------------------------------------------------- what entries have in common


def _sort(entry: Any) -> str | None:
    """The first word of an id that has several; "" for clauses, the title and what the engine says."""
    first, blank, _ = id_of(entry).partition(" ")
    return None if not first else first if blank else ""


def _id(entry: Any) -> Hashable:
    return id_of(entry)


def _id_and_words(entry: Any) -> Hashable:
    return id_of(entry), entry.msgid


def _sort_and_words(entry: Any) -> Hashable:
    return _sort(entry), entry.msgid


def _words_notes_and_places(entry: Any) -> Hashable:
    return entry.msgid, entry.comment, places_of(entry)


def _words_and_notes(entry: Any) -> Hashable:
    return entry.msgid, entry.comment


def _words_and_places(entry: Any) -> Hashable:
    return entry.msgid, places_of(entry)


def _words(entry: Any) -> Hashable:
    return str(entry.msgid)


def is_alike(text: str, other: str) -> bool:
    """Return whether two texts are nearly the same."""
    return _dice_coefficient(_bigrams(text), _bigrams(other)) >= _ALIKE


def _bigrams(text: str) -> frozenset[str]:
    """The pairs of letters that follow one another."""
    letters = f" {text.casefold()} "
    return frozenset(map("".join, pairwise(letters)))


def _dice_coefficient(one: frozenset[str], other: frozenset[str]) -> float:
    """How large a part two sets share, from 0 to 1 (Sørensen and Dice)."""
    return 2 * len(one & other) / (len(one) + len(other))
