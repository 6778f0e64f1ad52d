"""What is passed over: things and players of a loop that is left early, steps of an action, pieces held back.

Only where a clause says so, and only if something is left: `stop repeat` is mostly how a loop ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulekit.model import ops
from rulekit.play.machine.visibility import inside, knowing_all, seeing
from rulekit.play.machine.working_state import CallFrame, Machine
from rulekit.play.state.event import Later, Told
from rulekit.play.state.external_values import outward
from rulekit.play.state.setting import Setting

WORD = "pass"
"""The event that tells of it."""


def tell_next(m: Machine, frame: CallFrame, loop: ops.Op) -> None:
    """`next x`: the one that the loop was at is passed over."""
    if isinstance(loop, ops.EachNext) and _has_things(loop):
        _tell(m, loop, (frame.locals[loop.element],))


def tell_stop(m: Machine, frame: CallFrame, leave: int) -> None:
    """`stop x`: all that were left of a loop that is left for this place; of one over numbers, that it is cut short."""
    for loop in _loops(m, frame):
        if loop.exit == leave:
            _tell(m, loop, _left(frame, loop))
            if _cut_short(frame, loop):
                m.emit(WORD, [Told("what", loop.name)], inside(m))


def tell_leaving(m: Machine, frames: Sequence[CallFrame]) -> None:
    """`stop x` of an action: all that were left of the loops in these frames; of none, that there is more to do."""
    left = [(loop, _left(frame, loop)) for frame in reversed(frames) for loop in _loops(m, frame)]
    for loop, things in left:
        _tell(m, loop, things)
    codes = m.setting.game.codes
    has_steps = any(isinstance(op, ops.EnterStep) for at in frames for op in codes[at.code].ops[at.pc :])
    is_cut_short = has_steps or any(_cut_short(frame, loop) for frame in frames for loop in _loops(m, frame))
    if is_cut_short and not any(things for _, things in left):
        m.emit(WORD, [Told("what", codes[frames[0].code].name)], inside(m))


def tell_held(m: Machine, piece: int, space: Any, clauses: tuple[str, ...]) -> None:
    """A piece that should have gone on stays, by a word of its place."""
    m.emit(WORD, [Told("piece", m.setting.ref(piece)), Told("at", space)], None, clauses or None)


def _loops(m: Machine, frame: CallFrame) -> Iterator[ops.EachNext]:
    """The loops that a frame is in, the innermost first."""
    code, at = m.setting.game.codes[frame.code].ops, frame.pc - 1
    for place in range(at, -1, -1):
        op = code[place]
        if isinstance(op, ops.EachNext) and at < op.exit:
            yield op


def _left(frame: CallFrame, loop: ops.EachNext) -> tuple[Any, ...]:
    """The things and players that it has not come to; numbers are only counted by."""
    return _ahead(frame, loop) if _has_things(loop) else ()


def _cut_short(frame: CallFrame, loop: ops.EachNext) -> bool:
    """Whether a loop over what is no thing or player has not come to all of it."""
    return not _has_things(loop) and bool(_ahead(frame, loop))


def _has_things(loop: ops.EachNext) -> bool:
    kind: Any = loop.kind
    return kind.name in ("thing", "player")


def _ahead(frame: CallFrame, loop: ops.EachNext) -> tuple[Any, ...]:
    items: tuple[Any, ...] = frame.locals[loop.items]
    return items[frame.locals[loop.position] :]


def _tell(m: Machine, loop: ops.EachNext, things: tuple[Any, ...]) -> None:
    if things:
        kind: Any = loop.kind
        audience = knowing_all(seeing(m, thing) for thing in things) if kind.name == "thing" else None
        m.emit(WORD, Later(_told, m.setting, loop, things, audience), inside(m))


def _told(setting: Setting, loop: ops.EachNext, things: tuple[Any, ...], audience: Any) -> tuple[Told, ...]:
    kind: Any = loop.kind
    shown = tuple(outward(setting, kind, thing) for thing in things)
    return Told("what", loop.name), Told("things", shown, audience, len(shown))
