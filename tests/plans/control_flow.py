"""Control flow in a body of statements of a plan: by which jumps it is left, and whether it falls through."""

from __future__ import annotations

from rulekit.compiler.plan import ir as p

END = ""
"""Stands among the ways out of a body for its end."""


def falls_through(body: p.Body) -> bool:
    """Whether control may come to the end of a body."""
    return END in ways_out(body)


Way = p.Break | p.Again | str


def ways_out(body: p.Body) -> frozenset[Way]:
    """The jumps by which control may leave a body, and END if it may come to its end."""
    found: frozenset[Way] = frozenset()
    for statement in body:
        ways = _ways(statement)
        found |= ways - {END}
        if END not in ways:
            return found
    return found | {END}


def _ways(statement: p.Statement) -> frozenset[Way]:
    match statement:
        case p.Break() | p.Again():
            return frozenset([statement])
        case p.Return() | p.Unwind() | p.Fail():
            return frozenset()
        case p.If(_, then, other):
            return ways_out(then) | ways_out(other)
        case p.Block(label, body):
            return _left(label, ways_out(body))
        case p.Loop(label, body):
            return _left(label, ways_out(body) - {END})
        case p.Each(label=label, body=body) | p.Count(label=label, body=body):
            return _left(label, ways_out(body) | {END})
    return frozenset([END])


def _left(label: str, ways: frozenset[Way]) -> frozenset[Way]:
    """The ways out of a block or loop, from those out of its body."""
    leaves = frozenset([END]) if p.Break(label) in ways else frozenset()
    return (ways - {p.Break(label), p.Again(label)}) | leaves
