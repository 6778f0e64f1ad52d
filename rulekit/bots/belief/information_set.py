"""Information-set equality: whether two positions look the same to a seat, found without making its view of either.

Only what differs is looked at: it must be such as the seat cannot see.
"""

from __future__ import annotations

from itertools import compress
from operator import ne
from typing import Any

from rulekit.play import engine
from rulekit.play.state.match_state import State


def hidden_slots(state: State, seat: int) -> frozenset[int]:
    """Where values lie that a seat cannot see, unless they are revealed; of piles it sees how many things lie there."""
    setting = state.setting
    audiences = enumerate(setting.audiences)
    declared = (setting.game.variables[index] for index in setting.slot_variable)
    return frozenset(
        slot
        for (slot, audience), variable in zip(audiences, declared, strict=True)
        if audience is not None
        and seat not in audience
        and variable.seen != "top"
        and variable.form not in ("piece", "group")
    )


def indistinguishable(one: State, other: State, seat: int, hidden: frozenset[int]) -> bool:
    """True only if both views are equal; False also where that would take a closer look.

    hidden:  of `hidden_slots`.
    """
    return _around(one, seat) == _around(other, seat) and _values_alike(one, other, seat, hidden - one.open_slots)


def _around(state: State, seat: int) -> tuple[Any, ...]:
    """All that a view depends on beside the values."""
    waiting = engine.decisions(state)
    return (
        tuple(asked.seat for asked in waiting),
        tuple(asked for asked in waiting if asked.seat == seat),
        (state.starter, state.over, state.ranks, state.defeated, state.unclear if state.over else None),
        (state.open_things, state.open_slots, state.gone),
        tuple(slot for slot, *_ in _own(state, seat).known),
    )


def _own(state: State, seat: int) -> Any:
    """What a seat looks at: what it decides apart, as it left it, or the position."""
    return next((branch for branch in state.branches if branch.seat == seat), state)


def _values_alike(one: State, other: State, seat: int, hidden: frozenset[int]) -> bool:
    here, there = _own(one, seat).values, _own(other, seat).values
    differing = compress(range(len(here)), map(ne, here, there))
    return all(slot in hidden and _alike(one, slot, here[slot], there[slot]) for slot in differing)


def _alike(state: State, slot: int, here: Any, there: Any) -> bool:
    if slot not in state.setting.pile_slots:
        return True
    shows = state.open_things
    return len(here) == len(there) and shows.isdisjoint(here) and shows.isdisjoint(there)
