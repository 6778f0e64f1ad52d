"""The IR builder: one function of a plan under construction, and what all functions of a plan share.

The modules of `expressions`, `moves` and `operations` say what expressions and
operations become; they find each other in the tables here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rulekit import limits
from rulekit.compiler.lower.storage.layout import DEEP, Restart, Storage, Unsupported
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ONE, add, binary, word
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.play.state.cost_model import CostModel, cost_model
from rulekit.play.state.setting import Setting
from rulekit.values import define, field, frozen

Interval = tuple[int, int]
"""Between which bounds a number always lies."""
ANY: Interval = (-limits.INTEGER, limits.INTEGER)


@frozen
class Known:
    """What is known of a value before anything runs; of a set, of its elements.

    value:    what it stands for.  shape: 0 one thing, 1 a set, 2 a set of sets.
    reach:    between which bounds it lies.  maybe: whether it may be nothing.
    cells:    whether it is a cell of a grid, not a piece.
    most:     how many elements it has at the most, where that is few.  distinct: whether it has none twice.
    """

    value: p.Expr
    shape: int = 0
    reach: Interval = ANY
    maybe: bool = True
    cells: bool = False
    most: int = limits.SET
    distinct: bool = False

    @property
    def is_thing(self) -> bool:
        """Whether it is one thing or number, no cell."""
        return not self.shape and not self.cells


@frozen
class Lying(p.Store):
    """Notes in which list a copy lies; left out if nothing asks for it."""


@define(eq=False)
class Program:
    """The plan under construction.

    universes:  of tables of rows that are power sets, of which numbers; see `bitsets`.
    checked:  whether invariants are looked at: see `operations.verification`.
    searching:  whether the plan is to be searched; driven: whether its matches are driven by numbers.
    verdicts:    whether what comes of tries is noted: see `builder.verdicts`.
    reads_lies:  whether anything asks in which list a copy lies.
    guarded:  codes in which an `only if` may lie ahead of a question.
    tries:    whether anything is tried.
    steps:    the word that says whether a step of a code is to be skipped.
    innermost:  of names of steps that several may mean, the word that says whose is meant; see `dynamic_scope`.
    answers:  what was asked about defines, see `abstract_interpretation.through_define`.
    written_out:  how many defines were written out wherever they are used.
    paused:   called before each function, so that whoever no longer wants the plan can raise something.
    """

    storage: Storage
    tables: dict[tuple[int, ...], int] = field(factory=dict)
    rows: dict[tuple[tuple[int, ...], ...], int] = field(factory=dict)
    functions: dict[str, p.Function | None] = field(factory=dict)
    asks: list[p.Question] = field(factory=list)
    faults: dict[str, int] = field(factory=dict)
    universes: dict[int, range] = field(factory=dict)
    guarded: frozenset[int] = frozenset()
    tries: bool = False
    checked: bool = False
    searching: bool = False
    driven: bool = False
    verdicts: bool = False
    reads_lies: bool = False
    steps: dict[tuple[int, str], int] = field(factory=dict)
    innermost: dict[str, int] = field(factory=dict)
    answers: dict[Any, Any] = field(factory=dict)
    written_out: int = 0
    paused: Callable[[], None] = lambda: None

    @property
    def setting(self) -> Setting:
        return self.storage.setting

    @property
    def counters(self) -> Any:
        return self.storage.counters

    def entry(self, values: tuple[int, ...], at: p.Expr, known: Interval = ANY) -> p.Expr:
        """An entry of a table of integers; the table itself is shared with others that are equal.

        known:  between which bounds `at` lies.
        """
        if isinstance(at, p.Const):
            return p.Const(values[at.value])
        low, high = known if 0 <= known[0] <= known[1] < len(values) else (0, len(values) - 1)
        inside, first = values[low : high + 1], values[low]
        if len(set(inside)) == 1:
            return p.Const(first)
        if inside == tuple(range(first, first + len(inside))):
            return add(at, p.Const(first - low))
        if isinstance(at, p.Binary) and at.op == "-" and isinstance(at.right, p.Const) and 0 < at.right.value < 64:
            return self.entry((0,) * at.right.value + values, at.left)
        return p.Entry(self.tables.setdefault(values, len(self.tables)), at)

    def row(self, values: tuple[tuple[int, ...], ...], at: p.Expr) -> p.Expr:
        return p.Row(self.rows.setdefault(values, len(self.rows)), at)

    def size(self, of: p.Expr) -> p.Expr:
        """How long a sequence is; looked up where it is a row."""
        if isinstance(of, p.Row):
            return self.entry(tuple(len(row) for row in list(self.rows)[of.table]), of.at)
        return p.Size(of)

    def item(self, of: p.Expr, at: p.Expr) -> p.Expr:
        """The entry of a sequence at a place from 0 that it has."""
        if isinstance(of, p.Row) and isinstance(of.at, p.Const):
            row = list(self.rows)[of.table][of.at.value]
            return self.entry(row, at) if row else p.Item(of, at)
        return p.Item(of, at)

    def fault(self, name: str) -> p.Expr:
        return p.Const(p.Status.FAULT + self.faults.setdefault(name, len(self.faults)))

    def function(self, name: str, make: Callable[[], p.Function]) -> str:
        """The function of this name, made when it is first asked for; what calls itself must count how deep it is."""
        if self.functions.get(name, self) is None and self.storage.deep is None:
            raise Restart(DEEP)
        if name not in self.functions:
            self.paused()
            self.functions[name] = None
            self.functions[name] = make()
        return name


@define(eq=False)
class Builder:
    """Builds one function of a plan, statement by statement.

    locals, elements:  what the names of the rules stand for, and the elements of the queries around.
    holds:     tests that surely hold here: conditions of the queries around, whose the pieces are, what was looked at.
    noted:     open readings that were surely noted already on the way here.
    worked_out:  built-in sets that the operation at hand has surely worked out already, and where they stand.
    sizes:     where it is known of a sequence how long it is without making it.
    cursors:   what the loops of the flow go through: from where, which sequence or None, up to where.
    walks:     other loops of the flow: how each goes from piece to piece, see `moves.walks`.
    empty:     the loops of the flow that surely go through nothing; listed: the few things that others go through.
    code, place, rule:  the code, the place in it and its name; apart: inside `secretly each`; secret: all of it.
    lasting:   sequences that stay as they are as long as the locals that they are.
    aliases:   sequences that are names for others.
    lying:     locals that are things of which it is known here in which list they lie, and at
               which place.
    aside:     the places of each `secretly each` of which a block may read what another changes, see `snapshots`.
    grid:      the grid at hand, where there are several; see `grid_dispatch`.
    counts:    whether steps are counted: not in what no operation of the rules works out.
    keeps, named_sets:  how often sets were kept, and since where and up to where names stand for some; see
               `interned_sets`.
    """

    program: Program
    name: str
    body: list[p.Statement] = field(factory=list)
    types: dict[str, str] = field(factory=dict)
    locals: dict[int, Known] = field(factory=dict)
    elements: dict[int, Known] = field(factory=dict)
    op: ops.Op | None = None
    holds: tuple[p.Expr, ...] = ()
    noted: set[int] = field(factory=set)
    worked_out: dict[x.Expr, p.Expr] = field(factory=dict)
    sizes: dict[p.Expr, p.Expr] = field(factory=dict)
    cursors: dict[int, tuple[p.Expr, p.Expr | None, p.Expr]] = field(factory=dict)
    empty: set[int] = field(factory=set)
    walks: dict[int, Any] = field(factory=dict)
    listed: dict[int, tuple[p.Get, ...]] = field(factory=dict)
    counts: bool = False
    count: int = 0
    depth: int = 0
    code: int = -1
    place: int = 0
    rule: str = ""
    apart: bool = False
    secret: bool = False
    lying: dict[int, tuple[p.Expr, p.Expr]] = field(factory=dict)
    lasting: set[str] = field(factory=set)
    aliases: set[str] = field(factory=set)
    grid: model.Place | None = None
    keeps: int = 0
    named_sets: list[tuple[int, int | None]] = field(factory=list)
    aside: set[int] = field(factory=set)

    @property
    def setting(self) -> Setting:
        return self.program.setting

    @property
    def storage(self) -> Storage:
        return self.program.storage

    # ------------------------------------------------------------ writing

    def emit(self, *statements: p.Statement) -> None:
        self.body += statements

    def collect(self, write: Callable[[], Any]) -> p.Body:
        """What `write` emits, as a body of its own."""
        outer, holds, self.body = self.body, self.holds, []
        noted, self.noted = self.noted, self.noted.copy()
        worked_out, self.worked_out = self.worked_out, self.worked_out.copy()
        try:
            write()
            return tuple(self.body)
        finally:
            # Who finds that it cannot be said so goes on with what was there before.
            self.body, self.noted, self.holds, self.worked_out = outer, noted, holds, worked_out

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def temp(self, kind: str = "int", prefix: str = "t") -> str:
        name = self.fresh(prefix)
        self.types[name] = kind
        return name

    def atom(self, value: p.Expr) -> p.Expr:
        """The value in a local, unless it is one or a constant already, or lies so far from one."""
        match value:
            case p.Const() | p.Get() | p.Binary("+", p.Get(), p.Const()):
                return value
        name = self.temp()
        self.emit(p.Set(name, value))
        return p.Get(name)

    def new(self) -> str:
        name = self.temp("list", "s")
        self.emit(p.New(name))
        return name

    def when(self, test: p.Expr, write: Callable[[], Any], other: Callable[[], Any] | None = None) -> None:
        """An `If`, unless the test is constant or known to hold here."""
        if isinstance(test, p.Const) or test in self.holds:
            test = test if isinstance(test, p.Const) else ONE
            chosen = write if test.value else other
            if chosen is not None:
                chosen()
            return
        then = self.collect(write)
        rest = self.collect(other) if other is not None else ()
        if then or rest:
            self.emit(p.If(test, then, rest))

    @contextmanager
    def holding(self, *tests: p.Expr) -> Iterator[None]:
        """What is written meanwhile stands where these tests hold."""
        outer, self.holds = self.holds, (*self.holds, *tests)
        try:
            yield
        finally:
            self.holds = outer

    def called(self, function: str, *args: p.Expr, gives: str = "int") -> p.Expr:
        """What a function gives, in a local."""
        name = self.temp(gives, "s" if gives == "list" else "t")
        self.emit(p.Do(name, function, args))
        return p.Get(name)

    def fault(self, test: p.Expr, code: str) -> None:
        """Unwind with a fault if the test holds; what is wrong the reference engine tells."""
        self.when(test, lambda: self.emit(p.Unwind(self.program.fault(f"{code}: {self.name}"))))

    # ------------------------------------------------------------ counting steps

    @property
    def costs(self) -> CostModel:
        return cost_model(self.setting)

    def spend(self, steps: p.Expr | int, *, checked: bool = True) -> None:
        """Count steps here, if any are counted."""
        amount = p.Const(steps) if isinstance(steps, int) else steps
        if self.counts and amount != p.Const(0):
            self.emit(p.Spend(amount, checked))

    def spend_size(self, of: p.Expr, member: int) -> None:
        """Count so many steps for each entry of a sequence."""
        self.spend(binary("*", p.Size(of), p.Const(member)))

    def is_measured(self, e: x.Expr) -> bool:
        """Return whether an expression counts the members that it goes through itself."""
        return self.counts and self.costs.is_measured(e)

    def counts_on_the_way(self, e: x.Expr) -> bool:
        """Return whether steps are counted while an expression is worked out."""
        return self.counts and self.costs.counts_on_the_way(e)

    def spend_deferred(self, e: x.Expr) -> None:
        """Count what an expression under a condition takes, where it was not counted ahead."""
        self.spend(self.costs.deferred(e) if self.counts else 0)

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """What is written meanwhile counts no steps."""
        outer, self.counts = self.counts, False
        try:
            yield
        finally:
            self.counts = outer

    def each_in(self, of: p.Expr, write: Callable[[p.Expr], Any]) -> str:
        """A loop over a sequence; gives its label."""
        label, local = self.fresh("e"), self.temp(prefix="x")
        self.emit(p.Each(label, local, of, self.collect(lambda: write(p.Get(local)))))
        return label

    def each_number(self, low: p.Expr, high: p.Expr, write: Callable[[p.Expr], Any]) -> None:
        """A loop from one number to another."""
        label, local = self.fresh("e"), self.temp(prefix="i")
        self.emit(p.Count(label, local, low, high, self.collect(lambda: write(p.Get(local)))))

    def function(
        self, integers: str = "", gives: str = "", others: tuple[tuple[str, str], ...] = (), origin: str = ""
    ) -> p.Function:
        """The function that was built, with other parameters and then these integers."""
        params = (*others, *((name, "int") for name in integers.split()))
        return p.Function(self.name, params, tuple(self.types.items()), tuple(self.body), gives, origin=origin)

    # ------------------------------------------------------------ reading

    def lies(self, thing: p.Expr) -> p.Expr:
        """The list in which a copy lies, or -1."""
        self.program.reads_lies = True
        return word(self.storage.lies, thing)

    def note_lies(self, thing: p.Expr, pile: p.Expr) -> None:
        """A copy lies in another list from now on."""
        self.emit(Lying(add(thing, p.Const(self.storage.lies)), pile))

    def value(self, e: x.Expr) -> p.Expr:
        """An expression that gives one thing."""
        made = VALUES.get(type(e))
        if made is None:
            raise Unsupported(type(e).__name__)
        return made(self, e)

    def list(self, e: x.Expr) -> p.Expr:
        """An expression that gives a set, as a sequence; it may be one of the storage, good until that changes."""
        few = FEW[0](self, e)
        if few is not None:
            return few
        made = LISTS.get(type(e))
        return self.collected(e) if made is None else made(self, e)

    def collected(self, e: x.Expr) -> p.Expr:
        name = self.new()
        self.over(e, lambda item: self.emit(p.Push(name, item)))
        return p.Get(name)

    def own(self, e: x.Expr) -> str:
        """A set as a local sequence that nothing else changes."""
        got, is_new = self.made(e)
        if isinstance(got, p.Get) and is_new and got.local not in self.aliases:
            return got.local
        name = self.temp("list", "s")
        self.emit(p.Copy(name, got))
        return name

    def held(self, e: x.Expr) -> str:
        """A set as a local sequence that stays as it is, but may be another's."""
        got, is_new = self.made(e)
        if isinstance(got, p.Get) and (is_new or got.local in self.lasting):
            return got.local
        name = self.temp("list", "s")
        if isinstance(got, p.Row):
            self.aliases.add(name)
        self.emit(p.Set(name, got) if isinstance(got, p.Row) else p.Copy(name, got))
        return name

    def made(self, e: x.Expr) -> tuple[p.Expr, bool]:
        """A set as a sequence, and whether it was made just now, so that nothing else is called so."""
        known = len(self.types)
        got = self.list(e)
        return got, isinstance(got, p.Get) and got.local in list(self.types)[known:]

    def over(self, e: x.Expr, write: Callable[[p.Expr], Any]) -> None:
        """Write something for every element of a set, one after the other; nothing it reads may change meanwhile."""
        made = LOOPS.get(type(e))
        if made is None:
            self.each_in(self.list(e), write)
        else:
            made(self, e, write)


VALUES: dict[type, Callable[[Builder, Any], p.Expr]] = {}
LISTS: dict[type, Callable[[Builder, Any], p.Expr]] = {}
Write = Callable[[p.Expr], Any]
"""Writes something for an element of a set."""
LOOPS: dict[type, Callable[[Builder, Any, Write], None]] = {}
FEW: list[Callable[[Builder, x.Expr], p.Expr | None]] = []
"""How a set of few numbers becomes a row of a table; `bitsets` says it."""
GRID: dict[str, Callable[..., Any]] = {}
"""What `grid_builtins` knows of cells and groups."""
OPS: dict[type, Callable[[Builder, Any], None]] = {}
"""What operations become that only go on to the next one."""
TERMINATORS: dict[type, Callable[..., Any]] = {}
"""What operations become that end a block; they give where it goes, if anywhere."""
AFTER_OPERATION: list[Callable[[Builder, ops.Op], None]] = []
"""What follows behind an operation; `reactions` says it."""
