"""Proposed anchors: for each sentence of a book the clauses that it likely belongs to, and a first file of them.

What is proposed is for a person to look through.  Sure is only what the words say as well: a number that another rule
has too, or the place between two others, is never enough.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from rulekit.tools.audit.numeral_parsing import numerals
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
    return [
        _proposal(book, language, one, known, row, found.shared[place])
        for place, (one, row) in enumerate(zip(made, rows, strict=True))
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
    book: IndexedBook, language: str, one: Sentence, known: Clauses, row: Sequence[float], shared: Sequence[int]
) -> Proposal:
    quote, after = _quote(book, one, language)
    best = sorted(range(len(known.ids)), key=lambda place: -row[place])[:_OFFERED]
    likely = tuple((known.ids[place], row[place]) for place in best if row[place] >= _LEAST)
    if not likely or row[-1] > _NONE:
        return Proposal(quote, after, one, (), False)
    return Proposal(quote, after, one, likely, likely[0][1] >= _SURE and shared[best[0]] >= _SHARED)


def _quote(book: IndexedBook, one: Sentence, language: str) -> tuple[str, str]:
    """The first words of a sentence up to its first number; where they stand elsewhere too, words before them."""
    text = book.source.text[one.start : one.end]
    numbers = numerals(text, language)
    said = [word for word, _, _ in words(text[: numbers[0].start] if numbers else text)]
    free = list(dropwhile(str.isdigit, said))[:QUOTE_WORDS]
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
