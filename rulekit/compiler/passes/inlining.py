"""Inlining: functions that are called from one place alone are written there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import is_
from typing import Any

from attrs import define, evolve, field

from rulekit.compiler.passes.definite_assignment import possibly_unassigned
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import calls, parts, statements

LARGE = 3000
"""A function does not grow beyond so many statements."""
DEEP = 12
"""Nor are more loops nested in it; Python takes 20."""


def inlined(functions: Sequence[p.Function], starts: tuple[str, ...]) -> tuple[p.Function, ...]:
    """The functions that are left when those with a single call stand where they are called.

    starts:  functions that are called from outside and stay.
    """
    functions = [f if f.gives else evolve(f, body=_without_last_return(f.body)) for f in functions]
    known = {f.name: f for f in functions}
    wanted = _wanted(functions) - set(starts)
    numbers = {name: number for number, name in enumerate(known)}
    made = {f.name: _Holder(f, known, wanted, numbers) for f in functions if f.name not in wanted}
    whole = {name: holder.function() for name, holder in made.items()}
    # Those that found no room stand for themselves, with those that they call.
    left = [name for f in whole.values() for name in calls(f) if name not in whole]
    while left:
        name = left.pop()
        if name not in whole:
            whole[name] = _Holder(known[name], known, wanted, numbers).function()
            left += [called for called in calls(whole[name]) if called not in whole]
    return tuple(whole[f.name] for f in functions if f.name in whole)


def _wanted(functions: Sequence[p.Function]) -> set[str]:
    """Called by one statement alone, and simple."""
    called: Counter[str] = Counter()
    for f in functions:
        for s in statements(f.body):
            if isinstance(s, p.Do):
                called[s.function] += 1 if s.local is None else 2
            elif isinstance(s, p.Try):
                called[s.function] += 2
    return {f.name for f in functions if called[f.name] == 1 and _is_simple(f)}


def _is_simple(f: p.Function) -> bool:
    """It catches nothing, gives nothing, returns at its end, and no sequence of its own has another name.

    What has other names lies in a new place each time, and that only ends with the function.
    """
    lists = {name for name, kind in f.locals if kind == "list"}
    inner = list(statements(f.body))
    if any(isinstance(s, p.Set) and isinstance(s.value, p.Get) and s.value.local in lists for s in inner):
        return False
    return not (f.catches or f.bounds or f.gives or any(isinstance(s, p.Return | p.Live) for s in inner))


def _without_last_return(body: p.Body) -> p.Body:
    """Without returning where the end comes anyway."""
    *others, last = body or (p.Return(),)
    if isinstance(last, p.Return):
        return tuple(others)
    if isinstance(last, p.If):
        then, other = _without_last_return(last.then), _without_last_return(last.other)
        return (*others, p.If(last.test, then, other))
    return body


def _loops(body: p.Body) -> int:
    """How deep loops are nested."""
    return max((isinstance(s, p.Loop | p.Block | p.Each | p.Count) + _loops(parts(s)) for s in body), default=0)


@define(eq=False)
class _Holder:
    """A function that takes in those that it alone calls, and those that these alone call.

    numbers:  of functions, for names of their own.  locals, size, depth: of what it has become so far.
    """

    whole: p.Function
    known: dict[str, p.Function]
    wanted: set[str]
    numbers: dict[str, int]
    locals: list[tuple[str, str]] = field(factory=list)
    size: int = 0
    depth: int = 0

    def function(self) -> p.Function:
        self.size = _size(self.whole.body)
        body = self.body(self.whole.body)
        return evolve(self.whole, body=body, locals=(*self.whole.locals, *self.locals))

    def body(self, body: p.Body) -> p.Body:
        made: list[p.Statement] = []
        for s in body:
            made += self.statement(s)
        return tuple(made)

    def statement(self, s: p.Statement) -> p.Body:
        match s:
            case p.Do(None, name, args) if name in self.wanted:
                return self.held(self.known[name], args) or (s,)
            case p.If(test, then, other):
                return (p.If(test, self.body(then), self.body(other)),)
            case p.Loop() | p.Block() | p.Each() | p.Count():
                self.depth += 1
                body = self.body(s.body)
                self.depth -= 1
                return (evolve(s, body=body),)
        return (s,)

    def held(self, f: p.Function, args: tuple[p.Expr, ...]) -> p.Body | None:
        """Its statements with names of their own.  Integers begin at 0 and sequences empty, as in a function."""
        size = _size(f.body)
        if self.size + size > LARGE or self.depth + _loops(f.body) > DEEP:
            return None
        self.size += size
        prefix = f"n{self.numbers[f.name]}"
        names = {name: f"{prefix}_{name}" for name, _ in (*f.params, *f.locals)}
        begin, values = _arguments(f, args, names)
        self.locals += [(names[name], kind) for name, kind in (*f.params, *f.locals) if name not in values]
        written = _Renamed(names, values, prefix).body(f.body)
        return (*begin, *_fresh(f, names), *self.body(written))


def _size(body: p.Body) -> int:
    return sum(1 for _ in statements(body))


def _arguments(
    f: p.Function, args: tuple[p.Expr, ...], names: dict[str, str]
) -> tuple[list[p.Statement], dict[str, p.Expr]]:
    """What is simple and stays as it is stands for the parameter itself."""
    changed = {getattr(s, "local", None) for s in statements(f.body)}
    begin: list[p.Statement] = []
    values: dict[str, p.Expr] = {}
    for (name, _), arg in zip(f.params, args, strict=True):
        if name not in changed and isinstance(arg, p.Const | p.Get):
            values[name] = arg
        else:
            begin.append(p.Set(names[name], arg))
    return begin, values


def _fresh(f: p.Function, names: dict[str, str]) -> list[p.Statement]:
    types = dict(f.locals)
    early = [name for name in possibly_unassigned(f) if name in types]
    return [p.Set(names[n], p.Const(0)) if types[n] == "int" else p.New(names[n]) for n in early]


@define(eq=False)
class _Renamed:
    names: dict[str, str]
    values: dict[str, p.Expr]
    prefix: str

    def body(self, body: p.Body) -> p.Body:
        return tuple([self.node(s) for s in body])

    def node(self, node: Any) -> Any:
        if isinstance(node, p.Get):
            return self.values.get(node.local) or p.Get(self.names[node.local])
        names = node.__match_args__
        old = [getattr(node, name) for name in names]
        new = [self.part(name, part) for name, part in zip(names, old, strict=True)]
        return node if all(map(is_, old, new)) else type(node)(*new)

    def part(self, name: str, part: Any) -> Any:
        if isinstance(part, p.Expr | p.Statement):
            return self.node(part)
        if isinstance(part, tuple):
            return tuple([self.node(one) if isinstance(one, p.Expr | p.Statement) else one for one in part])
        if name == "label":
            return f"{self.prefix}_{part}"
        return self.names[part] if name == "local" and part is not None else part
