"""An audit as an HTML page: book, clause, rule and example side by side, with everything that disagrees marked.

Works on a finished report; the page stands alone, without scripts or other files.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from rulekit.source import Span
from rulekit.tools.audit.anchors import words
from rulekit.tools.audit.claim_checking import AGREES, APART, DIFFERS, NO_NUMBER, NO_RULE, UNNAMED, Audit, NumberCheck
from rulekit.tools.audit.findings import AuditedRules, Finding
from rulekit.tools.audit.reports import Report
from rulekit.tools.audit.translation_check import Pair
from rulekit.tools.language.lazy_message import in_words
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.report.templates import rendered
from rulekit.values import frozen

_BREAKS = re.compile(r"\s*\n\s*")
_VERDICTS = {
    AGREES: "audit-agrees",
    DIFFERS: "audit-not-so",
    UNNAMED: "audit-not-named",
    APART: "audit-apart",
    NO_RULE: "audit-no-rule",
    NO_NUMBER: "audit-without-number",
}
_MARKS = re.compile(r"<[^<>]*>|\*+|(?m:^#+ )")


@frozen
class Piece:
    """A stretch of the book's text; title: what stands behind a number."""

    text: str
    kind: str = ""
    title: str = ""


@frozen
class Row:
    """line: of the book or the translation; rules, examples: lines with their numbers."""

    line: int
    quote: str
    pieces: tuple[Piece, ...]
    clauses: tuple[tuple[str, str], ...]
    rules: tuple[tuple[int, str], ...]
    examples: tuple[tuple[int, str], ...]
    findings: tuple[tuple[str, str, bool], ...]
    anchor: str = ""
    """The quote as the anchors have it."""
    before: tuple[Piece, ...] = ()
    behind: tuple[Piece, ...] = ()
    """The book's words that no anchor covers: before the first passage, and behind this one up to the next."""


def page(report: Report, tongue: Tongue = SOURCE) -> str:
    """The text of an HTML file.  tongue: of its own words; faults of the files that were read stay in English."""
    return rendered(
        "audit.html.j2",
        tongue,
        title=report.rules.rules.game.title,
        spoken=report.audit.language if report.audit else (report.pairs[0].language if report.pairs else "en"),
        is_book=report.audit is not None,
        summary=in_words(report.summary, tongue),
        open=len(report.open),
        settled=len(report.settled),
        faults=[(str(fault.span), fault.title) for fault in report.faults],
        rows=list(book_rows(report.audit, report, tongue) if report.audit else _pair_rows(report, tongue)),
    )


# ---------------------------------------------------------------- a book


def book_rows(audit: Audit, report: Report, tongue: Tongue) -> Iterator[Row]:
    """The passages of a book in order, each with its clauses, rules, examples and findings."""
    untied = [reading for reading in audit.readings if reading.passage is None]
    begins = [passage.quoted for passage in audit.passages[1:]] + [len(audit.book.source.text)]
    for place, (passage, next_one) in enumerate(zip(audit.passages, begins, strict=True)):
        span = audit.book.span(passage.quoted, passage.end)
        inside = [reading for reading in audit.readings if reading.passage == passage]
        ids = passage.anchor.clauses
        rules, examples = _lines(ids, [r.value.span for r in inside if r.value], report.rules)
        found = tuple(_told(report, span, tongue))
        pieces = tuple(_pieces(passage.start, passage.end, inside, audit, tongue))
        before = () if place else tuple(_pieces(0, passage.quoted, untied, audit, tongue))
        behind = tuple(_pieces(passage.end, next_one, untied, audit, tongue))
        clauses = _clauses(ids, report.rules)
        quote = audit.book.source.text[passage.quoted : passage.start]
        yield Row(span.line, quote, pieces, clauses, rules, examples, found, passage.anchor.quote, before, behind)


def _pieces(start: int, end: int, readings: list[NumberCheck], audit: Audit, tongue: Tongue) -> Iterator[Piece]:
    """The stretches of a range of the book, its numbers by themselves; none where only mark-up stands."""
    text, at = audit.book.source.text, start
    if not words(text[start:end]):
        return
    first = bisect_left(readings, start, key=lambda one: one.numeral.start)
    for reading in readings[first : bisect_left(readings, end, key=lambda one: one.numeral.start)]:
        number = reading.numeral
        yield Piece(_running(text[at : number.start]))
        value = reading.value
        title = f"{value.name} = {value.value}" if value else tongue.say(_VERDICTS[reading.verdict])
        yield Piece(number.text, _kind(reading), title)
        at = number.end
    yield Piece(_running(text[at:end]).rstrip(" \n#*-"))


def _running(text: str) -> str:
    """The book's text without its mark-up, one line break where it has several."""
    return _BREAKS.sub("\n", _MARKS.sub("", text))


def _kind(reading: NumberCheck) -> str:
    known = {AGREES: "same", NO_RULE: "idle"}
    return known.get(reading.verdict, "open" if reading.value else "bare")


def _told(report: Report, span: Span, tongue: Tongue) -> Iterator[tuple[str, str, bool]]:
    """The findings in a stretch of the book; whether they are accepted."""
    for findings, is_settled in ((report.open, False), (report.settled, True)):
        for finding in findings:
            if _is_within(finding.diagnostic.span, span):
                yield finding.said.by(tongue), finding.digest, is_settled


def _is_within(inner: Span, outer: Span) -> bool:
    first, last = (outer.line, outer.column), (outer.end_line, outer.end_column)
    return inner.source == outer.source and first <= (inner.line, inner.column) < last


# ---------------------------------------------------------------- a translation


def _pair_rows(report: Report, tongue: Tongue) -> Iterator[Row]:
    by_id: dict[str, list[Finding]] = {}
    for finding in (*report.open, *report.settled):
        by_id.setdefault(finding.clauses[0], []).append(finding)
    for pair in report.pairs or _own(report):
        if pair.id in report.rules.rules.game.clauses or pair.id in by_id:
            rules, examples = _lines((pair.id,), [], report.rules)
            clauses = _clauses((pair.id,), report.rules) or ((pair.id, pair.text),)
            found = tuple((f.said.by(tongue), f.digest, f in report.settled) for f in by_id.get(pair.id, []))
            yield Row(pair.place.line, "", (Piece(pair.other),), clauses, rules, examples, found)


def _own(report: Report) -> list[Pair]:
    """The clauses themselves, where nothing was translated."""
    clauses = report.rules.rules.game.clauses.values()
    return [Pair(clause.id, clause.text, clause.text, "en", clause.span) for clause in clauses]


# ---------------------------------------------------------------- clauses and rules


def _clauses(ids: tuple[str, ...], rules: AuditedRules) -> tuple[tuple[str, str], ...]:
    known = rules.rules.game.clauses
    return tuple((id_, known[id_].text) for id_ in ids if id_ in known)


def _lines(
    ids: tuple[str, ...], used: list[Span], rules: AuditedRules
) -> tuple[tuple[tuple[int, str], ...], tuple[tuple[int, str], ...]]:
    """The lines of the rules behind some clauses, and those of worked examples among them."""
    tied = [c for c in rules.rules.constants if set(ids) & set(c.clauses) or c.span in used]
    plain = {c.span.line: c.span for c in tied if not c.is_example}
    printed = {c.span.line: c.span for c in tied if c.is_example}
    names = {
        min(c.span.line for c in tied if c.homes == homes): homes[0]
        for homes in {c.homes for c in tied if c.is_example}
    }
    return _shown(plain, {}, rules), _shown(printed, names, rules)


def _shown(spans: dict[int, Span], names: dict[int, str], rules: AuditedRules) -> tuple[tuple[int, str], ...]:
    """Lines with their numbers; before the first of a worked example its name, with 0 for a number."""
    made: list[tuple[int, str]] = []
    for line in sorted(spans)[:_MOST]:
        made += [(0, names[line])] if line in names else []
        # Without the citations in its margin.
        made.append((line, rules.line(spans[line]).split("  @")[0].rstrip()))
    return tuple(made)


_MOST = 12
"""So many lines of rules stand beside a passage."""
