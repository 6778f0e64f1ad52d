"""`rulekit text anchor`: anchors for a published rulebook, proposed and looked through."""

from __future__ import annotations

import click

from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND, Failed
from rulekit.apps.language import spoken
from rulekit.diagnostics import ERROR, Problems, render_all
from rulekit.source import Source
from rulekit.tools.audit.numeral_tables import LANGUAGES
from rulekit.tools.language.translation import SOURCE


@click.command("anchor")
@o.takes(o.FILE, o.book(required=True))
@click.option("--anchors", metavar="ANCHORS", help="The anchors so far; without them a first file is proposed.")
@click.option(
    "--lang",
    metavar="L",
    type=click.Choice(sorted(LANGUAGES)),
    help="The book's language, and yours; else it is Italian.",
)
def command(file: str, book: str, anchors: str | None, lang: str | None) -> int:
    """Propose which passages of a rulebook belong to which clauses of FILE.

    Without anchors every sentence of the book is shown with a quote and the
    clauses that it may belong to, by its words, its numbers, the names of
    things, and the order of the rules: copy what is right into a file.  Look
    closely at what is marked as unsure.  A translation of the game into the
    book's language helps to find them.

    \b
    rulekit text anchor games/NAME.rules --book book.md > NAME.it.anchors

    With anchors those passages are shown that do not name a value for each of
    their numbers, or say, permit or deny something else than their anchors,
    with the likely lines; then the numbers tied to nothing.

    \b
    rulekit text anchor games/NAME.rules --book book.md --anchors NAME.it.anchors

    Ends with 1 if something is left to do.
    """
    return _first(file, book, lang) if anchors is None else _next(file, book, anchors, lang)


def _first(file: str, book: str, speech: str | None) -> int:
    """A file of anchors to begin with."""
    from rulekit.tools.anchoring.proposals import first_file, proposals
    from rulekit.tools.anchoring.wording import wording
    from rulekit.tools.audit.reports import book_of, rules_of

    sources: dict[str, Source] = {}
    rules, lang = rules_of(file, sources), speech or "it"
    text, tongue = book_of(book, lang, sources), spoken(speech or SOURCE.language, rules.rules.game)
    made = proposals(text, lang, rules, wording(file, lang, rules))
    click.echo(first_file(made, text, lang, rules, tongue), nl=False)
    return DONE


def _next(file: str, book: str, anchors: str, speech: str | None) -> int:
    """What is left to do in a file of anchors."""
    from rulekit.tools.anchoring.anchor_suggestions import unnamed, untied
    from rulekit.tools.audit.claim_checking import audit_book
    from rulekit.tools.audit.reports import anchors_of, book_of, rules_of

    sources: dict[str, Source] = {}
    problems = Problems()
    rules = rules_of(file, sources)
    tied = anchors_of(anchors, rules, sources, problems)
    if not tied.language:
        raise Failed(render_all(problems.found, sources))
    text = book_of(book, tied.language, sources)
    audit, tongue = audit_book(text, tied, rules), spoken(speech or SOURCE.language, rules.rules.game)
    faults = [*problems.found, *audit.faults]
    if faults:
        click.echo(render_all(faults, sources) + "\n")
    todo = [*unnamed(audit, rules, tongue), *untied(audit, tongue)]
    for line in todo:
        click.echo(line)
    click.echo(tongue.count("anchor-left", len(audit.passages), left=len(todo)))
    return FOUND if todo or any(entry.level == ERROR for entry in faults) else DONE
