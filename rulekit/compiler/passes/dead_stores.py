"""Dead-store elimination: assignments to locals that nothing reads are left out.

Expressions of a plan change nothing and never fail, so that nothing else is lost with them.  Repeated until nothing
more can go, as one dead local may be all that reads another.
"""

from __future__ import annotations

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import inner, is_same, parts, with_bodies

_READING = (p.Get, p.Drop, p.Sort)
_STORING = (p.Set, p.New, p.Copy, p.Push)
_IDLE = (p.If, p.Each, p.Count)
"""Statements that do nothing where nothing stands inside them."""


def without_dead_stores(body: p.Body) -> p.Body:
    """The body without assignments that nobody reads, and without branches and loops that are empty then."""
    while True:
        made = _kept(body, _read(body))
        if is_same(made, body):
            return body
        body = made


def _read(body: p.Body) -> set[str]:
    """The locals that somebody reads; what changes a sequence in place needs it to be there."""
    found, waiting = set[str](), [*body]
    while waiting:
        this = waiting.pop()
        if isinstance(this, _READING):
            found.add(this.local)
        waiting += inner(this)
    return found


def _kept(body: p.Body, read: set[str]) -> p.Body:
    made: list[p.Statement] = []
    for statement in body:
        if isinstance(statement, _STORING) and statement.local not in read:
            continue
        left = with_bodies(statement, lambda inside: _kept(inside, read))
        if parts(left) or not isinstance(left, _IDLE):
            made.append(left)
    return tuple(made)
