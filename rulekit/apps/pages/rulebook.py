"""`rulekit rulebook`: a game's text as a page to read or print."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rulekit.apps import options as o
from rulekit.apps.console import DONE
from rulekit.apps.language import spoken
from rulekit.loading import load
from rulekit.tools.language.translation import Tongue
from rulekit.tools.rulebook import rendering
from rulekit.tools.rulebook.content import Book, for_players, rulebook
from rulekit.tools.series.option_values import chosen


def _made(form: str, book: Book, tongue: Tongue) -> bytes:
    if form == "pdf":
        return rendering.pdf(book, tongue)
    make = rendering.html if form == "html" else rendering.markdown
    return make(book, tongue).encode()


@click.command("rulebook")
@o.takes(o.FILE, o.LANG)
@click.option(
    "--html", "form", flag_value="html", default="html", help="A page that needs no other file (the default)."
)
@click.option("--markdown", "form", flag_value="markdown", help="Markdown, boards drawn with letters.")
@click.option("--pdf", "form", flag_value="pdf", help="A booklet in A5.")
@click.option("--notes", is_flag=True, help="Also what the keeper of the rules asks: remarks, readings, assumptions.")
@o.takes(o.output("PAGE"), o.CHOICES)
def command(
    file: str, lang: str, form: str, output: str | None, options: tuple[str, ...], ruleset: str | None, *, notes: bool
) -> int:
    """Print the rules of the game in FILE as a rulebook.

    For players: what is in the box, the rules in their order with the cards,
    the worked examples with their boards, what can be agreed, the tables.
    With --notes also the remarks on the text, what it leaves open and what
    had to be assumed.

    \b
    rulekit rulebook games/NAME.rules --lang it -o rules.html
    rulekit rulebook games/NAME.rules --pdf -o rules.pdf
    """
    if form == "pdf" and output is None and sys.stdout.isatty():
        raise click.UsageError("a PDF is no text for a terminal: name a file with -o")
    game = load(file)
    tongue = spoken(lang, game)
    whole = rulebook(game, chosen(game, ruleset, options), tongue)
    book = whole if notes else for_players(whole)
    data = _made(form, book, tongue)
    if output is None:
        sys.stdout.buffer.write(data)
    else:
        Path(output).write_bytes(data)
        click.echo(f"{output}: {len(book.sections)} sections, {len(book.examples)} examples")
    return DONE
