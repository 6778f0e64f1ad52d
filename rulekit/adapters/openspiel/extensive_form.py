"""A match as a sequence of moves of one seat at a time, each an index: what OpenSpiel calls a game in extensive form.

Chance is a seat like others: it is asked whatever the rules leave to it.  Where several decide apart in secret they
move one after the other, in the order of seats; what they answered reaches nobody else before the rules show it.  A
match never changes: a move leads to another one, which shares what was before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from rulekit.adapters.action_space import Complete, Moves, Partial, moves
from rulekit.adapters.spaces import Spaces, spaces
from rulekit.model.game import Game
from rulekit.play import engine
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import CHANCE, Action, Decision, State
from rulekit.play.state.value import Value, notation
from rulekit.play.view import REFEREE, view
from rulekit.values import field, frozen

_KEPT = 2_000
"""So many positions of a game are kept."""


@frozen(eq=False)
class Table:
    """What all matches of a game have in common.

    name:  by which OpenSpiel loads the game again, with all that was agreed.
    most:  moves of seats after which a match is broken off.
    kept:  where moves led that were made first: solvers walk through small games again and again.
    """

    name: str
    game: Game
    options: Mapping[str, Value]
    seats: tuple[str, ...]
    most: int
    kept: dict[tuple[Match, int], Match] = field(init=False, factory=dict, repr=False)

    @cached_property
    def opening(self) -> Match:
        """The match before its first move."""
        step = engine.start(self.game, self.options, self.seats, None, told=False)
        return Match(self, step.state, step.events)

    @cached_property
    def spaces(self) -> Spaces:
        """What seats can do by index, and what they see as numbers."""
        return spaces(self.opening.state.setting)


@frozen(eq=False)
class Match:
    """One position of a match, with the way that led there.

    events:   what happened with the last move.
    before:   the position before it; None at the start.
    move:     the last move.  action: what it answered; None where its seat has not answered in full.
    partial:  how far the question is answered that waits; None if it was not begun.
    length:   how many moves seats have made.
    known:    by seat what it was told so far, once somebody has asked (`information`).
    """

    table: Table
    state: State
    events: tuple[Event, ...]
    before: Match | None = None
    move: int = 0
    action: Action | None = None
    partial: Partial | None = None
    length: int = 0
    known: dict[int, Any] = field(init=False, factory=dict, repr=False)

    def __deepcopy__(self, memo: object) -> Match:
        return self

    @cached_property
    def asked(self) -> Decision | None:
        """What is asked now, of the first who is asked; None at the end."""
        if self.length >= self.table.most:
            return None
        return next(iter(engine.decisions(self.state)), None)

    @property
    def waits(self) -> bool:
        """Whether nothing is left to chance before somebody decides, or the match is over."""
        return not any(asked.seat == CHANCE for asked in engine.decisions(self.state))

    @property
    def way(self) -> list[Match]:
        """The positions that all moves from the start on led to, the last one this."""
        found: list[Match] = []
        at = self
        while at.before is not None:
            found.append(at)
            at = at.before
        return found[::-1]

    @property
    def moves(self) -> tuple[int, ...]:
        """All moves from the start on."""
        return tuple(match.move for match in self.way)

    @property
    def text(self) -> str:
        """The whole position as a referee sees it, and the moves that led there: different for different matches."""
        values = (f"{seen.path} {notation(seen.shown)}" for seen in view(self.state, REFEREE).values)
        return "\n".join([*values, f"moves {' '.join(map(str, self.moves))}"])

    # ------------------------------------------------------------ moves

    @cached_property
    def legal(self) -> Moves:
        """By index what whoever is asked can do, and what it leads to; the rules take each of them."""
        asked = self.asked
        if asked is None:
            return {}
        if asked.seat == CHANCE:
            return {place: Complete(option) for place, option in enumerate(asked.options) if asked.weights[place]}
        refuses = asked.several and self.state.setting.has_only_if
        return moves(self.table.spaces.actions, self.partial or Partial(asked), self._is_taken if refuses else None)

    def _is_taken(self, things: tuple[Value, ...]) -> bool:
        assert self.asked is not None
        return engine.refusal(self.state, Action(self.asked.seat, things)) is None

    def after(self, move: int) -> Match:
        """The position to which a move leads.  Errors: `KeyError` for one that cannot be made."""
        kept = self.table.kept
        found = kept.get((self, move))
        if found is None:
            found = self._played(move)
            if len(kept) < _KEPT:
                kept[self, move] = found
        return found

    def _played(self, move: int) -> Match:
        asked, to = self.asked, self.legal[move]
        assert asked is not None
        length = self.length + (asked.seat != CHANCE)
        if isinstance(to, Partial):
            return Match(self.table, self.state, (), self, move, None, to, length)
        action = Action(asked.seat, to.answer)
        step = engine.apply(self.state, action)
        return Match(self.table, step.state, step.events, self, move, action, None, length)

    def answered(self, answer: Value) -> Match:
        """The position after all moves that come to an answer of whoever is asked."""
        return next(self._ways_to(answer))

    def _ways_to(self, answer: Value) -> Iterator[Match]:
        for move, to in self.legal.items():
            if isinstance(to, Complete):
                if to.answer == answer and type(to.answer) is type(answer):
                    yield self.after(move)
            elif to.page is not None or (isinstance(answer, tuple) and to.things == answer[: len(to.picked)]):
                yield from self.after(move)._ways_to(answer)

    def told(self, move: int) -> str:
        """A move in words, different from those of all others."""
        asked = self.asked
        if asked is not None and asked.seat == CHANCE:
            return f"{asked.name}: {notation(asked.options[move])} ({move})"
        to = self.legal.get(move)
        meant = self.table.spaces.actions.meaning(move)
        is_place = asked is not None and self.table.spaces.actions.block(asked).values is None
        if not is_place or to is None or (isinstance(to, Partial) and to.page is not None):
            return meant
        said = to.answer if isinstance(to, Complete) else to.things
        return f"{meant}, {notation(said)}"
