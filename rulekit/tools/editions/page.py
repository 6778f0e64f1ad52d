"""Two editions as an HTML page: both and the clause side by side, with everything in which they differ marked.

Works on a finished report; the page stands alone, without scripts or other files.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.tools.editions.edition import Statement
from rulekit.tools.editions.edition_reports import EditionReport
from rulekit.tools.language.lazy_message import in_words
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.report.templates import rendered
from rulekit.values import frozen


@frozen
class _Row:
    """sides: of each edition places and words; findings: sentence, digest, whether it is accepted."""

    clauses: tuple[tuple[str, str], ...]
    sides: tuple[tuple[tuple[str, str], ...], ...]
    findings: tuple[tuple[str, str, bool], ...]


def page(report: EditionReport, tongue: Tongue = SOURCE) -> str:
    """The text of an HTML file.  tongue: of its own words; faults of the files that were read stay in English."""
    return rendered(
        "editions.html.j2",
        tongue,
        title=report.rules.rules.game.title,
        names=(report.made.first.name, report.made.second.name),
        spoken=(report.made.first.language, report.made.second.language),
        summary=in_words(report.summary, tongue),
        open=len(report.open),
        settled=len(report.settled),
        faults=[(str(fault.span), fault.title) for fault in report.faults],
        rows=list(_rows(report, tongue)),
    )


def _rows(report: EditionReport, tongue: Tongue) -> Iterator[_Row]:
    known = report.rules.rules.game.clauses
    settled = {finding.digest for finding in report.settled}
    for one in report.made.opposed:
        clauses = tuple((id_, known[id_].text) for id_ in one.clauses if id_ in known)
        findings = tuple((f.said.by(tongue), f.digest, f.digest in settled) for f in one.findings)
        yield _Row(clauses, (_told(one.first), _told(one.second)), findings)


def _told(statements: tuple[Statement, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((str(one.place.line), " ".join(one.text.split())) for one in statements)
