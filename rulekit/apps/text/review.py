"""`rulekit text review`: a published rulebook looked through beside its rules, on one page in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.apps.console import Failed
from rulekit.apps.language import spoken
from rulekit.apps.listening import address, listening, page_key
from rulekit.distribution import install_hint


@click.command("review")
@o.takes(o.FILE, o.book(required=True))
@click.option("--anchors", metavar="ANCHORS", required=True, help="Which passages of the book belong to which clauses.")
@click.option(
    "--lang", type=o.LANGUAGE_CODE, metavar="L", default=o.ENGLISH, help="The language of findings and names: it, de, …"
)
@click.option(
    "--port", default=8011, show_default=True, type=click.IntRange(0, 65535), help="Where the browser calls it."
)
def command(file: str, book: str, anchors: str, lang: str, port: int) -> None:
    """Look through a rulebook beside the rules in FILE, finding by finding, in the browser.

    \b
    rulekit text review games/NAME.rules --book book.md --anchors games/text/NAME.it.anchors

    The address that is printed opens a page with the book, and beside each passage its clauses, the lines of the rules
    and the examples.  What you decide is written into the anchors and into the list of accepted findings beside them
    (same name, ending `.accepted`), as by hand.  Where there are no anchors yet they are proposed, for a book in the
    language that you name.  It is for one person on this machine.
    """
    try:
        from rulekit.review.server import ReviewServer
        from rulekit.web.guarding import LOCAL
        from rulekit.web.running import Running
    except ImportError as missing:
        raise Failed(f"the review desk needs {missing.name}; install it with\n  {install_hint('web')}") from None
    from rulekit.review.beginning import first_anchors
    from rulekit.review.desk import Desk, Papers

    if not Path(anchors).exists():
        begun = first_anchors(file, book, lang)
        library.replace(anchors, begun.encode("utf-8"))
        click.echo(f"{anchors}: proposed; look through every passage.")
    accepted = anchors.removesuffix(".anchors") + ".accepted"
    catalogue = library.catalogue(file, lang)
    papers = Papers(file, book, anchors, accepted, str(catalogue or ""))
    desk = Desk(papers, spoken(lang, Desk(papers).now().report.rules.rules.game))
    with listening(LOCAL[0], port) as heard:
        key = page_key("review", anchors)
        click.echo(f"Open {address(LOCAL[0], heard)}/{key}/")
        click.echo("Ctrl-C ends it.")
        Running(ReviewServer(desk, key), LOCAL, log_level="warning").run([heard])
