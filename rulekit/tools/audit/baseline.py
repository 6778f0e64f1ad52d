"""The baseline of an audit (a suppression file): findings that somebody accepted, each with its reason.

    3f2a91c04b number-differs CL-12: the board's text is older than the rules

The first word is a digest of the words around the number and of the rule, so
that a finding comes back as soon as one of them changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulekit.diagnostics import WARNING, Diagnostic, Problems
from rulekit.source import NOWHERE, Source, Span
from rulekit.tools.audit.findings import Finding
from rulekit.values import field, frozen

_LINE = re.compile(r"([0-9a-f]{10}) ([a-z-]+) ([^:]+): *(.*)")


@frozen
class Accepted:
    """One accepted finding."""

    digest: str
    reason: str
    span: Span = field(default=NOWHERE, eq=False, repr=False)


def parse_accepted(source: Source, problems: Problems) -> tuple[Accepted, ...]:
    """The entries of a file of accepted findings; one without a reason counts for nothing and is reported."""
    found: list[Accepted] = []
    for text, place in source.entries():
        match = _LINE.fullmatch(text)
        if match is None:
            problems.add(
                "accepted-syntax", "this is no accepted finding", place, hint="write `DIGEST CODE CLAUSE: reason`"
            )
        elif not match[4]:
            problems.add(
                "accepted-reason", "an accepted finding needs a reason", place, hint="write it after the colon"
            )
        else:
            found.append(Accepted(match[1], match[4], place))
    return tuple(found)


def split(findings: Sequence[Finding], accepted: Sequence[Accepted]) -> tuple[list[Finding], list[Finding]]:
    """The findings that are open, and those that were accepted."""
    known = {entry.digest for entry in accepted}
    return [f for f in findings if f.digest not in known], [f for f in findings if f.digest in known]


def stale(findings: Sequence[Finding], accepted: Sequence[Accepted]) -> list[Diagnostic]:
    """What was accepted and is not found any more."""
    there = {finding.digest for finding in findings}
    title = "what was accepted here is not found any more: text or rule has changed"
    gone = [entry for entry in accepted if entry.digest not in there]
    return [Diagnostic("accepted-gone", title, entry.span, hint="remove the line", level=WARNING) for entry in gone]


def as_line(finding: Finding) -> str:
    """The line that would accept a finding, but for its reason."""
    return f"{finding.digest} {finding.code} {' '.join(finding.clauses) or '-'}: "
