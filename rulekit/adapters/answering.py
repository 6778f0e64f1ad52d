"""A match driven by indices: which are allowed to a seat now, and where each leads.

A position is a state and what seats have chosen of sets that are not complete
yet, which nobody but themselves can see.  Pure, as the engine is: a position
is never changed.
"""

from __future__ import annotations

from rulekit import limits
from rulekit.adapters.action_space import WAIT, Accepts, ActionSpace, Complete, Moves, Partial, moves
from rulekit.errors import BadInput
from rulekit.play.engine import apply, decisions, leads_on
from rulekit.play.state.errors import LimitError
from rulekit.play.state.match_state import CHANCE, Action, Decision, State
from rulekit.play.state.value import Value, notation
from rulekit.values import frozen


class IllegalIndex(BadInput, ValueError):
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
    """By index what a seat can do now and what it leads to; empty if it is not asked anything.

    Errors: `RuleError` if every set that could be chosen is refused, `LimitError` if too many would have to be tried.
    """
    asked = position.asked(seat)
    if asked is None or seat == CHANCE:
        return {}
    if not (asked.decision.several and position.state.setting.has_only_if):
        return moves(space, asked)
    found = moves(space, asked, _taken_sets(position.state, asked.decision))
    if not found:
        # Whatever is answered then meets the fault of the rules, which says what could not be met.
        apply(position.state, Action(seat, asked.decision.options[: asked.decision.least]))
    return found


def _taken_sets(state: State, decision: Decision) -> Accepts:
    """Whether a set is taken, tried once each.  Errors: `LimitError` if too many are asked for."""
    known: dict[tuple[str, ...], bool] = {}

    def accepts(things: tuple[Value, ...]) -> bool:
        key = tuple(sorted(map(notation, things)))
        if key not in known:
            if len(known) == limits.SETS_TRIED:
                title = f"more than {limits.SETS_TRIED} sets would have to be tried as `{decision.name}`"
                raise LimitError("too-many-options", title, rule=decision.rule, cites=decision.clauses)
            known[key] = leads_on(state, Action(decision.seat, things))
        return known[key]

    return accepts


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
