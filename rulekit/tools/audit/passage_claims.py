"""Passage claims: the words of a passage that are no numbers, held against what its clauses claim.

Turns a passage and its anchor into findings.  Words that the anchor names must
be there, in their order, and the rules must have what they say; another word
of the same kind in the place of one is a finding.  A word that the anchor does
not name is one where the clauses claim only the contrary.  What the clauses do
not decide is silent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from rulekit.diagnostics import Label
from rulekit.tools.audit.anchor_matching import IndexedBook, Passage
from rulekit.tools.audit.findings import AuditedRules, Finding, finding_of, listed
from rulekit.tools.claims.claim_values import (
    EXTREME,
    FIRM,
    JOINT,
    UNDECIDED,
    WHOLE_BOUNDS,
    ClaimWord,
    RuleClaim,
    kind_of,
)
from rulekit.tools.claims.clause_claims import ClauseClaims
from rulekit.tools.claims.unusual_words import is_contradicted, unusual_words
from rulekit.tools.claims.word_tables import joint_words
from rulekit.tools.claims.word_usage import Place, ReadText, Usage
from rulekit.tools.language.lazy_message import Message
from rulekit.values import evolve

_KEPT = FIRM | {"but"}
"""What a text must say where its anchor names it and the lines have it."""
_READ = 5
"""So many words are read where one was lost."""
_OVER, _ALIKE, _OTHER, _NEVER = 3, 1, 2, 1_000_000
"""What it costs to pass over a word, and to pair two of the same sense, of the same kind, or of none in common."""


def passage_words(book: IndexedBook, passage: Passage, known: ClauseClaims) -> list[ClaimWord]:
    """The words of a passage and of its quote that claim something, by their places in the book."""
    found = known.words(book.source.text[passage.quoted : passage.end])
    return [evolve(word, start=word.start + passage.quoted, end=word.end + passage.quoted) for word in found]


def proposed_claims(book: IndexedBook, passage: Passage, language: str, ruled: AuditedRules) -> tuple[str, ...]:
    """The words of a passage that say what its clauses claim."""
    known, clauses = ruled.claimed(language), passage.anchor.clauses
    return tuple(word.text for word in passage_words(book, passage, known) if known.support(word, clauses))


def claim_findings(
    book: IndexedBook, passage: Passage, language: str, ruled: AuditedRules, read: ReadText
) -> Iterator[Finding]:
    """Where a passage claims something else than its clauses."""
    if not passage.anchor.clauses:
        return
    known, places = ruled.claimed(language), read.inside(passage.quoted, passage.end)
    words = passage_words(book, passage, known)
    exchanged = list(_exchanged(words, passage, known))
    told = {word.start for word, _ in exchanged}
    joint, settled = _joint(book, words, passage, known)
    free = [*joint, *(word for word in words if word.start not in told | settled)]
    contrary = list(_contrary(free, passage, known, {place.word.start: place for place in places}, read.usage))
    told |= {word.start for word, _ in contrary}
    lost = [(word, claim) for word, claim in _lost(book, words, passage, known) if word.start not in told]
    told |= {word.start for word, _ in lost}
    found = (*exchanged, *contrary, *lost)
    yield from (_differs(book, passage, word, claim, claim.said, ruled) for word, claim in found)
    for one in unusual_words(places, passage.anchor.clauses, known, read.usage):
        if one.word.start not in told | settled:
            yield _differs(book, passage, one.word, one.claim, f"{one.claim.said} (“{one.usual}”)", ruled)


def _joint(
    book: IndexedBook, words: Sequence[ClaimWord], passage: Passage, known: ClauseClaims
) -> tuple[list[ClaimWord], set[int]]:
    """What words say together that the lines decide, and where words begin that lines support together."""
    found, settled, at = [], set(), passage.quoted
    inside = [evolve(word, start=word.start - at, end=word.end - at) for word in words]
    for joint in joint_words(book.source.text[at : passage.end], inside):
        if known.by_lines(joint.word, passage.anchor.clauses):
            settled |= {start + at for start in joint.starts}
        else:
            found.append(evolve(joint.word, start=joint.word.start + at, end=joint.word.end + at))
    return found, settled


def _contrary(
    words: Sequence[ClaimWord],
    passage: Passage,
    known: ClauseClaims,
    places: Mapping[int, Place],
    usage: Usage,
) -> Iterator[tuple[ClaimWord, RuleClaim]]:
    """Words that say the contrary of what the rules have, the first for each claim."""
    seen, starts = [], set()
    for word in words:
        is_named = word.text in passage.anchor.claims
        is_bound = word.senses in WHOLE_BOUNDS
        is_decided = is_named or is_bound or not word.senses & UNDECIDED
        claim = known.contrary(word, passage.anchor.clauses) if is_decided else None
        if is_bound and not is_named and claim is not None and (claim.is_aside or claim.is_text):
            continue
        is_said = is_bound or word.senses <= JOINT
        if claim is None or claim in seen or word.start in starts or _is_said_too(claim, words):
            continue
        if is_said or is_contradicted(places.get(word.start), claim, usage):
            seen.append(claim)
            starts.add(word.start)
            yield word, claim


def _is_said_too(claim: RuleClaim, words: Sequence[ClaimWord]) -> bool:
    """Whether a passage says what only a text claims: then its contrary speaks of something else."""
    is_said = any(claim.sense in word.senses for word in words)
    return claim.is_text and is_said and kind_of(claim.sense) != EXTREME


# ---------------------------------------------------------------- words that the anchor names


def _exchanged(
    words: Sequence[ClaimWord], passage: Passage, known: ClauseClaims
) -> Iterator[tuple[ClaimWord, RuleClaim]]:
    """Words of the book in the place of those that the anchor names, where they say something else of the same kind."""
    for name, word in _paired(words, passage, known):
        lost = next(iter(known.words(name)), None)
        claim = known.support(lost, passage.anchor.clauses) if lost is not None else None
        if lost is None or word is None or claim is None or word.senses & lost.senses:
            continue
        if word.kinds & lost.kinds:
            yield word, claim


def _lost(
    book: IndexedBook, words: Sequence[ClaimWord], passage: Passage, known: ClauseClaims
) -> Iterator[tuple[ClaimWord, RuleClaim]]:
    """What stands where the book has lost a word that the anchor names, if no other says it and the lines do."""
    clauses, at = passage.anchor.clauses, passage.quoted
    for name, word in _paired(words, passage, known):
        at = word.end if word is not None else at
        lost = next(iter(known.words(name)), None) if word is None else None
        if lost is None or not lost.senses & _KEPT or any(one.senses & lost.senses for one in words):
            continue
        claim = known.support(lost, clauses)
        if claim is not None and known.by_lines(lost, clauses):
            yield _standing(book, words, at, passage, name.split()), claim


def _standing(
    book: IndexedBook, words: Sequence[ClaimWord], at: int, passage: Passage, lost: Sequence[str]
) -> ClaimWord:
    """Where the book goes on otherwise than words that it has lost: the next one that claims something, else a few."""
    begun, end = _begun(book, at, passage, tuple(lost)), passage.end
    near = next((word for word in words if word.end > begun), None)
    if near is not None:
        return near
    run = next((run for size in range(_READ, 0, -1) for run in book.stretches(begun, end, size)), (begun, end, ()))
    return ClaimWord(frozenset(), " ".join(run[2]), run[0], run[1])


def _begun(book: IndexedBook, at: int, passage: Passage, lost: tuple[str, ...]) -> int:
    """How far the passage still has the words of a phrase that it has lost; a place where it has less than two."""
    for size in range(len(lost) - 1, 1, -1):
        for _, end, words in book.stretches(passage.quoted, passage.end, size):
            if words == lost[:size]:
                return end
    return at


def _paired(
    words: Sequence[ClaimWord], passage: Passage, known: ClauseClaims
) -> Iterator[tuple[str, ClaimWord | None]]:
    """The words of the anchor and those of the book that belong to them, in order, at the least cost.

    A word that the clauses have nothing of is passed over for nothing, since it would not have been named.
    """
    named, clauses = passage.anchor.claims, passage.anchor.clauses
    over = [_OVER if known.support(word, clauses) else 0 for word in words]
    lost = [next(iter(known.words(name)), None) for name in named]
    costs = [[0] * (len(words) + 1) for _ in range(len(named) + 1)]
    for i, j in product(reversed(range(len(named) + 1)), reversed(range(len(words) + 1))):
        ways = [_OVER + costs[i + 1][j]] if i < len(named) else []
        ways += [over[j] + costs[i][j + 1]] if j < len(words) else []
        ways += [_unlike(lost[i], words[j]) + costs[i + 1][j + 1]] if i < len(named) and j < len(words) else []
        costs[i][j] = min(ways, default=0)
    i = j = 0
    while i < len(named):
        if j < len(words) and costs[i][j] == _unlike(lost[i], words[j]) + costs[i + 1][j + 1]:
            yield named[i], words[j]
            i, j = i + 1, j + 1
        elif j < len(words) and costs[i][j] == over[j] + costs[i][j + 1]:
            j += 1
        else:
            yield named[i], None
            i += 1


def _unlike(lost: ClaimWord | None, word: ClaimWord) -> int:
    """What it costs to take a word of the book for one that was named."""
    if lost is None or not word.kinds & lost.kinds:
        return _NEVER
    return 0 if word.text == lost.text else _ALIKE if word.senses & lost.senses else _OTHER


def _differs(
    book: IndexedBook, passage: Passage, word: ClaimWord, claim: RuleClaim, had: str, ruled: AuditedRules
) -> Finding:
    clauses = passage.anchor.clauses
    read = " ".join(book.source.text[word.start : word.end].split())
    both: dict[str, Any] = {"read": read, "clauses": listed(clauses), "had": had}
    said = Message("audit-claim-differs", **both)
    rule, words = Label(claim.span, f"the rule: {claim.said}"), (*clauses, *book.around(word.start, word.end))
    place = book.span(word.start, word.end)
    return finding_of("claim-differs", said, place, clauses, words, read, claim.said, rule, ruled)
