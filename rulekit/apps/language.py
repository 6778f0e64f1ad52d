"""Which language a command speaks (`--lang`), and what is wrong with its catalogues."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rulekit import library
from rulekit.apps.console import Failed
from rulekit.diagnostics import render_all
from rulekit.tools.language.translation import SOURCE, Tongue

if TYPE_CHECKING:
    from rulekit.model.game import Game


def spoken(language: str, game: Game) -> Tongue:
    """The words of a language; what is wrong with them is told, and the source text stands in their place."""
    rules = game.sources[0][0] if game.sources else ""
    if language == SOURCE.language and library.forms(rules, language) is None:
        return SOURCE
    # A command that plays what was compiled before reads no rules and speaks no other language.
    from rulekit.tools.language.catalogue_loader import tongue
    from rulekit.tools.language.message_extraction import known

    found, findings, sources = tongue(language, game, known(game))
    if findings:
        click.echo(render_all(findings, sources), err=True)
    return found


def catalogue_of(file: str, language: str) -> str:
    """The name of the translation of a game into a language.  Errors: `Failed`, where there is none."""
    found = library.catalogue(file, language)
    if found is None:
        raise Failed(f"error: {file} has no translation into `{language}`\n  hint: rulekit text extract begins one")
    return str(found)
