"""The texts of a rules file, or of the engine, from its path alone."""

from __future__ import annotations

from rulekit.loading import load
from rulekit.tools.catalogue import Entry, engine_entries, entries
from rulekit.tools.catalogue_rules import tied_lines

ENGINE = "rulekit"


def texts_of(file: str | None) -> tuple[str, tuple[Entry, ...]]:
    """Title and texts of the game in a file; of the engine if there is no file.  Errors: `RulesError`."""
    if file is None:
        return ENGINE, engine_entries()
    game = load(file)
    return game.title, entries(game, tied_lines(file))
