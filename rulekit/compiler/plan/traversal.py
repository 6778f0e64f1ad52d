"""The statements of a plan, one inside the other, and the functions that they call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulekit.compiler.plan import ir as p
from rulekit.values import evolve

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
    """A statement of the same kind, with each of the bodies right inside it rewritten."""
    if isinstance(statement, p.If):
        return p.If(statement.test, rewritten(statement.then), rewritten(statement.other))
    return evolve(statement, body=rewritten(statement.body)) if isinstance(statement, _AROUND) else statement


def calls(function: p.Function) -> list[str]:
    """The functions that a function calls or tries, once each."""
    found = (s.function for s in statements(function.body) if isinstance(s, p.Do | p.Try))
    return list(dict.fromkeys(found))


def expressions(statement: p.Statement) -> Iterator[p.Expr]:
    """All expressions of a statement, those in others too, but not those of statements inside it."""
    waiting = _attributes(statement)
    while waiting:
        this = waiting.pop()
        if isinstance(this, p.Expr):
            yield this
            waiting += _attributes(this)
        elif isinstance(this, tuple) and this and not isinstance(this[0], p.Statement):
            waiting += this


def _attributes(node: Any) -> list[Any]:
    return [getattr(node, name) for name in node.__match_args__]
