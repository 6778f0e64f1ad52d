"""`rulekit text audit`: a rulebook or a translation held against the rules."""

from __future__ import annotations

import json
from pathlib import Path

import click

from rulekit import library
from rulekit.apps.console import DONE, FOUND, Failed
from rulekit.diagnostics import Diagnostic, Problems, as_data, render_all
from rulekit.source import Source
from rulekit.tools.audit import Audit, Finding
from rulekit.tools.numerals import NoReader


@click.command("audit")
@click.argument("file", metavar="FILE")
@click.option("--book", metavar="BOOK", help="A published rulebook: plain text or Markdown.")
@click.option("--anchors", metavar="ANCHORS", help="Which passages of the book belong to which clauses.")
@click.option("--accepted", metavar="LIST", help="Findings with the reasons why they are accepted.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How findings are written.")
def command(file: str, book: str | None, anchors: str | None, accepted: str | None, form: str) -> int:
    """Compare the numbers and words of a rulebook with what the rules in FILE do.

    Read are digits, numbers in words, ordinals, ranges, multipliers, and the
    words for not, may and must.  Each number of an anchored passage is held
    against the value of the rules that the anchors name.

    \b
    rulekit text audit games/NAME.rules --book book.md --anchors games/text/NAME.it.anchors

    A finding that is no fault can be accepted: put its digest with a reason
    into the list beside the anchors (same name, ending `.accepted`).

    Ends with 0 if nothing is open, else with 1.
    """
    if book is None or anchors is None:
        raise click.UsageError("name the book with --book and its anchors with --anchors")
    sources: dict[str, Source] = {}
    try:
        return _audited(file, book, anchors, accepted, form, sources)
    except library.Unreadable as fault:
        raise Failed(render_all([fault.finding], sources)) from None
    except NoReader as fault:
        raise Failed(f"error: {fault}") from None


def _audited(file: str, book: str, anchors: str, accepted: str | None, form: str, sources: dict[str, Source]) -> int:
    from rulekit.tools.audit_accepted import parse_accepted, split, stale
    from rulekit.tools.audit_files import audited

    problems = Problems()
    audit = audited(file, book, anchors, sources, problems)
    known = parse_accepted(_list(accepted, anchors, sources), problems)
    open_, settled = split(audit.findings, known)
    faults = [*problems.found, *audit.faults, *stale(audit.findings, known)]
    if form == "json":
        click.echo(json.dumps(_data(open_, settled, faults), ensure_ascii=False, indent=2))
    else:
        _tell(audit, open_, settled, faults, sources)
    return FOUND if open_ or any(entry.level == "error" for entry in faults) else DONE


def _list(accepted: str | None, anchors: str, sources: dict[str, Source]) -> Source:
    """The list of accepted findings; an empty one if none is named and none lies beside the anchors."""
    name = accepted or str(Path(anchors).with_suffix(".accepted"))
    if accepted is None and not Path(name).is_file():
        return Source(name, "")
    sources[name] = library.read(name)
    return sources[name]


def _tell(
    audit: Audit, open_: list[Finding], settled: list[Finding], faults: list[Diagnostic], sources: dict[str, Source]
) -> None:
    found = [*(finding.diagnostic for finding in open_), *faults]
    if found:
        click.echo(render_all(found, sources) + "\n")
    tied = sum(reading.passage is not None for reading in audit.readings)
    click.echo(f"{len(audit.readings)} numbers, {tied} of them in {len(audit.passages)} anchored passages")
    click.echo(f"{len(open_)} findings, {len(settled)} accepted")


def _data(open_: list[Finding], settled: list[Finding], faults: list[Diagnostic]) -> dict[str, object]:
    return {
        "findings": [_finding(finding, False) for finding in open_] + [_finding(finding, True) for finding in settled],
        "faults": [as_data(entry) for entry in faults],
    }


def _finding(finding: Finding, is_accepted: bool) -> dict[str, object]:
    return as_data(finding.diagnostic) | {
        "clauses": list(finding.clauses),
        "read": finding.read,
        "had": finding.had,
        "rule": finding.rule,
        "digest": finding.digest,
        "accepted": is_accepted,
    }
