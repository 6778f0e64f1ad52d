"""`rulekit text`: the group of commands about rule text and its translations."""

from __future__ import annotations

import click

from rulekit.apps.lazy import LazyGroup

_COMMANDS = {
    "extract": ("rulekit.apps.text_extract", "Write all texts of a game as a gettext template."),
    "check": ("rulekit.apps.text_check", "What is missing, fuzzy or broken in the translations of a game."),
    "merge": ("rulekit.apps.text_merge", "Bring a translation in step with its game."),
    "anchor": ("rulekit.apps.text_anchor", "Propose which passages of a rulebook belong to which clauses."),
    "audit": ("rulekit.apps.text_audit", "Compare a rulebook's numbers and words with what the rules do."),
    "coverage": ("rulekit.apps.text_coverage", "What the examples and random matches exercise, and what never."),
    "witness": ("rulekit.apps.text_witness", "The shortest game or position found in which a clause is carried out."),
    "unclear": ("rulekit.apps.text_unclear", "How much each reading of an unclear passage matters."),
    "gaps": ("rulekit.apps.text_gaps", "What the rules had to assume, as questions to the publisher."),
    "pin": ("rulekit.apps.text_pin", "Which changes of the rules the examples would not notice, with new examples."),
}


@click.group("text", cls=LazyGroup, modules=_COMMANDS)
def command() -> None:
    """Rule text, its translations, and whether it says what the game does.

    \b
    rulekit text extract games/NAME.rules -o games/text/NAME.pot
    """
