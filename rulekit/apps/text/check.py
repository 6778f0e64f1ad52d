"""`rulekit text check`: what is missing or broken in the translations of a game."""

from __future__ import annotations

import click

from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND
from rulekit.diagnostics import render_all
from rulekit.loading import load
from rulekit.tools.language.catalogue_loader import tongue
from rulekit.tools.language.engine_extraction import engine_entries
from rulekit.tools.language.message_extraction import known


@click.command("check")
@o.FILE
@click.option("--lang", required=True, type=o.LANGUAGE_CODE, metavar="LANG", help="The language, such as it or de.")
def command(file: str, lang: str) -> int:
    """Tell what is missing, fuzzy or broken in the translations of the game in FILE.

    Ends with 0 if everything is said in the language, else with 1.

    \b
    rulekit text check games/NAME.rules --lang it
    """
    game = load(file)
    texts = known(game)
    found, findings, sources = tongue(lang, game, texts)
    if findings:
        click.echo(render_all(findings, sources))
    # An id with several texts, or one text under several ids, is one entry of a catalogue.
    missing = [id_ for id_, text in texts if not found.has(id_, text)]
    own = [entry for entry in engine_entries() if (entry.id, entry.text) not in found.phrases]
    for id_ in missing:
        click.echo(f"not said in {lang}: {id_}")
    for entry in own:
        click.echo(f"not said in {lang} by the engine: {entry.id}: {entry.text}")
    click.echo(f"{len(texts)} texts, {len(missing)} to do; {len(own)} of the engine's to do")
    return FOUND if findings or missing or own else DONE
