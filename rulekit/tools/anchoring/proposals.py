"""Proposed anchors: for each sentence of a book the clauses that it likely belongs to, and a first file of them.

What is proposed is for a person to look through.  Sure is only what the words say as well: a number that another rule
has too, or the place between two others, is never enough.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile

from rulekit.diagnostics import Problems
from rulekit.tools.anchoring.alignment import BY_NUMBERS, Weights, likelihoods
from rulekit.tools.anchoring.anchor_suggestions import proposed_words
from rulekit.tools.anchoring.clause_evidence import Clauses, clauses_of, evidence
from rulekit.tools.anchoring.sentences import Sentence, sentences
from rulekit.tools.anchoring.wording import Wording
from rulekit.tools.audit.anchor_matching import IndexedBook, Passage, passages, places
from rulekit.tools.audit.anchors import QUOTE_WORDS, Anchor, words
from rulekit.tools.audit.findings import AuditedRules
from rulekit.tools.audit.numeral_parsing import Numeral, numerals
from rulekit.tools.language.translation import Tongue
from rulekit.values import frozen

_OFFERED = 3
_NONE = 0.5
"""How likely it must be that a sentence states no rule."""
_SURE, _SHARED = 0.9, 3
"""How likely the first clause must be to be sure, and how many stems it must share with the sentence."""
_LEAST = 0.005
_SHOWN = 90
"""How much of the book is shown beside a proposal."""


@frozen
class Proposal:
    """A sentence and clauses with how likely each is (0 to 1), the likeliest first; none where it states no rule.

    quote, after:  what an anchor would quote; "" where no words of it stand alone, or none are needed before it.
    is_sure:       whether nothing but a last look is wanted.
    """

    quote: str
    after: str
    sentence: Sentence
    clauses: tuple[tuple[str, float], ...]
    is_sure: bool

    @property
    def start(self) -> int:
        return self.sentence.start

    @property
    def end(self) -> int:
        return self.sentence.end


def proposals(
    book: IndexedBook,
    language: str,
    ruled: AuditedRules,
    said: Wording,
    tied: Sequence[Passage] = (),
    weights: Weights | None = None,
) -> list[Proposal]:
    """For each sentence of a book the clauses that it might belong to.

    tied:  the passages that somebody has tied already; they are left as they are and tell of the others.
    """
    made, known = sentences(book.source.text), clauses_of(ruled, said.texts, said.names, language)
    accepted = _accepted(made, known, tied)
    found = evidence(book.source.text, made, numerals(book.source.text, language), known, accepted)
    rows = likelihoods(made, found, known, weights or (BY_NUMBERS if said.is_foreign else Weights()), accepted)
    quotes = _quotes(book, made, language)
    return [
        _proposal(quote, one, known, row, shared)
        for quote, one, row, shared in zip(quotes, made, rows, found.shared, strict=True)
    ]


def _accepted(made: Sequence[Sentence], known: Clauses, tied: Sequence[Passage]) -> dict[int, list[int]]:
    """By sentence that begins in a tied passage the places of its clauses."""
    place = {id_: number for number, id_ in enumerate(known.ids)}
    found: dict[int, list[int]] = {}
    for number, one in enumerate(made):
        for passage in tied:
            if passage.quoted <= one.start < passage.end:
                found[number] = [place[id_] for id_ in passage.anchor.clauses if id_ in place]
    return found


def _proposal(
    quoted: tuple[str, str], one: Sentence, known: Clauses, row: Sequence[float], shared: Sequence[int]
) -> Proposal:
    quote, after = quoted
    best = sorted(range(len(known.ids)), key=lambda place: -row[place])[:_OFFERED]
    likely = tuple((known.ids[place], row[place]) for place in best if row[place] >= _LEAST)
    if not likely or row[-1] > _NONE:
        return Proposal(quote, after, one, (), False)
    return Proposal(quote, after, one, likely, likely[0][1] >= _SURE and shared[best[0]] >= _SHARED)


def _quotes(book: IndexedBook, made: Sequence[Sentence], language: str) -> Iterator[tuple[str, str]]:
    """For each sentence what its anchor quotes, and the words that must come before, "" for none.

    A sentence that begins with a number is quoted by the last words before it, so that its passage has the number.
    """
    numbers = numerals(book.source.text, language)
    begun = 0
    for one in made:
        text = book.source.text[one.start : one.end]
        inside = _between(numbers, one.start, one.end)
        first = inside[0].start if inside else one.end
        free = _free_words(book.source.text[one.start : first])
        if not free and inside:
            before = _between(numbers, begun, one.start)
            quote = _last_words(book, max(begun, before[-1].end if before else 0), one.start)
            if quote:
                begun = one.start
                yield quote, ""
                continue
            free = _free_words(text[inside[0].end - one.start :])
        quoted = _first_words(book, one, free)
        begun = _end_of_words(book, one.start, len(quoted[0].split()))
        yield quoted


def _between(numbers: Sequence[Numeral], start: int, end: int) -> Sequence[Numeral]:
    first = bisect_left(numbers, start, key=lambda number: number.start)
    return numbers[first : bisect_left(numbers, end, key=lambda number: number.start)]


def _end_of_words(book: IndexedBook, start: int, count: int) -> int:
    """Where so many words from a place on end, numbers at their beginning not counted."""
    place = bisect_left(book.words, start, key=lambda word: word[1])
    while place < len(book.words) and book.words[place][0].isdigit():
        place += 1
    return book.words[min(place + count, len(book.words)) - 1][2]


def _free_words(text: str) -> list[str]:
    """The words that a quote may have, without numbers at their beginning."""
    return list(dropwhile(str.isdigit, (word for word, _, _ in words(text))))[:QUOTE_WORDS]


def _last_words(book: IndexedBook, start: int, end: int) -> str:
    """The fewest words before a place that stand nowhere else in the book; "" if there are none."""
    first = bisect_left(book.words, start, key=lambda word: word[1])
    last = bisect_left(book.words, end, key=lambda word: word[1])
    for size in range(1, min(QUOTE_WORDS, last - first) + 1):
        quote = " ".join(word for word, _, _ in book.words[last - size : last])
        if len(places(book, quote)) == 1:
            return quote
    return ""


def _first_words(book: IndexedBook, one: Sentence, free: Sequence[str]) -> tuple[str, str]:
    """The first words of a sentence; where they stand elsewhere too, with words before them."""
    for size in range(min(2, len(free)), len(free) + 1):
        quote = " ".join(free[:size])
        if size and len(places(book, quote)) == 1:
            return quote, ""
    return _quote_after(book, one, " ".join(free)) if free else ("", "")


def _quote_after(book: IndexedBook, one: Sentence, quote: str) -> tuple[str, str]:
    """The quote with words that stand once in the book and before it, none of its like between them."""
    known = places(book, quote)
    here = next((place for place in known if book.words[place][1] >= one.start), None)
    if here is None:
        return "", ""
    before = max((place for place in known if place < here), default=-1)
    for first in range(here - 1, before, -1):
        size = min(QUOTE_WORDS, here - first)
        after = " ".join(word for word, _, _ in book.words[first : first + size])
        if len(places(book, after)) == 1:
            return quote, after
    return "", ""


# ---------------------------------------------------------------- a first file


def first_file(made: Sequence[Proposal], book: IndexedBook, language: str, ruled: AuditedRules, tongue: Tongue) -> str:
    """Proposals as a file of anchors; what is not sure is marked, with the other clauses in a comment."""
    said = _said(made, book, language, ruled)
    lines = [f"# {tongue.say('anchor-proposed')}", f"language {language}", ""]
    for proposal in made:
        text = " ".join(book.source.text[proposal.start : proposal.end].split())
        rated = ", ".join(f"@{id_} {share:.0%}" for id_, share in proposal.clauses)
        mark = "" if proposal.is_sure or not rated else f" {tongue.say('anchor-unsure')}"
        lines.append(f"# {text[:_SHOWN]}{'…' if len(text) > _SHOWN else ''}" + (f"  [{rated}]{mark}" if rated else ""))
        if not proposal.quote:
            lines.append(f"# {tongue.say('anchor-no-quote')}")
        if proposal.quote:
            first = f"@{proposal.clauses[0][0]}" if proposal.clauses else "-"
            after = f' after "{proposal.after}"' if proposal.after else ""
            lines += [f'"{proposal.quote}"{after} : {first}', *(f"    {line}" for line in said.get(proposal.start, ()))]
    return "\n".join(lines) + "\n"


def _said(
    made: Sequence[Proposal], book: IndexedBook, language: str, ruled: AuditedRules
) -> Mapping[int, tuple[str, ...]]:
    """By sentence what its passage permits, obliges to and denies, if it belongs to a clause."""
    quoted = [one for one in made if one.quote]
    anchors = tuple(Anchor(one.quote, one.after, clauses=tuple(id_ for id_, _ in one.clauses[:1])) for one in quoted)
    starts = {anchor: one.start for anchor, one in zip(anchors, quoted, strict=True)}
    placed = passages(book, anchors, Problems())
    return {starts[one.anchor]: tuple(proposed_words(book, one, language, ruled)) for one in placed}
