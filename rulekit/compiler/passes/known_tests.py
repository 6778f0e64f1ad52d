"""Tests whose outcome is known are not made again: what was tested before, and has not changed since, is known.

A forward analysis of what holds: a body is walked from its first statement to its last with the tests that hold or do
not hold there.  Locals stand for what they were set to, so that a word that is read into several of them is one thing.
"""

from __future__ import annotations

from typing import Any

from rulekit.compiler.passes.dead_stores import without_dead_stores
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import statements
from rulekit.values import define, evolve, field

_WORDS, _ANY_WORD, _LISTS, _ELSE = "words", "any word", "lists", "else"
"""Names of what is read besides locals: some word, a word that is not known here, some list of the storage, and what
may change at any time."""
_PARTS: dict[type, tuple[str, ...]] = {
    p.Binary: ("left", "right"),
    p.Word: ("at",),
    p.Entry: ("at",),
    p.Row: ("at",),
    p.Stored: ("list",),
    p.Not: ("of",),
    p.Size: ("of",),
    p.Item: ("of", "at"),
    p.Has: ("of", "item"),
    p.Find: ("of", "item"),
    p.Pick: ("test", "then", "other"),
    p.Alike: ("left", "right"),
}
_LEAVING = (p.Break, p.Again, p.Return, p.Unwind, p.Fail)
_OPPOSITE = {"!=": "=="}
Reads = frozenset[str | int]
Changes = set[str | int]


def without_known_tests(plan: p.Plan, body: p.Body) -> p.Body:
    made = _Walk(plan.kept).body(body)
    return body if made == body else without_dead_stores(made)


def _reads(e: p.Expr) -> Reads:
    """The locals that an expression reads, and of words and lists what is known of them."""
    found: Changes = set()
    waiting: list[Any] = [e]
    while waiting:
        part = waiting.pop()
        kind = type(part)
        if kind is p.Get:
            found.add(part.local)
        elif kind in _PARTS:
            waiting += [getattr(part, name) for name in _PARTS[kind]]
            if kind is p.Word:
                found |= {_WORDS, part.at.value if type(part.at) is p.Const else _ANY_WORD}
            elif kind is p.Stored:
                found.add(_LISTS)
        elif kind is not p.Const:
            found.add(_ELSE)
    return frozenset(found)


@define(eq=False)
class _Walk:
    """kept: the words before this one are written in tries, too, and only by their numbers.

    truths: of tests.  meaning: of locals, what they were set to.  Both with what they depend on.
    watched:  all that any of these depends on.
    """

    kept: int
    truths: dict[p.Expr, tuple[bool, Reads]] = field(factory=dict)
    meaning: dict[str, tuple[p.Expr, Reads]] = field(factory=dict)
    watched: Changes = field(factory=set)

    def body(self, body: p.Body) -> p.Body:
        made: list[p.Statement] = []
        for statement in body:
            made += self.statement(statement)
        return tuple(made)

    def statement(self, s: p.Statement) -> p.Body:
        match s:
            case p.If():
                return self.branches(s)
            case p.Block(body=inner) | p.Loop(body=inner) | p.Each(body=inner) | p.Count(body=inner):
                return (self.inside(s, inner),)
            case p.Set(local, value):
                self.set(local, value)
            case _:
                self.forget(self.changes(s))
        return (s,)

    def branches(self, s: p.If) -> p.Body:
        test = self.simpler(s.test)
        if isinstance(test, p.Const):
            return self.body(s.then if test.value else s.other)
        before = self.truths.copy(), self.meaning.copy()
        self.learn(test, holds=True)
        then = self.body(s.then)
        after = self.truths, self.meaning
        self.truths, self.meaning = before
        self.learn(test, holds=False)
        other = self.body(s.other)
        if other and isinstance(other[-1], _LEAVING):
            self.truths, self.meaning = after
        elif not (then and isinstance(then[-1], _LEAVING)):
            self.truths = {e: known for e, known in self.truths.items() if after[0].get(e) == known}
            self.meaning = {name: known for name, known in self.meaning.items() if after[1].get(name) == known}
        return (p.If(test, then, other),) if then or other else ()

    def inside(self, s: p.Block | p.Loop | p.Each | p.Count, inner: p.Body) -> p.Statement:
        """Behind it, and before each round of a loop, holds what nothing in it changes."""
        changed: Changes = set()
        for each in statements(inner):
            changed |= self.changes(each)
        if isinstance(s, p.Each | p.Count):
            changed.add(s.local)
        if not isinstance(s, p.Block):
            self.forget(changed)
        before = self.truths.copy(), self.meaning.copy()
        made = self.body(inner)
        self.truths, self.meaning = before
        self.forget(changed)
        return evolve(s, body=made)

    # ------------------------------------------------------------ what changes

    def changes(self, s: p.Statement) -> Changes:
        """The locals that a statement changes itself, and of words and lists what is known of them."""
        changed: Changes = set()
        local = getattr(s, "local", None)
        if local is not None:
            changed.add(local)
        match s:
            case p.Store(p.Const(at)):
                changed |= {at} if at < self.kept else {at, _ANY_WORD}
            case p.Store() | p.Draw():
                changed.add(_WORDS)
            case p.Do() | p.Ask() | p.AskSeveral():
                changed |= {_WORDS, _LISTS}
            case p.Add() | p.Take() | p.Put() | p.Move() | p.Fill():
                changed.add(_LISTS)
            case p.Try() | p.Feasible():
                changed |= {*range(self.kept)}
        return changed

    def forget(self, changed: Changes) -> None:
        if self.watched.isdisjoint(changed):
            return
        self.truths = {e: known for e, known in self.truths.items() if changed.isdisjoint(known[1])}
        self.meaning = {name: known for name, known in self.meaning.items() if changed.isdisjoint(known[1])}

    def set(self, local: str, value: p.Expr) -> None:
        meaning, reads = self.meant(value), _reads(value)
        self.forget({local})
        if isinstance(meaning, p.Const):
            self.hold(p.Get(local), meaning.value != 0)
        elif local not in reads and _ELSE not in reads:
            self.meaning[local] = meaning, _reads(meaning) | {local}
            self.watched |= self.meaning[local][1]

    def hold(self, e: p.Expr, holds: bool) -> None:
        reads = _reads(e)
        if _ELSE not in reads:
            self.truths[e] = holds, reads
            self.watched |= reads

    # ------------------------------------------------------------ what holds

    def meant(self, e: p.Expr) -> p.Expr:
        """The same expression without the locals whose meaning is known."""
        match e:
            case p.Get(local):
                return self.meaning[local][0] if local in self.meaning else e
            case p.Word(at):
                return p.Word(self.meant(at))
            case p.Binary(op, left, right):
                return p.Binary(op, self.meant(left), self.meant(right))
            case p.Not(of):
                return p.Not(self.meant(of))
        return e

    def known(self, e: p.Expr) -> bool | None:
        found = self.truths.get(e) or self.truths.get(self.meant(e))
        return None if found is None else found[0]

    def simpler(self, e: p.Expr) -> p.Expr:
        """A test without the parts of which it is known how they come out."""
        match e:
            case p.Const():
                return e
            case p.Not(of):
                made = self.simpler(of)
                return p.Const(int(not made.value)) if isinstance(made, p.Const) else e if made is of else p.Not(made)
            case p.Binary("&" | "|" as op, left, right):
                return _joined(op, self.simpler(left), self.simpler(right), e)
            case p.Binary("!=", left, right):
                known = self.known(p.Binary("==", left, right))
                return e if known is None else p.Const(int(not known))
        known = self.known(e)
        return e if known is None else p.Const(int(known))

    def learn(self, e: p.Expr, *, holds: bool) -> None:
        match e:
            case p.Not(of):
                self.learn(of, holds=not holds)
            case p.Binary("&" | "|" as op, left, right):
                if holds is (op == "&"):
                    self.learn(left, holds=holds)
                    self.learn(right, holds=holds)
            case p.Binary("!=", left, right):
                self.learn(p.Binary("==", left, right), holds=not holds)
            case _:
                self.hold(e, holds)
                self.hold(self.meant(e), holds)


def _joined(op: str, left: p.Expr, right: p.Expr, old: p.Binary) -> p.Expr:
    deciding = 0 if op == "&" else 1
    for one, other in ((left, right), (right, left)):
        if isinstance(one, p.Const):
            return p.Const(deciding) if (one.value != 0) == deciding else other
    return old if left is old.left and right is old.right else p.Binary(op, left, right)
