"""Control-flow structuring for Python: blocks become `if` and `else`, searches loops with an `else`.

Jumps to where control would come anyway vanish.  Where a branch jumps over
what follows, that becomes the other branch.  What cannot be said so keeps its
`Block`.
"""

from __future__ import annotations

from attrs import evolve, frozen

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.control_flow import END, Searched, Way, falls_through, ways_out
from rulekit.compiler.python.loop_else import told

Jumps = frozenset[p.Statement]
_NONE: Jumps = frozenset()


@frozen
class _Around:
    """Of a body: the jumps that do what coming to its end does.

    loop:    the innermost loop around; leaves: the jumps that do what leaving it does.
    """

    tail: Jumps
    loop: str = ""
    leaves: Jumps = _NONE

    def foreign(self) -> Jumps:
        """Jumps to the end of the body that Python has no word for."""
        return self.tail - {p.Again(self.loop), p.Return()} - self.leaves


def shaped(function: p.Function) -> p.Body:
    """What a function does, in as few blocks as we know."""
    return _shape(told(function.body), _Around(frozenset([p.Return()])))


def _shape(body: p.Body, around: _Around) -> p.Body:
    made: list[p.Statement] = []
    rest = list(body)
    while rest:
        statement = rest.pop(0)
        if isinstance(statement, p.Break | p.Again | p.Return) and statement in around.tail:
            break
        if isinstance(statement, p.Break | p.Again):
            made.append(p.Break(around.loop) if statement in around.leaves else statement)
            break
        one = _one(statement, rest, around)
        if isinstance(one, list):
            rest = one
            continue
        if isinstance(one, tuple):
            made += one
            break
        made.append(one)
        if not falls_through((one,)):
            break
    return tuple(made)


def _one(s: p.Statement, rest: list[p.Statement], around: _Around) -> p.Statement | list[p.Statement] | p.Body:
    """The statement made anew (it may take what follows into it), or all that is to be done instead.

    A list is still to be shaped, a tuple is what stands here and for all that follows.
    """
    match s:
        case p.Block():
            return _block(s, rest, around)
        case p.If():
            return _if(s, rest, around)
        case p.Loop(label, body):
            inner = _Around(frozenset([p.Again(label)]), label, _leaving(label, rest, around))
            return p.Loop(label, _shape(body, inner))
        case p.Each() | p.Count():
            return _for(s, rest, around)
        case Searched(loop, other):
            end = around if not rest else evolve(around, tail=_NONE)
            inner = _Around(frozenset([p.Again(loop.label)]), loop.label, _leaving(loop.label, rest, around))
            return Searched(evolve(loop, body=_shape(loop.body, inner)), _shape(other, end))
    return s


def _leaving(label: str, rest: list[p.Statement], around: _Around) -> Jumps:
    return frozenset([p.Break(label)]) | (_NONE if rest else around.tail - {p.Return()})


def _block(s: p.Block, rest: list[p.Statement], around: _Around) -> p.Statement | list[p.Statement]:
    out = p.Break(s.label)
    inner = _shape(s.body, evolve(around, tail=frozenset([out]) | (_NONE if rest else around.tail)))
    return p.Block(s.label, inner) if out in ways_out(inner) else [*inner, *rest]


def _if(s: p.If, rest: list[p.Statement], around: _Around) -> p.Statement | list[p.Statement]:
    """Where a branch jumps behind what follows, that goes into the other one."""
    foreign = around.foreign()
    for taken, left in ((s.then, s.other), (s.other, s.then)):
        ways = ways_out(taken)
        if rest and END not in ways and ways & foreign:
            joined = (*left, *rest)
            del rest[:]
            return _if(p.If(s.test, taken, joined) if taken is s.then else p.If(s.test, joined, taken), rest, around)
    branch = evolve(around, tail=_NONE) if rest else around
    then, other = _shape(s.then, branch), _shape(s.other, branch)
    made = _turned(s.test, then, other)
    if made is None:
        return rest
    made, behind = _flat(made)
    if behind:
        return [made, *behind, *rest]
    if rest and made != s and not falls_through(made.then) and ways_out(made.then) & foreign:
        return [made, *rest]
    return made


def _turned(test: p.Expr, then: p.Body, other: p.Body) -> p.If | None:
    """Without an empty first branch, and with two tests of which one stands alone in the other as one."""
    if not then:
        return _turned(opposite(test), other, ()) if other else None
    if not other and len(then) == 1 and isinstance(then[0], p.If) and not then[0].other:
        return p.If(p.Binary("&", test, then[0].test), then[0].then)
    return p.If(test, then, other)


def _flat(s: p.If) -> tuple[p.If, p.Body]:
    """What follows a branch that jumps away needs no `else`."""
    jumps = (p.Break, p.Again, p.Return, p.Unwind, p.Fail)
    if s.other and len(s.then) == 1 and isinstance(s.then[0], jumps):
        return p.If(s.test, s.then), s.other
    if len(s.other) == 1 and isinstance(s.other[0], jumps):
        return p.If(opposite(s.test), s.other), s.then
    return s, ()


def opposite(test: p.Expr) -> p.Expr:
    return test.of if isinstance(test, p.Not) else p.Not(test)


def _for(s: p.Each | p.Count, rest: list[p.Statement], around: _Around) -> p.Statement | p.Body:
    """Where it is left only for what comes behind all that follows, that is its `else`."""
    inner = _Around(frozenset([p.Again(s.label)]), s.label, _leaving(s.label, rest, around))
    loop = evolve(s, body=_shape(s.body, inner))
    ways = ways_out(loop.body) - {END, p.Again(s.label)}
    if rest and ways and ways <= around.tail:
        other = tuple(rest)
        del rest[:]
        return Searched(_left_by_break(loop, ways), _shape(other, around))
    if len(ways) != 1 or p.Break(s.label) in ways:
        return loop
    return _left_for_one(loop, ways, rest, around)


def _left_for_one(
    loop: p.Each | p.Count, ways: frozenset[Way], rest: list[p.Statement], around: _Around
) -> p.Statement | p.Body:
    """Left for one jump only, which can stand behind it if what follows never comes there."""
    other = tuple(rest)
    if falls_through(other) and p.Again(around.loop) in around.tail:
        other = (*other, p.Again(around.loop))
    (way,) = ways
    if falls_through(other) or isinstance(way, str):
        return loop
    out = p.Break(around.loop) if way in around.leaves else way
    return Searched(_left_by_break(loop, ways), _shape(other, evolve(around, tail=_NONE))), out


def _left_by_break(loop: p.Each | p.Count, ways: frozenset[Way]) -> p.Each | p.Count:
    return evolve(loop, body=_redirected(loop.body, ways, p.Break(loop.label)))


def _redirected(body: p.Body, ways: frozenset[Way], to: p.Break) -> p.Body:
    """With another jump instead of some."""
    return tuple(_redirect(statement, ways, to) for statement in body)


def _redirect(s: p.Statement, ways: frozenset[Way], to: p.Break) -> p.Statement:
    match s:
        case p.Break() | p.Again():
            return to if s in ways else s
        case p.If(test, then, other):
            return p.If(test, _redirected(then, ways, to), _redirected(other, ways, to))
        case p.Block(body=body) | p.Loop(body=body) | p.Each(body=body) | p.Count(body=body):
            return evolve(s, body=_redirected(body, ways, to))
        case Searched(loop, other):
            loop = evolve(loop, body=_redirected(loop.body, ways, to))
            return Searched(loop, _redirected(other, ways, to))
    return s
