"""Recursion depth: counts how many rules run inside one another, where rules may come back to themselves.

More calls than `limits.CALLS`, or more reactions than `limits.REACTIONS`, are the fault `too-deep`.
"""

from __future__ import annotations

from rulekit import limits
from rulekit.compiler.lower.builder.ir_builder import Builder
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ONE, ZERO, binary
from rulekit.play.state.match_state import FLOW_FRAMES


def depth_word(m: Builder) -> p.Expr:
    """The word that counts; only where depth is counted."""
    assert m.storage.deep is not None
    return p.Const(m.storage.deep)


def check_depth(m: Builder, count: p.Expr) -> p.Expr | None:
    """The depth now, or None where it is not counted; a fault if `count` reactions more would be too many."""
    if m.storage.deep is None:
        return None
    deep = m.temp()
    m.emit(p.Set(deep, p.Word(depth_word(m))))
    too_many = binary("<", p.Const(limits.REACTIONS), binary("+", p.Get(deep), count))
    m.fault(binary("&", binary("<", ZERO, count), too_many), "too-deep")
    return p.Get(deep)


def enter_rule(m: Builder) -> p.Expr | None:
    """One rule more is running from here on; gives the depth before, or None where it is not counted."""
    if m.storage.deep is None:
        return None
    deep = m.temp()
    m.emit(p.Set(deep, p.Word(depth_word(m))))
    m.fault(binary("<=", p.Const(limits.CALLS + FLOW_FRAMES), p.Get(deep)), "too-deep")
    m.emit(p.Store(depth_word(m), binary("+", p.Get(deep), ONE)))
    return p.Get(deep)


def leave_rule(m: Builder, deep: p.Expr | None) -> None:
    """The depth is what it was before, however the last rule ended.  deep: as `enter_rule` gave it."""
    if deep is not None:
        m.emit(p.Store(depth_word(m), deep))
