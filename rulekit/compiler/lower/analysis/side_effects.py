"""Effect analysis: whether evaluation may do more than give a value, namely fail or meet an open reading.

The rules work out all of a set.  A plan may stop at the first element that
decides (short-circuit evaluation), if nothing is lost by it.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from rulekit.compiler.lower.builder.ir_builder import Program
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import inner, statements, with_bodies
from rulekit.values import define

LOOPS = (p.Each, p.Count)
MORE = (
    *(p.Store, p.Unwind, p.Fail, p.Try, p.Ask, p.AskSeveral, p.Draw),
    *(p.Add, p.Take, p.Put, p.Move, p.Fill, p.Sum, p.SetCell, p.Noted, p.Feasible, p.Spend),
)


def has_effects(program: Program, body: p.Body) -> bool:
    """Whether statements may do more than set locals, themselves or by what they call."""
    return any(isinstance(s, MORE) or (isinstance(s, p.Do) and _calls_for(program, s)) for s in statements(body))


def _calls_for(program: Program, call: p.Do) -> bool:
    function = program.functions.get(call.function)
    return function is None or has_effects(program, function.body)


def without(body: p.Body, left_out: Container[p.Statement]) -> p.Body:
    """Statements but for some, wherever these stand."""
    return tuple(with_bodies(s, lambda inside: without(inside, left_out)) for s in body if s not in left_out)


def has_later_effects(program: Program, body: p.Body) -> bool:
    """Whether something may happen for a later element of a loop that did not happen for the first.

    body:  a loop, which is left at the element that decides, and what stands before it.
    """
    left = False
    for statement in body:
        if (left and has_effects(program, (statement,))) or _passes_differ(program, statement):
            return True
        left = left or _leaves((statement,))
    return False


def _passes_differ(program: Program, s: p.Statement) -> bool:
    if isinstance(s, p.Block):
        return has_later_effects(program, s.body)
    if isinstance(s, p.If):
        return any(has_later_effects(program, one) for one in (s.then, s.other))
    if isinstance(s, LOOPS):
        return _Passes(program, {s.local}).sooner_or_later(s.body)
    if isinstance(s, p.Loop) and _leaves((s,)):
        # What it steps through it sets itself.
        stepped = {one.local for one in statements(s.body) if isinstance(one, p.Set)}
        return _Passes(program, stepped).sooner_or_later(s.body)
    return False


def _leaves(body: p.Body) -> bool:
    """Whether it may leave a block or loop around it."""
    inside = {s.label for s in statements(body) if isinstance(s, p.Block | p.Loop | p.Each | p.Count)}
    return any(isinstance(s, p.Break | p.Again) and s.label not in inside for s in statements(body))


@define(eq=False)
class _Passes:
    """What passes of a loop do.

    differing:  locals that may hold something else in another pass.
    under:      whether what comes next may be passed over in another pass.
    """

    program: Program
    differing: set[str]
    under: bool = False

    def sooner_or_later(self, body: p.Body) -> bool:
        """Until nothing more is found that a pass leaves behind for the next one."""
        known = -1
        while known < len(self.differing):
            known, self.under = len(self.differing), False
            if self.differ(body):
                return True
        return False

    def differ(self, body: p.Body) -> bool:
        """Whether another pass may have effects that this one has not."""
        return any(self._has_other_effects(statement) for statement in body)

    def _has_other_effects(self, s: p.Statement) -> bool:
        if isinstance(s, p.If):
            return self._inside(self._reads(s.test), s.then, s.other)
        if isinstance(s, LOOPS):
            reads = any(map(self._reads, (s.of,) if isinstance(s, p.Each) else (s.low, s.high)))
            if reads or _leaves(s.body):
                self.differing.add(s.local)
            return self._inside(reads, s.body)
        if isinstance(s, p.Loop | p.Block):
            return self._inside(False, s.body)
        if isinstance(s, p.Spend):
            return True
        if isinstance(s, p.Break | p.Again | p.Return):
            # What comes behind it in this pass is passed over.
            self.under = self.under or isinstance(s, p.Return)
            return False
        other = self.under or self._reads(s)
        if other and (local := getattr(s, "local", None)) is not None:
            self.differing.add(local)
        return (self.under or isinstance(s, p.Do)) and other and has_effects(self.program, (s,))

    def _inside(self, differs: bool, *bodies: p.Body) -> bool:
        outer, self.under = self.under, self.under or differs
        found = any(self.differ(body) for body in bodies)
        self.under = outer or (self.under and any(map(_leaves, bodies)))
        return found

    def _reads(self, part: Any) -> bool:
        """Whether an expression or statement reads what differs."""
        if isinstance(part, p.Get):
            return part.local in self.differing
        return any(map(self._reads, inner(part)))
