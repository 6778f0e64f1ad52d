"""A state of one game as a state of the same game after a small change of its rules.

Where a match stands is told by places in codes; a change may shift them.
Operations know where they are written, so that is what they are found by again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, TypeVar

from attrs import evolve

from rulekit import Game, State, Step, Value
from rulekit.model import ops
from rulekit.play import engine
from rulekit.play.interpreter.main_loop import run
from rulekit.play.machine.working_state import suspend, thaw
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.state.event import telling
from rulekit.play.state.match_state import Branch, Frame
from rulekit.play.state.setting import Setting

Written = tuple[str, int, int]
"""An operation as it is found again: what it is, and the line and column of its statement."""


Kind = TypeVar("Kind")


class Transplant:
    """The way from the states of one game into another.

    at_work: the machines in which rules began, to see how far they came where one stopped with an error.
    """

    def __init__(self, old: Game, new: Game) -> None:
        self._old, self._new = old, new
        self._codes = _alike([_code_name(code) for code in old.codes], [_code_name(code) for code in new.codes])
        self._places: dict[int, dict[int, int]] = {}
        self.at_work: list[Any] = []
        self._settings: dict[tuple[object, ...], Setting | None] = {}

    def moved(self, state: State, choices: Mapping[str, Value], seed: str) -> Step | None:
        """The same position in the other game, with what happens until somebody is asked; None if it has none such.

        Errors: `RuleError`, where that is as far as the other game comes.
        """
        setting = self._setting(state, choices, seed)
        if setting is None or not _same_table(state.setting, setting):
            return None
        frames = self._frames(state.frames, asks=state.pending is not None)
        branches = [self._branch(branch) for branch in state.branches]
        if frames is None or None in branches:
            return None
        kept = tuple(branch for branch in branches if branch is not None)
        return _asked_anew(evolve(state, setting=setting, frames=frames, branches=kept))

    def _setting(self, state: State, choices: Mapping[str, Value], seed: str) -> Setting | None:
        table = (tuple(sorted(choices.items())), state.setting.seats, seed)
        if table not in self._settings:
            self._settings[table] = self._laid_out(state.setting.seats[: state.setting.players], choices, seed)
        return self._settings[table]

    def _laid_out(self, seats: Sequence[str], choices: Mapping[str, Value], seed: str) -> Setting | None:
        try:
            setting = engine.opened(self._new, choices, seats, seed, checked=False).setting
            return evolve(setting, told=False, entered=self._enters)
        except (BadSetup, RuleError):
            return None

    def _enters(self, machine: Any, code: int, arguments: list[Any]) -> None:
        if all(machine is not each for each in self.at_work):
            self.at_work.append(machine)

    def _branch(self, branch: Branch) -> Branch | None:
        frames = self._frames(branch.frames, asks=branch.pending is not None)
        return None if frames is None else evolve(branch, frames=frames)

    def _frames(self, frames: tuple[Frame, ...], *, asks: bool) -> tuple[Frame, ...] | None:
        moved = [self._frame(frame, asks=asks and frame is frames[-1]) for frame in frames]
        return None if None in moved else tuple(frame for frame in moved if frame is not None)

    def _frame(self, frame: Frame, *, asks: bool) -> Frame | None:
        """asks: its operation is the question that waits; else the one before it is at work."""
        number, pc, values, skips, secrets = frame
        if number not in self._codes:
            return None
        code, new = self._old.codes[number], self._new.codes[self._codes[number]]
        back = 0 if asks or pc == 0 else 1
        at = self._of(number).get(pc - back)
        if at is None or len(code.scopes[pc]) != len(new.scopes[at + back]):
            return None
        locals_: list[Any] = [None] * new.locals
        for before, after in zip(code.scopes[pc], new.scopes[at + back], strict=True):
            locals_[after] = values[before]
        return self._codes[number], at + back, tuple(locals_), skips, secrets

    def _of(self, number: int) -> dict[int, int]:
        """By place in a code of the old game the place in the new one."""
        if number not in self._places:
            old, new = self._old.codes[number], self._new.codes[self._codes[number]]
            self._places[number] = _alike([_written(op) for op in old.ops], [_written(op) for op in new.ops])
        return self._places[number]


def _alike(old: list[Kind], new: list[Kind]) -> dict[int, int]:
    """By place in one list the place of the same in the other."""
    if old == new:
        return {at: at for at in range(len(old))}
    found = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    return {block.a + i: block.b + i for block in found for i in range(block.size)}


def _code_name(code: ops.Code) -> tuple[str, int, int]:
    return code.name, code.span.line, code.span.column


def _written(op: ops.Op) -> Written:
    return type(op).__name__, op.span.line, op.span.column


def _asked_anew(state: State) -> Step:
    """The question that waits is put again, since it may offer something else now: one alone, and not to chance."""
    if state.pending is None or state.pending.form == "chance":
        return Step(state, ())
    m = thaw(evolve(state, pending=None))
    run(m)
    return telling(Step(suspend(m), ()), m.events)


def _same_table(old: Setting, new: Setting) -> bool:
    """Whether the same things and values lie in the same places."""
    things = [(thing.kind, thing.row, thing.key) for thing in old.things]
    return (old.paths, old.seats, things) == (
        new.paths,
        new.seats,
        [(thing.kind, thing.row, thing.key) for thing in new.things],
    )
