"""Findings in SARIF 2.1.0, which code hosts and editors show at their lines (OASIS standard of 2020)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import quote

import rulekit
from rulekit.diagnostics import Diagnostic
from rulekit.source import Span
from rulekit.values import frozen

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


@frozen
class Result:
    """A finding, and what a list of accepted ones knows of it.

    digest:    stays while words and rule stay; "" where there is none.
    accepted:  whether somebody has accepted it, so that it is shown to nobody who does not ask.
    """

    entry: Diagnostic
    digest: str = ""
    accepted: bool = False


def sarif(results: Iterable[Result]) -> dict[str, object]:
    """One run as plain values."""
    found = list(results)
    codes = sorted({one.entry.code for one in found})
    driver = {"name": "rulekit", "version": rulekit.__version__, "rules": [{"id": code} for code in codes]}
    run = {
        "tool": {"driver": driver},
        # Columns are counted in code points.
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, codes) for one in found],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(one: Result, codes: list[str]) -> Mapping[str, object]:
    entry = one.entry
    text = "\n".join(filter(None, (entry.title, entry.note, entry.hint)))
    made: dict[str, object] = {
        "ruleId": entry.code,
        "ruleIndex": codes.index(entry.code),
        "level": entry.level,
        "message": {"text": text},
        "locations": [_location(entry.span)],
    }
    if entry.labels:
        made["relatedLocations"] = [_location(x.span) | {"message": {"text": x.text}} for x in entry.labels]
    if one.digest:
        made["partialFingerprints"] = {"rulekit/v1": one.digest}
    if one.accepted:
        made["suppressions"] = [{"kind": "external"}]
    return made


def _location(span: Span) -> dict[str, object]:
    """A place; without a region, where it is a whole file."""
    where: dict[str, object] = {"artifactLocation": {"uri": quote(span.source.replace("\\", "/"))}}
    if span.line:
        where["region"] = {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
        }
    return {"physicalLocation": where}
