"""Change one word of a rulebook at a time: a negation, a comparison beside a number, a sign.

Turns an audited book into changes and says which of them the audit flags.  A
change counts as flagged only if a new finding at its place names the word or
number read and what the rules have; a broken quote or another count of words
does not count.  Every third change, and every negation that is taken out, is put
in before the passage is tied: the anchors are made for the faulty text, with
what `rulekit text anchor` proposes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from attrs import evolve, frozen

from rulekit.diagnostics import Problems
from rulekit.source import Source
from rulekit.tools.anchoring.anchor_suggestions import proposed_denials
from rulekit.tools.audit.anchor_matching import IndexedBook, Passage, indexed, passages
from rulekit.tools.audit.anchors import Anchors
from rulekit.tools.audit.claim_checking import NO_RULE, Audit, NumberCheck, audit_book
from rulekit.tools.audit.findings import AuditedRules, Finding
from rulekit.tools.audit.modality_checking import book_denials, matched_denials
from rulekit.tools.audit.numeral_parsing import modality_counts
from rulekit.tools.audit.passage_claims import proposed_claims
from rulekit.tools.constants.constant_values import AT_LEAST

VERBS = {
    "it": "è sono ha hanno viene vengono può possono deve devono muove muovono prende prendono gioca giocano riceve "
    "ricevono mette mettono sceglie scelgono effettua effettuano vince perde ottiene ottengono fa fanno va vanno",
    "de": "ist sind hat haben wird werden darf dürfen kann muss zieht nimmt legt",
    "en": "is are has have may can must takes moves plays",
}
"""Before these words (in German and English behind them) a negation is put."""
NEGATION = {"it": "non", "de": "nicht", "en": "not"}
COMPARISONS = {
    "fino a": "oltre",
    "al massimo": "almeno",
    "almeno": "al massimo",
    "non più di": "più di",
    "più di": "meno di",
    "meno di": "più di",
    "inferiore a": "superiore a",
    "superiore a": "inferiore a",
    "sotto il valore": "sopra il valore",
    "oltre": "fino a",
    "o più": "o meno",
    "o meno": "o più",
    "at most": "at least",
    "at least": "at most",
    "more than": "less than",
    "höchstens": "mindestens",
    "mindestens": "höchstens",
}
ADDED = {"it": "almeno", "de": "mindestens", "en": "at least"}
DROPPED = "negation dropped"
EVERY = 3
"""So many changes apart are those put in before the passage is tied; comparisons are added to so many numbers apart."""
_BESIDE = 16
APART = {
    "?": "the rules say it without a negation",
    "-": "it states no rule",
    "=": "another negation says it too",
}
"""Why the rules have nothing to compare the loss of a negation with, by what the anchors say of it."""


@frozen
class Change:
    """Other letters for a stretch of the book.

    apart:    why the rules deny nothing for a negation that is taken out; "" if they do.
    clauses:  to which its passage belongs.
    """

    kind: str
    start: int
    end: int
    other: str
    apart: str = ""
    clauses: tuple[str, ...] = ()


@frozen
class Tried:
    """A change, whether it was put in before the passage was tied, and whether it was flagged."""

    change: Change
    is_before: bool
    is_flagged: bool


def tried(clean: Audit, anchors: Anchors, rules: AuditedRules) -> Iterator[Tried]:
    """All changes of words of a book, one at a time."""
    for turn, change in enumerate(changes(clean)):
        for is_before in {False, turn % EVERY == 0 or change.kind == DROPPED}:
            yield Tried(change, is_before, flagged(clean, change, anchors, rules, is_before=is_before))


def changes(clean: Audit) -> Iterator[Change]:
    """Where passages that state rules can be changed."""
    for passage in clean.passages:
        if passage.anchor.clauses:
            yield from _added(clean, passage.start, passage.end)
            yield from _dropped(clean, passage)
    stating = [r for r in clean.readings if r.passage is not None and r.value is not None and r.verdict != NO_RULE]
    for turn, reading in enumerate(stating):
        yield from _compared(clean, reading)
        yield from _signed(clean, reading)
        # `From at least two to five` says what `from two to five` does.
        is_bare = not reading.numeral.bound and reading.numeral.edge != AT_LEAST
        if is_bare and turn % EVERY == 0 and reading.numeral.kind in ("digit", "word"):
            at = reading.numeral.start
            yield Change("comparison added", at, at, f"{ADDED[clean.language]} ")


def _dropped(clean: Audit, passage: Passage) -> Iterator[Change]:
    named = [entry for entry in passage.anchor.denies or () if entry.words]
    for entry, word in matched_denials(named, book_denials(clean.book, passage, clean.language)):
        if word is not None:
            apart = APART.get(entry.clause, "") if entry is not None else ""
            yield Change(DROPPED, word.start, word.end, "", apart, passage.anchor.clauses)


def _added(clean: Audit, start: int, end: int) -> Iterator[Change]:
    verbs, negation = VERBS[clean.language].split(), NEGATION[clean.language]
    text = clean.book.source.text
    for match in re.finditer(rf"\b({'|'.join(verbs)})\b", text[start:end]):
        before = text[max(0, start + match.start() - 9) : start + match.start()].lower().split()
        if not modality_counts(" ".join(before), clean.language)["not"]:
            at = start + (match.start() if clean.language == "it" else match.end())
            yield Change("negation added", at, at, f"{negation} " if clean.language == "it" else f" {negation}")


def _compared(clean: Audit, reading: NumberCheck) -> Iterator[Change]:
    text, at = clean.book.source.text, reading.numeral
    if not at.bound:
        return
    first, last = max(0, at.start - _BESIDE), at.end + _BESIDE
    found = [
        (match.end() - match.start(), first + match.start(), first + match.end(), other)
        for phrase, other in COMPARISONS.items()
        for match in re.finditer(rf"(?i)\b{phrase}\b", text[first:last])
    ]
    if found:
        _, start, end, other = max(found)
        yield Change("comparison turned", start, end, other)
        yield Change("comparison dropped", start, end, "")


def _signed(clean: Audit, reading: NumberCheck) -> Iterator[Change]:
    text, at = clean.book.source.text, reading.numeral
    if at.value < 0:
        start = max(text.rfind(sign, 0, at.start) for sign in "-−–")
        yield Change("sign dropped", start, at.start, "")
    elif at.kind == "digit" and re.match(r"\W*punt[oi]\b", text[at.end :]):
        yield Change("sign added", at.start, at.start, "-")


def flagged(clean: Audit, change: Change, anchors: Anchors, rules: AuditedRules, *, is_before: bool) -> bool:
    """Whether a change makes a finding at its place that says everything."""
    text = clean.book.source.text
    book = indexed(Source(clean.book.source.name, text[: change.start] + change.other + text[change.end :]))
    tied = retied(anchors, book, rules) if is_before else anchors
    now = audit_book(book, tied, rules)
    before = Counter(finding.digest for finding in clean.findings)
    fresh = [finding for finding in now.findings if not before[finding.digest]]
    return any(_says_all(finding, change, now) for finding in fresh)


def _says_all(finding: Finding, change: Change, now: Audit) -> bool:
    text, span = now.book.source.text, finding.diagnostic.span
    place = now.book.span(max(0, change.start - _BESIDE), min(len(text), change.start + len(change.other) + _BESIDE))
    is_near = (place.line, place.column) <= (span.line, span.column) < (place.end_line, place.end_column)
    if finding.code == "denial-untold":
        # Nothing is there to point at: the finding names the passage and what the clause denies.
        is_near = change.kind == DROPPED and _in_passage(finding, change, now)
    named = finding.code == "number-differs"
    if change.kind.startswith("negation"):
        # `Not more than two` is a bound: without its negation it is another.
        named = finding.code.startswith("denial-") or (named and change.kind == DROPPED)
    return bool(named and is_near and finding.read and finding.had and re.search(r":\d+: \S", finding.rule))


def _in_passage(finding: Finding, change: Change, now: Audit) -> bool:
    inside = [p for p in now.passages if p.quoted <= change.start <= p.end]
    return any(now.book.span(p.quoted, p.start) == finding.diagnostic.span for p in inside)


def retied(anchors: Anchors, book: IndexedBook, rules: AuditedRules) -> Anchors:
    """The anchors as they would be written for another text: its words counted, its negations tied as proposed."""
    placed = {passage.anchor: passage for passage in passages(book, anchors.anchors, Problems())}
    made = []
    for anchor in anchors.anchors:
        passage = placed.get(anchor)
        if passage is not None and anchor.clauses:
            counts = modality_counts(book.source.text[passage.start : passage.end], anchors.language)
            denies, _ = proposed_denials(book, passage, anchors.language, rules)
            is_named = anchor.denies is not None or denies
            claims = proposed_claims(book, passage, anchors.language, rules) if anchor.claims else ()
            moods = tuple(sorted(counts.items()))
            anchor = evolve(anchor, moods=moods, denies=denies if is_named else None, claims=claims)
        made.append(anchor)
    return evolve(anchors, anchors=tuple(made))
