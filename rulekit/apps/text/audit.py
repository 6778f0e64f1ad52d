"""`rulekit text audit`: a rulebook or a translation held against the rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND, Failed
from rulekit.apps.language import catalogue_of, frame, in_language, spoken
from rulekit.diagnostics import ERROR, as_data, render_all
from rulekit.tools.language.lazy_message import in_words
from rulekit.tools.language.translation import Tongue

if TYPE_CHECKING:
    from rulekit.tools.audit.findings import Finding
    from rulekit.tools.audit.reports import Report
    from rulekit.tools.language.translation import Tongue


@click.command("audit")
@o.FILE
@click.option(
    "--lang", type=o.LANGUAGE_CODE, metavar="L", help="The translation of the game into this language: it, de, …"
)
@o.book(required=False)
@click.option("--anchors", metavar="ANCHORS", help="Which passages of the book belong to which clauses.")
@click.option("--accepted", metavar="LIST", help="Findings with the reasons why they are accepted.")
@o.form("findings", "sarif")
@click.option("--table", metavar="FILE", help="Write all findings as a table: a file that ends in .csv or .xlsx.")
@click.option("--html", metavar="PAGE", help="Write a page with book, clauses, rules and examples side by side.")
@click.option(
    "--comments", metavar="OUT", help="Write the book, a Word document or PDF, with each finding at its word."
)
@click.option("--overwrite", is_flag=True, help="Let --comments replace a file, be it the book itself.")
@click.option(
    "--html-lang",
    type=o.LANGUAGE_CODE,
    metavar="L",
    help="The language of page, table, comments and what is told: it, de, …",
)
def command(
    file: str,
    lang: str | None,
    book: str | None,
    anchors: str | None,
    accepted: str | None,
    form: str,
    table: str | None,
    html: str | None,
    comments: str | None,
    overwrite: bool,
    html_lang: str | None,
) -> int:
    """Compare the numbers and words of a rulebook with what the rules in FILE do.

    Read are digits, numbers in words, ordinals, ranges, multipliers, and the
    words for not, may and must, in Italian, German and English.

    \b
    rulekit text audit games/NAME.rules             its own clauses
    rulekit text audit games/NAME.rules --lang it   a translation
    rulekit text audit games/NAME.rules --book book.md --anchors games/text/NAME.it.anchors
    rulekit text audit games/NAME.rules --lang it --table findings.xlsx

    In a book each number of an anchored passage is held against the value of
    the rules that the anchors name, and each negation against the clause;
    `rulekit text anchor` helps to write them.

    A number of a clause has to be one of its own lines, or the value that
    text/NAME.reads names for it; so has the number of a translation.

    A finding that is no fault can be accepted: put its digest with a reason
    into the list beside the anchors (same name, ending `.accepted`) or beside
    the catalogue (its name with `.accepted`).

    With --comments a book from Word or as PDF goes back to its editor: each open
    finding is a comment at the word, in Word also a suggested edit where only
    one number is possible.  What is commented already is left as it is, and
    `rulekit text answers` reads what people made of it.

    \b
    rulekit text audit games/NAME.rules --book book.docx --anchors NAME.it.anchors --comments out.docx

    Ends with 0 if nothing is open, else with 1.
    """
    if (book is None) != (anchors is None) or (book is not None and lang is not None):
        raise click.UsageError("give --book together with --anchors, or --lang alone")
    if comments is not None and book is None:
        raise click.UsageError("--comments writes into a book: give --book and --anchors as well")
    ending = _table_ending(table)
    report = _report(file, lang, book, anchors, accepted)
    tongue = spoken(html_lang or o.told_in(form), report.rules.rules.game)
    made_in = spoken(html_lang or o.ENGLISH, report.rules.rules.game)
    if comments is not None and book is not None:
        _say(form, _commented(book, comments, report, made_in, tongue, overwrite))
    if table is not None:
        library.write_whole(table, _table(ending, report, made_in))
        _say(form, tongue.say("table-is-in", path=table))
    if html is not None:
        library.write_whole(html, _page(report, made_in))
        _say(form, tongue.say("page-is-in", path=html))
    _tell(report, form, tongue)
    return FOUND if report.open or any(entry.level == ERROR for entry in report.faults) else DONE


def _report(file: str, lang: str | None, book: str | None, anchors: str | None, accepted: str | None) -> Report:
    from rulekit.tools.audit.numeral_tables import LANGUAGES
    from rulekit.tools.audit.reports import of_book, of_catalogue, of_clauses

    if book is not None and anchors is not None:
        return of_book(file, book, anchors, accepted)
    if lang is None or lang == "en":
        return of_clauses(file, accepted)
    if lang not in LANGUAGES:
        raise Failed(f"error: there is no table of numerals for `{lang}`; there are {', '.join(sorted(LANGUAGES))}")
    return of_catalogue(file, catalogue_of(file, lang), lang, accepted)


def _say(form: str, words: str) -> None:
    """What was written, beside findings that programs read."""
    click.echo(words, err=form != "text")


def _page(report: Report, tongue: Tongue) -> str:
    from rulekit.tools.audit.page import page

    return page(report, tongue)


def _table_ending(path: str | None) -> str:
    """In what form a table is written; "" without one.  Errors: `click.UsageError`, where there is no such form."""
    if path is None:
        return ""
    from rulekit.tools.interchange.finding_table import ENDINGS

    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise click.UsageError(f"--table: name a file that ends in {' or '.join(ENDINGS)}")
    return ending


def _table(ending: str, report: Report, tongue: Tongue) -> bytes:
    from rulekit.tools.interchange.finding_table import findings_table

    return findings_table(report, ending, tongue)


def _commented(book: str, path: str, report: Report, made_in: Tongue, tongue: Tongue, is_replaced: bool) -> str:
    """Write the findings into a book.  made_in: the language of its comments; tongue: of what is told about them."""
    from rulekit.tools.correspondence.audit_remarks import with_findings

    if library.is_there(path) and not is_replaced:
        raise Failed(f"error: {path} is there already\n  hint: name another file, or say --overwrite")
    made = with_findings(book, path, report, made_in)
    library.replace(path, made.content)
    return tongue.count("findings-put", made.added, path=path, kept=made.kept, removed=made.removed)


def _tell(report: Report, form: str, tongue: Tongue) -> None:
    if form == "sarif":
        click.echo(json.dumps(_sarif(report), ensure_ascii=False, indent=2))
        return
    if form == "json":
        click.echo(json.dumps(_data(report), ensure_ascii=False, indent=2))
        return
    found = [*(in_language(finding, tongue) for finding in report.open), *report.faults]
    if found:
        click.echo(render_all(found, report.sources, frame(tongue)) + "\n")
    click.echo(in_words(report.summary, tongue))
    click.echo(tongue.count("findings-accepted", len(report.open), accepted=len(report.settled)))


def _data(report: Report) -> dict[str, object]:
    open_, settled = [_finding(f, False) for f in report.open], [_finding(f, True) for f in report.settled]
    return {"findings": open_ + settled, "faults": [as_data(entry) for entry in report.faults]}


def _sarif(report: Report) -> dict[str, object]:
    from rulekit.tools.interchange.sarif import Result, sarif

    open_ = [Result(found.diagnostic, found.digest) for found in report.open]
    settled = [Result(found.diagnostic, found.digest, accepted=True) for found in report.settled]
    return sarif([*open_, *settled, *map(Result, report.faults)])


def _finding(finding: Finding, is_accepted: bool) -> dict[str, object]:
    return as_data(finding.diagnostic) | {
        "clauses": list(finding.clauses),
        "read": finding.read,
        "had": finding.had,
        "rule": finding.rule,
        "digest": finding.digest,
        "accepted": is_accepted,
    }
