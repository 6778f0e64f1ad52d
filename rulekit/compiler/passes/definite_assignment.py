"""Definite assignment: which locals of a function some path may read before it sets them.

A forward must-analysis over structured statements.  Such locals need their first value written out where a function
does not begin with all of its locals cleared.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from rulekit.compiler.plan import ir as p

_Sure = frozenset[str] | None
"""The locals that are set for certain; None where control does not come."""


def possibly_unassigned(function: p.Function) -> list[str]:
    """The locals that some path reads before it sets them, in the order of declaration."""
    walk = _Walk()
    walk.body(function.body, frozenset(name for name, _ in function.params))
    return [name for name, _ in function.locals if name in walk.early]


@define(eq=False)
class _Walk:
    """early:  locals read too early.  left: for each label around, what is set where it is left."""

    early: set[str] = field(factory=set)
    left: dict[str, list[_Sure]] = field(factory=dict)

    def body(self, body: p.Body, sure: _Sure) -> _Sure:
        for statement in body:
            sure = self.statement(statement, sure)
        return sure

    def statement(self, s: p.Statement, sure: _Sure) -> _Sure:
        if sure is None:
            return None
        self.early |= set(_reads(s)) - sure
        match s:
            case p.If(_, then, other):
                return _both(self.body(then, sure), self.body(other, sure))
            case p.Block(label, body):
                end, left = self.inside(label, body, sure)
                return _common([end, *left])
            case p.Loop(label, body):
                return _common(self.inside(label, body, sure)[1])
            case p.Each(label=label, local=local, body=body) | p.Count(label=label, local=local, body=body):
                return _common([sure, *self.inside(label, body, sure | {local})[1]])
            case p.Break(label):
                self.left[label].append(sure)
                return None
            case p.Again() | p.Return() | p.Unwind() | p.Fail():
                return None
        set_here: str | None = getattr(s, "local", None)
        return sure if set_here is None else sure | {set_here}

    def inside(self, label: str, body: p.Body, sure: _Sure) -> tuple[_Sure, list[_Sure]]:
        """What is set at the end of a body, and wherever it is left for the label."""
        self.left[label] = []
        end = self.body(body, sure)
        return end, self.left.pop(label)


def _common(ways: list[_Sure]) -> _Sure:
    found: _Sure = None
    for way in ways:
        found = _both(found, way)
    return found


def _both(one: _Sure, other: _Sure) -> _Sure:
    if one is None or other is None:
        return one if other is None else other
    return one & other


def _reads(s: p.Statement) -> Iterator[str]:
    """The locals that a statement itself reads, not those inside it."""
    if isinstance(s, p.Push | p.Drop | p.Sort):
        yield s.local
    for value in _fields(s):
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, p.Expr):
                yield from _read(one)


def _read(expr: p.Expr) -> Iterator[str]:
    if isinstance(expr, p.Get):
        yield expr.local
    for value in _fields(expr):
        if isinstance(value, p.Expr):
            yield from _read(value)


def _fields(node: p.Statement | p.Expr) -> Iterator[object]:
    return (getattr(node, name) for name in getattr(node, "__match_args__", ()))
