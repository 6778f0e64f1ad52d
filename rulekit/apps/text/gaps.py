"""`rulekit text gaps`: what a game had to assume, as a list of questions."""

from __future__ import annotations

import click

from rulekit.apps.console import DONE
from rulekit.apps.language import language_option, spoken
from rulekit.diagnostics import printable
from rulekit.loading import load
from rulekit.record import strict_json
from rulekit.record.strict_json import Json
from rulekit.tools.language.translation import Tongue
from rulekit.tools.rulebook.assumptions import Gap, gaps


@click.command("gaps")
@click.argument("file", metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="The questions as a JSON list.")
@language_option
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
        told: list[Json] = [_data(gap) for gap in found]
        click.echo(strict_json.dumps(told))
        return DONE
    for number, gap in enumerate(found, 1):
        click.echo("\n".join(_question(number, gap, tongue)))
    unclear = sum(option.unclear for option in game.options)
    questions = tongue.count("questions", len(found))
    click.echo(tongue.say("gaps-end", questions=questions, unclear=unclear))
    return DONE


def _question(number: int, gap: Gap, tongue: Tongue) -> list[str]:
    lines = [tongue.say("gap", number=number, text=printable(gap.text), line=gap.span.line)]
    lines += [f"   {id_}: {printable(text)}" for id_, text in gap.clauses]
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
