"""The IR validator for one function: its names, types, labels and loops, as `validator` specifies them."""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import define, field

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import statements
from tests.plans.control_flow import falls_through

NAME = re.compile(r"[a-z][a-z0-9_]{0,99}", re.ASCII)
INT, LIST = "int", "list"
FORMS = frozenset(["one", "several", "way"])
OPERATORS = frozenset(["+", "-", "*", "//", "%", "<", "<=", "==", "!=", "&", "|", "or", "min", "max"])
OF_REALS, OF_ONE = frozenset(["+", "-", "*", "/", "max", "<"]), frozenset(["sqrt", "float"])
LEAST, MOST = -(2**63), 2**63 - 1


def is_name(name: str) -> bool:
    return bool(NAME.fullmatch(name))


@define(eq=False)
class Check:
    """One function being looked at.

    around:  labels of blocks (False) and loops (True) around the statement at hand.
    counted: locals that loops set; inside: those whose loops are around the statement at hand.
    owned, named: local sequences made here, and names for others.
    """

    plan: p.Plan
    known: dict[str, p.Function]
    function: p.Function
    found: list[str] = field(factory=list)
    types: dict[str, str] = field(factory=dict)
    around: dict[str, bool] = field(factory=dict)
    counted: frozenset[str] = frozenset()
    inside: frozenset[str] = frozenset()
    owned: set[str] = field(factory=set)
    named: set[str] = field(factory=set)

    def fault(self, title: str) -> None:
        if title not in self.found:
            self.found.append(title)

    def heading(self) -> None:
        function = self.function
        if not is_name(function.name):
            self.fault("not a name of a function")
        for name, kind in (*function.params, *function.locals):
            if not is_name(name) or kind not in (INT, LIST) or name in self.types:
                self.fault(f"{name}: not the name and type of a local, or there are two")
            self.types[name] = kind
        if function.gives not in ("", INT, LIST):
            self.fault(f"gives {function.gives}")
        if function.catches and function.gives:
            self.fault("catches and gives something")
        if any(not p.Status.STOP <= status < p.Status.FAULT for status in function.catches):
            self.fault("catches what is not the stop of an action")
        self.named |= {name for name, kind in function.params if kind == LIST}
        self.counted = frozenset(s.local for s in statements(function.body) if isinstance(s, p.Each | p.Count))
        for name in self.counted & {name for name, _ in function.params}:
            self.fault(f"{name}: a parameter set by a loop")

    def ending(self) -> None:
        for name in sorted(self.owned & self.named):
            self.fault(f"{name}: one of its own and a name for another")
        if self.function.gives and falls_through(self.function.body):
            self.fault("comes to its end without giving anything")

    # ------------------------------------------------------------ locals

    def reads(self, name: str) -> str:
        if name not in self.types:
            self.fault(f"{name}: not declared")
        if name in self.counted and name not in self.inside:
            self.fault(f"{name}: of a loop, read outside of it")
        return self.types.get(name, INT)

    def sets(self, name: str, kind: str) -> None:
        if self.types.get(name) != kind:
            self.fault(f"{name}: not declared as {kind}")
        if name in self.counted:
            self.fault(f"{name}: of a loop, set by something else")

    def owns(self, name: str) -> None:
        self.sets(name, LIST)
        self.owned.add(name)

    # ------------------------------------------------------------ expressions

    def wants(self, kind: str, *several: p.Expr) -> None:
        for expr in several:
            if self.typed(expr) != kind:
                self.fault(f"{type(expr).__name__}: not {kind}")

    def typed(self, expr: p.Expr) -> str:
        match expr:
            case p.Get(local):
                return self.reads(local)
            case p.Const(value):
                if not LEAST <= value <= MOST:
                    self.fault(f"{value}: beyond 64 bits")
            case p.Word(at):
                self.place(at, len(self.plan.words), "word")
            case p.Binary(op, left, right):
                self.wants(INT, left, right)
                self.operator(op, left, right)
            case p.Cell(at):
                self.place(at, self.plan.cells, "cell")
            case p.Trying() | p.Spent() | p.StepsLeft():
                pass
            case p.Real(op, left, right):
                self.wants(INT, left, *(() if right is None else (right,)))
                if op not in (OF_ONE if right is None else OF_REALS):
                    self.fault(f"no operator {op} of so many reals")
            case p.Hash(key, value):
                self.wants(INT, key, value)
            case p.Not(of):
                self.wants(INT, of)
                self.flags(of)
            case p.Pick(test, then, other):
                self.wants(INT, test)
                kind = self.typed(then)
                self.wants(kind, other)
                return kind
            case _:
                return self.of_sequences(expr)
        return INT

    def of_sequences(self, expr: p.Expr) -> str:
        match expr:
            case p.Entry(table, at):
                self.place(at, len(self.table(self.plan.tables, table)), "entry of a table")
            case p.Row(table, at):
                self.place(at, len(self.table(self.plan.rows, table)), "row of a table")
                return LIST
            case p.Stored(number):
                self.place(number, len(self.plan.lists), "list")
                return LIST
            case p.Size(of):
                self.wants(LIST, of)
            case p.Item(of, other) | p.Has(of, other) | p.Find(of, other):
                self.wants(LIST, of)
                self.wants(INT, other)
            case p.Alike(left, right):
                self.wants(LIST, left, right)
            case _:
                self.fault(f"{type(expr).__name__}: no expression")
        return INT

    def table(self, tables: tuple[tuple[object, ...], ...], number: int) -> tuple[object, ...]:
        if 0 <= number < len(tables):
            return tables[number]
        self.fault(f"table {number}: there is none")
        return (None,)

    def place(self, at: p.Expr, size: int, what: str) -> None:
        self.wants(INT, at)
        if isinstance(at, p.Const) and not 0 <= at.value < size:
            self.fault(f"{what} {at.value}: there is none")

    def operator(self, op: str, left: p.Expr, right: p.Expr) -> None:
        if op not in OPERATORS:
            self.fault(f"no operator {op}")
        if op in ("&", "|"):
            self.flags(left, right)
        if op in ("//", "%") and right == p.Const(0):
            self.fault("a division by 0")

    def flags(self, *several: p.Expr) -> None:
        if any(isinstance(one, p.Const) and one.value not in (0, 1) for one in several):
            self.fault("a constant among flags that is none")

    # ------------------------------------------------------------ statements

    def body(self, body: p.Body) -> None:
        for statement in body:
            _STATEMENTS.get(type(statement), _no_statement)(self, statement)

    def block(self, label: str, body: p.Body, loop: bool, local: str | None = None) -> None:
        if not is_name(label) or label in self.around:
            self.fault(f"{label}: no label, or one inside its like")
        around, inside = self.around, self.inside
        self.around = {**around, label: loop}
        if local is not None:
            if self.types.get(local) != INT or local in inside:
                self.fault(f"{local}: not declared as int, or of a loop around")
            self.inside = inside | {local}
        self.body(body)
        self.around, self.inside = around, inside

    def call(self, name: str, args: tuple[p.Expr, ...]) -> p.Function | None:
        function = self.known.get(name)
        kinds = tuple(self.typed(arg) for arg in args)
        if function is None:
            self.fault(f"{name}: there is no such function")
        elif kinds != tuple(kind for _, kind in function.params):
            self.fault(f"{name}: called with {', '.join(kinds) or 'nothing'}")
        return function

    def question(self, number: int, several: bool) -> None:
        if not 0 <= number < len(self.plan.asks):
            self.fault(f"question {number}: there is none")
        elif (self.plan.asks[number].form == "several") != several:
            self.fault(f"question {number}: of another form")


# ---------------------------------------------------------------- statements


def _no_statement(check: Check, s: p.Statement) -> None:
    check.fault(f"{type(s).__name__}: no statement")


def _set(check: Check, s: p.Set) -> None:
    kind = check.typed(s.value)
    check.sets(s.local, kind)
    if kind == LIST:
        check.named.add(s.local)


def _store(check: Check, s: p.Store) -> None:
    check.place(s.at, len(check.plan.words), "word")
    check.wants(INT, s.value)


def _sum(check: Check, s: p.Sum) -> None:
    check.place(s.at, len(check.plan.sums), "sum")
    check.wants(INT, s.value)
    if s.manner not in ("+", "min", "max"):
        check.fault(f"no manner {s.manner} of a sum")


def _set_cell(check: Check, s: p.SetCell) -> None:
    check.place(s.at, check.plan.cells, "cell")
    check.wants(INT, s.value)


def _if(check: Check, s: p.If) -> None:
    check.wants(INT, s.test)
    check.body(s.then)
    check.body(s.other)


def _each(check: Check, s: p.Each) -> None:
    if isinstance(s.of, p.Bits):
        check.wants(INT, s.of.mask)
    else:
        check.wants(LIST, s.of)
    check.block(s.label, s.body, True, s.local)


def _count(check: Check, s: p.Count) -> None:
    check.wants(INT, s.low, s.high)
    check.block(s.label, s.body, True, s.local)


def _jump(check: Check, s: p.Break | p.Again) -> None:
    if s.label not in check.around or (isinstance(s, p.Again) and not check.around[s.label]):
        check.fault(f"{s.label}: nothing around to leave or go on with")


def _do(check: Check, s: p.Do) -> None:
    function = check.call(s.function, s.args)
    if s.local is None or function is None:
        return
    if function.gives == LIST:
        check.owns(s.local)
    else:
        check.sets(s.local, INT)
    if not function.gives:
        check.fault(f"{s.function}: gives nothing")


def _return(check: Check, s: p.Return) -> None:
    gives = "" if s.value is None else check.typed(s.value)
    if gives != check.function.gives:
        check.fault(f"returns {gives or 'nothing'}, but gives {check.function.gives or 'nothing'}")


def _unwind(check: Check, s: p.Unwind | p.Fail) -> None:
    check.wants(INT, s.status)
    if isinstance(s.status, p.Const) and not 0 < s.status.value < p.Status.FAULT + max(1, len(check.plan.faults)):
        check.fault(f"{s.status.value}: no status")


def _copy(check: Check, s: p.Copy) -> None:
    check.wants(LIST, s.of)
    check.owns(s.local)


def _push(check: Check, s: p.Push) -> None:
    check.wants(INT, s.value)
    check.owns(s.local)


def _drop(check: Check, s: p.Drop) -> None:
    check.wants(INT, s.at)
    check.owns(s.local)


def _sort(check: Check, s: p.Sort) -> None:
    check.wants(LIST, s.keys)
    check.owns(s.local)
    if s.width < 1:
        check.fault("sorted by no key")


def _on_list(check: Check, s: p.Add | p.Take | p.Put | p.Move) -> None:
    check.place(s.list, len(check.plan.lists), "list")
    for name in ("at", "start", "end", "value"):
        if hasattr(s, name):
            check.wants(INT, getattr(s, name))


def _fill(check: Check, s: p.Fill) -> None:
    check.place(s.list, len(check.plan.lists), "list")
    check.wants(LIST, s.of)


def _draw(check: Check, s: p.Draw) -> None:
    check.wants(INT, s.n)
    check.sets(s.local, INT)
    if not 0 <= s.stream < len(check.plan.streams):
        check.fault(f"stream {s.stream}: there is none")


def _ask(check: Check, s: p.Ask) -> None:
    check.wants(INT, s.seat)
    check.wants(LIST, s.options, *([] if s.among is None else [s.among]))
    check.sets(s.local, INT)
    check.question(s.ask, several=False)


def _ask_several(check: Check, s: p.AskSeveral) -> None:
    check.wants(INT, s.seat, s.least, s.most, *([] if s.nothing is None else [s.nothing]))
    check.wants(LIST, s.options)
    check.owns(s.local)
    check.question(s.ask, several=True)


def _live(check: Check, s: p.Live) -> None:
    if not check.function.bounds or s.on not in range(p.STANDS_IN + 1):
        check.fault("Live: of a function that does not bound, or none of its four numbers")


def _try(check: Check, s: p.Try) -> None:
    check.call(s.function, s.args)
    check.sets(s.local, INT)


def _feasible(check: Check, s: p.Feasible) -> None:
    check.wants(LIST, s.options)
    check.owns(s.local)


_STATEMENTS: dict[type, Callable[..., None]] = {
    p.Set: _set,
    p.Store: _store,
    p.Sum: _sum,
    p.SetCell: _set_cell,
    p.If: _if,
    p.Loop: lambda check, s: check.block(s.label, s.body, True),
    p.Block: lambda check, s: check.block(s.label, s.body, False),
    p.Each: _each,
    p.Count: _count,
    p.Break: _jump,
    p.Again: _jump,
    p.Do: _do,
    p.Return: _return,
    p.Unwind: _unwind,
    p.Fail: _unwind,
    p.New: lambda check, s: check.owns(s.local),
    p.Copy: _copy,
    p.Push: _push,
    p.Drop: _drop,
    p.Sort: _sort,
    p.Add: _on_list,
    p.Take: _on_list,
    p.Put: _on_list,
    p.Move: _on_list,
    p.Fill: _fill,
    p.Draw: _draw,
    p.Ask: _ask,
    p.AskSeveral: _ask_several,
    p.Noted: lambda check, s: check.wants(INT, s.answer),
    p.Live: _live,
    p.Try: _try,
    p.Feasible: _feasible,
    p.Spend: lambda check, s: check.wants(INT, s.steps),
    p.Apart: lambda check, s: check.wants(INT, s.begun),
}
