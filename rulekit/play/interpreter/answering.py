"""What an answer does: the machine goes on behind the question, and those who may hear of it are told."""

from __future__ import annotations

from typing import Any

from rulekit.model import ops
from rulekit.play.machine.closure_compilation import meanings
from rulekit.play.machine.working_state import CallFrame, Machine
from rulekit.play.state.event import Audience, Later, Told
from rulekit.play.state.external_values import outward
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Value
from rulekit.source import PLACEHOLDER

Question = ops.Ask | ops.AskWay


def takes_several(op: Question) -> bool:
    """Whether the answer is a set of options and not one of them."""
    return type(op) is ops.Ask and op.least is not None


def hides(op: Question) -> bool:
    """Whether the question is put even if there is but one answer: that there was, tells something."""
    return op.secretly or op.hidden or op.manner == "always"


def element(op: ops.Ask) -> Any:
    """The type of one option; the answer to a choice of several is a set of them."""
    kind: Any = op.type
    return kind.element


def named_in_braces(m: Machine, op: Question) -> tuple[tuple[str, Value], ...]:
    """What the texts of a question name in braces, with its value now."""
    found = []
    for name, value, kind in op.values:
        known: Any = kind
        found.append((name, outward(m.setting, known, meanings(m.setting).of(value)(m))))
    return tuple(found)


def gone_behind(m: Machine, frame: CallFrame) -> Question:
    """The question that waits; the machine then stands behind it."""
    op = m.setting.game.codes[frame.code].ops[frame.pc]
    assert isinstance(op, ops.Ask | ops.AskWay), op
    m.op, m.pending, m.locals = op, None, frame.locals
    frame.pc += 1
    return op


def take(m: Machine, frame: CallFrame, op: Question, seat: int, value: Any, *, asked: bool) -> None:
    """Go on with an answer.  asked: somebody gave it; else it was the only one."""
    rule = "" if m.silent else m.rule()
    if isinstance(op, ops.AskWay):
        frame.pc = op.ways[value][2]
    else:
        frame.locals[op.local] = value
        if m.setting.watched and op.secretly:
            frame.mark(op.local, op.name)
    if not m.silent:
        _tell(m, op, seat, value, rule, asked)


def _tell(m: Machine, op: Question, seat: int, value: Any, rule: str, asked: bool) -> None:
    # Others learn of a secret answer only how many were chosen.
    hidden = op.secretly or m.branch is not None
    audience = frozenset([seat]) if hidden else None
    before = m.steps
    values = named_in_braces(m, op) if op.values else ()
    # A match takes as many steps whether anybody is told of it or not.
    m.steps = before
    facts = Later(_told, m.setting, op, seat, value, rule, audience, asked, values)
    line = (*op.own, *op.tied[value]) if isinstance(op, ops.AskWay) else op.own
    m.emit("choose", facts, audience if m.branch is not None else None, line)


def _told(
    setting: Setting,
    op: Question,
    seat: int,
    value: Any,
    rule: str,
    audience: Audience,
    asked: bool,
    values: tuple[tuple[str, Value], ...],
) -> tuple[Told, ...]:
    count = len(value) if takes_several(op) else None
    name = op.name if isinstance(op, ops.Ask) else rule
    answer = Told("answer", _shown(setting, op, value), audience, count)
    told = Told("player", setting.seat_refs[seat]), Told("what", name), answer, Told("asked", asked)
    named = PLACEHOLDER.findall(op.ways[int(value)][0]) if isinstance(op, ops.AskWay) else ()
    return (*told, *(Told(f"with {name}", known, audience) for name, known in values if name in named))


def _shown(setting: Setting, op: Question, value: Any) -> Value:
    if isinstance(op, ops.AskWay):
        return op.ways[int(value)][0]
    kind: Any = op.type
    if op.least is not None:
        return tuple(outward(setting, kind.element, item) for item in value)
    return outward(setting, kind, value)
