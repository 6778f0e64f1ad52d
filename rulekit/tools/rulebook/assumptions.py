"""The assumptions of a game (`assume`): what the rule text leaves out, as questions to its publisher."""

from __future__ import annotations

from attrs import frozen

from rulekit.model.game import Game
from rulekit.source import Span
from rulekit.tools.language.display_names import assumed_id
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.tell.clause_text import clause_words


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
