"""Loop unrolling and constant folding: short loops between constants are written out, pass by pass.

Where the counting local is known, so are the words, entries and tests that depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any

from attrs import frozen

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import statements, with_bodies

MOST = 150
"""Nodes of a plan that a loop may become."""
MEANING: dict[str, Callable[[int, int], int]] = {
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
"""What operators of `ir.Binary` make of constants."""
_NODES = (p.Expr, p.Statement)
_REACH = range(-(2**63), 2**63)
Tables = tuple[tuple[int, ...], ...]


def unrolled(tables: Tables, body: p.Body) -> p.Body:
    """The body with short loops written out, if no `Break` or `Again` names them.

    tables:  of the plan, whose entries are read where their place is known.
    """
    made: list[p.Statement] = []
    for statement in body:
        made += _one(tables, statement)
    return tuple(made)


def _one(tables: Tables, s: p.Statement) -> p.Body:
    s = with_bodies(s, lambda inner: unrolled(tables, inner))
    if isinstance(s, p.Count):
        return _counted(tables, s)
    return (_without_jumps(s) if isinstance(s, p.Block) else s,)


def _counted(tables: Tables, loop: p.Count) -> p.Body:
    if not (isinstance(loop.low, p.Const) and isinstance(loop.high, p.Const)):
        return (loop,)
    numbers = range(loop.low.value, loop.high.value + 1)
    if len(numbers) * (1 + node_count(loop.body)) > MOST or p.Break(loop.label) in statements(loop.body):
        return (loop,)
    if p.Again(loop.label) in statements(loop.body):
        return (loop,)
    rounds = (Iteration(tables, loop.local, number, loop.label, "").body(loop.body) for number in numbers)
    return tuple(s for one in rounds for s in one)


def _without_jumps(block: p.Block) -> p.Statement:
    """A block of searches one after the other: who finds leaves it, who does not goes on with the next."""
    body = _nested(block.label, block.body)
    return block if body is None else body


def _nested(label: str, body: p.Body) -> p.Statement | None:
    """The branches one inside the other, if leaving the block is all that any of them ends with."""
    *others, last = body or (None,)
    if not isinstance(last, p.If) or last.other or last.then[-1:] != (p.Break(label),):
        return None
    made = p.If(last.test, last.then[:-1])
    for s in reversed(others):
        if not isinstance(s, p.If) or s.other or s.then[-1:] != (p.Break(label),):
            return None
        made = p.If(s.test, s.then[:-1], (made,))
    return None if p.Break(label) in statements((made,)) else made


def node_count(part: Any) -> int:
    """How many expressions and statements there are in one, or in a tuple of several."""
    found, waiting = 0, [part]
    while waiting:
        this = waiting.pop()
        if isinstance(this, tuple):
            waiting += this
        elif isinstance(this, _NODES):
            found += 1
            kind: Any = type(this)
            waiting += [getattr(this, name) for name in kind.__match_args__]
    return found


@frozen
class Iteration:
    """One iteration of a loop: its local is this value, and going on is leaving the block `next_`."""

    tables: Tables
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
        old = [getattr(node, name) for name in node.__match_args__]
        new = [self.part(part) for part in old]
        return node if all(map(is_, old, new)) else type(node)(*new)

    def part(self, part: Any) -> Any:
        if isinstance(part, p.Expr):
            return self.expr(part)
        if isinstance(part, tuple) and part:
            return self.body(part) if isinstance(part[0], p.Statement) else tuple(map(self.expr, part))
        return part

    def folded(self, e: p.Expr) -> p.Expr:
        match e:
            case p.Binary(op, p.Const(left), p.Const(right)) if op in MEANING:
                value = MEANING[op](left, right)
                return p.Const(value) if value in _REACH else e
            case p.Binary("&", p.Const(left), right):
                return right if left else p.Const(0)
            case p.Binary("|", p.Const(left), right):
                return p.Const(1) if left else right
            case p.Entry(table, p.Const(at)) if at in range(len(self.tables[table])):
                return p.Const(self.tables[table][at])
            case p.Not(p.Const(of)):
                return p.Const(int(not of))
        return e
