"""Loop fusion: bits that one loop goes through, and nothing else, are not written down as a sequence before."""

from __future__ import annotations

from collections import Counter

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import expressions, statements, with_bodies
from rulekit.values import evolve


def fused(body: p.Body) -> p.Body:
    """The body with loops over bits themselves; a loop over bits is not one that can be left at a question."""
    inner = list(statements(body))
    if not any(isinstance(s, p.Each) and isinstance(s.of, p.Bits) for s in inner):
        return body
    read = Counter(e.local for s in inner for e in expressions(s) if isinstance(e, p.Get))
    return _fused(body, frozenset(name for name, times in read.items() if times == 1))


def _fused(body: p.Body, once: frozenset[str]) -> p.Body:
    made: list[p.Statement] = []
    for s in body:
        s = with_bodies(s, lambda inner: _fused(inner, once))
        match (*made[-2:], s):
            case (
                p.New(name),
                p.Each(_, bit, p.Bits() as bits, (p.Push(to, p.Get(pushed)),)),
                p.Each(of=p.Get(gone_through)),
            ) if name == to == gone_through and bit == pushed and name in once:
                made[-2:] = [evolve(s, of=bits)]
            case _:
                made.append(s)
    return tuple(made)
