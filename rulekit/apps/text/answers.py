"""`rulekit text answers`: what people made of the comments in a book, as a list of accepted findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND
from rulekit.apps.language import spoken
from rulekit.diagnostics import ERROR, render_all

if TYPE_CHECKING:
    from rulekit.model.game import Game
    from rulekit.tools.correspondence.answers import Decision
    from rulekit.tools.language.translation import Tongue


@click.command("answers")
@o.takes(o.FILE, o.book(required=True))
@click.option("--anchors", metavar="ANCHORS", required=True, help="Which passages of the book belong to which clauses.")
@click.option("--accepted", metavar="LIST", help="Findings with the reasons why they are accepted.")
@click.option(
    "--lang", type=o.LANGUAGE_CODE, default="en", metavar="L", help="The language in which reasons are told: it, de, …"
)
def command(file: str, book: str, anchors: str, accepted: str | None, lang: str) -> int:
    """Read from BOOK what people made of the comments that `text audit --comments` put there.

    A finding stays as it is where somebody answered "stays: why", resolved the
    comment, refused the suggested edit, or deleted the comment.  For each of
    these a line is printed that accepts the finding, to be looked through and
    kept in the list beside the anchors:

    \b
    rulekit text answers games/NAME.rules --book out.docx --anchors NAME.it.anchors >> NAME.it.accepted

    In a PDF, Rejected in the history of a comment lets the text stand, and
    Accepted or Completed says that it will be corrected.

    What is corrected, and what nobody decided, is told beside the list.  Ends
    with 0 if every finding is corrected, accepted or in the list, else with 1.
    """
    from rulekit.tools.audit.reports import of_book
    from rulekit.tools.correspondence.answers import STAYS, decisions, tally
    from rulekit.tools.documents.writing import threads

    said = threads(book)
    report = of_book(file, book, anchors, accepted)
    game = report.rules.rules.game
    tongue = spoken(lang, game)
    stays = _stays(game, tongue) if any(one.replies for one in said) else ()
    made = decisions(report, said, stays)
    faults = [fault for fault in report.faults if fault.level == ERROR]
    if faults:
        click.echo(render_all(faults, report.sources) + "\n", err=True)
    for one in made:
        if one.verdict == STAYS:
            click.echo(one.line(tongue))
        else:
            click.echo(_told(one), err=True)
    counted = tally(made, report)
    told = [f"{count} {verdict}" for verdict, count in counted.items() if verdict and count]
    told += [f"{counted['']} without a comment"] if counted[""] else []
    click.echo(", ".join(told) or "no finding and no comment", err=True)
    return FOUND if faults or len(report.open) > counted[STAYS] else DONE


def _stays(game: Game, tongue: Tongue) -> tuple[str, ...]:
    """The words that let a text stand, in every language that the engine speaks: an answer may be in any."""
    from rulekit import library

    others = (spoken(language, game) for language in library.languages())
    return tuple(dict.fromkeys(each.say("remark-stays") for each in (tongue, spoken("en", game), *others)))


def _told(one: Decision) -> str:
    what = f" {one.finding.diagnostic.title}" if one.finding is not None else ""
    return f"{one.verdict}: {one.digest}{what}" + (f" — {one.reason}" if one.reason else "")
