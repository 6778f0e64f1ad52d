"""Memoization: what follows from where things stand alone is worked out once for each position.

Of few positions it is kept, the latest: those that the answers to one question lead to, and what is played again.
Whatever changes a piece, a plain value or the starter says so by `Machine.changed`.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from rulekit.model.state_dependence import PLAIN_FORMS
from rulekit.play.machine.working_state import Machine
from rulekit.play.state.setting import Setting

_POSITIONS = 64
ENTRIES = 2048
"""So many positions of the matches at one table are kept, and so much of each beside where things stand."""
_NOBODY: frozenset[int] = frozenset()


def memo_of(m: Machine) -> dict[Any, Any]:
    """What is known of the position in which the machine is now; who asks may add to it."""
    found = m.memo
    if found is None:
        found = m.memo = _of_position(m)
    return found


def _of_position(m: Machine) -> dict[Any, Any]:
    known, setting = m.setting.positions, m.setting
    if setting.values_of_position is None:
        setting.values_of_position = _values_read(setting)
    position = setting.values_of_position(m.values), frozenset(m.gone) if m.gone else _NOBODY, m.starter
    found = known.get(position)
    if found is None:
        # Matches at tables of one game share this, in several threads: another may clear it at any time.
        if len(known) >= _POSITIONS:
            known.clear()
        found = known[position] = {}
    return found


def _values_read(setting: Setting) -> Callable[[list[Any]], Any]:
    """Takes out of all values those that a position is made of."""
    variables = setting.game.variables
    forms = ("piece", "group", *PLAIN_FORMS)
    slots = [slot for slot, variable in enumerate(setting.slot_variable) if variables[variable].form in forms]
    return itemgetter(*slots) if slots else lambda values: ()
