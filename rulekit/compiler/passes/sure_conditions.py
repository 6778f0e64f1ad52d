"""Conditions that surely hold: where a flag that is already known decides all that a function still does.

Behind what such a function calls next nothing fails and nothing lasts then, and so in the functions between it and
the question.  So what tries an option need not begin with it: the function that asks stands in (`ir.Live`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ONE, binary, negation
from rulekit.compiler.plan.traversal import asking, expressions, parts, statements
from rulekit.values import define, evolve, field

_HARMLESS = (
    *(p.Add, p.Take, p.Put, p.Move, p.Fill, p.Spend, p.Apart, p.Live, p.New, p.Copy, p.Push, p.Drop, p.Sort),
    *(p.If, p.Each, p.Count, p.Loop, p.Block, p.Break, p.Again, p.Return),
)
_Values = dict[str, p.Expr]


def with_sure_conditions(functions: Sequence[p.Function], kept: int) -> tuple[p.Function, ...]:
    """kept:  the first of the words that no try takes back."""
    sure = _Sure({one.name: one for one in functions}, asking(functions), kept)
    return tuple(sure.marked(one) if one.bounds else one for one in sure.functions.values())


@define(eq=False)
class _Sure:
    """asking:  the functions that ask.  safe: what was found out of functions; False while that is being done."""

    functions: Mapping[str, p.Function]
    asking: frozenset[str]
    kept: int
    safe: dict[str, bool] = field(factory=dict)

    def marked(self, function: p.Function) -> p.Function:
        body = list(function.body)
        for place, statement in reversed([*enumerate(body)]):
            rest = function.body[place + 1 :]
            if statement == p.Live(p.AHEAD) and any(map(self._asks, rest)):
                flag = self._deciding(function, place)
                if flag:
                    body[place] = p.If(p.Get(flag), (statement,), (p.Live(p.SURE),))
        return evolve(function, body=tuple(body))

    def _deciding(self, function: p.Function, place: int) -> str:
        """A flag that was set before and decides all the rest, if it does not hold."""
        known = {one.local for one in statements(function.body[:place]) if isinstance(one, p.Set)}
        rest = function.body[place + 1 :]
        read = {e.local: None for s in statements(rest) for e in expressions(s) if isinstance(e, p.Get)}
        return next((flag for flag in read if flag in known and self._passes(rest, {flag: p.Const(0)})), "")

    def _asks(self, statement: p.Statement) -> bool:
        return any(isinstance(one, p.Do) and one.function in self.asking for one in statements((statement,)))

    def _is_safe(self, name: str) -> bool:
        """Whether a call does nothing but change the position, but for its questions and what stands before them."""
        if name not in self.safe:
            self.safe[name] = False
            body = self.functions[name].body
            self.safe[name] = self._is_harmless_behind(body) if name in self.asking else self._passes(body, {})
        return self.safe[name]

    def _is_harmless_behind(self, body: p.Body) -> bool:
        """Whether nothing fails or lasts behind the calls that ask."""
        for place, one in enumerate(body):
            if not self._asks(one):
                continue
            inside = (one.then, one.other) if isinstance(one, p.If) else (parts(one),)
            if isinstance(one, p.Loop | p.Each | p.Count) or not all(map(self._is_harmless_behind, inside)):
                return False
            if not self._passes(body[place + 1 :], {}) or (isinstance(one, p.Do) and not self._is_safe(one.function)):
                return False
        return True

    def _passes(self, body: p.Body, known: _Values) -> bool:
        """Whether statements only change the position, where these locals have these values."""
        return all(self._is_harmless(one, known) for one in body)

    def _is_harmless(self, s: p.Statement, known: _Values) -> bool:
        if isinstance(s, p.Store):
            base = s.at.right if isinstance(s.at, p.Binary) and s.at.op == "+" else s.at
            return isinstance(base, p.Const) and base.value < self.kept
        if isinstance(s, p.If) and isinstance(test := _folded(s.test, known), p.Const):
            return self._passes(s.then if test.value else s.other, known)
        value = _folded(s.value, known) if isinstance(s, p.Set) else None
        for one in statements((s,)):
            known.pop(getattr(one, "local", None) or "", None)
        if isinstance(s, p.Set):
            known.update({s.local: value} if isinstance(value, p.Const) else {})
            return True
        if isinstance(s, p.Do):
            return self._is_safe(s.function)
        bodies = (s.then, s.other) if isinstance(s, p.If) else (parts(s),)
        return isinstance(s, _HARMLESS) and all(self._passes(body, {**known}) for body in bodies)


def _folded(e: p.Expr, known: _Values) -> p.Expr:
    """As far as it is known; in a try."""
    match e:
        case p.Get(local):
            return known.get(local, e)
        case p.Trying():
            return ONE
        case p.Not(of):
            return negation(_folded(of, known))
        case p.Binary(op, left, right):
            return binary(op, _folded(left, known), _folded(right, known))
    return e
