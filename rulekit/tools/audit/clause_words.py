"""Clause words: the words of a game's own clauses held against their lines, and against their translations.

What a line claims firmly decides by itself.  Where no line does, two translations and the clause are three witnesses:
what the clause says and no translation of it, though they say it elsewhere, is a finding.  With fewer of them nobody
knows which of two is wrong, and the audit of the translation tells that they differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit import library
from rulekit.diagnostics import Label
from rulekit.model.game import Clause
from rulekit.source import Span
from rulekit.tools.audit.findings import AuditedRules, Finding, finding_of, joined, rule_line
from rulekit.tools.audit.modality_checking import MODALITIES, moods
from rulekit.tools.audit.numeral_parsing import modal_words
from rulekit.tools.claims.claim_values import ClaimWord, RuleClaim
from rulekit.tools.claims.clause_claims import SOURCE
from rulekit.tools.claims.kept_senses import Told, counted, exchanged
from rulekit.tools.language.lazy_message import Message, Text
from rulekit.values import frozen

_WITNESSES = 2
"""So many translations have to say otherwise than a clause."""


@frozen
class Translation:
    """A clause in another language, with its words that claim something."""

    text: str
    language: str
    words: tuple[ClaimWord, ...]


def word_findings(clause: Clause, ruled: AuditedRules) -> Iterator[Finding]:
    """What a clause says otherwise than its lines or all of its translations; one finding for a word."""
    words = ruled.claimed(SOURCE).words(clause.text)
    told = set()
    for word, claim in _by_lines(words, clause, ruled):
        told.add(word.start)
        said = Message("audit-clause", clause=clause.id, text=word.text, had=claim.said)
        yield _finding(clause, said, word.text, claim.said, claim.span, ruled)
    others = _translations(clause, ruled)
    if len(others) >= _WITNESSES:
        for word, instead in _by_translations(words, others, ruled):
            if word.start not in told:
                told.add(word.start)
                yield _alone(clause, word, instead, ruled)
        yield from _moods(clause, others, ruled)


def _by_lines(words: Sequence[ClaimWord], clause: Clause, ruled: AuditedRules) -> Iterator[tuple[ClaimWord, RuleClaim]]:
    """Words that say the contrary of the clause's lines."""
    for word in words:
        claim = ruled.claimed(SOURCE).opposed(word, (clause.id,))
        if claim is not None:
            yield word, claim


# ---------------------------------------------------------------- translations


def _translations(clause: Clause, ruled: AuditedRules) -> list[Translation]:
    """The clause as the catalogues have it, whether or not its own text has been changed since."""
    found = []
    for language in library.languages():
        texts = (one for one in ruled.translated(language) if one.id == clause.id and one.forms[0] and not one.fuzzy)
        one = next(texts, None)
        if one is not None:
            found.append(Translation(one.forms[0], language, ruled.claimed(language).words(one.forms[0])))
    return found


def _by_translations(
    words: Sequence[ClaimWord], others: Sequence[Translation], ruled: AuditedRules
) -> Iterator[tuple[ClaimWord, ClaimWord | None]]:
    """Words that no translation has as often, of which one shows that it should; with what that one says instead."""
    had, said = counted(words), [counted(other.words) for other in others]
    for other in others:
        for one in exchanged(Told(tuple(words), other.words), ruled.keeps(other.language)):
            if all(count[sense] < had[sense] for count in said for sense in one.lost.senses):
                yield one.lost, one.more


def _alone(clause: Clause, word: ClaimWord, instead: ClaimWord | None, ruled: AuditedRules) -> Finding:
    """What the clause alone says; the line that says what the translations do, if there is one."""
    had: Text = Message("audit-no-word") if instead is None else f"“{instead.text}”"
    said = Message("audit-clause-translated", clause=clause.id, text=word.text, had=had)
    senses = instead.senses if instead is not None else frozenset()
    lines = (claim for claim in ruled.claimed(SOURCE).of((clause.id,)) if not claim.is_text)
    claim = next((claim for claim in lines if claim.sense in senses), None)
    fact, span = (claim.said, claim.span) if claim is not None else (str(had), rule_line(clause.id, ruled))
    return _finding(clause, said, word.text, fact, span, ruled)


def _moods(clause: Clause, others: Sequence[Translation], ruled: AuditedRules) -> Iterator[Finding]:
    """What a clause denies, permits or obliges to otherwise than all of its translations."""
    ours, theirs = moods(clause.text, SOURCE), [moods(other.text, other.language) for other in others]
    for kind in MODALITIES:
        if all(ours[kind] != count[kind] for count in theirs):
            read = _said(clause.text, SOURCE, kind)
            had = joined((_said(other.text, other.language, kind) for other in others), "audit-no-word")
            said = Message("audit-clause-moods", clause=clause.id, read=read, had=had)
            yield _finding(clause, said, str(read), str(had), rule_line(clause.id, ruled), ruled)


def _said(text: str, language: str, kind: str) -> Text:
    found = [word.text for word in modal_words(text, language) if word.kind == kind]
    return f"“{' … '.join(found)}”" if found else Message("audit-no-word")


def _finding(clause: Clause, said: Message, read: str, had: str, span: Span, ruled: AuditedRules) -> Finding:
    rule, words, ids = Label(span, f"the rule: {had}"), (clause.id, clause.text, read), (clause.id,)
    return finding_of("clause-claim", said, clause.span, ids, words, read, had, rule, ruled)
