"""Secrets at run time: under test, nothing that everybody sees may follow from what not everybody may know.

While a watched match runs (a checked one, or a scenario), every value that an operation reads is noted if
some seat may not see it; a local that was worked out from it is as secret.
A condition outside `secretly each`, a change of something public, or a
journey on a public board that depends on it is an error with both places.
How many things lie in a pile is public.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulekit.model import game as model
from rulekit.model import ops
from rulekit.play.errors import RuleError

if TYPE_CHECKING:
    from rulekit.play.machine import Machine, Running


def note_slot(m: Machine, slot: int) -> None:
    """A value was read: remember its place if some seat may not see it."""
    assert m.reads is not None
    if m.sees(slot) is None and m.setting.game.variables[m.setting.slot_variable[slot]].seen != model.TOP:
        return
    value = m.values[slot]
    if slot in m.setting.pile_slots and all(thing in m.open_things for thing in value):
        return
    m.reads.add(m.setting.path(slot))


def note_local(m: Machine, index: int) -> None:
    assert m.reads is not None
    # Inside a define a local is an argument, whose own reading was noted when it was worked out.
    source = m.frames[-1].secret(index) if m.frames and not m.in_define else None
    if source is not None:
        m.reads.add(source)


def follow(m: Machine, frame: Running, op: ops.Op) -> None:
    """After an operation: pass secrecy on to the locals it bound, or object to what it showed."""
    reads, m.reads = m.reads, None
    source = min(reads) if reads else None
    if isinstance(op, ops.EachNext):
        frame.mark(op.element, frame.secret(op.items))
    for local in _bound(op):
        frame.mark(local, source)
    if isinstance(op, ops.Call) and m.frames[-1] is not frame:
        for place, arg in enumerate(op.args):
            m.frames[-1].mark(place, _secret(m, frame, arg))
    if source is not None and m.branch is None and m.trial is None and _shows(m, op):
        title = f"this shows something of `{source}`, which not everybody may see"
        raise RuleError("secret-shown", title, op.span, op.cites, m.setting.game.codes[frame.code].name)


def _secret(m: Machine, frame: Running, arg: Any) -> str | None:
    """What an argument was worked out from, read again in the caller's frame."""
    callee = m.frames.pop()
    m.reads, m.locals = set(), frame.locals
    try:
        m.eval(arg)
        return min(m.reads) if m.reads else None
    finally:
        m.reads = None
        m.frames.append(callee)


def _bound(op: ops.Op) -> tuple[int, ...]:
    """The locals that an operation binds from what it read."""
    if isinstance(op, ops.Let | ops.Draw):
        return (op.local,)
    return (op.items,) if isinstance(op, ops.EachStart) else ()


def _shows(m: Machine, op: ops.Op) -> bool:
    """Whether everybody sees what an operation does with what it read."""
    if isinstance(op, ops.Unless):
        return not m.ending
    if isinstance(op, ops.Assign):
        return m.setting.game.variables[op.target.variable].seen == model.PUBLIC
    return isinstance(op, ops.Travel | ops.MovePiece)
