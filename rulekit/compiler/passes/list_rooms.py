"""How long local sequences become: those with a bound have room for so much, and no entry asks whether there is some.

A forward analysis of lengths: each body maps the longest that sequences are before it to the longest in it; what a
loop adds in a round it adds in each.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import parts, statements
from rulekit.values import define

MOST = 128
"""Entries for which a function may keep room of its own."""
_UNKNOWN = 1 << 40
_DEEPEST = 5
"""Loops within loops that are followed: each is walked twice, so that many more would take for ever."""
_ELSEWHERE = (p.Set, p.Copy, p.Do, p.AskSeveral, p.Feasible)
"""What may give a local sequence a place of another's making."""

Sizes = dict[str, int]


def rooms(plan: p.Plan, function: p.Function) -> Sizes:
    """The most entries of each local sequence that has a small bound and always the same place."""
    inner = list(statements(function.body))
    fixed = {s.local for s in inner if isinstance(s, p.New)} - {s.local for s in inner if isinstance(s, _ELSEWHERE)}
    if not fixed:
        return {}
    lengths = _Lengths(plan, dict.fromkeys(fixed, 0), dict.fromkeys(fixed, 0), _changing(function.body, fixed))
    lengths.most_in(function.body, fixed)
    return {local: most for local, most in sorted(lengths.peak.items()) if most <= MOST}


def _changing(body: p.Body, fixed: set[str]) -> dict[int, set[str]]:
    """The statements, by identity, that change the length of some of these sequences, here or inside: of which ones."""
    found: dict[int, set[str]] = {}
    for s in body:
        inside = _changing(parts(s), fixed)
        names = {s.local} & fixed if isinstance(s, p.New | p.Push) else _of_all(parts(s), inside)
        if names:
            found |= {**inside, id(s): names}
    return found


def _of_all(body: p.Body, changing: dict[int, set[str]]) -> set[str]:
    return {name for s in body for name in changing.get(id(s), ())}


@define(eq=False)
class _Lengths:
    """lengths: of sequences, the most that they have at the statement at hand.  peak: the most that they had before.

    changing: the statements that count, and for which sequences; nothing else is looked at or kept.
    """

    plan: p.Plan
    lengths: Sizes
    peak: Sizes
    changing: dict[int, set[str]]
    depth: int = 0

    def most_in(self, body: p.Body, names: Iterable[str]) -> Sizes:
        """The most anywhere in a body, wherever that is left."""
        outer = {name: self.peak[name] for name in names}
        self.peak |= {name: self.lengths[name] for name in names}
        self.walk(body)
        found = {name: self.peak[name] for name in names}
        self.peak |= _either(outer, found)
        return found

    def walk(self, body: p.Body) -> None:
        for s in body:
            names = self.changing.get(id(s))
            if names is None:
                continue
            match s:
                case p.New(local):
                    self.lengths[local] = 0
                case p.Push(local):
                    self.lengths[local] += 1
                    self.peak[local] = max(self.peak[local], self.lengths[local])
                case p.If(_, then, other):
                    before = {name: self.lengths[name] for name in names}
                    self.walk(then)
                    first = {name: self.lengths[name] for name in names}
                    self.lengths |= before
                    self.walk(other)
                    self.lengths |= _either(first, self.lengths)
                case p.Block(body=inner):
                    self.lengths |= self.most_in(inner, names)
                case p.Loop() | p.Each() | p.Count():
                    self.rounds(s.body, self.times(s), names)

    def rounds(self, body: p.Body, times: int, names: Iterable[str]) -> None:
        """No round adds more than the second, as what a round makes of a length is a maximum of sums."""
        if self.depth == _DEEPEST:
            self.lose(body)
            return
        self.depth += 1
        first = self.most_in(body, names)
        self.lengths |= first
        second = self.most_in(body, names)
        self.depth -= 1
        for name, most in first.items():
            self.lengths[name] = min(most + (second[name] - most) * max(0, times - 1), _UNKNOWN)
            self.peak[name] = max(self.peak[name], self.lengths[name])

    def lose(self, body: p.Body) -> None:
        """What is added to in a body may become of any length."""
        for s in statements(body):
            if isinstance(s, p.Push) and s.local in self.lengths:
                self.lengths[s.local] = self.peak[s.local] = _UNKNOWN

    def times(self, s: p.Statement) -> int:
        match s:
            case p.Count(low=p.Const(low), high=p.Const(high)):
                return max(0, high - low + 1)
            case p.Count(low=low, high=p.Binary("+", start, p.Const(more))) if start == low:
                return max(0, more + 1)
            case p.Each(of=of):
                return self.length(of)
        return _UNKNOWN

    def length(self, of: p.Expr) -> int:
        """The most entries of a sequence."""
        match of:
            case p.Bits():
                return 63
            case p.Row(table):
                return max(map(len, self.plan.rows[table]), default=0)
            case p.Pick(_, then, other):
                return max(self.length(then), self.length(other))
            case p.Stored(p.Const(number)):
                return self.plan.rooms[number]
            case p.Stored():
                return max(self.plan.rooms, default=0)
            case p.Get(local):
                return self.lengths.get(local, _UNKNOWN)
        return _UNKNOWN


def _either(one: Sizes, other: Sizes) -> Sizes:
    return {local: max(most, other[local]) for local, most in one.items()}
