"""What the rule text leaves out, as questions to its publisher."""

from __future__ import annotations

from attrs import frozen

from rulekit.model.game import Game
from rulekit.source import Span


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


def gaps(game: Game) -> list[Gap]:
    """Every `assume` of a game, in the order of the file."""
    return [
        Gap(
            assumption.text,
            tuple(name.replace("_", " ") for name in assumption.names if name),
            tuple((id_, game.clauses[id_].text) for id_ in assumption.cites if id_ in game.clauses),
            assumption.span,
        )
        for assumption in game.assumptions
    ]
