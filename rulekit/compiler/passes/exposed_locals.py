"""Upward-exposed locals: those that statements may read before they have set them (a liveness analysis of pieces).

Between two places at which a run can be left, such values must last; all others are made and used in one piece.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import expressions, parts

_CHANGING = (p.Push, p.Drop, p.Sort)
_INNER = (p.If, p.Loop, p.Block, p.Each, p.Count)


def exposed_between(body: p.Body, holds: Callable[[p.Statement], bool]) -> set[str]:
    """The locals that last beyond a piece of statements in a row none of which holds a place."""
    found: set[str] = set()
    for is_place, group in groupby(body, holds):
        for statement in group if is_place else ():
            found |= _names(statement)
            if isinstance(statement, p.If):
                found |= exposed_between(statement.then, holds) | exposed_between(statement.other, holds)
            else:
                found |= exposed_between(parts(statement), holds)
        if not is_place:
            _expose(tuple(group), set(), found)
    return found


def _expose(body: p.Body, made: set[str], found: set[str]) -> None:
    """Add to `found` what is read before it is made; `made` gets what this body makes whenever it is run through."""
    for statement in body:
        found |= _read(statement) - made
        local = getattr(statement, "local", None)
        if isinstance(statement, p.If):
            _expose_apart(statement.then, made, found)
            _expose_apart(statement.other, made, found)
        elif isinstance(statement, p.Each | p.Count):
            _expose_apart(statement.body, made | {statement.local}, found)
        elif isinstance(statement, _INNER):
            _expose_apart(parts(statement), made, found)
        elif local is not None:
            made.add(local)


def _expose_apart(body: p.Body, made: set[str], found: set[str]) -> None:
    """What is made where control may not come by is not made for what follows."""
    if body:
        _expose(body, made.copy(), found)


def _read(statement: p.Statement) -> set[str]:
    """The locals that a statement itself reads; what it changes it reads."""
    found = {e.local for e in expressions(statement) if isinstance(e, p.Get)}
    return found | {statement.local} if isinstance(statement, _CHANGING) else found


def _names(statement: p.Statement) -> set[str]:
    """All locals that a statement itself reads or sets."""
    local: Any = getattr(statement, "local", None)
    return _read(statement) | ({local} if local is not None else set())
