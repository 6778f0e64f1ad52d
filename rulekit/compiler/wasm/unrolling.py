"""Loop unrolling for WebAssembly: short loops between constants are written out as blocks.

Blocks can be left early, so that more loops can be unrolled than in `passes.unrolling`.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.compiler.passes.unrolling import Iteration, node_count
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import with_bodies

MOST = 400
"""Nodes of a plan that a loop may become."""
LARGE = 6000
"""In a plan of so many nodes it is a quarter, since what is written out has to be compiled."""


def max_nodes(functions: Iterable[p.Function]) -> int:
    """How many nodes a loop of a plan with these functions may become."""
    return MOST if sum(node_count(function.body) for function in functions) < LARGE else MOST // 4


def unrolled(plan: p.Plan, body: p.Body, most: int) -> p.Body:
    """The body with loops written out that become no more than `most` nodes."""
    return tuple(_written_out(plan, with_bodies(s, lambda inner: unrolled(plan, inner, most)), most) for s in body)


def _written_out(plan: p.Plan, loop: p.Statement, most: int) -> p.Statement:
    if not (isinstance(loop, p.Count) and isinstance(loop.low, p.Const) and isinstance(loop.high, p.Const)):
        return loop
    count = loop.high.value - loop.low.value + 1
    if count * (1 + node_count(loop.body)) > most:
        return loop
    next_ = f"{loop.label}.next"
    rounds = (
        Iteration(plan.tables, loop.local, value, loop.label, next_)
        for value in range(loop.low.value, loop.high.value + 1)
    )
    return p.Block(loop.label, tuple(p.Block(next_, one.body(loop.body)) for one in rounds))
