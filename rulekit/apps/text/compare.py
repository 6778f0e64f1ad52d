"""`rulekit text compare`: two editions of a game's rules held against each other, clause by clause."""

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
from rulekit.tools.audit.numeral_tables import LANGUAGES
from rulekit.tools.language.lazy_message import in_words
from rulekit.tools.language.translation import SOURCE, Tongue

if TYPE_CHECKING:
    from rulekit.tools.audit.findings import Finding
    from rulekit.tools.editions.edition_reports import EditionReport, Named


@click.command("compare")
@o.FILE
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--anchors",
    multiple=True,
    metavar="ANCHORS",
    help="Which passages of a book belong to which clauses; for each book, in order.",
)
@click.option("--accepted", metavar="LIST", help="Differences with the reasons why they are accepted.")
@o.form("differences")
@click.option("--html", metavar="PAGE", help="Write a page with both editions and the rules side by side.")
@click.option(
    "--html-lang", type=o.LANGUAGE_CODE, metavar="L", help="The language of the page and of what is told: it, de, …"
)
def command(
    file: str,
    first: str,
    second: str,
    anchors: tuple[str, ...],
    accepted: str | None,
    form: str,
    html: str | None,
    html_lang: str | None,
) -> int:
    """Compare two editions of the game in FILE: A and B, each a language of its translations or a book.

    \b
    rulekit text compare games/NAME.rules it de
    rulekit text compare games/NAME.rules old.md new.md --anchors old.it.anchors --anchors new.it.anchors
    rulekit text compare games/NAME.rules de book.md --anchors games/text/NAME.it.anchors

    Both are tied to the same clauses.  Compared are their numbers, the words
    for not, may and must, and what only one of them says.  `en` is what the
    clauses say themselves.

    Ends with 0 if nothing differs, else with 1.
    """
    from rulekit.tools.editions.edition_reports import of_editions
    from rulekit.tools.language.po_files import Broken

    left = list(anchors)
    named = [_named(file, edition, left) for edition in (first, second)]
    if left:
        raise click.UsageError("there are more --anchors than books")
    try:
        report = of_editions(file, named[0], named[1], accepted)
    except Broken as fault:
        raise Failed(f"error: a catalogue is no PO file: {fault}") from None
    tongue = spoken(html_lang or o.told_in(form), report.rules.rules.game)
    if html is not None:
        made = _page(report, spoken(html_lang or o.ENGLISH, report.rules.rules.game))
        library.write_whole(html, made)
        click.echo(tongue.say("page-is-in", path=html), err=form == "json")
    _tell(report, form, tongue)
    return FOUND if report.open or any(entry.level == ERROR for entry in report.faults) else DONE


def _named(file: str, edition: str, anchors: list[str]) -> Named:
    """An edition by what somebody calls it; a book takes the next anchors."""
    from rulekit.tools.editions.edition_reports import Named

    if edition == SOURCE.language:
        return Named(edition, edition)
    if edition in LANGUAGES:
        return Named(edition, edition, catalogue=catalogue_of(file, edition))
    if not anchors:
        raise click.UsageError(f"`{edition}` is no language of {', '.join(sorted(LANGUAGES))}; a book needs --anchors")
    return Named(Path(edition).name, book=edition, anchors=anchors.pop(0))


def _page(report: EditionReport, tongue: Tongue) -> str:
    from rulekit.tools.editions.page import page

    return page(report, tongue)


def _tell(report: EditionReport, form: str, tongue: Tongue) -> None:
    if form == "json":
        open_, settled = [_data(f, False) for f in report.open], [_data(f, True) for f in report.settled]
        faults = [as_data(entry) for entry in report.faults]
        click.echo(json.dumps({"differences": open_ + settled, "faults": faults}, ensure_ascii=False, indent=2))
        return
    found = [*(in_language(finding, tongue) for finding in report.open), *report.faults]
    if found:
        click.echo(render_all(found, report.sources, frame(tongue)) + "\n")
    click.echo(in_words(report.summary, tongue))
    click.echo(tongue.count("differences-accepted", len(report.open), accepted=len(report.settled)))


def _data(finding: Finding, is_accepted: bool) -> dict[str, object]:
    return as_data(finding.diagnostic) | {
        "clauses": list(finding.clauses),
        "read": finding.read,
        "had": finding.had,
        "rule": finding.rule,
        "digest": finding.digest,
        "accepted": is_accepted,
    }
