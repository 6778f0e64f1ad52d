"""What the rows of many matches must be, worked out anew: of a view alone, and of the interpreter's decisions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit.adapters.action_space import Partial
from rulekit.compiler.lower.driving.observation import BOARD, CELL, HEADING, Feature
from rulekit.compiler.lower.search import information_sets as sets
from rulekit.model import game as model
from rulekit.model.builtin_signatures import DIRECTIONS
from rulekit.play.state.match_state import Outcome
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Ref, Value
from rulekit.play.view import Seen, View


def shifted(number: int) -> int:
    return number + 1 if number >= 0 else number


def coded(setting: Setting, value: Value) -> list[int]:
    """A value of a view as numbers, two for a cell."""
    if value is None:
        return [0]
    if not isinstance(value, Ref):
        assert isinstance(value, int), value
        return [shifted(int(value))]
    if value.kind in ("cell", "offset"):
        less = int(value.kind == "cell")
        return [shifted(int(part) - less) for part in value.key.split(",")]
    if value.kind == "direction":
        return [shifted(part) for part in DIRECTIONS[value.key]]
    if value in setting.seat_refs:
        return [shifted(setting.seat_refs.index(value))]
    return [shifted(setting.refs.index(value))]


def observation(
    setting: Setting, all_: tuple[Feature, ...], view: View, asked: Partial, question: int, *, apart: bool
) -> list[int]:
    """What the seat of a view is shown: made of that view, and of what it is asked and has begun to answer."""
    made = [view.seat + 1, question, len(asked.picked)]
    assert len(made) == len(HEADING)
    seen = dict(_by_path(setting, view))
    for one in all_:
        hidden = apart and one.owner not in (sets.SHARED, view.seat)
        made += [0] * one.size if hidden else _of_feature(setting, one, view, seen)
    return made


def _by_path(setting: Setting, view: View) -> Iterator[tuple[str, tuple[model.Variable, Seen]]]:
    for slot, seen in enumerate(view.values):
        variable = setting.game.variables[setting.slot_variable[slot]]
        yield setting.told_paths[slot], (variable, seen)


def _of_feature(setting: Setting, one: Feature, view: View, seen: dict[str, tuple[model.Variable, Seen]]) -> list[int]:
    if one.path == "starter":
        return [shifted(view.starter)]
    if one.form == BOARD:
        return _board(setting, one, view)
    variable, shown = seen[one.path]
    value: Any = shown.shown
    if one.form == sets.SIZE:
        if variable.form == "pile":
            return [int(shown.count or 0)]
        return [_length(variable, value, shown)]
    if view.seat not in one.seats:
        # The view may have of it what was revealed.
        return [0] * one.size
    assert not shown.hidden or one.form == sets.TOP, one
    if one.form == CELL:
        return [0, 0] if value is None else coded(setting, value)
    if one.form == sets.THINGS:
        return _pile(setting, one, shown)
    if one.form == sets.TOP:
        return coded(setting, value[-1]) if value else [0]
    if one.form == sets.NUMBERS:
        return [number for item in value for number in coded(setting, item)]
    return coded(setting, value)


def _length(variable: model.Variable, value: Any, shown: Seen) -> int:
    if variable.form == "snapshot":
        return 2 * len(value or ())
    if variable.form == "history":
        return sum(len(noted) for noted in value or ())
    return variable.last - variable.first + 1


def _pile(setting: Setting, one: Feature, shown: Seen) -> list[int]:
    assert isinstance(shown.shown, tuple)
    keys = [setting.refs[one.first + at] for at in range(one.size)]
    return [shown.shown.count(key) for key in keys]


def _board(setting: Setting, one: Feature, view: View) -> list[int]:
    path = one.path.removesuffix(" on board")
    first = next(slot for slot in range(len(view.values)) if setting.path(slot) == path)
    standing = [view.values[slot].shown for slot in range(first, first + one.count)]
    cells = [Ref("cell", f"{at % one.width + 1},{at // one.width + 1}") for at in range(one.size)]
    return [standing.count(cell) for cell in cells]


def rewards(end: Outcome, seats: int) -> list[float]:
    """By seat, 1 for the first place and -1 for the last, shared places averaged; -1 for all if all are defeated.

    What all reach together is worth from -1, for the least that there is to reach, to 1 for the most.
    """
    places = [[seat for seat in place if seat not in end.defeated and seat < seats] for place in end.ranking]
    worst = [seat for seat in end.defeated if seat < seats]
    unplaced = [seat for seat in range(seats) if seat not in worst and not any(seat in place for place in places)]
    if len(worst) == seats:
        return [-1.0] * seats
    if end.together is not None:
        reached = end.together
        return [2 * (reached.value - reached.least) / (reached.most - reached.least) - 1] * seats
    found, ahead = [1.0] * seats, 0
    for place in [one for one in (*places, unplaced, worst) if one]:
        for seat in place if seats > 1 else ():
            found[seat] = 1 - (2 * ahead + len(place) - 1) / (seats - 1)
        ahead += len(place)
    return found
