"""The canonical form of values, in which states are compared and hashed.

Identical copies of a card are interchangeable (a symmetry of the game), so a copy is written as its printed card and
where it lies; what is undecided in a shuffled pile has no order.
"""

from __future__ import annotations

from typing import Any

from rulekit.play.state.setting import Setting


def values_form(setting: Setting, values: tuple[Any, ...], known: tuple[tuple[int, int, int], ...]) -> tuple[Any, ...]:
    """All declared values, piles by printed cards.  known: the shuffled piles, see `state.Shuffled`."""
    result = list(values)
    undecided = {slot: (top, len(values[slot]) - under) for slot, top, under in known}
    for slot in setting.pile_slots:
        rows = [setting.row_of[thing] for thing in values[slot]]
        first, last = undecided.get(slot, (0, 0))
        result[slot] = (*rows[:first], *sorted(rows[first:last]), *rows[last:])
    return tuple(result)


def copy_form(setting: Setting, values: tuple[Any, ...], thing: int) -> tuple[int, int, int]:
    """A copy as printed card, pile and place among its like there."""
    if thing < setting.copy_base:
        return (thing, -1, 0)
    for slot in setting.pile_slots:
        if thing in values[slot]:
            same = [t for t in values[slot] if setting.row_of[t] == setting.row_of[thing]]
            return (setting.row_of[thing], slot, same.index(thing))
    return (setting.row_of[thing], -1, 0)


def copies_form(setting: Setting, values: tuple[Any, ...], things: frozenset[int]) -> tuple[tuple[int, int, int], ...]:
    """Things in an order that does not depend on which copies they are."""
    return tuple(sorted(copy_form(setting, values, thing) for thing in things))


def local_form(setting: Setting, values: tuple[Any, ...], value: Any) -> Any:
    """A local of a frame.  Locals carry no types, so a number that could be a copy is written both ways."""
    if isinstance(value, tuple):
        return tuple(local_form(setting, values, item) for item in value)
    if isinstance(value, int) and not isinstance(value, bool) and setting.copy_base <= value < len(setting.things):
        return ("copy", copy_form(setting, values, value))
    return value
