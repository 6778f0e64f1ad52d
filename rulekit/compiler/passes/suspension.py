"""Suspend and resume: a plan becomes one whose matches can be left at any question and gone on with later.

Where somebody is asked, the run may unwind with WAITING.  Every function on
the way out then puts its locals aside, and with them the place where it was.
To go on, the plan is run from its beginning: each of these functions takes
its locals back and skips to its place, until the question is asked again and
answered.  (So does Asyncify for WebAssembly; Zakai, 2019.)

The skipping is written here, as statements of a plan; the engines only put
aside and take back, but for locals that are used between two questions alone
(`exposed_locals`).  What never asks stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from rulekit.compiler.passes.exposed_locals import exposed_between
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import asking, asks, parts, statements, with_bodies
from rulekit.values import define, evolve, field

PLACE = "go_place"
"""The local that says at which question or call a function is: numbers in the order of the text, 0 between them."""


def suspendable(plan: p.Plan) -> p.Plan:
    """The plan that does the same and can be left at every question outside of a try.

    Its first function stops in any case, so that an engine knows such a plan.
    """
    stopping = asking(plan.functions) | {plan.main}
    functions = tuple(_Stopping(stopping).function(f) if f.name in stopping else f for f in plan.functions)
    return evolve(plan, functions=functions)


@define(eq=False)
class _Stopping:
    """One function being rewritten.

    count:   questions and calls so far.  turned: locals of loops that become cursors, because a place lies inside.
    """

    asking: frozenset[str]
    count: int = 0
    turned: set[str] = field(factory=set)
    locals: list[tuple[str, str]] = field(factory=lambda: [(PLACE, "int")])

    def function(self, function: p.Function) -> p.Function:
        loops = [s for s in statements(function.body) if isinstance(s, p.Each | p.Count)]
        self.turned = {loop.local for loop in loops if self.holds(loop)}
        body = self.body(function.body)
        lasting = exposed_between(function.body, self.holds)
        brief = tuple(name for name, _ in function.locals if name not in lasting)
        return evolve(function, body=body, locals=(*function.locals, *self.locals), stops=True, brief=brief)

    def holds(self, statement: p.Statement) -> bool:
        """Whether a place lies in a statement."""
        return asks(statement, self.asking) or any(self.holds(inner) for inner in parts(statement))

    def body(self, body: p.Body) -> p.Body:
        """Each part runs where nothing is skipped, or where the place may lie in it."""
        made: list[p.Statement] = []
        left = sum(map(self.holds, body))
        for holds, group in groupby(body, self.holds):
            if not holds:
                plain = self.plain(tuple(group))
                made += [p.If(_between(), plain)] if left else plain
                continue
            for statement in group:
                left -= 1
                inner = self.statement(statement)
                made += [p.If(_not_behind(self.count), inner)] if left else inner
        return tuple(made)

    def statement(self, statement: p.Statement) -> p.Body:
        """One that holds a place."""
        match statement:
            case p.If():
                return (self.branches(statement),)
            case p.Loop() | p.Block():
                return (with_bodies(statement, self.body),)
            case p.Each() | p.Count():
                return self.loop(statement, self.body)
        self.count += 1
        at = p.Set(PLACE, p.Const(self.count))
        return at, statement, p.Set(PLACE, p.Const(0))

    def branches(self, s: p.If) -> p.If:
        first = self.count
        then = self.body(s.then)
        middle = self.count
        other = self.body(s.other)
        if middle == self.count:
            test: p.Expr = p.Binary("|", p.Binary("!=", p.Get(PLACE), p.Const(0)), _flag(s.test))
        elif first == middle:
            test = p.Binary("&", _between(), _flag(s.test))
        else:
            test = p.Pick(_between(), _flag(s.test), _not_behind(middle))
        return p.If(test, then, other)

    # ------------------------------------------------------------ loops with cursors

    def plain(self, body: p.Body) -> p.Body:
        """Statements without a place, but for loops whose local another loop turns into a cursor's."""
        made: list[p.Statement] = []
        for s in body:
            if isinstance(s, p.Each | p.Count) and s.local in self.turned:
                made += self.loop(s, self.plain)
            else:
                made.append(with_bodies(s, self.plain))
        return tuple(made)

    def loop(self, s: p.Each | p.Count, write: Callable[[p.Body], p.Body]) -> p.Body:
        """What an `Each` or `Count` does, with its cursor in a local."""
        at = self.local("at", "int")
        if isinstance(s, p.Each):
            of = self.local("of", "list")
            begin: p.Body = (p.Set(of, s.of), p.Set(at, p.Const(-1)))
            over = p.Binary("<=", p.Size(p.Get(of)), p.Get(at))
            value: p.Expr = p.Item(p.Get(of), p.Get(at))
        else:
            high = self.local("high", "int")
            begin = (p.Set(at, p.Binary("-", s.low, p.Const(1))), p.Set(high, s.high))
            over, value = p.Binary("<", p.Get(high), p.Get(at)), p.Get(at)
        on = p.Set(at, p.Binary("+", p.Get(at), p.Const(1)))
        step = (on, p.If(over, (p.Break(s.label),)), p.Set(s.local, value))
        body = write(s.body)
        return p.If(_between(), begin), p.Loop(s.label, (p.If(_between(), step), *body))

    def local(self, name: str, kind: str) -> str:
        made = f"go_{len(self.locals)}_{name}"
        self.locals.append((made, kind))
        return made


def _between() -> p.Expr:
    """Whether nothing is being skipped."""
    return p.Binary("==", p.Get(PLACE), p.Const(0))


def _not_behind(place: int) -> p.Expr:
    """Whether nothing is skipped that lies behind this place."""
    return p.Binary("<=", p.Get(PLACE), p.Const(place))


def _flag(test: p.Expr) -> p.Expr:
    """A test holds unless it is 0, an operand of `&` is 0 or 1."""
    return p.Binary("!=", test, p.Const(0))
