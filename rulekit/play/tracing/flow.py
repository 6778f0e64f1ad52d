"""Operations with trails: what decided the names they bind, and the way that they go."""

from __future__ import annotations

from rulekit.model import effects, ops
from rulekit.model import expr as x
from rulekit.play.machine.closure_compilation import HANDLERS, LEFT, TRACED_HANDLERS, Act, Meanings, meanings
from rulekit.play.machine.provenance import FrameTrails, Trail, meet
from rulekit.play.machine.working_state import ELEMENTS, CallFrame, Machine, trace_of
from rulekit.play.state.event import Audience
from rulekit.play.tracing.reasons import level
from rulekit.play.tracing.values import apart, here


def begin(m: Machine, frame: CallFrame, at: int) -> FrameTrails:
    """Before the operation at this place: nothing has decided anything yet."""
    trails = frame.trails = frame.trails or FrameTrails()
    trace = trace_of(m)
    m.locals, trace.locals, trace.at = frame.locals, trails.locals, at
    trace.trail, trace.whole, trace.elements = Trail(), None, [None] * ELEMENTS
    return trails


def settle(m: Machine, c: Meanings, frame: CallFrame) -> None:
    """After an operation, which was the last that began in this frame."""
    op, trace, trails = m.op, trace_of(m), frame.trails
    trail, at = trace.trail, trace.at
    assert op is not None
    assert trails is not None
    if isinstance(op, ops.Unless):
        trails.control[at] = trail
    elif isinstance(op, ops.OnlyIf):
        trails.control[at] = _openly(trail)
    elif isinstance(op, ops.Jump):
        _back(c.setting.game.codes[frame.code].ops, trails, at, op)
    elif isinstance(op, ops.EachNext):
        _next(c, frame, trails, at, op)
    elif isinstance(op, ops.Skip):
        _skipping(m, c, frame, op)
    elif isinstance(op, ops.AskWay):
        trails.control[at] = _ways(m, c, frame, op)
    elif isinstance(op, ops.Perform) and m.frames[-1] is not frame and m.frames:
        m.frames[-1].trails = FrameTrails({0: trail, 1: trail}, {}, trail)
    elif not isinstance(op, ops.SecretStart):
        _bind(m, trails, op)


def _bind(m: Machine, trails: FrameTrails, op: ops.Op) -> None:
    """The name that an operation gives; where no loop begins, its line decides it as well."""
    local, trail = effects.binds(op), trace_of(m).trail
    if local is not None:
        trail.add(() if op.effects.opens else op.own)
        trail.read = meet(trail.read, _answerer(m, op))
        trails.locals[local] = trail.known_to_all() if op.effects.declassifies else trail


def _next(c: Meanings, frame: CallFrame, trails: FrameTrails, at: int, op: ops.EachNext) -> None:
    """The element of a loop: it carries what let it in, and what happens with it is decided by that."""
    items = trails.locals.get(op.items)
    if frame.pc == op.exit or items is None:
        return
    trails.locals[op.element] = one = items.of(frame.locals[op.element])
    start = c.setting.game.codes[frame.code].ops[at - 1]
    # How many things lie in a pile everybody may know.
    is_open = isinstance(start, ops.EachStart) and isinstance(start.over, x.Stored | x.Local)
    trails.control[at - 1] = Trail(one.why) if is_open else one


def _openly(trail: Trail) -> Trail:
    """That an `only if` held everybody knows, whatever it reads; by what is told to those who may know that."""
    return Trail({clause: meet(known, trail.read) for clause, known in trail.why.items()})


def _back(code: tuple[ops.Op, ...], trails: FrameTrails, at: int, op: ops.Jump) -> None:
    """A loop begins anew: what held in it was of the last time."""
    for place in range(op.to, at):
        if isinstance(code[place], ops.OnlyIf):
            trails.control.pop(place, None)


def _skipping(m: Machine, c: Meanings, frame: CallFrame, op: ops.Skip) -> None:
    """That a step will be left out is decided by the line that says so, and by what led to that."""
    codes = c.setting.game.codes
    holder = next(at for at in reversed(m.frames) if op.step in codes[at.code].steps)
    why = Trail()
    for cites, control in level(frame, codes[frame.code].ops, trace_of(m).at):
        why.add(cites)
        why.join(control)
    assert holder.trails is not None
    holder.trails.skips[op.step] = Trail(dict.fromkeys(why.why, why.read), why.read)


def _enter_step(c: Meanings, op: ops.EnterStep) -> Act:
    enter = HANDLERS[ops.EnterStep](c, op)

    def enter_step(m: Machine, frame: CallFrame) -> bool | None:
        known = frame.trails.skips.get(op.step) if frame.trails is not None else None
        if op.step in frame.skips and known is not None:
            here(m).join(known)
        return enter(m, frame)

    return enter_step


def _ways(m: Machine, c: Meanings, frame: CallFrame, op: ops.AskWay) -> Trail:
    """What decided who is asked; by way what let it be offered; who may know which one was taken."""
    m.locals = frame.locals
    asked, members = apart(m, c.of(op.who))[1], {}
    for number, (_, test, _) in enumerate(op.ways):
        members[number] = Trail() if test is None else apart(m, c.of(test))[1]
    return Trail(asked.why, meet(asked.read, _answerer(m, op)), members)


def _answerer(m: Machine, op: ops.Op) -> Audience:
    """Who may know what somebody answers: in secret only who does."""
    if not op.effects.asks:
        return None
    if m.branch is not None:
        return frozenset([m.branch])
    if isinstance(op, ops.Ask | ops.AskWay) and op.secretly:
        return frozenset([m.pending.seat]) if m.pending is not None else frozenset()
    return None


def answered(m: Machine, value: object) -> None:
    """Before an answer is taken: what let it be offered decides what is told of it.

    That is worked out again, since a state waits at the question and knows nothing of what is in it.
    """
    if m.trace is None:
        return
    frame, c = m.frames[-1], meanings(m.setting)
    trails = begin(m, frame, frame.pc)
    op = m.setting.game.codes[frame.code].ops[frame.pc]
    if isinstance(op, ops.AskWay):
        trails.control[frame.pc] = ways = _ways(m, c, frame, op)
        m.trace.trail = ways.of(value)
        return
    for part in _offering(op):
        c.of(part)(m)
    _bind(m, trails, op)
    if isinstance(op, ops.Ask):
        m.about(value)


def _offering(op: ops.Op) -> tuple[x.Expr | None, ...]:
    """What an operation works out to ask, the set of what it offers last: its members have trails of their own."""
    if isinstance(op, ops.Ask):
        return op.who, op.least, op.most, op.options
    return (op.amount, op.source) if isinstance(op, ops.Draw | ops.Deal) else ()


def _call(c: Meanings, op: ops.Call) -> Act:
    code, args_of = op.code, [c.of(arg) for arg in op.args]

    def call(m: Machine, frame: CallFrame) -> bool:
        found = [apart(m, arg) for arg in args_of]
        m.push(code, [value for value, _ in found])
        m.frames[-1].trails = FrameTrails({at: trail for at, (_, trail) in enumerate(found)})
        return LEFT

    return call


TRACED_HANDLERS[ops.Call] = _call
TRACED_HANDLERS[ops.EnterStep] = _enter_step
