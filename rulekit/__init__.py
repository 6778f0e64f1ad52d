"""rulekit: a board or card game as data, tied clause by clause to its rule text.

The public names; each is imported when it is first used, so that starting a
command costs no more than it needs.  See docs/api.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulekit.loading import RulesError, examine, load
    from rulekit.model.game import Game
    from rulekit.play.engine import apply, decisions, outcome, start
    from rulekit.play.errors import BadSetup, IllegalAction, LimitError, RuleError
    from rulekit.play.event import Event, seen
    from rulekit.play.state import CHANCE, Action, Decision, Outcome, State, Step
    from rulekit.play.value import Ref, Value, notation
    from rulekit.play.view import SPECTATOR, View, view
    from rulekit.record.replay import replay

_HOMES = {
    "RulesError": "loading",
    "examine": "loading",
    "load": "loading",
    "Game": "model.game",
    "apply": "play.engine",
    "decisions": "play.engine",
    "outcome": "play.engine",
    "start": "play.engine",
    "BadSetup": "play.errors",
    "IllegalAction": "play.errors",
    "LimitError": "play.errors",
    "RuleError": "play.errors",
    "Event": "play.event",
    "seen": "play.event",
    "CHANCE": "play.state",
    "Action": "play.state",
    "Decision": "play.state",
    "Outcome": "play.state",
    "State": "play.state",
    "Step": "play.state",
    "Ref": "play.value",
    "Value": "play.value",
    "notation": "play.value",
    "SPECTATOR": "play.view",
    "View": "play.view",
    "view": "play.view",
    "replay": "record.replay",
}
__all__ = [
    "CHANCE",
    "SPECTATOR",
    "Action",
    "BadSetup",
    "Decision",
    "Event",
    "Game",
    "IllegalAction",
    "LimitError",
    "Outcome",
    "Ref",
    "RuleError",
    "RulesError",
    "State",
    "Step",
    "Value",
    "View",
    "apply",
    "decisions",
    "examine",
    "load",
    "notation",
    "outcome",
    "replay",
    "seen",
    "start",
    "view",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """A public name from its module."""
    if name in _HOMES:
        value = getattr(import_module(f"rulekit.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module `rulekit` has no `{name}`")
