"""Visibility of single things: who learns of them, where the declarations do not say it of a whole slot."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.play.machine.working_state import Machine
from rulekit.play.state.event import Audience


def seeing(m: Machine, thing: int) -> Audience:
    """The seats that see a thing where it lies; a printed one is known to all."""
    slot = m.lies_in(thing)
    return None if slot is None else seeing_in(m, thing, slot)


def seeing_in(m: Machine, thing: int, slot: int) -> Audience:
    """The seats that see a thing in the pile in which it lies."""
    if thing in m.open_things:
        return None
    if m.setting.tops[slot] and m.values[slot][-1] != thing:
        return frozenset()
    return m.sees(slot)


def knowing_all(audiences: Iterable[Audience]) -> Audience:
    """The seats that are in every one of these audiences."""
    known_by = [audience for audience in audiences if audience is not None]
    return frozenset.intersection(*known_by) if known_by else None


def inside(m: Machine) -> Audience:
    """The seats that learn which way the rules go: inside `secretly each` only its player."""
    return None if m.branch is None else frozenset([m.branch])
