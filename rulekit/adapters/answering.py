"""A match driven by indices: which are allowed to a seat now, and where each leads.

A position is a state and what seats have chosen of sets that are not complete
yet, which nobody but themselves can see.  Pure, as the engine is: a position
is never changed.
"""

from __future__ import annotations

from functools import partial

from attrs import frozen

from rulekit.adapters.action_space import WAIT, ActionSpace, Complete, Moves, Partial, moves
from rulekit.play.engine import apply, decisions, refusal
from rulekit.play.state.match_state import CHANCE, Action, State
from rulekit.play.state.value import Value


class IllegalIndex(ValueError):
    """An index that is not allowed now."""


@frozen
class Position:
    """partials: of the seats that have begun to answer, how far they are, in the order of seats."""

    state: State
    partials: tuple[Partial, ...] = ()

    @property
    def is_over(self) -> bool:
        return self.state.over

    def asked(self, seat: int) -> Partial | None:
        """What a seat must answer now, as far as it is answered; None if nothing."""
        begun = next((one for one in self.partials if one.decision.seat == seat), None)
        if begun is not None:
            return begun
        decision = next((one for one in decisions(self.state) if one.seat == seat), None)
        return None if decision is None else Partial(decision)

    def to_act(self) -> tuple[int, ...]:
        """The seats that are asked now; `CHANCE` where the caller answers for chance."""
        return tuple(sorted(decision.seat for decision in decisions(self.state)))


def allowed(space: ActionSpace, position: Position, seat: int) -> Moves:
    """By index what a seat can do now and what it leads to; empty if it is not asked anything."""
    asked = position.asked(seat)
    if asked is None or seat == CHANCE:
        return {}
    refuses = asked.decision.several and position.state.setting.has_only_if
    return moves(space, asked, partial(_is_taken, position.state, seat) if refuses else None)


def _is_taken(state: State, seat: int, things: tuple[Value, ...]) -> bool:
    return refusal(state, Action(seat, things)) is None


def mask(space: ActionSpace, position: Position, seat: int) -> list[int]:
    """By index whether it is allowed to a seat now, 1 or 0; `WAIT` alone if it is not asked anything."""
    found = allowed(space, position, seat) or (WAIT,)
    return [int(index in found) for index in range(space.size)]


def after(space: ActionSpace, position: Position, seat: int, index: int) -> Position:
    """The position to which an index of a seat leads.

    Errors: `IllegalIndex` for one that is not allowed, `RuleError` as of `apply`.
    """
    to = allowed(space, position, seat).get(index)
    others = tuple(one for one in position.partials if one.decision.seat != seat)
    if isinstance(to, Complete):
        return Position(apply(position.state, Action(seat, to.answer)).state, others)
    if to is None:
        raise IllegalIndex(f"seat {seat} may not do {index} now")
    return Position(position.state, tuple(sorted((*others, to), key=lambda one: one.decision.seat)))
