"""Plans made by chance: valid, never without sense, and never long at work.

What is stored is kept small by a remainder, so that no product leaves 64
bits; places are remainders by sizes; loops count; a function that is tried
asks little.
"""

from __future__ import annotations

from random import Random

from attrs import define, evolve, field

from rulekit.compiler.plan import ir as p
from tests.generators.handmade_plans import (
    FAULT,
    LISTS,
    ROOM,
    STOP,
    add,
    ask,
    binary,
    const,
    function,
    get,
    plan,
    several,
    stored,
    when,
    word,
)
from tests.plans.reals import bits

SUMS = (0, 5, -(2**60))
SMALL = 997
FREE_WORDS = 10
"""The words behind these count draws."""
MAYBE = 9
"""This word may hold nothing and is only compared."""
CELLS = 6
"""The second half of the cells holds reals."""
LONGEST = 6
FEW = 3


@define(eq=False)
class Scope:
    """Of the function being made.

    numbers, sequences:  locals that may be read; frozen: those sequences that a loop goes through.
    labels:  around the statement at hand, with whether it is a loop.
    load:    how many answers a run of the statement at hand counts for.
    """

    order: int
    numbers: list[str] = field(factory=list)
    sequences: list[str] = field(factory=list)
    names: list[str] = field(factory=list)
    frozen: set[str] = field(factory=set)
    labels: list[tuple[str, bool]] = field(factory=list)
    count: int = 0
    load: int = 1
    asks: int = 0
    bounds: bool = False
    gives: str = ""

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"


@define(eq=False)
class Maker:
    random: Random
    made: list[p.Function] = field(factory=list)
    asks: dict[str, int] = field(factory=dict)

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    # ------------------------------------------------------------ expressions

    def number(self, scope: Scope, depth: int = 2) -> p.Expr:
        """A number of at most 10^10 or so."""
        if depth == 0 or self.chance(0.3):
            return self.leaf(scope)
        left, right = self.number(scope, depth - 1), self.number(scope, depth - 1)
        kind = self.random.randrange(11)
        if kind < 4:
            return binary(self.random.choice(["+", "-", "min", "max"]), left, right)
        if kind == 10:
            return binary("%", self.random.choice([p.Hash(left, right), self.real(scope)]), SMALL)
        if kind == 4:
            return binary("*", left, self.leaf(scope))
        if kind == 5:
            return binary(self.random.choice(["//", "%"]), left, self.random.choice([-7, -2, 2, 3, 10]))
        if kind == 6:
            return p.Pick(self.test(scope, depth - 1), left, right)
        if kind == 7:
            return self.test(scope, depth - 1)
        return self.of_sequence(scope)

    def real(self, scope: Scope, depth: int = 2) -> p.Expr:
        """A real of no more than 10^30 or so."""
        kind = self.random.randrange(8 if depth else 3)
        if kind == 0:
            return p.Real("float", self.number(scope, depth - 1) if depth else self.leaf(scope))
        if kind == 1:
            return p.Cell(self.cell(scope, CELLS // 2))
        if kind == 2:
            return const(bits(self.random.choice([-2.5, -0.0, 0.1, 1.0, 3e5])))
        left, right = self.real(scope, depth - 1), self.real(scope, depth - 1)
        if kind == 3:
            return p.Real("/", left, const(bits(self.random.choice([-7.0, 0.3, 1e3]))))
        if kind == 4:
            return p.Real("sqrt", p.Real("max", left, const(bits(0.0))))
        return p.Real(self.random.choice("+-*") if kind < 7 else "max", left, right)

    def cell(self, scope: Scope, first: int) -> p.Expr:
        """The number of one of so many cells from the first on."""
        if self.chance(0.6):
            return const(first + self.random.randrange(CELLS // 2))
        return binary("+", binary("%", self.leaf(scope), CELLS // 2), first)

    def leaf(self, scope: Scope) -> p.Expr:
        kind = self.random.randrange(5)
        if kind == 4:
            return p.Cell(const(self.random.randrange(CELLS // 2)))
        if kind == 0 and scope.numbers:
            return get(self.random.choice(scope.numbers))
        if kind == 1:
            return word(self.random.randrange(MAYBE))
        if kind == 2:
            return word(binary("%", get(self.random.choice(scope.numbers)) if scope.numbers else const(3), MAYBE))
        return const(self.random.choice([-2, -1, 0, 0, 1, 1, 2, 3, 10, 500]))

    def of_sequence(self, scope: Scope) -> p.Expr:
        of = self.sequence(scope)
        kind = self.random.randrange(5)
        if kind == 0:
            return p.Size(of)
        if kind == 1:
            at = binary("%", self.leaf(scope), p.Size(of))
            return p.Pick(binary("<", 0, p.Size(of)), p.Item(of, at), self.leaf(scope))
        if kind == 2:
            return p.Find(of, self.leaf(scope))
        if kind == 3:
            return p.Entry(0, binary("%", self.leaf(scope), 3))
        return p.Size(p.Pick(self.test(scope, 0), of, self.sequence(scope)))

    def sequence(self, scope: Scope) -> p.Expr:
        kind = self.random.randrange(4)
        if kind < 2 and scope.sequences + scope.names:
            return get(self.random.choice(scope.sequences + scope.names))
        if kind == 2:
            return p.Row(0, binary("%", self.leaf(scope), 3))
        return stored(self.random.randrange(LISTS) if self.chance(0.8) else binary("%", self.leaf(scope), LISTS))

    def unchanged(self, scope: Scope) -> p.Expr:
        """A sequence that no function changes."""
        known = scope.sequences + scope.names
        return get(self.random.choice(known)) if known and self.chance(0.7) else p.Row(0, const(2))

    def test(self, scope: Scope, depth: int = 2) -> p.Expr:
        kind = self.random.randrange(10 if depth else 5)
        if kind == 9:
            return p.Real("<", self.real(scope, depth - 1), self.real(scope, depth - 1))
        if kind < 3:
            op = self.random.choice(["<", "<=", "==", "!="])
            return binary(op, self.number(scope, min(1, depth)), self.number(scope, min(1, depth)))
        if kind == 3:
            return p.Has(self.sequence(scope), self.leaf(scope))
        if kind == 4:
            return binary(self.random.choice(["==", "!="]), word(MAYBE), p.NONE)
        if kind == 5:
            return p.Not(self.test(scope, depth - 1))
        if kind == 6:
            return p.Alike(self.sequence(scope), self.sequence(scope), self.chance(0.5))
        return binary(self.random.choice("&|"), self.test(scope, depth - 1), self.test(scope, depth - 1))

    def small(self, scope: Scope) -> p.Expr:
        """A number that may be kept."""
        return self.leaf(scope) if self.chance(0.4) else binary("%", self.number(scope), SMALL)

    # ------------------------------------------------------------ statements

    def body(self, scope: Scope, depth: int, length: int | None = None) -> p.Body:
        outer = list(scope.numbers), list(scope.sequences), list(scope.names)
        made: list[p.Statement] = []
        for _ in range(self.random.randrange(1, 6) if length is None else length):
            made += self.statement(scope, depth)
        # What was made inside is mostly forgotten: at times it is read where it was not set.
        if self.chance(0.7):
            scope.numbers[:], scope.sequences[:], scope.names[:] = outer
        return tuple(made)

    def statement(self, scope: Scope, depth: int) -> list[p.Statement]:
        kind = self.random.randrange(20)
        if depth > 0 and kind < 7:
            return self.control(scope, depth)
        if kind < 10:
            return self.storing(scope)
        if kind < 13:
            return [self.setting(scope)]
        if kind < 16:
            return self.sequencing(scope)
        if kind == 16:
            return self.leaving(scope)
        if kind == 17:
            return self.asking(scope)
        if kind == 18:
            return self.calling(scope)
        return self.rarely(scope)

    def control(self, scope: Scope, depth: int) -> list[p.Statement]:
        kind = self.random.randrange(6)
        if kind == 5:
            return self.search(scope, depth)
        if kind < 2:
            other = self.body(scope, depth - 1) if self.chance(0.5) else ()
            return [p.If(self.test(scope), self.body(scope, depth - 1), other)]
        if kind == 2:
            label = scope.fresh("b")
            return [p.Block(label, self.inside(scope, label, False, depth))]
        return self.loop(scope, depth)

    def inside(self, scope: Scope, label: str, loop: bool, depth: int, number: str = "") -> p.Body:
        scope.labels.append((label, loop))
        scope.numbers += [number] if number else []
        scope.load *= FEW if loop else 1
        body = self.body(scope, depth - 1)
        scope.load //= FEW if loop else 1
        scope.labels.pop()
        if number in scope.numbers:
            scope.numbers.remove(number)
        return body

    def loop(self, scope: Scope, depth: int) -> list[p.Statement]:
        label, local = scope.fresh("l"), scope.fresh("i")
        kind = self.random.randrange(4)
        if scope.load > FEW:
            return [when(self.test(scope), *self.body(scope, depth - 1))]
        if kind == 0:
            low = self.random.randrange(-1, 3)
            high = const(low + self.random.randrange(-1, FEW))
            return [p.Count(label, local, const(low), high, self.inside(scope, label, True, depth, local))]
        if kind == 1:
            return [p.Each(label, local, p.Row(0, const(2)), self.inside(scope, label, True, depth, local))]
        if kind == 2:
            return self.each(scope, label, local, depth)
        number = scope.fresh("t")
        body = self.inside(scope, label, True, depth)
        first = p.Set(number, binary("+", get(number), 1))
        leave = when(binary("<", FEW, get(number)), p.Break(label))
        return [p.Set(number, const(0)), p.Loop(label, (first, leave, p.Spend(const(1), checked=True), *body))]

    def search(self, scope: Scope, depth: int) -> list[p.Statement]:
        """A loop that raises a flag where it finds something, mostly of the form that engines know."""
        flag, loop = scope.fresh("t"), self.loop(scope, depth)
        one = loop[-1]
        if not isinstance(one, p.Each | p.Count):
            return loop
        found = when(self.test(scope), p.Set(flag, const(1)), p.Break(one.label))
        place = self.random.randrange(len(one.body) + 1)
        one = evolve(one, body=(*one.body[:place], found, *one.body[place:]))
        first: list[p.Statement] = [p.Set(flag, const(0))] if self.chance(0.9) else []
        test = get(flag) if self.chance(0.6) else p.Not(get(flag))
        other = self.body(scope, depth - 1) if self.chance(0.5) else ()
        asked: list[p.Statement] = [p.If(test, self.body(scope, depth - 1), other)]
        scope.numbers += [flag] if self.chance(0.1) else []
        return [*first, *loop[:-1], one, *asked]

    def each(self, scope: Scope, label: str, local: str, depth: int) -> list[p.Statement]:
        name = scope.fresh("s")
        few = when(binary("<", FEW, p.Size(get(name))), p.New(name), p.Push(name, self.leaf(scope)))
        made: list[p.Statement] = [p.Copy(name, self.sequence(scope)), few]
        scope.frozen.add(name)
        scope.sequences.append(name)
        body = self.inside(scope, label, True, depth, local)
        scope.frozen.discard(name)
        return [*made, p.Each(label, local, get(name), body)]

    def storing(self, scope: Scope) -> list[p.Statement]:
        kind = self.random.randrange(8)
        at = const(self.random.randrange(LISTS)) if self.chance(0.8) else binary("%", self.leaf(scope), LISTS)
        size = p.Size(p.Stored(at))
        place = binary("%", self.leaf(scope), size)
        if kind == 0:
            nothing = p.Pick(self.test(scope, 1), const(p.NONE), self.leaf(scope))
            return [p.Store(const(MAYBE), nothing)]
        if kind < 4:
            to = const(self.random.randrange(MAYBE)) if self.chance(0.7) else binary("%", self.leaf(scope), MAYBE)
            return [p.Store(to, self.small(scope))]
        if kind == 4:
            return [when(binary("<", size, ROOM), p.Add(at, self.small(scope)))]
        if kind == 5:
            return [when(binary("<", 0, size), p.Take(at, place))]
        if kind == 6:
            return [when(binary("<", 0, size), p.Put(at, place, self.small(scope)))]
        first = binary("min", place, binary("%", self.leaf(scope), size))
        moved = p.Move(at, binary("max", place, first), first)
        return [when(binary("<", 0, size), moved)] if self.chance(0.5) else [self.fill(scope, at)]

    def fill(self, scope: Scope, at: p.Expr) -> p.Statement:
        return p.Fill(at, self.sequence(scope))

    def setting(self, scope: Scope) -> p.Statement:
        old = [name for name in scope.numbers if name.startswith("t")]
        name = self.random.choice(old) if old and self.chance(0.5) else scope.fresh("t")
        made = p.Set(name, self.small(scope))
        if name not in scope.numbers:
            scope.numbers.append(name)
        return made

    def sequencing(self, scope: Scope) -> list[p.Statement]:
        own = [name for name in scope.sequences if name not in scope.frozen]
        kind = self.random.randrange(6)
        if kind == 0 or not own:
            name = scope.fresh("s")
            made: list[p.Statement] = [p.New(name) if self.chance(0.5) else p.Copy(name, self.sequence(scope))]
            scope.sequences.append(name)
            return made
        name = self.random.choice(own)
        size = p.Size(get(name))
        if kind < 3:
            return [when(binary("<", size, LONGEST), p.Push(name, self.small(scope)))]
        if kind == 3:
            return [when(binary("<", 0, size), p.Drop(name, binary("%", self.leaf(scope), size)))]
        if kind == 4:
            return self.sorting(scope, name)
        naming = scope.fresh("sn")
        scope.names.append(naming)
        return [p.Set(naming, p.Row(0, const(self.random.randrange(3))))]

    def sorting(self, scope: Scope, name: str) -> list[p.Statement]:
        keys, at, width = scope.fresh("s"), scope.fresh("i"), self.random.randrange(1, 3)
        scope.numbers.append(at)
        pushes = tuple(p.Push(keys, self.small(scope)) for _ in range(width))
        scope.numbers.remove(at)
        each = p.Each(scope.fresh("l"), at, get(name), pushes)
        return [p.New(keys), each, p.Sort(name, get(keys), width)]

    def leaving(self, scope: Scope) -> list[p.Statement]:
        kind = self.random.randrange(5)
        if kind < 3 and scope.labels:
            label, loop = self.random.choice(scope.labels)
            jump = p.Again(label) if loop and self.chance(0.5) else p.Break(label)
            return [when(self.test(scope), *self.body(scope, 0, 1), jump) if self.chance(0.8) else jump]
        if kind == 3:
            return [when(self.test(scope), self.giving(scope))]
        status = self.random.choice([p.Status.END, p.Status.FAILED, STOP, STOP + 1, FAULT + 1])
        made = p.Fail if self.chance(0.3) else p.Unwind
        return [when(binary("==", self.small(scope), self.random.randrange(3)), made(const(status)))]

    def giving(self, scope: Scope) -> p.Return:
        if not scope.gives:
            return p.Return()
        return p.Return(self.small(scope) if scope.gives == "int" else self.sequence(scope))

    # ------------------------------------------------------------ decisions, chance, calls

    def asking(self, scope: Scope) -> list[p.Statement]:
        scope.asks += scope.load
        seat, row = self.random.randrange(3), self.random.randrange(1, 3)
        options = p.Row(0, const(row))
        if self.chance(0.4):
            name, least = scope.fresh("s"), self.random.randrange(2)
            made = several(name, seat, options, least, self.random.randrange(least, 2 * row))
            scope.sequences.append(name)
            return [made]
        name = scope.fresh("t")
        if self.chance(0.4):
            return self.guarded(scope, name, seat)
        scope.numbers.append(name)
        return [ask(name, seat, options)]

    def guarded(self, scope: Scope, name: str, seat: int) -> list[p.Statement]:
        """Only the options that a guard leaves; without any the run fails."""
        kept, options = scope.fresh("s"), p.Row(1, const(0))
        scope.numbers.append(name)
        only = p.Noted(p.Find(options, p.Item(get(kept), const(0))))
        size = p.Size(get(kept))
        return [
            p.Feasible(kept, options),
            when(binary("==", size, 0), p.Fail(const(FAULT))),
            when(binary("==", size, 1), p.Set(name, const(0)), only, other=(ask(name, seat, get(kept), options),)),
            p.Set(name, p.Item(get(kept), get(name))),
        ]

    def calling(self, scope: Scope) -> list[p.Statement]:
        known = [one for one in self.made if scope.load * self.asks[one.name] <= 4]
        if not known:
            return [p.Spend(const(1), checked=True)]
        called = self.random.choice(known)
        args = tuple(self.small(scope) if kind == "int" else self.unchanged(scope) for _, kind in called.params)
        scope.asks += scope.load * self.asks[called.name]
        if self.chance(0.3):
            name = scope.fresh("t")
            scope.numbers.append(name)
            return [p.Try(name, called.name, args)]
        if not called.gives or self.chance(0.2):
            return [p.Do(None, called.name, args)]
        name = scope.fresh("t" if called.gives == "int" else "s")
        (scope.numbers if called.gives == "int" else scope.sequences).append(name)
        return [p.Do(name, called.name, args)]

    def rarely(self, scope: Scope) -> list[p.Statement]:
        kind = self.random.randrange(5)
        if kind == 0 and scope.bounds:
            return [p.Live(self.random.randrange(2))]
        if kind == 2:
            place = binary("%", self.leaf(scope), len(SUMS))
            return [p.Sum(place, self.small(scope), self.random.choice(["+", "min", "max"]))]
        if kind == 4:
            return [self.celling(scope)]
        if kind == 1:
            name = scope.fresh("t")
            scope.numbers.append(name)
            return [p.Draw(name, self.random.randrange(2), const(self.random.choice([1, 2, 6, 990])))]
        return [p.Spend(const(1), checked=True)]

    def celling(self, scope: Scope) -> p.Statement:
        if self.chance(0.5):
            return p.SetCell(self.cell(scope, 0), self.small(scope))
        # Neither less than is known of reals nor more than can be multiplied without end.
        kept = p.Real("max", const(bits(-1e6)), self.real(scope))
        return p.SetCell(self.cell(scope, CELLS // 2), p.Pick(p.Real("<", kept, const(bits(1e6))), kept, const(0)))

    # ------------------------------------------------------------ the whole

    def function(self, number: int) -> None:
        gives = self.random.choice(["", "", "int", "list"])
        scope = Scope(number, gives=gives, bounds=self.chance(0.4))
        params = [name for name in ("t91", "t92", "s93") if self.chance(0.4)]
        scope.numbers += [name for name in params if name.startswith("t")]
        scope.names += [name for name in params if name.startswith("s")]
        catches = () if gives else tuple(status for status in (STOP, STOP + 1) if self.chance(0.4))
        first: p.Body = (p.Live(1),) if scope.bounds and self.chance(0.8) else ()
        body = (*first, *self.body(scope, 2), *((self.giving(scope),) if gives else ()))
        name = f"code_{number}"
        self.made.append(
            function(name, *body, params=" ".join(params), gives=gives, catches=catches, bounds=scope.bounds)
        )
        self.asks[name] = scope.asks

    def whole(self) -> p.Plan:
        for number in range(1, self.random.randrange(1, 5)):
            self.function(number)
        lists = tuple(tuple(self.random.randrange(5) for _ in range(self.random.randrange(4))) for _ in range(LISTS))
        words = (*(self.random.randrange(-2, 5) for _ in range(FREE_WORDS)), 0, 0)
        body = self.body(Scope(0), 3, 6)
        result = (add_if_room(0, word(0)),)
        return plan(*body, functions=tuple(self.made), words=words, lists=lists, result=result, sums=SUMS, cells=CELLS)


def add_if_room(to: int, value: p.Expr) -> p.Statement:
    return when(binary("<", p.Size(stored(to)), ROOM), add(to, value))


def plan_by_chance(seed: int) -> p.Plan:
    return Maker(Random(seed)).whole()
