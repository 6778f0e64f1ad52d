"""Loop recognition: loops that step through a set with a cursor become `Each` and `Count`.

The lowering marks the place where a loop looks for its next element with a
`Cursor`; where the loop around it is such a loop and nothing else, it becomes
an `Each` or a `Count`, otherwise the cursor is written out.
"""

from __future__ import annotations

from typing import Any

from rulekit.compiler.lower.builder.structuring import breaks
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import inner, statements, with_bodies
from rulekit.values import evolve, frozen

_ROUNDS = (p.Each, p.Count)


@frozen
class Cursor(p.Statement):
    """Bind the next element and step on, or set `there` to 0.

    items:  a sequence, from place `position` on; or None: the integers from `position` to `high`.
    """

    there: str
    element: str
    position: str
    low: p.Expr
    items: p.Expr | None
    high: p.Expr


def with_recognised_loops(body: p.Body) -> p.Body:
    """The body without cursors: each is a loop statement now, or written out."""
    made: list[p.Statement] = []
    for statement in body:
        if isinstance(statement, Cursor):
            made += _written(statement)
        elif isinstance(statement, p.Loop):
            made += _loop(statement)
        else:
            made.append(with_bodies(statement, with_recognised_loops))
    return tuple(made)


def _loop(loop: p.Loop) -> list[p.Statement]:
    head, rest = loop.body[:2], with_recognised_loops(loop.body[2:])
    if len(head) < 2 or not isinstance(head[0], Cursor) or not _leaves(head[1], head[0].there):
        return [p.Loop(loop.label, with_recognised_loops(loop.body))]
    cursor, test = head[0], head[1]
    assert isinstance(test, p.If)
    out = test.then[0]
    assert isinstance(out, p.Break)
    if out.label == loop.label:
        return [_over(cursor, loop.label, rest)]
    if not breaks(rest, loop.label):
        return [_over(cursor, loop.label, rest), out]
    # Who leaves the loop early must not pass by what is done at its end.
    label = f"{loop.label}e"
    return [p.Block(loop.label, (_over(cursor, label, _relabelled(rest, loop.label, label)), out))]


def _over(cursor: Cursor, label: str, body: p.Body) -> p.Statement:
    if cursor.items is None:
        return p.Count(label, cursor.element, cursor.low, cursor.high, body)
    return p.Each(label, cursor.element, cursor.items, body)


def _relabelled(body: p.Body, old: str, new: str) -> p.Body:
    """The loop is called otherwise by those who start it again."""
    return tuple(
        p.Again(new) if s == p.Again(old) else with_bodies(s, lambda inside: _relabelled(inside, old, new))
        for s in body
    )


def _leaves(statement: p.Statement, there: str) -> bool:
    """Whether a statement only leaves where there is no next element."""
    if not isinstance(statement, p.If) or statement.other or statement.test != p.Not(p.Get(there)):
        return False
    return len(statement.then) == 1 and isinstance(statement.then[0], p.Break)


def with_own_elements(body: p.Body, types: dict[str, str]) -> p.Body:
    """Where an element is read behind its loop, the loop has a local of its own, and copies it.

    The local of an `Each` or `Count` may be read in its body alone.  types: of locals, gets the new ones.
    """
    shared = set[str]()
    if elements := frozenset(s.local for s in statements(body) if isinstance(s, _ROUNDS)):
        _read_outside([*body], elements, shared)
    types |= {f"{local}_of": "int" for local in shared}
    return _with_own(body, shared) if shared else body


def _read_outside(waiting: list[Any], elements: frozenset[str], found: set[str]) -> None:
    """Gathers the locals of loops that are read outside of them; elements: of those that are not around here."""
    while waiting:
        part = waiting.pop()
        if isinstance(part, _ROUNDS):
            _read_outside([*part.body], elements - {part.local}, found)
            waiting += (part.of,) if isinstance(part, p.Each) else (part.low, part.high)
        elif not isinstance(part, p.Get):
            waiting += inner(part)
        elif part.local in elements:
            found.add(part.local)


def _with_own(body: p.Body, shared: set[str]) -> p.Body:
    made: list[p.Statement] = []
    for s in body:
        s = with_bodies(s, lambda inside: _with_own(inside, shared))
        if isinstance(s, _ROUNDS) and s.local in shared:
            own = f"{s.local}_of"
            s = evolve(s, local=own, body=(p.Set(s.local, p.Get(own)), *s.body))
        made.append(s)
    return tuple(made)


def _written(cursor: Cursor) -> list[p.Statement]:
    position = p.Get(cursor.position)
    more: p.Expr = p.Binary("<=", position, cursor.high)
    element: p.Expr = position
    if cursor.items is not None:
        more, element = p.Binary("<", position, p.Size(cursor.items)), p.Item(cursor.items, position)
    on = p.Set(cursor.position, p.Binary("+", position, p.Const(1)))
    return [p.Set(cursor.there, more), p.If(p.Get(cursor.there), (p.Set(cursor.element, element), on))]
