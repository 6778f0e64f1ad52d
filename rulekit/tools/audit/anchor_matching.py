"""Anchor matching: where the passages of anchors lie in a book.

A quote is looked up word by word in an inverted index, so that line breaks,
mark-up and punctuation do not matter.  If it is not there any more,
approximate string matching takes its place: the one stretch that has nearly
the same words, or that between its neighbours which has most of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from rulekit.diagnostics import WARNING, Problems
from rulekit.source import Source, Span
from rulekit.tools.audit.anchors import Anchor, words
from rulekit.tools.audit.numeral_parsing import number_words, uncertain_numbers
from rulekit.tools.documents.reader_text import Doubt, UnbrokenText, doubts_of, unbroken
from rulekit.values import evolve, field, frozen

_NEAR, _BETWEEN = 0.75, 0.4
"""How much of a quote a changed edition must keep, anywhere and between the neighbours of its anchor."""
_SHOWN = 3
_CONTEXT = 5
"""How many words beside a number make it the same number in another edition."""
_COMMON, _TRIED = 200, 50
"""So many places of a word are looked at in the search for a changed quote, and so many of them closely."""


@frozen
class Passage:
    """A stretch of the book, from the end of its quote on; offsets count code points, the end excluded.

    quoted:        where the quote begins; start: where it ends and the passage begins.
    is_end_lost:   whether the words at its end are gone, or the anchor behind it: it may be too long.
    """

    anchor: Anchor
    quoted: int
    start: int
    end: int
    is_end_lost: bool = False


@frozen
class IndexedBook:
    """A text with an inverted index of its words.

    source:    the text as a reader takes it, without words that are broken at line ends.
    original:  the text as it stands in the file; lines: where each of its lines begins.
    words:     each in lower case, with its start and end in the text of `source`.
    index:     by word its places among the words.
    doubts:    the stretches that may be read wrongly.
    """

    source: Source
    original: Source = field(repr=False)
    unbroken: UnbrokenText = field(repr=False)
    words: list[tuple[str, int, int]] = field(repr=False)
    lines: list[int] = field(repr=False)
    index: dict[str, list[int]] = field(repr=False)
    doubts: tuple[Doubt, ...] = ()
    known: dict[str, list[int]] = field(factory=dict, repr=False, eq=False)
    """By quote its places: what was looked up already."""

    def span(self, start: int, end: int) -> Span:
        """The place of a range in the file."""
        line, column = self._point(self.unbroken.original(start))
        end_line, end_column = self._point(self.unbroken.original_end(start, end))
        return Span(self.source.name, line, column, end_line, end_column)

    def around(self, start: int, end: int) -> list[str]:
        """The words at a place and beside it, so that it survives a new layout."""
        first = bisect_left(self.words, start, key=lambda word: word[1])
        last = bisect_left(self.words, end, key=lambda word: word[1])
        before = [word for word, _, _ in self.words[max(0, first - _CONTEXT) : first]]
        after = [word for word, _, _ in self.words[last : last + _CONTEXT]]
        return [*before, self.source.text[start:end].lower(), *after]

    def words_from(self, start: int, count: int) -> list[str]:
        """So many words from a place on."""
        first = bisect_left(self.words, start, key=lambda word: word[1])
        return [word for word, _, _ in self.words[first : first + count]]

    def stretches(self, start: int, end: int, size: int) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """All runs of so many words between two places, each with where it begins and ends."""
        first = bisect_left(self.words, start, key=lambda word: word[1])
        last = bisect_left(self.words, end, key=lambda word: word[1])
        for place in range(first, last - size + 1):
            run = self.words[place : place + size]
            if run:
                yield run[0][1], run[-1][2], tuple(word for word, _, _ in run)

    def _point(self, offset: int) -> tuple[int, int]:
        line = bisect_left(self.lines, offset + 1)
        return line, offset - self.lines[line - 1] + 1


def indexed(source: Source, language: str = "", doubts: Sequence[Doubt] = ()) -> IndexedBook:
    """A book ready to be searched.

    language:  of its number words, which decide about hyphens at line ends; "" for none.
    doubts:    stretches of the source that may be read wrongly.
    """
    starts = [0]
    for line in source.text.split("\n")[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    made = unbroken(source.text, number_words(language))
    read = (*made.doubts, *doubts_of(made.text), *map(made.moved, doubts), *uncertain_numbers(made.text, language))
    doubtful = sorted(read, key=lambda one: one.start)
    found = words(made.text)
    index: dict[str, list[int]] = {}
    for place, (word, _, _) in enumerate(found):
        index.setdefault(word, []).append(place)
    whole = Source(source.name, made.text)
    return IndexedBook(whole, source, made, found, starts, index, tuple(doubtful))


def passages(book: IndexedBook, anchors: tuple[Anchor, ...], problems: Problems) -> tuple[Passage, ...]:
    """The passages in the order of the book; anchors that match nowhere or twice are reported."""
    sure = [_exactly(book, anchor) for anchor in anchors]
    placed = [
        at or _find(book, anchor, _gap(book, sure, i), problems)
        for i, (anchor, at) in enumerate(zip(anchors, sure, strict=True))
    ]
    found = [(at, anchor) for anchor, at in zip(anchors, placed, strict=True) if at is not None]
    if not found:
        return ()
    found.sort(key=lambda entry: entry[0])
    ends = [book.words[at[0]][1] for at, _ in found[1:]] + [len(book.source.text)]
    made = [_passage(book, anchor, at, end) for (at, anchor), end in zip(found, ends, strict=True)]
    lost = {before for before, at in zip(anchors, placed[1:], strict=False) if at is None}
    return tuple(_ended(book, passage, passage.anchor in lost, problems) for passage in made)


def _passage(book: IndexedBook, anchor: Anchor, at: tuple[int, int], end: int) -> Passage:
    return Passage(anchor, book.words[at[0]][1], book.words[at[1] - 1][2], max(end, book.words[at[1] - 1][2]))


def _ended(book: IndexedBook, passage: Passage, is_next_lost: bool, problems: Problems) -> Passage:
    """The passage up to its end quote, or what stands there now.  is_next_lost: of the anchor behind it."""
    to, at = passage.anchor.to, passage.anchor.span
    if not to:
        return evolve(passage, is_end_lost=is_next_lost)
    first = bisect_left(book.words, passage.start, key=lambda word: word[1])
    found = [place for place in places(book, to) if place >= first]
    if found and book.words[found[0]][1] <= passage.end:
        return evolve(passage, end=book.words[found[0]][1])
    last = bisect_left(book.words, passage.end, key=lambda word: word[1])
    like = _like(book, to, range(first, last))
    if like is None:
        title = f"the passage never comes to “{to}”"
        hint = "the words must come before the next anchor; until then only its first numbers are compared"
        problems.add("anchor-end", title, at, hint=hint)
        return evolve(passage, is_end_lost=True)
    title = f"“{to}” now reads “{' '.join(_at(book, like, len(words(to))))}”"
    problems.add("anchor-drifted", title, at, level=WARNING, hint="quote it as it is now")
    return evolve(passage, end=book.words[like][1])


def _exactly(book: IndexedBook, anchor: Anchor) -> tuple[int, int] | None:
    """The first word of a quote and the one past its last, where it stands once, or behind the words of its anchor."""
    found = places(book, anchor.quote)
    if anchor.after:
        before = places(book, anchor.after)
        found = [place for place in found if before and place >= before[0]][:1]
    return (found[0], found[0] + len(words(anchor.quote))) if len(found) == 1 else None


def _gap(book: IndexedBook, sure: list[tuple[int, int] | None], i: int) -> range:
    """The places between the anchors before and behind one in their file, as far as these are found."""
    before = next((at for at in reversed(sure[:i]) if at is not None), (0, 0))
    behind = next((at for at in sure[i + 1 :] if at is not None), (len(book.words), 0))
    return range(before[1], behind[0])


def _find(book: IndexedBook, anchor: Anchor, gap: range, problems: Problems) -> tuple[int, int] | None:
    """Where a quote stands that is not there once: the one stretch like it between its neighbours, or anywhere."""
    size, found = len(words(anchor.quote)), places(book, anchor.quote)
    if found and not anchor.after:
        _twice(book, anchor, found, problems)
        return None
    inside = [place for place in found if place in gap]
    before = _like(book, anchor.after, gap) if len(inside) > 1 else None
    if before is not None:
        inside = [place for place in inside if place >= before][:1]
    if len(inside) == 1:
        title = f"“{anchor.after}” does not stand before “{anchor.quote}” any more"
        problems.add("anchor-drifted", title, anchor.span, level=WARNING, hint="name words that stand before it now")
        return inside[0], inside[0] + size
    return _nearly(book, anchor, size, gap, problems)


def places(book: IndexedBook, quote: str) -> list[int]:
    """Where the words of a quote stand one after the other."""
    if quote not in book.known:
        sought = [word for word, _, _ in words(quote)]
        rare = min(range(len(sought)), key=lambda i: len(book.index.get(sought[i], ())))
        starts = [place - rare for place in book.index.get(sought[rare], []) if place >= rare]
        book.known[quote] = [start for start in starts if _at(book, start, len(sought)) == sought]
    return book.known[quote]


def _at(book: IndexedBook, place: int, size: int) -> list[str]:
    return [word for word, _, _ in book.words[place : place + size]]


def _twice(book: IndexedBook, anchor: Anchor, found: list[int], problems: Problems) -> None:
    lines = [str(book.span(book.words[place][1], book.words[place][2]).line) for place in found[:_SHOWN]]
    title = f"“{anchor.quote}” stands {len(found)} times in the book, in lines {', '.join(lines)}"
    hint = 'quote other words, or write `after "words before it"`'
    problems.add("anchor-twice", title, anchor.span, hint=hint)


def _nearly(book: IndexedBook, anchor: Anchor, size: int, gap: range, problems: Problems) -> tuple[int, int] | None:
    """The one stretch that has nearly the words of the quote; between its neighbours fewer of them are enough."""
    sought = [word for word, _, _ in words(anchor.quote)]
    shared = Counter(
        max(0, place - offset) for offset, word in enumerate(sought) for place in book.index.get(word, [])[:_COMMON]
    )
    near = [start for start, _ in shared.most_common() if start in gap][:_TRIED]
    at = _best(book, sought, near, _BETWEEN)
    if at is None and not anchor.after:
        near = [start for start, hits in shared.most_common(_TRIED) if 2 * hits >= size]
        at = _best(book, sought, near, _NEAR)
    if at is None:
        hint = "quote the words that stand there now"
        problems.add("anchor-nowhere", f"“{anchor.quote}” is not in the book", anchor.span, hint=hint)
        return None
    title = f"“{anchor.quote}” now reads “{' '.join(_at(book, at, size))}”"
    problems.add("anchor-drifted", title, anchor.span, level=WARNING, hint="quote it as it is now")
    return at, at + size


def _like(book: IndexedBook, quote: str, gap: range) -> int | None:
    """The one place in a range whose words are most like a quote; None where it is not clear."""
    sought = [word for word, _, _ in words(quote)]
    shared = Counter(
        place - offset for offset, word in enumerate(sought) for place in book.index.get(word, [])[:_COMMON]
    )
    return _best(book, sought, [start for start, _ in shared.most_common() if start in gap][:_TRIED], _BETWEEN)


def _best(book: IndexedBook, sought: list[str], near: list[int], least: float) -> int | None:
    """The place most like some words, if it is like enough and no other is as much."""
    rated = [(SequenceMatcher(None, sought, _at(book, i, len(sought)), autojunk=False).ratio(), i) for i in near]
    best = max(rated, default=(0.0, 0), key=lambda entry: (entry[0], -entry[1]))
    return best[1] if best[0] >= least and sum(rate == best[0] for rate, _ in rated) == 1 else None
