"""`rulekit text extract`: all texts of a game as a gettext template."""

from __future__ import annotations

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.apps.console import DONE
from rulekit.tools.language.engine_extraction import extracted
from rulekit.tools.language.po_files import template


@click.command("extract")
@click.argument("file", metavar="[FILE]", required=False, type=o.RULES_FILE)
@o.takes(o.ENGINE_TEXTS, o.output("POT"))
def command(file: str | None, engine: bool, output: str | None) -> int:
    """Write every clause, name, question and answer of the game in FILE into a file for translators.

    Open it in Poedit or Weblate to begin a language.  Each entry has a stable
    id as its context, and beside it what the engine does there.  (The form is
    gettext's POT.)

    \b
    rulekit text extract games/NAME.rules -o games/text/NAME.pot
    """
    if (file is None) != engine:
        raise click.UsageError("name a rules FILE, or say --engine")
    title, found = extracted(file)
    text = template(found, title)
    if output is None:
        click.echo(text, nl=False)
    else:
        library.write_whole(output, text)
        click.echo(f"{len(found)} texts written to {output}")
    return DONE
