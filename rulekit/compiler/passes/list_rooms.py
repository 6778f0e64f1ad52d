"""How long local sequences become: those with a bound have room for so much, and no entry asks whether there is some.

A forward analysis of lengths: each body maps the longest that sequences are before it to the longest in it; what a
loop adds in a round it adds in each.
"""

from __future__ import annotations

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
    lengths.most_in(function.body)
    return {local: most for local, most in sorted(lengths.peak.items()) if most <= MOST}


def _changing(body: p.Body, fixed: set[str]) -> set[int]:
    """The statements, by identity, that change the length of one of these sequences, with all that these stand in."""
    found: set[int] = set()
    for s in body:
        inside = _changing(parts(s), fixed)
        if inside or (isinstance(s, p.New | p.Push) and s.local in fixed):
            found |= {*inside, id(s)}
    return found


@define(eq=False)
class _Lengths:
    """lengths: of sequences, the most that they have at the statement at hand.  peak: the most that they had before.

    changing: the statements that count.
    """

    plan: p.Plan
    lengths: Sizes
    peak: Sizes
    changing: set[int]
    depth: int = 0

    def most_in(self, body: p.Body) -> Sizes:
        """The most anywhere in a body, wherever that is left."""
        outer, self.peak = self.peak, self.lengths.copy()
        self.walk(body)
        found, self.peak = self.peak, _either(outer, self.peak)
        return found

    def walk(self, body: p.Body) -> None:
        for s in body:
            if id(s) not in self.changing:
                continue
            match s:
                case p.New(local):
                    self.lengths[local] = 0
                case p.Push(local):
                    self.lengths[local] += 1
                    self.peak[local] = max(self.peak[local], self.lengths[local])
                case p.If(_, then, other):
                    before = self.lengths.copy()
                    self.walk(then)
                    first, self.lengths = self.lengths, before
                    self.walk(other)
                    self.lengths = _either(first, self.lengths)
                case p.Block(body=inner):
                    self.lengths = self.most_in(inner).copy()
                case p.Loop() | p.Each() | p.Count():
                    self.rounds(s.body, self.times(s))

    def rounds(self, body: p.Body, times: int) -> None:
        """No round adds more than the second, as what a round makes of a length is a maximum of sums."""
        if self.depth == _DEEPEST:
            self.lose(body)
            return
        self.depth += 1
        first = self.most_in(body)
        self.lengths = first.copy()
        second = self.most_in(body)
        self.depth -= 1
        grown = {local: most + (second[local] - most) * max(0, times - 1) for local, most in first.items()}
        self.lengths = {local: min(most, _UNKNOWN) for local, most in grown.items()}
        self.peak = _either(self.peak, self.lengths)

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
