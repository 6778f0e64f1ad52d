"""Passage claims: the words of a passage that are no numbers, held against what its clauses claim.

Turns a passage and its anchor into findings.  Words that the anchor names must
be there, in their order, and the rules must have what they say; another word
of the same kind in the place of one is a finding.  A word that the anchor does
not name is one where the clauses claim only the contrary.  What the clauses do
not decide is silent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from attrs import evolve

from rulekit.diagnostics import Label
from rulekit.tools.audit.anchor_matching import IndexedBook, Passage
from rulekit.tools.audit.findings import AuditedRules, Finding, finding_of, listed
from rulekit.tools.claims.claim_values import UNDECIDED, ClaimWord, RuleClaim
from rulekit.tools.claims.clause_claims import ClauseClaims
from rulekit.tools.language.lazy_message import Message

_MOST = 3
"""So many words are shown of those that may stand where another was named."""


def passage_words(book: IndexedBook, passage: Passage, known: ClauseClaims) -> list[ClaimWord]:
    """The words of a passage and of its quote that claim something, by their places in the book."""
    found = known.words(book.source.text[passage.quoted : passage.end])
    return [evolve(word, start=word.start + passage.quoted, end=word.end + passage.quoted) for word in found]


def proposed_claims(book: IndexedBook, passage: Passage, language: str, ruled: AuditedRules) -> tuple[str, ...]:
    """The words of a passage that say what its clauses claim."""
    known, clauses = ruled.claimed(language), passage.anchor.clauses
    return tuple(word.text for word in passage_words(book, passage, known) if known.support(word, clauses))


def claim_findings(book: IndexedBook, passage: Passage, language: str, ruled: AuditedRules) -> Iterator[Finding]:
    """Where a passage claims something else than its clauses."""
    if not passage.anchor.clauses:
        return
    known = ruled.claimed(language)
    words = passage_words(book, passage, known)
    named = passage.anchor.claims
    free: list[ClaimWord] = []
    matcher = SequenceMatcher(None, named, [word.text for word in words], autojunk=False)
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag == "equal":
            free += words[start:end]
            continue
        exchanged = _exchanged(words[start:end], named[first:last], passage, known)
        free += [word for word in words[start:end] if word not in [other for other, _ in exchanged]]
        yield from (_differs(book, passage, word, claim, ruled) for word, claim in exchanged)
    yield from (_differs(book, passage, word, claim, ruled) for word, claim in _contrary(free, passage, known))


def _contrary(
    words: Sequence[ClaimWord], passage: Passage, known: ClauseClaims
) -> Iterator[tuple[ClaimWord, RuleClaim]]:
    """Words that say the contrary of what the rules have, the first for each claim."""
    seen = []
    for word in words:
        is_named = word.text in passage.anchor.claims
        claim = known.contrary(word, passage.anchor.clauses) if is_named or not word.senses & UNDECIDED else None
        if claim is not None and claim not in seen:
            seen.append(claim)
            yield word, claim


def _exchanged(
    words: Sequence[ClaimWord], named: Sequence[str], passage: Passage, known: ClauseClaims
) -> list[tuple[ClaimWord, RuleClaim]]:
    """Of words that stand where others were named those that say something else of the same kind.

    Words that the clauses have would have been named, so that they are new here; of words that the clauses do not
    have any may be new.
    """
    clauses, made = passage.anchor.clauses, []
    left = list(words)
    for phrase in named:
        lost = next(iter(known.words(phrase)), None)
        claim = known.support(lost, clauses) if lost is not None else None
        if lost is None or claim is None:
            continue
        same = next((word for word in left if word.senses & lost.senses), None)
        if same is not None:
            left.remove(same)
            continue
        others = [word for word in left if word.kinds & lost.kinds]
        new = [word for word in others if known.support(word, clauses)][:1] or others[:_MOST]
        left = [word for word in left if word not in new]
        made += [(word, claim) for word in new]
    return made


def _differs(book: IndexedBook, passage: Passage, word: ClaimWord, claim: RuleClaim, ruled: AuditedRules) -> Finding:
    clauses = passage.anchor.clauses
    read = book.source.text[word.start : word.end]
    both: dict[str, Any] = {"read": read, "clauses": listed(clauses), "had": claim.said}
    said = Message("audit-claim-differs", **both)
    rule, words = Label(claim.span, f"the rule: {claim.said}"), (*clauses, *book.around(word.start, word.end))
    place = book.span(word.start, word.end)
    return finding_of("claim-differs", said, place, clauses, words, read, claim.said, rule, ruled)
