"""Simultaneous decisions as fork and join: each seat runs a `secretly each` block on a private copy of the state.

The copies are merged when all have finished, in the order of the set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Any

from rulekit.model import ops
from rulekit.play.interpreter.decision_options import answer
from rulekit.play.interpreter.main_loop import run
from rulekit.play.machine.closure_compilation import HANDLERS, LEFT, Act, Meanings
from rulekit.play.machine.provenance import Trace
from rulekit.play.machine.working_state import (
    CallFrame,
    Machine,
    freeze_frames,
    frozen_known,
    thaw_frames,
    thawed_known,
)
from rulekit.play.state.event import Later, Told, notes_of, telling
from rulekit.play.state.match_state import Branch, keep_machine, take_machine
from rulekit.play.state.setting import Setting
from rulekit.play.tracing import flow

_Known = dict[int, tuple[int, int]]


def _secret_start(c: Meanings, op: ops.SecretStart) -> Act:
    """Each seat of the set gets its own copy of the block's start and runs apart."""
    over = c.of(op.over)

    def secret_start(m: Machine, frame: CallFrame) -> bool:
        if m.trial is not None:
            raise m.error("trial", "`only if` and `possible` cannot look through `secretly each`")
        seats, inside = over(m), frame.pc
        frame.pc = op.end
        m.arrived = []
        if m.answers is not None:
            _play_apart(m, op, frame, inside, seats)
            return False
        left = m.step_limit - m.steps
        for seat in seats:
            apart = _apart(m, op, frame, inside, seat)
            apart.limit_steps(apart.steps + left)
            m.branches.append(_run_apart(apart))
            m.steps = apart.steps
            m.limit_steps(apart.step_limit)
        if seats:
            merge_if_done(m)
        return LEFT

    return secret_start


def _apart(m: Machine, op: ops.SecretStart, frame: CallFrame, inside: int, seat: int) -> Machine:
    """A machine that begins the block of one seat."""
    own = CallFrame(frame.code, inside, frame.locals.copy(), frame.skips)
    own.locals[op.local] = seat
    own.trails = None if frame.trails is None else frame.trails.copy()
    apart = m.clone([own])
    apart.branches = []
    apart.branch = seat
    _stands_in(apart, m)
    return apart


def _stands_in(apart: Machine, m: Machine) -> None:
    """What happens in a block is asked for where what happens around it is."""
    apart.origin = m.origin
    if m.trace is not None:
        apart.trace = Trace(outer=m.frames)


def _play_apart(m: Machine, op: ops.SecretStart, frame: CallFrame, inside: int, seats: tuple[int, ...]) -> None:
    """One seat after the other, to the end of the block, where all answers are at hand."""
    before = last = m.last_answer
    arrived: list[int] = []
    ends = []
    left = m.step_limit - m.steps
    for seat in seats:
        m.limit_steps(m.steps + left)
        at, frames = _at(m), m.frames
        own = CallFrame(frame.code, inside, frame.locals.copy(), frame.skips)
        own.locals[op.local] = seat
        m.frames, m.branch = [own], seat
        m.last_answer, m.arrived, m.whole, m.was_asked = before, [], (last, arrived), False
        _set(m, _copied(at))
        run(m)
        ends.append((seat, _at(m)))
        _set(m, at)
        m.frames, m.done = frames, False
        if m.was_asked:
            arrived.append(seat)
            last = seat
    if arrived:
        m.allow_steps()
    m.branch = m.whole = None
    m.last_answer, m.arrived, m.locals = last, arrived, frame.locals
    for seat, (values, lies, known, open_things, open_slots, gone) in ends:
        _join(m, seat, values, lies)
        _join_rest(m, seat, known, open_things, open_slots, gone)


_At = tuple[list[Any], list[int], _Known, set[int], set[int], set[int]]
"""What a block may change."""


def _at(m: Machine) -> _At:
    return m.values, m.lies, m.known, m.open_things, m.open_slots, m.gone


def _set(m: Machine, at: _At) -> None:
    m.values, m.lies, m.known, m.open_things, m.open_slots, m.gone = at
    m.changed()


def _copied(at: _At) -> _At:
    values, lies, known, open_things, open_slots, gone = at
    return values.copy(), lies.copy(), known.copy(), open_things.copy(), open_slots.copy(), gone.copy()


def _run_apart(apart: Machine, before: Iterable[Any] = ()) -> Branch:
    run(apart)
    assert apart.branch is not None
    branch = Branch(
        apart.branch, tuple(apart.values), tuple(apart.lies), () if apart.done else freeze_frames(apart), apart.pending,
        (), apart.done, frozen_known(apart.known), frozenset(apart.open_things), frozenset(apart.open_slots),
        frozenset(apart.gone), frozenset(apart.unclear),
    )  # fmt: skip
    if apart.pending is not None and not apart.setting.watched:
        keep_machine(branch, apart)
    return telling(branch, (*before, *apart.events))


def answer_apart(m: Machine, branch: Branch, value: Any) -> None:
    """Go on in one seat's branch with its answer."""
    apart = _resumed(m, branch)
    assert branch.pending is not None
    apart.locals = apart.frames[-1].locals
    flow.answered(apart, value)
    answer(apart, apart.frames[-1], branch.pending, value)
    made = _run_apart(apart, notes_of(branch))
    m.steps = apart.steps
    m.allow_steps()
    m.branches = [made if old.seat == branch.seat else old for old in m.branches]
    if made.done:
        m.arrived.append(made.seat)
        m.last_answer = made.seat
        m.op = None
        m.emit("ready", Later(_told_ready, m.setting, made.seat))
    merge_if_done(m)


def _told_ready(setting: Setting, seat: int) -> tuple[Told, ...]:
    return (Told("player", setting.seat_refs[seat]),)


def _resumed(m: Machine, branch: Branch) -> Machine:
    """The machine that came to a branch, if nobody has gone on with it, told what has changed for all; or a new one."""
    apart: Machine | None = take_machine(branch)
    if apart is None:
        return thawed(m, branch)
    apart.events, apart.op, apart.unclear = [], m.op, set(branch.unclear)
    apart.steps, apart.last_answer = m.steps, m.last_answer
    apart.limit_steps(m.step_limit)
    apart.arrived, apart.ranks, apart.defeated = m.arrived.copy(), m.ranks.copy(), m.defeated.copy()
    _stands_in(apart, m)
    return apart


def thawed(m: Machine, branch: Branch) -> Machine:
    """The machine of one seat's branch, as that seat left it."""
    apart = Machine(
        m.setting, list(branch.values), list(branch.lies), thaw_frames(branch.frames), m.streams.copy(),
        thawed_known(branch.known), set(branch.open_things), set(branch.open_slots), set(branch.gone), m.ranks.copy(),
        m.defeated.copy(), m.starter, m.last_answer, m.over, m.ending, m.pending, [], m.arrived.copy(), m.steps,
        m.step_limit, set(branch.unclear), branch=branch.seat, op=m.op,
    )  # fmt: skip
    for frame, trails in zip(apart.frames, m.trace.blocks.get(branch.seat, ()) if m.trace else (), strict=False):
        frame.trails = trails
    _stands_in(apart, m)
    return apart


def merge_if_done(m: Machine) -> None:
    """When all have finished: their effects and events, in the order of the set."""
    if not all(branch.done for branch in m.branches):
        return
    branches, m.branches = m.branches, []
    for branch in branches:
        join(m, branch)
        m.unclear |= branch.unclear
        m.events += notes_of(branch)


def join(m: Machine, branch: Branch) -> None:
    """Everything that one seat has done to its own until now."""
    _join(m, branch.seat, branch.values, branch.lies)
    known = thawed_known(branch.known)
    _join_rest(m, branch.seat, known, branch.open_things, branch.open_slots, branch.gone)


def _join(m: Machine, seat: int, values: Sequence[Any], lies: Sequence[int]) -> None:
    """What a seat has done to its own; it can change nothing else, and nobody else that."""
    setting, all_values, base = m.setting, m.values, m.setting.copy_base
    for slot in setting.own_slots[seat]:
        new = values[slot]
        if all_values[slot] is new:
            continue
        if setting.is_pile[slot]:
            for thing in set(new).symmetric_difference(all_values[slot]):
                m.lies[thing - base] = lies[thing - base]
        all_values[slot] = new
    m.changed()


def _join_rest(
    m: Machine, seat: int, known: _Known, open_things: Set[int], open_slots: Set[int], gone: Set[int]
) -> None:
    # Nothing is revealed inside; what moved or was set again is covered, though others saw it until now.
    m.open_things &= open_things
    m.open_slots &= open_slots
    m.gone ^= {piece for piece in m.gone ^ gone if m.setting.piece_slot[piece] in m.setting.own_slots[seat]}
    for slot in m.known.keys() & m.setting.own_slots[seat] if m.known else ():
        if slot in known:
            m.known[slot] = known[slot]
        else:
            del m.known[slot]


def _secret_end(c: Meanings, op: ops.SecretEnd) -> Act:
    def secret_end(m: Machine, frame: CallFrame) -> bool:
        m.done = True
        return LEFT

    return secret_end


HANDLERS.update({ops.SecretStart: _secret_start, ops.SecretEnd: _secret_end})
