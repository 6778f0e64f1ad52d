"""The statements of a plan, one inside the other, and the functions that they call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import is_
from typing import Any

from rulekit.compiler.plan import ir as p
from rulekit.values import evolve, fields

_AROUND = (p.Loop, p.Block, p.Each, p.Count)


def statements(body: p.Body) -> Iterator[p.Statement]:
    """All statements, those inside others too, from the first to the last."""
    waiting = [*reversed(body)]
    while waiting:
        statement = waiting.pop()
        yield statement
        waiting += reversed(parts(statement))


def parts(statement: p.Statement) -> p.Body:
    """The statements right inside a statement."""
    if isinstance(statement, p.If):
        return statement.then + statement.other
    if isinstance(statement, _AROUND):
        body: p.Body = statement.body
        return body
    return ()


def with_bodies(statement: Any, rewritten: Callable[[p.Body], p.Body]) -> Any:
    """A statement with each of the bodies right inside it rewritten; the very same, if they stay as they are."""
    if isinstance(statement, p.If):
        then, other = rewritten(statement.then), rewritten(statement.other)
        is_kept = is_same(then, statement.then) and is_same(other, statement.other)
        return statement if is_kept else p.If(statement.test, then, other)
    if not isinstance(statement, _AROUND):
        return statement
    body = rewritten(statement.body)
    return statement if is_same(body, statement.body) else evolve(statement, body=body)


def is_same(one: p.Body, other: p.Body) -> bool:
    """Whether two bodies consist of the very same statements."""
    return len(one) == len(other) and all(map(is_, one, other))


def calls(function: p.Function) -> list[str]:
    """The functions that a function calls or tries, once each."""
    found = (s.function for s in statements(function.body) if isinstance(s, p.Do | p.Try))
    return list(dict.fromkeys(found))


@cache
def _names(kind: Any, held: str) -> tuple[str, ...]:
    """The attributes of a node that hold what is called so."""
    return tuple(one.name for one in fields(kind) if held in one.type)


def _held(node: Any, held: str) -> list[Any]:
    found: list[Any] = []
    for name in _names(node.__class__, held):
        part = getattr(node, name)
        if part.__class__ is tuple:
            found += part
        elif part is not None:
            found.append(part)
    return found


def inner(node: Any) -> list[Any]:
    """The expressions and statements right inside one."""
    return _held(node, "Expr") + _held(node, "Body")


def expressions(statement: p.Statement) -> Iterator[p.Expr]:
    """All expressions of a statement, those in others too, but not those of statements inside it."""
    waiting = _held(statement, "Expr")
    while waiting:
        this = waiting.pop()
        yield this
        waiting += _held(this, "Expr")
