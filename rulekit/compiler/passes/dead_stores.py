"""Dead-store elimination: assignments to locals that nothing reads are left out.

Expressions of a plan change nothing and never fail, so that nothing else is lost with them.  Repeated until nothing
more can go, as one dead local may be all that reads another.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import parts, statements, with_bodies


def without_dead_stores(body: p.Body) -> p.Body:
    """The body without assignments that nobody reads, and without branches and loops that are empty then."""
    while True:
        read: Counter[str] = Counter()
        _count(body, read)
        made = _kept(body, read)
        if _length(made) == _length(body):
            return body
        body = made


def _length(body: p.Body) -> int:
    return sum(1 for _ in statements(body))


def _count(value: Any, read: Counter[str]) -> None:
    if isinstance(value, p.Get):
        read[value.local] += 1
    elif isinstance(value, tuple):
        for part in value:
            _count(part, read)
    elif isinstance(value, p.Expr | p.Statement):
        for name in value.__match_args__:  # type: ignore[union-attr]
            part = getattr(value, name)
            if not isinstance(part, str | int):
                _count(part, read)
        if isinstance(value, p.Drop | p.Sort | p.Push):
            # What changes a sequence in place needs it to be there.
            read[value.local] += not isinstance(value, p.Push)


def _kept(body: p.Body, read: Counter[str]) -> p.Body:
    made: list[p.Statement] = []
    for statement in body:
        if isinstance(statement, p.Set | p.New | p.Copy | p.Push) and not read[statement.local]:
            continue
        left = with_bodies(statement, lambda inner: _kept(inner, read))
        if parts(left) or not isinstance(left, p.If | p.Each | p.Count):
            made.append(left)
    return tuple(made)
