"""`rulekit text gaps`: the assumptions of a game (`assume`), as questions to its publisher.

An assumption says what the rule text leaves out.
"""

from __future__ import annotations

import click

from rulekit.apps import options as o
from rulekit.apps.console import DONE
from rulekit.apps.language import spoken
from rulekit.diagnostics import printable, printable_translation
from rulekit.loading import load
from rulekit.model.game import Game
from rulekit.record import strict_json
from rulekit.record.strict_json import Json
from rulekit.source import Span
from rulekit.tools.language.display_names import assumed_id
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.tell.clause_text import clause_words
from rulekit.values import frozen


@click.command("gaps")
@o.takes(o.FILE, o.as_json("The questions as a JSON list."), o.LANG)
def command(file: str, as_json: bool, lang: str) -> int:
    """Every `assume` of the game in FILE, as questions to put to its publisher.

    Passages that can be read in several ways are weighed by `rulekit text unclear`.

    \b
    rulekit text gaps games/NAME.rules
    """
    game = load(file)
    tongue = spoken(lang, game)
    found = gaps(game, tongue)
    if as_json:
        click.echo(strict_json.dumps([_data(gap) for gap in found]))
        return DONE
    for number, gap in enumerate(found, 1):
        click.echo("\n".join(_question(number, gap, tongue)))
    unclear = sum(option.unclear for option in game.options)
    questions = tongue.count("questions", len(found))
    click.echo(tongue.say("gaps-end", questions=questions, unclear=unclear))
    return DONE


@frozen
class Gap:
    """One thing that had to be assumed.

    text:     what is assumed, and what of it is known.
    names:    the declarations that rest on it.
    clauses:  (id, words) of those that say so.
    """

    text: str
    names: tuple[str, ...]
    clauses: tuple[tuple[str, str], ...]
    span: Span


def gaps(game: Game, tongue: Tongue = SOURCE) -> list[Gap]:
    """Every `assume` of a game, in the order of the file, in the words of a language."""
    return [
        Gap(
            tongue.text(assumed_id(assumption, number), assumption.text),
            tuple(name.replace("_", " ") for name in assumption.names if name),
            tuple((id_, clause_words(game, id_, tongue)) for id_ in assumption.cites if id_ in game.clauses),
            assumption.span,
        )
        for number, assumption in enumerate(game.assumptions, 1)
    ]


def _question(number: int, gap: Gap, tongue: Tongue) -> list[str]:
    lines = [tongue.say("gap", number=number, text=printable(gap.text), line=gap.span.line)]
    lines += [f"   {id_}: {printable_translation(text)}" for id_, text in gap.clauses]
    if gap.names:
        lines.append("   " + tongue.say("rests-on-it", names=printable(", ".join(gap.names))))
    return lines


def _data(gap: Gap) -> Json:
    return {
        "text": gap.text,
        "names": list(gap.names),
        "clauses": [{"id": id_, "text": text} for id_, text in gap.clauses],
        "file": gap.span.source,
        "line": gap.span.line,
    }
