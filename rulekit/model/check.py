"""Findings about a game that is whole: what is never read, never reached, never tied to a rule."""

from __future__ import annotations

from rulekit.diagnostics import Problems
from rulekit.model import game as model
from rulekit.syntax import nodes


def check(game: model.Game, declarations: list[nodes.Declaration], problems: Problems) -> None:
    """Adds warnings and errors that need the whole game."""
