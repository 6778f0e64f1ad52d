"""Loop unrolling and constant folding: short loops between constants, or over constant rows, are written out as blocks.

Blocks can be left early, as loops can.  What one iteration becomes is folded, as the local of the loop is known then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import is_
from typing import Any

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import binary
from rulekit.compiler.plan.traversal import inner, with_bodies
from rulekit.values import frozen

MOST = 400
"""Nodes of a plan that a loop may become."""
LARGE = 6000
"""In a plan of so many nodes it is less, since what is written out has to be compiled."""
Tables = tuple[tuple[int, ...], ...]


def node_count(part: Any, most: int) -> int:
    """Count the expressions and statements in one, or in a tuple of several, up to `most`; steps take no room."""
    found, waiting = 0, [*part] if isinstance(part, tuple) else [part]
    while waiting and found < most:
        this = waiting.pop()
        if not isinstance(this, p.Spend):
            found += 1
            waiting += inner(this)
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
        made = self.rewritten(e)
        return e if made is e else self.folded(made)

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
            case p.Binary(op, left, right):
                return binary(op, left, right)
            case p.Not(p.Const(of)):
                return p.Const(int(not of))
            case p.Entry(table, p.Const(at)) if at in range(len(self.tables[table])):
                return p.Const(self.tables[table][at])
            case p.Pick(p.Const(test), then, other):
                return then if test else other
        return e


def max_nodes(functions: Iterable[p.Function]) -> int:
    """How many nodes a loop of a plan with these functions may become."""
    whole = tuple(statement for function in functions for statement in function.body)
    return MOST if node_count(whole, LARGE) < LARGE else MOST * 3 // 8


def unrolled(plan: p.Plan, body: p.Body, most: int) -> p.Body:
    """The body with loops written out that become no more than `most` nodes."""
    return tuple(_written_out(plan, with_bodies(s, lambda inside: unrolled(plan, inside, most)), most) for s in body)


def _written_out(plan: p.Plan, loop: p.Statement, most: int) -> p.Statement:
    match loop:
        case p.Count(low=p.Const(low), high=p.Const(high)):
            values: Sequence[int] = range(low, high + 1)
        case p.Each(of=p.Row(table, p.Const(at))):
            values = plan.rows[table][at]
        case _:
            return loop
    if len(values) * (1 + node_count(loop.body, most)) > most:
        return loop
    next_ = f"{loop.label}.next"
    rounds = (Iteration(plan.tables, loop.local, value, loop.label, next_) for value in values)
    return p.Block(loop.label, tuple(p.Block(next_, one.body(loop.body)) for one in rounds))
