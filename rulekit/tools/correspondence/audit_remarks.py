"""Findings of a book as remarks at its words, with the correction where only one is possible."""

from __future__ import annotations

from rulekit.source import Span
from rulekit.tools.audit.anchor_matching import IndexedBook
from rulekit.tools.audit.claim_checking import DIFFERS, Audit, NumberCheck
from rulekit.tools.audit.findings import Finding
from rulekit.tools.audit.numeral_parsing import Numeral
from rulekit.tools.audit.reports import Report
from rulekit.tools.documents.remarks import Remark, Remarked
from rulekit.tools.documents.writing import remarked
from rulekit.tools.language.translation import Tongue

_LEAST = 2
"""From here on a number changes no word beside it: one goat, two goats, three goats."""


def with_findings(book: str, out: str, report: Report, tongue: Tongue) -> Remarked:
    """The book of a report with its findings as remarks.  Errors: `Unreadable`, `NoPackage`."""
    assert report.audit is not None, book
    found = frozenset(finding.digest for finding in (*report.open, *report.settled))
    return remarked(book, out, report.audit.book.original.text, remarks_of(report, report.audit, tongue), found)


def remarks_of(report: Report, audit: Audit, tongue: Tongue) -> tuple[Remark, ...]:
    """The open findings about a book, in its order, in the words of a language."""
    corrections = _corrections(audit)
    found = [_remark(finding, audit.book, corrections, tongue) for finding in report.open]
    return tuple(sorted(found, key=lambda one: (one.start, one.end, one.digest)))


def _remark(finding: Finding, book: IndexedBook, corrections: dict[Span, str], tongue: Tongue) -> Remark:
    at = finding.diagnostic.span
    start, end = (book.lines[line - 1] + column - 1 for line, column in ((at.line, at.column), _end(at)))
    instead = corrections.get(at, "") if finding.code == "number-differs" else ""
    decide = tongue.say("remark-decide", stays=tongue.say("remark-stays"))
    told = (finding.said.by(tongue), finding.rule, decide)
    return Remark(finding.digest, finding.code, start, max(end, start + 1), "\n".join(told), instead)


def _end(at: Span) -> tuple[int, int]:
    return at.end_line, at.end_column


def _corrections(audit: Audit) -> dict[Span, str]:
    """By place of a number what should stand there, where the rules leave no choice."""
    words = _number_words(audit)
    return {
        audit.book.span(reading.numeral.start, reading.numeral.end): instead
        for reading in audit.readings
        if (instead := _correction(reading, words))
    }


def _correction(reading: NumberCheck, words: dict[int, str]) -> str:
    """The value of the rules, written as the book writes its number; "" where that is not certain."""
    numeral, value = reading.numeral, reading.value
    if reading.verdict != DIFFERS or value is None or min(numeral.value, value.value) < 0:
        return ""
    if numeral.bound or numeral.edge or value.bound or value.end or value.sinks:
        return ""
    if numeral.text.isdecimal():
        return str(value.value)
    is_plain = numeral.kind == "word" and numeral.text.islower() and min(numeral.value, value.value) >= _LEAST
    return words.get(value.value, "") if is_plain else ""


def _number_words(audit: Audit) -> dict[int, str]:
    """The words for numbers that the book itself uses, where it uses one for each; articles and ordinals are none."""
    found: dict[int, set[str]] = {}
    for reading in audit.readings:
        numeral: Numeral = reading.numeral
        if numeral.kind == "word":
            found.setdefault(numeral.value, set()).add(numeral.text.lower())
    return {value: next(iter(words)) for value, words in found.items() if len(words) == 1}
