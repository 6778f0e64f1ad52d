"""`rulekit rulebook`: a game's text as a page to read or print, and what an editor would mark in it."""

from __future__ import annotations

import sys

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND
from rulekit.apps.language import frame, spoken
from rulekit.diagnostics import Problems, render_all
from rulekit.loading import load
from rulekit.model.game import Game
from rulekit.source import Source
from rulekit.tools.language.catalogue_loader import forms_of
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.proofreading.proofs import Proof, proofread
from rulekit.tools.rulebook import rendering
from rulekit.tools.rulebook.book import Book, for_players
from rulekit.tools.rulebook.content import rulebook
from rulekit.tools.rulebook.edition import edition_of
from rulekit.tools.rulebook.glossary import glossary_of
from rulekit.tools.rulebook.rendering import Look
from rulekit.tools.series.option_values import chosen


def _made(form: str, book: Book, tongue: Tongue, look: Look) -> bytes:
    if form == "pdf":
        return rendering.pdf(book, tongue, look)
    make = rendering.html if form == "html" else rendering.markdown
    return make(book, tongue, look).encode()


@click.command("rulebook")
@o.takes(o.FILE, o.PAGE_LANG)
@click.option(
    "--html", "form", flag_value="html", default="html", help="A page that needs no other file (the default)."
)
@click.option("--markdown", "form", flag_value="markdown", help="Markdown, boards drawn with letters.")
@click.option("--pdf", "form", flag_value="pdf", help="A booklet in A5.")
@click.option("--law", is_flag=True, help="Number each rule, to look it up and to link to it.")
@click.option("--notes", is_flag=True, help="Also what the keeper of the rules asks: remarks, readings, assumptions.")
@click.option("--check", is_flag=True, help="Print no book; tell what an editor would mark in it.")
@o.takes(o.output("PAGE"), o.CHOICES)
def command(
    file: str,
    lang: str,
    form: str,
    output: str | None,
    options: tuple[str, ...],
    ruleset: str | None,
    *,
    law: bool,
    notes: bool,
    check: bool,
) -> int:
    """Print the rules of the game in FILE as a rulebook.

    For players: what it is about, the aim, what is in the box, the set-up,
    the round in short and in detail with the examples beside their rules, the
    end, what can be agreed, a glossary and a crib.  The order is that of
    text/NAME.edition beside FILE; without one it is that of the file.  With
    --notes also the remarks on the text, what it leaves open and what had to
    be assumed.

    --check ends with 0 if there is nothing to mark, else with 1.

    \b
    rulekit rulebook games/NAME.rules --lang it -o rules.html
    rulekit rulebook games/NAME.rules --pdf -o rules.pdf
    rulekit rulebook games/NAME.rules --check
    """
    if form == "pdf" and output is None and not check and sys.stdout.isatty():
        raise click.UsageError("a PDF is no text for a terminal: name a file with -o")
    game = load(file)
    tongue = spoken(lang, game)
    problems, sources = Problems(), {name: Source(name, text) for name, text in game.sources}
    edition = edition_of(game, problems, sources)
    whole = rulebook(game, chosen(game, ruleset, options), tongue, edition)
    look = _look(game, tongue, problems, sources, law=law, notes=notes)
    if check:
        english = forms_of(game, SOURCE.language, Problems(), {})
        proofread(Proof(game, whole, tongue, edition, look.terms, look.english, english), problems)
        sound = tongue.say("nothing-to-mark", file=file)
        click.echo(render_all(problems.found, sources, frame(tongue)) if problems.found else sound)
        return FOUND if problems.found else DONE
    if problems.found:
        click.echo(render_all(problems.found, sources, frame(tongue)), err=True)
    book = whole if notes else for_players(whole)
    return _written(_made(form, book, tongue, look), book, tongue, output)


def _look(
    game: Game, tongue: Tongue, problems: Problems, sources: dict[str, Source], *, law: bool, notes: bool
) -> Look:
    english = glossary_of(game, SOURCE.language, problems, sources)
    terms = english if tongue.language == SOURCE.language else glossary_of(game, tongue.language, problems, sources)
    return Look(law=law, ids=notes, terms=terms, english=english)


def _written(data: bytes, book: Book, tongue: Tongue, output: str | None) -> int:
    if output is None:
        sys.stdout.buffer.write(data)
    else:
        library.write_whole(output, data)
        examples = tongue.count("count-examples", book.count_examples())
        click.echo(tongue.count("book-written", len(book.sections), path=output, examples=examples))
    return DONE
