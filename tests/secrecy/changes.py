"""Positions changed from outside: another value in one place, two copies of cards exchanged everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from rulekit import State
from rulekit.model import game as model
from rulekit.model.builtin_signatures import DIRECTIONS
from rulekit.play.state.match_state import Branch, Pending
from rulekit.play.state.setting import Setting


def with_slots(state: State, changes: dict[int, Any]) -> State:
    """The position with some values changed, in private copies too."""

    def changed(old: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(changes.get(slot, value) for slot, value in enumerate(old))

    branches: tuple[Branch, ...] = tuple(evolve(branch, values=changed(branch.values)) for branch in state.branches)
    return evolve(state, values=changed(state.values), branches=branches)


def is_untouched(state: State) -> bool:
    """No private copy has gone on from its start, where a change from outside could be overwritten already."""
    return all(branch.values == state.values for branch in state.branches)


# ---------------------------------------------------------------- other values


def others(state: State, slot: int) -> list[Any]:
    """Other values that a slot can have; of a pile, one thing less, or one where there was none."""
    setting = state.setting
    variable, old = setting.game.variables[setting.slot_variable[slot]], state.values[slot]
    if variable.form == "pile":
        return [old[1:]] if old else [setting.game.kinds[variable.type.element.kind].ids[:1]]
    if variable.form == "flag":
        return [not old]
    if variable.form == "counter":
        return [new for new in (old - 1, old + 1) if _is_within(variable, new)]
    if variable.form == "list":
        fresh = [variable.low or 0 if item is None else item + 1 for item in old]
        changed = [(place, item) for place, item in enumerate(fresh) if _is_within(variable, item)]
        return [(*old[:place], item, *old[place + 1 :]) for place, item in changed]
    if variable.form == "value":
        return [new for new in (None, *_members(setting, variable)) if new != old]
    if variable.form == "snapshot":
        return [None] if old is not None else []
    return [new for new in _spaces(setting, setting.game.places[variable.place], old) if new != old]


def _is_within(variable: model.Variable, value: int) -> bool:
    return (variable.low is None or value >= variable.low) and (variable.high is None or value <= variable.high)


def _members(setting: Setting, variable: model.Variable) -> list[Any]:
    kind = variable.type
    if kind.name == "player":
        return list(range(setting.players))
    if kind.name == "direction":
        return list(DIRECTIONS.values())
    return list(setting.game.kinds[kind.kind].ids) if kind.name == "thing" else [0, 1]


def _spaces(setting: Setting, place: model.Place, old: Any) -> list[Any]:
    if place.form == "course":
        return list(setting.game.kinds[place.kind].ids)
    if old is None:
        return []
    if place.form == "track":
        return [new for new in (old - 1, old + 1) if new >= place.low and (place.high is None or new <= place.high)]
    column, row = old
    return [(column, row + 1)] if place.height is None or row + 1 < place.height else [(column, row - 1)]


# ---------------------------------------------------------------- copies exchanged


def holds_copies(state: State) -> bool:
    """Whether some local may be a copy of a card; locals carry no types, so such a position is left alone."""
    frames = [*state.frames, *(frame for branch in state.branches for frame in branch.frames)]
    kept = [value for frame in frames for value in frame[2]]
    return any(isinstance(value, int) and value >= state.setting.copy_base for value in _flat(kept))


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple | list):
        for item in value:
            yield from _flat(item)
    else:
        yield value


def with_exchanged(state: State, one: int, other: int) -> State:
    """The position with two copies exchanged wherever they are, in private copies and pending questions too."""
    setting, swap = state.setting, {one: other, other: one}
    variables = [setting.game.variables[index] for index in setting.slot_variable]

    def renamed(value: Any) -> Any:
        return tuple(renamed(item) for item in value) if isinstance(value, tuple) else swap.get(value, value)

    def moved(part: Any) -> Any:
        lies = list(part.lies)
        here, there = one - setting.copy_base, other - setting.copy_base
        lies[here], lies[there] = lies[there], lies[here]
        values = tuple(
            renamed(value) if variable.form == "pile" or variable.type.name == "thing" else value
            for variable, value in zip(variables, part.values, strict=True)
        )
        open_things = frozenset(swap.get(thing, thing) for thing in part.open_things)
        pending = _asked(part.pending, renamed)
        return evolve(part, values=values, lies=tuple(lies), open_things=open_things, pending=pending)

    whole: State = moved(state)
    return evolve(whole, branches=tuple(moved(branch) for branch in state.branches))


def _asked(pending: Pending | None, renamed: Any) -> Pending | None:
    if pending is None or pending.form == "way" or getattr(pending.type, "name", "") != "thing":
        return pending
    return evolve(pending, options=renamed(pending.options), drawn=renamed(pending.drawn))
