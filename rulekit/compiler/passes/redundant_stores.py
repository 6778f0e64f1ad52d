"""Redundant-store elimination: what is surely noted already is not noted again.

That an open reading was met is noted in a word that is never taken back in a
match.  A note is left out where every way there has made it before, which a
forward must-analysis over all functions finds.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, evolve, field

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.control_flow import calls

Made = frozenset[int] | None
"""The notes that are surely made; None where control does not come."""


def without_redundant_stores(
    functions: Sequence[p.Function], starts: tuple[str, ...], noted: int
) -> tuple[p.Function, ...]:
    """The functions without stores of notes that are surely made already.

    starts:  functions that are called from outside, with nothing noted yet.
    noted:   the first so many words are notes; each is stored 1 or never.
    """
    if not noted:
        return tuple(functions)
    notes = _Notes({f.name: f for f in functions}, noted)
    for name in starts:
        notes.entries[name] = frozenset()
    order = _callers_first(notes.functions, starts)
    rank = {name: place for place, name in enumerate(order)}
    back = {to for name in order for to in calls(notes.functions[name]) if rank[to] <= rank[name]}
    notes.entries |= dict.fromkeys(back, frozenset())
    for name in reversed(order):
        notes.look(name, frozenset(), kept=None)
    for name in order:
        body = notes.look(name, notes.entries.get(name, frozenset()), kept=notes.entries)
        notes.functions[name] = evolve(notes.functions[name], body=body)
    return tuple(notes.functions[f.name] for f in functions)


def _callers_first(functions: dict[str, p.Function], starts: tuple[str, ...]) -> list[str]:
    """Each function before those that it calls; where calls come back to a function, somewhere."""
    done: dict[str, None] = {}

    def visit(name: str, around: frozenset[str]) -> None:
        if name in done or name in around:
            return
        for called in calls(functions[name]):
            visit(called, around | {name})
        done[name] = None

    for name in (*starts, *functions):
        visit(name, frozenset())
    return list(reversed(done))


@define(eq=False)
class _Notes:
    """made:  by function, what it surely notes until it returns.  entries: what is noted wherever it is called.

    left:   by label, what is noted where it is left.
    """

    functions: dict[str, p.Function]
    noted: int
    made: dict[str, frozenset[int]] = field(factory=dict)
    entries: dict[str, frozenset[int]] = field(factory=dict)
    left: dict[str, list[Made]] = field(factory=dict)
    returned: list[Made] = field(factory=list)
    kept: dict[str, frozenset[int]] | None = None

    def look(self, name: str, entry: frozenset[int], kept: dict[str, frozenset[int]] | None) -> p.Body:
        function = self.functions[name]
        self.returned, self.kept = [], kept
        body, end = self.body(function.body, entry)
        if kept is None:
            ways = [end, *self.returned] if not function.catches else [frozenset()]
            self.made[name] = _common(ways) or frozenset()
        return body

    def body(self, body: p.Body, made: Made) -> tuple[p.Body, Made]:
        written: list[p.Statement] = []
        for s in body:
            if isinstance(s, p.Store) and made is not None and self.note(s) in made:
                continue
            one, made = self.statement(s, made)
            written.append(one)
        return tuple(written), made

    def note(self, s: p.Store) -> int:
        is_note = isinstance(s.at, p.Const) and s.at.value < self.noted and s.value == p.Const(1)
        return s.at.value if is_note and isinstance(s.at, p.Const) else -1

    def statement(self, s: p.Statement, made: Made) -> tuple[p.Statement, Made]:
        if made is None:
            return s, None
        match s:
            case p.Store():
                return s, made | {self.note(s)} - {-1}
            case p.If(test, then, other):
                first, after_then = self.body(then, made)
                second, after_other = self.body(other, made)
                return p.If(test, first, second), _common([after_then, after_other])
            case p.Block(label=label):
                body, end = self.inside(label, s.body, made)
                return p.Block(label, body), _common([end, *self.left.pop(label)])
            case p.Loop(label=label):
                body, _ = self.inside(label, s.body, made)
                return p.Loop(label, body), _common(self.left.pop(label))
            case p.Each(label=label) | p.Count(label=label):
                body, _ = self.inside(label, s.body, made)
                self.left.pop(label)
                return evolve(s, body=body), made
            case p.Do(function=name) | p.Try(function=name):
                self.called(name, made)
                return s, made | (self.made.get(name, frozenset()) if isinstance(s, p.Do) else frozenset())
        return s, self.jumped(s, made)

    def inside(self, label: str, body: p.Body, made: Made) -> tuple[p.Body, Made]:
        self.left[label] = []
        return self.body(body, made)

    def jumped(self, s: p.Statement, made: Made) -> Made:
        match s:
            case p.Break(label):
                self.left[label].append(made)
                return None
            case p.Return():
                self.returned.append(made)
                return None
            case p.Again() | p.Unwind() | p.Fail():
                return None
        return made

    def called(self, name: str, made: frozenset[int]) -> None:
        if self.kept is not None:
            known = self.kept.get(name)
            self.kept[name] = made if known is None else known & made


def _common(ways: Sequence[Made]) -> Made:
    there = [way for way in ways if way is not None]
    return frozenset.intersection(*there) if there else None
