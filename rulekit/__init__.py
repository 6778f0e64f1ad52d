"""rulekit: a board or card game as data, tied clause by clause to its rule text.

The public names; each is imported when it is first used, so that starting a
command costs no more than it needs.  See docs/api.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulekit.library import Unreadable
    from rulekit.loading import RulesError, examine, load, load_text
    from rulekit.model.game import Game
    from rulekit.play.define_values import read
    from rulekit.play.engine import apply, decisions, outcome, start
    from rulekit.play.given_values import position
    from rulekit.play.state.errors import BadSetup, IllegalAction, LimitError, RuleError
    from rulekit.play.state.event import Event, Told, seen
    from rulekit.play.state.event_table import EVENTS
    from rulekit.play.state.match_state import CHANCE, Action, Decision, Outcome, State, Step
    from rulekit.play.state.value import Ref, Value, notation
    from rulekit.play.view import REFEREE, SPECTATOR, Seen, View, view
    from rulekit.record.codec import dump, restore
    from rulekit.record.json_values import BadSave
    from rulekit.record.log import Damaged
    from rulekit.record.recorder import Recorder
    from rulekit.record.replay import Replay, replay
    from rulekit.table import Table
    from rulekit.tools.drawing.drawing import Drawing, drawing
    from rulekit.tools.studies.comparing import Comparison, compare
    from rulekit.tools.studies.finding import Covered, audit, coverage
    from rulekit.tools.studies.parting import Parting, diff
    from rulekit.tools.studies.simulating import Simulation, simulate, sweep

_PUBLIC = {
    "rulekit.library": ("Unreadable",),
    "rulekit.loading": ("RulesError", "examine", "load", "load_text"),
    "rulekit.model.game": ("Game",),
    "rulekit.play.define_values": ("read",),
    "rulekit.play.engine": ("apply", "decisions", "outcome", "start"),
    "rulekit.play.given_values": ("position",),
    "rulekit.play.state.errors": ("BadSetup", "IllegalAction", "LimitError", "RuleError"),
    "rulekit.play.state.event": ("Event", "Told", "seen"),
    "rulekit.play.state.event_table": ("EVENTS",),
    "rulekit.play.state.match_state": ("CHANCE", "Action", "Decision", "Outcome", "State", "Step"),
    "rulekit.play.state.value": ("Ref", "Value", "notation"),
    "rulekit.play.view": ("REFEREE", "SPECTATOR", "Seen", "View", "view"),
    "rulekit.record.codec": ("dump", "restore"),
    "rulekit.record.json_values": ("BadSave",),
    "rulekit.record.log": ("Damaged",),
    "rulekit.record.recorder": ("Recorder",),
    "rulekit.record.replay": ("Replay", "replay"),
    "rulekit.tools.drawing.drawing": ("Drawing", "drawing"),
    "rulekit.tools.studies.comparing": ("Comparison", "compare"),
    "rulekit.tools.studies.finding": ("Covered", "audit", "coverage"),
    "rulekit.tools.studies.parting": ("Parting", "diff"),
    "rulekit.tools.studies.simulating": ("Simulation", "simulate", "sweep"),
    "rulekit.table": ("Table",),
}
"""By module, the public names that it holds."""
_HOMES = {name: module for module, names in _PUBLIC.items() for name in names}
__all__ = [
    "CHANCE",
    "EVENTS",
    "REFEREE",
    "SPECTATOR",
    "Action",
    "BadSave",
    "BadSetup",
    "Comparison",
    "Covered",
    "Damaged",
    "Decision",
    "Drawing",
    "Event",
    "Game",
    "IllegalAction",
    "LimitError",
    "Outcome",
    "Parting",
    "Recorder",
    "Ref",
    "Replay",
    "RuleError",
    "RulesError",
    "Seen",
    "Simulation",
    "State",
    "Step",
    "Table",
    "Told",
    "Unreadable",
    "Value",
    "View",
    "apply",
    "audit",
    "compare",
    "coverage",
    "decisions",
    "diff",
    "drawing",
    "dump",
    "examine",
    "load",
    "load_text",
    "notation",
    "outcome",
    "position",
    "read",
    "replay",
    "restore",
    "seen",
    "simulate",
    "start",
    "sweep",
    "view",
]
__version__ = "0.1.0"


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    """A public name from its module."""
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module `rulekit` has no `{name}`")
