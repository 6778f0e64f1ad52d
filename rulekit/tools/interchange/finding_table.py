"""Findings as a table, for editors who sort and tick them off in a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.diagnostics import Diagnostic
from rulekit.source import Source
from rulekit.tools.audit.findings import Finding
from rulekit.tools.audit.reports import Report
from rulekit.tools.interchange.spreadsheet import Row, csv_table, xlsx
from rulekit.tools.language.translation import Tongue
from rulekit.values import frozen

COLUMNS = ("where", "finding", "text", "read", "had", "rule", "clauses", "code", "digest", "accepted")
"""Each has its head in the phrases `table-where` and so on."""
ENDINGS = (".csv", ".xlsx")


@frozen
class _Place:
    """Where a finding stands, and the line of text that is there."""

    where: str
    text: str


def findings_table(report: Report, ending: str, tongue: Tongue) -> bytes:
    """A CSV or a workbook of all findings, the open ones first.  Errors: `NoPackage`."""
    head = tuple(tongue.say(f"table-{column}") for column in COLUMNS)
    rows = [*_findings(report, tongue), *_faults(report)]
    if ending == ".csv":
        return csv_table(head, rows).encode()
    return xlsx(report.rules.rules.game.title, head, rows)


def _findings(report: Report, tongue: Tongue) -> Iterator[Row]:
    for findings, accepted in ((report.open, ""), (report.settled, tongue.say("table-yes"))):
        for found in sorted(findings, key=_order):
            place = _place(found.diagnostic, report.sources)
            clauses = " ".join(found.clauses)
            yield (
                place.where,
                found.said.by(tongue),
                place.text,
                found.read,
                found.had,
                found.rule,
                clauses,
                found.code,
                found.digest,
                accepted,
            )


def _order(found: Finding) -> tuple[str, int, int]:
    span = found.diagnostic.span
    return span.source, span.line, span.column


def _faults(report: Report) -> Iterator[Row]:
    """What is wrong with anchors, catalogue and list; it is told in English, as everywhere."""
    for fault in report.faults:
        place = _place(fault, report.sources)
        yield place.where, fault.title, place.text, "", "", "", "", fault.code, "", ""


def _place(entry: Diagnostic, sources: dict[str, Source]) -> _Place:
    source = sources.get(entry.span.source)
    return _Place(str(entry.span), source.line(entry.span.line).strip() if source else "")
