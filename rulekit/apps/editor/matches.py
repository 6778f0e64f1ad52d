"""What comes of a scenario that is run from an editor, or played on from: a sentence, and where the match ended."""

from __future__ import annotations

from rulekit.play import engine
from rulekit.play.state.match_state import State
from rulekit.tools.editing.beside import match_values
from rulekit.tools.editing.document import Document
from rulekit.tools.examples import runner
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.translation import SOURCE
from rulekit.tools.tell import narration

NO_DIFFERENCE = "no match was found in which the changed rules do anything else"
_NOT_THERE = "the rules have errors, or no scenario of that name"

Told = tuple[str, State | None]


def run(document: Document, name: str) -> Told:
    """Whether a scenario passes."""
    game = document.loaded.game
    result, state = (None, None) if game is None else match_values.run(game, name)
    if result is None:
        return _NOT_THERE, None
    return (f"passed: {name}" if result.failure is None else f"failed: {runner.finding(result).title}"), state


def played_on(document: Document, name: str) -> Told:
    """How a match goes out that is played on by chance from where a scenario stands."""
    game = document.loaded.game
    _, state = (None, None) if game is None else match_values.run(game, name)
    if state is None:
        return _NOT_THERE, None
    end = match_values.played_on(state)
    outcome = engine.outcome(end)
    if outcome is None:
        return "played on by chance; the match has no end yet", end
    return "; ".join(narration.result(outcome, Names(end.setting, SOURCE))), end
