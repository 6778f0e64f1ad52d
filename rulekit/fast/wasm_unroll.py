"""Short loops that count from one constant to another, written out.

Where a number is known, so are the words, entries and tests that depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve, frozen

from rulekit.fast import plan as p

MOST = 400
"""Nodes of a plan that a loop may become."""
_MEANING: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "min": min,
    "max": max,
}
_REACH = range(-(2**63), 2**63)


def unrolled(plan: p.Plan, body: p.Body) -> p.Body:
    return tuple(_written_out(plan, _inside(plan, statement)) for statement in body)


def _inside(plan: p.Plan, statement: Any) -> Any:
    names = [name for name in statement.__match_args__ if name in ("body", "then", "other")]
    return evolve(statement, **{name: unrolled(plan, getattr(statement, name)) for name in names})


def _written_out(plan: p.Plan, loop: p.Statement) -> p.Statement:
    if not (isinstance(loop, p.Count) and isinstance(loop.low, p.Const) and isinstance(loop.high, p.Const)):
        return loop
    count = loop.high.value - loop.low.value + 1
    if count * (1 + _nodes(loop.body)) > MOST:
        return loop
    next_ = f"{loop.label}.next"
    rounds = (
        _Round(plan, loop.local, value, loop.label, next_) for value in range(loop.low.value, loop.high.value + 1)
    )
    return p.Block(loop.label, tuple(p.Block(next_, one.body(loop.body)) for one in rounds))


def _nodes(part: Any) -> int:
    if isinstance(part, tuple):
        return sum(_nodes(one) for one in part)
    names = getattr(part, "__match_args__", None)
    return 0 if names is None else 1 + sum(_nodes(getattr(part, name)) for name in names)


@frozen
class _Round:
    """One round of a loop: its local is this value, and going on is leaving the block `next_`."""

    plan: p.Plan
    local: str
    value: int
    label: str
    next_: str

    def body(self, body: p.Body) -> p.Body:
        made: list[p.Statement] = []
        for statement in body:
            made += self.statement(statement)
        return tuple(made)

    def statement(self, statement: p.Statement) -> p.Body:
        if statement == p.Again(self.label):
            return (p.Break(self.next_),)
        statement = self.rewritten(statement)
        if isinstance(statement, p.If) and isinstance(statement.test, p.Const):
            return statement.then if statement.test.value else statement.other
        return (statement,)

    def expr(self, e: p.Expr) -> p.Expr:
        if isinstance(e, p.Get):
            return p.Const(self.value) if e.local == self.local else e
        return self.folded(self.rewritten(e))

    def rewritten(self, node: Any) -> Any:
        """The same with its parts in this round."""
        return evolve(node, **{name: self.part(getattr(node, name)) for name in node.__match_args__})

    def part(self, part: Any) -> Any:
        if isinstance(part, p.Expr):
            return self.expr(part)
        if isinstance(part, tuple) and part:
            return self.body(part) if isinstance(part[0], p.Statement) else tuple(map(self.expr, part))
        return part

    def folded(self, e: p.Expr) -> p.Expr:
        match e:
            case p.Binary(op, p.Const(left), p.Const(right)) if op in _MEANING:
                value = _MEANING[op](left, right)
                return p.Const(value) if value in _REACH else e
            case p.Entry(table, p.Const(at)) if at in range(len(self.plan.tables[table])):
                return p.Const(self.plan.tables[table][at])
            case p.Not(p.Const(of)):
                return p.Const(int(not of))
        return e
