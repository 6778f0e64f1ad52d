"""What each seat may know, worked out from the declarations alone and beside the engine's own views and events.

A ledger listens to a running machine, operation by operation.  It notes for
each seat every change of what is declared visible to it, every public
answer, everything announced or drawn openly.  Two histories with the same
ledger must look the same to that seat; that is all the tests of hidden
information ask for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import itemgetter
from typing import Any

from attrs import define, evolve, field

from rulekit import Decision, State, Value
from rulekit.model import expr, ops
from rulekit.model import game as model
from rulekit.play.interpreter import fork_join
from rulekit.play.machine import taint_check
from rulekit.play.machine.closure_compilation import evaluate
from rulekit.play.machine.working_state import CallFrame, Machine
from rulekit.play.meaning import chance
from rulekit.play.state.match_state import CHANCE, Branch
from rulekit.play.state.setting import Setting
from rulekit.play.view import SPECTATOR

QUIET = (
    ops.Let, ops.Jump, ops.Unless, ops.EachStart, ops.EachNext, ops.EnterStep, ops.Skip, ops.Call, ops.Perform,
    ops.StopCode, ops.Return, ops.Ask, ops.AskWay, ops.OnlyIf, ops.SecretStart, ops.SecretEnd, ops.Draw,
)  # fmt: skip
"""Operations that change no declared value; what a draw shows is noted when it is finished."""
HIDDEN = "hidden"


@define
class Position:
    """The values as one seat has them before it.  open_things, open_slots: what rules revealed."""

    values: list[Any]
    shuffled: frozenset[int]
    open_things: frozenset[int] = frozenset()
    open_slots: frozenset[int] = frozenset()


def may_see(setting: Setting, slot: int, seat: int, opened: frozenset[int]) -> bool:
    """Whether a slot is declared visible, all of it, to a seat."""
    variable = setting.game.variables[setting.slot_variable[slot]]
    if slot in opened or variable.seen == model.PUBLIC:
        return True
    if variable.seen == model.SOME:
        # Who that is, a define says; what it gives is tested where it is declared.
        audience = setting.audiences[slot]
        return audience is None or seat in audience
    own = setting.slot_owner[slot] == seat
    plays = seat in range(setting.everyone)
    return (variable.seen == model.OWNER and own) or (variable.seen == model.OTHERS and plays and not own)


def shown(setting: Setting, at: Position, slot: int, seat: int) -> Any:
    """What a seat may know of one slot; copies by their printed card."""
    variable = setting.game.variables[setting.slot_variable[slot]]
    value = at.values[slot]
    whole = may_see(setting, slot, seat, at.open_slots)
    if variable.form != "pile":
        return _printed(setting, variable, value) if whole else HIDDEN
    top = value[-1:] if variable.seen == model.TOP else ()
    rows = [setting.row_of[thing] for thing in value if whole or thing in top or thing in at.open_things]
    return len(value), tuple(sorted(rows) if slot in at.shuffled else rows)


def _printed(setting: Setting, variable: model.Variable, value: Any) -> Any:
    if variable.type.name == "thing" and isinstance(value, int) and variable.form == "value":
        return setting.row_of[value]
    return value


# ---------------------------------------------------------------- the ledger


@define
class Sheet:
    """What one seat may know: now, slot by slot, and all that it could learn so far."""

    values: list[Any]
    shown: list[Any]
    meta: Any = None
    entries: list[Any] = field(factory=list)


@define
class Ledger:
    """One sheet for each seat and the spectator."""

    setting: Setting
    sheets: dict[int, Sheet]
    open_things: frozenset[int] = frozenset()
    open_slots: frozenset[int] = frozenset()
    closing: frozenset[int] = frozenset()
    inside: tuple[tuple[int, int, Any], ...] = ()
    merged: bool = False

    @classmethod
    def of(cls, setting: Setting) -> Ledger:
        count = len(setting.values)
        seats = (*range(setting.players), SPECTATOR)
        return cls(setting, {seat: Sheet([object()] * count, [None] * count) for seat in seats})

    def copy(self) -> Ledger:
        sheets = {
            seat: Sheet(each.values.copy(), each.shown.copy(), each.meta, each.entries.copy())
            for seat, each in self.sheets.items()
        }
        return evolve(self, sheets=sheets)

    def now(self) -> dict[int, list[Any]]:
        """What each seat may know at present, slot by slot."""
        return {seat: [*sheet.shown, sheet.meta[0]] for seat, sheet in self.sheets.items()}

    def note(self, seats: Any, *entry: Any) -> None:
        for seat in seats:
            if seat in self.sheets:
                self.sheets[seat].entries.append(entry)

    def look(self, values: Any, shuffled: Iterable[int], flow: Any, seats: Any) -> None:
        """Note what has changed for these seats."""
        at = Position(list(values), frozenset(shuffled), self.open_things, self.open_slots)
        meta = (flow, self.open_things, self.open_slots, at.shuffled)
        for seat in seats:
            sheet = self.sheets[seat]
            if sheet.meta is None or sheet.meta[0] != flow:
                sheet.entries.append(("flow", flow))
            everything = sheet.meta is None or sheet.meta[1:] != meta[1:]
            for slot, value in enumerate(at.values):
                if everything or value is not sheet.values[slot]:
                    self._slot(sheet, at, slot, seat)
            sheet.values, sheet.meta = at.values, meta

    def _slot(self, sheet: Sheet, at: Position, slot: int, seat: int) -> None:
        now = shown(self.setting, at, slot, seat)
        if now != sheet.shown[slot]:
            sheet.shown[slot] = now
            sheet.entries.append((slot, now))

    # ------------------------------------------------------------ from a machine at work

    @contextmanager
    def listening(self) -> Iterator[None]:
        """While this lasts, machines tell this ledger what they do; nothing else changes about them."""
        kept = taint_check.propagate, fork_join.merge_if_done, chance._finish
        merge, finish = kept[1:]

        def merging(m: Machine) -> None:
            merge(m)
            if not m.branches:
                self._merge(m)

        def finishing(m: Machine, frame: CallFrame, question: Any) -> None:
            finish(m, frame, question)
            self._drawn(m, question)

        taint_check.propagate, fork_join.merge_if_done, chance._finish = self._follow, merging, finishing
        try:
            yield
        finally:
            taint_check.propagate, fork_join.merge_if_done, chance._finish = kept

    def _follow(self, m: Machine, frame: CallFrame, op: ops.Op, shown: object) -> None:
        m.reads = None
        if m.trial is not None or isinstance(op, QUIET):
            return
        self._open(m, op)
        if isinstance(op, ops.Announce):
            heard = set(evaluate(m, op.to))
            everybody = heard >= set(range(self.setting.players))
            self.note(self.sheets if everybody else heard, "announced", evaluate(m, op.what))
        elif isinstance(op, ops.Declassify):
            self.note(self.sheets, "said", *self._said(frame.locals[op.local], op.type))
        self.look_at(m)

    def _said(self, value: Any, kind: Any) -> list[Any]:
        """What a referee said; of copies which printed card."""
        said = value if isinstance(value, tuple) else (value,)
        is_thing = "thing" in (kind.name, getattr(kind.element, "name", ""))
        return [self.setting.row_of[one] if is_thing and isinstance(one, int) else one for one in said]

    def _open(self, m: Machine, op: ops.Op) -> None:
        """What was revealed is public until it moves or is set again."""
        if isinstance(op, ops.Reveal):
            things = () if op.things is None else evaluate(m, op.things)
            self.open_things |= set(things)
            for variable, of in op.targets:
                owners = None if of is None else evaluate(m, of)
                owners = owners if isinstance(owners, tuple) else (owners,)
                self.open_slots |= {self.setting.slot(variable, owner) for owner in owners}
        elif isinstance(op, ops.Assign):
            owner = None if op.target.of is None else evaluate(m, op.target.of)
            slot = self.setting.slot(op.target.variable, owner)
            if m.branch is None:
                self.open_slots -= {slot}
            else:
                self.closing |= {slot}
        elif isinstance(op, ops.Shuffle):
            owner = None if op.pile.of is None else evaluate(m, op.pile.of)
            self.open_things -= set(m.values[self.setting.slot(op.pile.variable, owner)])
        elif isinstance(op, ops.MoveToPile) and isinstance(op.things, expr.Local) and m.branch is None:
            self._close_moved_back(m, op)

    def _close_moved_back(self, m: Machine, op: ops.MoveToPile) -> None:
        """What moves to the pile that it lies in has moved, too.  Only a local can be read again at no cost."""
        slot = self.setting.slot(op.to.variable, None if op.to.of is None else evaluate(m, op.to.of))
        things = evaluate(m, op.things)
        moved = set(things if isinstance(things, tuple) else (things,))
        self.open_things -= moved.intersection(self.sheets[SPECTATOR].values[slot], m.values[slot])

    def _merge(self, m: Machine) -> None:
        self.merged = True
        self.open_slots -= self.closing
        self.closing = frozenset()
        self._tell_inside()
        self.look_at(m)

    def _tell_inside(self) -> None:
        """What changed inside a block is told when it ends, change by change."""
        for seat in self.sheets:
            seen = [change for change in self.inside if may_see(self.setting, change[1], seat, self.open_slots)]
            self.note([seat], "inside", *sorted(seen, key=itemgetter(0)))
        self.inside = ()

    def _drawn(self, m: Machine, question: Any) -> None:
        """What was drawn from a hidden pile is as hidden as the pile."""
        if isinstance(m.op, ops.Draw):
            things = question.type is not None and question.type.name == "thing"
            piles = {m.lies_in(item) for item in question.drawn} if things else set()
            for seat in self.sheets:
                if all(slot is None or may_see(self.setting, slot, seat, self.open_slots) for slot in piles):
                    rows = [self.setting.row_of[item] if things else item for item in question.drawn]
                    self.note([seat], "drawn", *rows)
        self.look_at(m)

    def look_at(self, m: Machine) -> None:
        if m.branch is not None:
            self.inside += tuple(self._changed(m, self.sheets[m.branch].values))
            self.look(m.values, m.known, self._flow(m), [m.branch])
            return
        self._close_moved(m)
        self.look(m.values, m.known, self._flow(m), self.sheets)

    def _changed(self, m: Machine, before: list[Any]) -> Iterator[tuple[int, int, Any]]:
        """Values that are others now inside a block; where things lie shows at its end."""
        for slot, value in enumerate(m.values):
            if value is not before[slot] and slot not in self.setting.pile_slots:
                yield m.branch, slot, value

    def _close_moved(self, m: Machine) -> None:
        """Things that lie elsewhere now are no longer open."""
        if self.open_things:
            before = self.sheets[SPECTATOR].values
            moved = {
                thing
                for slot in self.setting.pile_slots
                if m.values[slot] is not before[slot] and isinstance(before[slot], tuple)
                for thing in set(before[slot]) ^ set(m.values[slot])
            }
            self.open_things -= moved

    def _flow(self, m: Any) -> Any:
        return (m.starter, (tuple(m.ranks), tuple(m.defeated)) if m.over else None)

    # ------------------------------------------------------------ from answers and positions

    def answered(self, state: State, decision: Decision, answer: Value) -> None:
        """A public answer everybody learns, of a secret one how many were chosen, inside `secretly each` nothing."""
        if decision.seat == CHANCE:
            return
        self.note([decision.seat], "own", decision.name, answer)
        if state.branches:
            return
        question = state.pending
        assert question is not None
        count = len(answer) if question.secret and isinstance(answer, tuple) else None
        told = ("count", count) if question.secret else ("answer", answer)
        self.note(self.sheets, decision.seat, decision.name, *told)

    def stands(self, state: State, actor: int | None = None) -> None:
        """The position after a step.  actor: who decided; that somebody has finished a secret block is public."""
        finished = [branch.seat for branch in state.branches if branch.done and branch.seat == actor]
        if self.merged or finished:
            self.note(self.sheets, "ready", actor)
        self.merged = False
        for seat in self.sheets:
            own = next((branch for branch in state.branches if branch.seat == seat), None)
            values, known = (own.values, own.known) if own else (state.values, state.known)
            self.look(values, {slot for slot, *_ in known}, self._flow(state), [seat])


def secrets(left: State, right: State, seat: int, opened: frozenset[int]) -> set[str]:
    """Variables in which two positions differ where the seat may not see it, private copies of others included."""
    setting = left.setting
    pairs = [(left.values, right.values), *_branches(left, right, seat)]
    found: set[str] = set()
    for slot in range(len(setting.values)):
        if not may_see(setting, slot, seat, opened):
            variable = setting.game.variables[setting.slot_variable[slot]]
            if any(_rows(setting, variable, a[slot]) != _rows(setting, variable, b[slot]) for a, b in pairs):
                found.add(variable.name)
    return found


def _branches(left: State, right: State, seat: int) -> Iterator[tuple[Any, Any]]:
    theirs: dict[int, Branch] = {branch.seat: branch for branch in right.branches}
    for branch in left.branches:
        if branch.seat != seat and branch.seat in theirs:
            yield branch.values, theirs[branch.seat].values


def _rows(setting: Setting, variable: model.Variable, value: Any) -> Any:
    return tuple(setting.row_of[thing] for thing in value) if variable.form == "pile" else value
