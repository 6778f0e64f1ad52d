"""Which language a command speaks (`--lang`), what stands around findings in it, and what is wrong with its catalogues.

What findings say about rules files is English, as the words of the rules are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rulekit import library
from rulekit.apps.console import Failed
from rulekit.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Frame, render_all
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.values import evolve

if TYPE_CHECKING:
    from rulekit.model.game import Game
    from rulekit.tools.audit.findings import Finding


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
        click.echo(render_all(findings, sources, frame(found)), err=True)
    return found


def beside_games(language: str) -> Tongue:
    """What the engine itself says in a language; English if it is not spoken."""
    if language == SOURCE.language:
        return SOURCE
    from rulekit.tools.language.catalogue_loader import engine_tongue

    return engine_tongue(language)


def frame(tongue: Tongue) -> Frame:
    """What stands around findings."""
    levels = {level: tongue.say(f"level-{level}") for level in (ERROR, WARNING, NOTE)}
    return Frame(levels, tongue.say("hint"), tongue.say("more-findings"))


def in_language(finding: Finding, tongue: Tongue) -> Diagnostic:
    """A finding of an audit or a comparison, which says itself what it says."""
    hint = tongue.say("accepts-this", digest=finding.digest)
    return evolve(finding.diagnostic, title=finding.said.by(tongue), hint=hint)


def remark(tongue: Tongue, id_: str, **values: object) -> None:
    """Tell on the way, beside what was asked for, what somebody may want to know."""
    click.echo(f"{tongue.say('level-note')}: {tongue.say(id_, **values)}", err=True)


def catalogue_of(file: str, language: str) -> str:
    """The name of the translation of a game into a language.  Errors: `Failed`, where there is none."""
    found = library.catalogue(file, language)
    if found is None:
        raise Failed(f"error: {file} has no translation into `{language}`\n  hint: rulekit text extract begins one")
    return str(found)
