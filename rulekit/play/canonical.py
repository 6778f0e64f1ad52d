"""What makes two states equal, as one plain value.

Identical copies of a card are not told apart: a copy is written as its
printed card and where it lies.
"""

from __future__ import annotations

from typing import Any

from rulekit.play.setting import Setting
from rulekit.play.state import Branch, Frame, Pending, Shuffled, State


def state_key(state: State) -> tuple[Any, ...]:
    setting = state.setting
    return (
        setting.game.title,
        setting.options,
        setting.seats,
        setting.seed,
        _values(setting, state.values, state.known),
        tuple(_frame(setting, state.values, frame) for frame in state.frames),
        state.streams,
        state.known,
        tuple(sorted(_copy(setting, state.values, t) for t in state.open_things)),
        tuple(sorted(state.open_slots)),
        (state.ranks, state.defeated, state.starter, state.last_answer, state.over, state.ending),
        _pending(setting, state.values, state.pending),
        tuple(_branch(setting, branch) for branch in state.branches),
        tuple(sorted(state.gone)),
        state.arrived,
    )


def _values(setting: Setting, values: tuple[Any, ...], known: tuple[Shuffled, ...]) -> tuple[Any, ...]:
    """Piles by printed cards; what is undecided in a shuffled pile has no order."""
    result = list(values)
    undecided = {slot: (top, len(values[slot]) - under) for slot, top, under in known}
    for slot in setting.pile_slots:
        rows = [setting.row_of[thing] for thing in values[slot]]
        first, last = undecided.get(slot, (0, 0))
        result[slot] = (*rows[:first], *sorted(rows[first:last]), *rows[last:])
    return tuple(result)


def _copy(setting: Setting, values: tuple[Any, ...], thing: int) -> tuple[int, int, int]:
    """A copy as printed card, pile and place among its like there."""
    if thing < setting.copy_base:
        return (thing, -1, 0)
    for slot in setting.pile_slots:
        if thing in values[slot]:
            same = [t for t in values[slot] if setting.row_of[t] == setting.row_of[thing]]
            return (setting.row_of[thing], slot, same.index(thing))
    return (setting.row_of[thing], -1, 0)


def _frame(setting: Setting, values: tuple[Any, ...], frame: Frame) -> tuple[Any, ...]:
    code, pc, kept, skips, _ = frame
    return (code, pc, tuple(_inner(setting, values, value) for value in kept), tuple(sorted(skips)))


def _inner(setting: Setting, values: tuple[Any, ...], value: Any) -> Any:
    """Locals carry no types, so a number that could be a copy is written both ways."""
    if isinstance(value, tuple):
        return tuple(_inner(setting, values, item) for item in value)
    if isinstance(value, int) and not isinstance(value, bool) and setting.copy_base <= value < len(setting.things):
        return ("copy", _copy(setting, values, value))
    return value


def _pending(setting: Setting, values: tuple[Any, ...], pending: Pending | None) -> Any:
    if pending is None:
        return None
    options: tuple[Any, ...] = pending.options
    drawn: tuple[Any, ...] = pending.drawn
    if getattr(pending.type, "name", "") == "thing":
        options = tuple(thing if thing is None else _copy(setting, values, thing) for thing in options)
        drawn = tuple(_copy(setting, values, thing) for thing in drawn)
    return (pending.seat, pending.name, pending.form, options, drawn)


def _branch(setting: Setting, branch: Branch) -> tuple[Any, ...]:
    frames = tuple(_frame(setting, branch.values, frame) for frame in branch.frames)
    return (
        branch.seat,
        _values(setting, branch.values, branch.known),
        frames,
        _pending(setting, branch.values, branch.pending),
        branch.done,
        branch.known,
        tuple(sorted(_copy(setting, branch.values, t) for t in branch.open_things)),
        tuple(sorted(branch.open_slots)),
        tuple(sorted(branch.gone)),
    )
