"""Jump threading of searches: what follows is said where it is found, not by a flag that is tested behind the loop.

    found = 0                                for x in xs:
    for x in xs:                                 if test:
        if test:                                     then
            found = 1              becomes           break
            break                            else:
    if found: then else: other                   other

Where what follows jumps away, it stands behind the loop, and the `else` goes
on with the loop around.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from attrs import evolve, frozen

from rulekit.compiler.passes.definite_assignment import reads
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.control_flow import END, Searched, falls_through, statements, ways_out

_ZERO, _ONE = p.Const(0), p.Const(1)


def told(body: p.Body) -> p.Body:
    """The body of a function without such flags."""
    sets = Counter(s.local for s in statements(body) if isinstance(s, p.Set))
    read = Counter(name for s in statements(body) for name in reads(s))
    flags = frozenset(name for name, count in sets.items() if count == 2 and read[name] == 1)
    return _told(body, flags, None)


def _told(body: p.Body, flags: frozenset[str], around: str | None) -> p.Body:
    """around:  the loop that goes on at the end of the body."""
    made: list[p.Statement] = []
    for place, s in enumerate(body):
        last = place == len(body) - 1
        s = _inside(s, flags, around if last else None)
        search = _search(made, s, flags) if isinstance(s, p.If) and made else None
        instead = None if search is None else search.without_flag(around if last else None)
        if instead is not None:
            assert search is not None
            made = [one for one in made[:-1] if one != p.Set(search.flag, _ZERO)]
            made += instead
        else:
            made.append(s)
    return tuple(made)


def _inside(s: p.Statement, flags: frozenset[str], around: str | None) -> p.Statement:
    match s:
        case p.If(test, then, other):
            return p.If(test, _told(then, flags, around), _told(other, flags, around))
        case p.Block(label, body):
            return p.Block(label, _told(body, flags, None))
        case p.Loop(label=label, body=body) | p.Each(label=label, body=body) | p.Count(label=label, body=body):
            return evolve(s, body=_told(body, flags, label))
    return s


@frozen
class _Search:
    """A loop that raises a flag, and what follows where it was raised and where not."""

    flag: str
    loop: p.Each | p.Count
    then: p.Body
    other: p.Body

    def without_flag(self, around: str | None) -> list[p.Statement] | None:
        if ways_out(self.then) == {END}:
            loop = self.with_found(self.then)
            return [Searched(loop, self.other)] if self.other else [loop]
        other = self.other if self.other or around is None else (p.Again(around),)
        if falls_through(other):
            return None
        return [Searched(self.with_found(()), other), *self.then]

    def with_found(self, then: p.Body) -> p.Each | p.Count:
        return evolve(self.loop, body=_found(self.loop.body, self.flag, then))


def _search(made: list[p.Statement], s: p.If, flags: frozenset[str]) -> _Search | None:
    """The search that a test asks about, if the loop before it is left in one place only, and raises the flag there."""
    loop, test = made[-1], s.test
    name = test.of if isinstance(test, p.Not) else test
    if not isinstance(loop, p.Each | p.Count) or not isinstance(name, p.Get) or name.local not in flags:
        return None
    if ways_out(loop.body) - {END, p.Again(loop.label)} != {p.Break(loop.label)}:
        return None
    leaves = [one for one in statements(loop.body) if one == p.Break(loop.label)]
    raised = (p.Set(name.local, _ONE), p.Break(loop.label))
    finds = [pair for body in _bodies(loop.body) for pair in pairwise(body) if pair == raised]
    if len(leaves) != 1 or len(finds) != 1 or p.Set(name.local, _ZERO) not in made:
        return None
    then, other = (s.then, s.other) if test is name else (s.other, s.then)
    return _Search(name.local, loop, then, other)


def _bodies(body: p.Body) -> Iterator[p.Body]:
    yield body
    for s in statements(body):
        match s:
            case p.If(_, then, other):
                yield then
                yield other
            case p.Loop(body=inner) | p.Block(body=inner) | p.Each(body=inner) | p.Count(body=inner):
                yield inner
            case Searched(_, other):
                yield other


def _found(body: p.Body, flag: str, then: p.Body) -> p.Body:
    """With other statements where the flag is raised."""
    made: list[p.Statement] = []
    for s in body:
        match s:
            case p.Set(local, value) if local == flag and value == _ONE:
                made += then
            case p.If(test, inner, other):
                made.append(p.If(test, _found(inner, flag, then), _found(other, flag, then)))
            case p.Loop(body=inner) | p.Block(body=inner) | p.Each(body=inner) | p.Count(body=inner):
                made.append(evolve(s, body=_found(inner, flag, then)))
            case Searched(loop, other):
                loop = evolve(loop, body=_found(loop.body, flag, then))
                made.append(Searched(loop, _found(other, flag, then)))
            case _:
                made.append(s)
    return tuple(made)
