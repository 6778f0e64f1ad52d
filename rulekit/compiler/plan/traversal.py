"""The statements of a plan, one inside the other, and the functions that they call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from operator import is_
from typing import Any

from rulekit.compiler.plan import ir as p
from rulekit.values import evolve, fields

_AROUND = frozenset({p.Loop, p.Block, p.Each, p.Count})
"""Compared by class alone, as `If` is: most statements of a plan are neither, and that is asked most of all."""


def statements(body: p.Body) -> Iterator[p.Statement]:
    """All statements, those inside others too, from the first to the last."""
    waiting = [*reversed(body)]
    while waiting:
        statement = waiting.pop()
        yield statement
        if inside := parts(statement):
            waiting += reversed(inside)


def parts(statement: Any) -> p.Body:
    """The statements right inside a statement."""
    kind, inside = statement.__class__, ()
    if kind is p.If:
        inside = statement.then + statement.other
    elif kind in _AROUND:
        inside = statement.body
    return inside


def with_bodies(statement: Any, rewritten: Callable[[p.Body], p.Body]) -> Any:
    """A statement with each of the bodies right inside it rewritten; the very same, if they stay as they are."""
    kind = statement.__class__
    if kind is p.If:
        then, other = rewritten(statement.then), rewritten(statement.other)
        is_kept = is_same(then, statement.then) and is_same(other, statement.other)
        return statement if is_kept else p.If(statement.test, then, other)
    if kind not in _AROUND:
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


def asking(functions: Iterable[p.Function]) -> frozenset[str]:
    """The functions that ask, themselves or by what they call."""
    found: set[str] = set()
    more = True
    while more:
        before = len(found)
        found |= {f.name for f in functions if any(asks(s, found) for s in statements(f.body))}
        more = len(found) > before
    return frozenset(found)


def asks(statement: p.Statement, asking: Iterable[str]) -> bool:
    if isinstance(statement, p.Do):
        return statement.function in asking
    return isinstance(statement, p.Ask | p.AskSeveral)


@cache
def _names(kind: Any, *held: str) -> tuple[str, ...]:
    """The attributes of a node that hold what is called so."""
    return tuple(one.name for what in held for one in fields(kind) if what in one.type)


def _held(node: Any, names: tuple[str, ...]) -> list[Any]:
    found: list[Any] = []
    for name in names:
        part = getattr(node, name)
        if part.__class__ is tuple:
            found += part
        elif part is not None:
            found.append(part)
    return found


def inner(node: Any) -> list[Any]:
    """The expressions and statements right inside one."""
    return _held(node, _names(node.__class__, "Expr", "Body"))


def expressions(statement: Any) -> Iterator[p.Expr]:
    """All expressions of a statement, those in others too, but not those of statements inside it."""
    waiting = _held(statement, _names(statement.__class__, "Expr"))
    while waiting:
        this = waiting.pop()
        yield this
        if names := _names(this.__class__, "Expr"):
            waiting += _held(this, names)
