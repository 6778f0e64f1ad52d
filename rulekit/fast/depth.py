"""How many rules are running, one in another, where rules may come back to themselves."""

from __future__ import annotations

from rulekit import limits
from rulekit.fast import plan as p
from rulekit.fast.maker import ONE, ZERO, Maker, binary


def depth_word(m: Maker) -> p.Expr:
    assert m.storage.deep is not None
    return p.Const(m.storage.deep)


def so_much_deeper(m: Maker, count: p.Expr) -> p.Expr | None:
    """How many rules are running, where that is counted; so many reactions more must not be too many."""
    if m.storage.deep is None:
        return None
    deep = m.temp()
    m.emit(p.Set(deep, p.Word(depth_word(m))))
    too_many = binary("<", p.Const(limits.REACTIONS), binary("+", p.Get(deep), count))
    m.fault(binary("&", binary("<", ZERO, count), too_many), "too-deep")
    return p.Get(deep)


def deeper(m: Maker) -> p.Expr | None:
    """One rule more is running from here on, where that is counted; gives how many there were."""
    if m.storage.deep is None:
        return None
    deep = m.temp()
    m.emit(p.Set(deep, p.Word(depth_word(m))))
    m.fault(binary("<=", p.Const(limits.CALLS), p.Get(deep)), "too-deep")
    m.emit(p.Store(depth_word(m), binary("+", p.Get(deep), ONE)))
    return p.Get(deep)


def settled(m: Maker, deep: p.Expr | None) -> None:
    """As many are running again, however the last one ended."""
    if deep is not None:
        m.emit(p.Store(depth_word(m), deep))
