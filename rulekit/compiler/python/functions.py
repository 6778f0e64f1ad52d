"""Functions of a plan as functions of Python.

Python leaves only the innermost loop.  To jump further a flag is raised, and
asked behind each loop on the way.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from rulekit.compiler.passes.definite_assignment import possibly_unassigned
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.control_flow import END, Searched, Way, falls_through, statements, ways_out
from rulekit.compiler.python.expressions import storage, text, truth
from rulekit.compiler.python.statements import Site, comment, lines, popped
from rulekit.compiler.python.structuring import opposite, shaped

WRITTEN_OUT = 9
"""So many numbers are written out: going through them begins faster than through a `range`."""
OWNERS = p.New | p.Copy | p.AskSeveral | p.Do | p.Push | p.Drop | p.Sort


def all_lines(plan: p.Plan, *, hooked: bool) -> Iterator[list[str]]:
    """Each function as lines of Python; with answers by chance, or by a hook."""
    kinds = {type(s) for one in plan.functions for s in statements(one.body)}
    bounds = any(one.bounds for one in plan.functions)
    for function in plan.functions:
        own = frozenset(s.local for s in statements(function.body) if isinstance(s, OWNERS) and s.local is not None)
        yield _function_lines(Site(plan, function, own, hooked, bounds or p.Try in kinds, bounds, p.Tick in kinds))


def _function_lines(site: Site) -> list[str]:
    function, writer = site.function, _Writer(site)
    parameters = ", ".join(name for name, _ in function.params)
    writer.line(f"def {function.name}({parameters}):{comment(function.origin)}")
    writer.depth += 1
    writer.start(function)
    writer.statements(shaped(function))
    writer.finish(function)
    return writer.lines


@define(eq=False)
class _Writer:
    """loops:  for each Python loop around, what `break` and what `continue` mean in it."""

    site: Site
    lines: list[str] = field(factory=list)
    depth: int = 0
    loops: list[tuple[Way, Way]] = field(factory=list)

    def line(self, words: str) -> None:
        self.lines.append("    " * self.depth + words)

    # ------------------------------------------------------------ the function around

    def start(self, function: p.Function) -> None:
        kinds = {type(s) for s in statements(function.body)}
        if p.Ask in kinds and self.site.ticks and not self.site.hooked:
            self.line("global ticks, work")
        elif p.Tick in kinds:
            self.line("global ticks")
        if function.stops:
            self.start_stopping(function)
        else:
            self.first_values(function, possibly_unassigned(function))
            self.begin_guard(function)
        if function.bounds or function.catches or function.stops:
            self.line("try:")
            self.depth += 1
        self.line("pass") if not function.body else None

    def first_values(self, function: p.Function, names: list[str]) -> None:
        types = dict(function.locals)
        for name in names:
            self.line(f"{name} = {'0' if types[name] == 'int' else '[]'}")

    def begin_guard(self, function: p.Function) -> None:
        if function.bounds:
            arguments = "".join(f"{name}[:], " if kind == "list" else f"{name}, " for name, kind in function.params)
            self.line(f"guard = None if trying else begin({function.name}, ({arguments.rstrip()}))")

    def start_stopping(self, function: p.Function) -> None:
        """What was put aside, or else a beginning.  Every local has a value that can be put aside."""
        self.line("if frames:")
        self.line(f"    {_aside(function)} = frames.pop()")
        self.line("else:")
        self.depth += 1
        self.first_values(function, [name for name, _ in function.locals])
        self.begin_guard(function)
        self.depth -= 1

    def finish(self, function: p.Function) -> None:
        if not function.bounds and not function.catches and not function.stops:
            return
        self.depth -= 1
        if function.catches or function.stops:
            self.line("except Unwound as unwound:")
        if function.stops:
            self.line(f"    if unwound.status == {p.Status.WAITING.value}:")
            self.line(f"        frames.append({_aside(function)})")
        if function.catches:
            self.line(f"    if {_other(function.catches)}:")
            self.line("        raise")
        elif function.stops:
            self.line("    raise")
        if function.bounds:
            self.line("finally:")
            self.line("    if guard and not frames:" if function.stops else "    if guard:")
            self.line("        end(guard)")

    # ------------------------------------------------------------ control

    def body(self, body: p.Body) -> None:
        """One step further in."""
        self.depth += 1
        self.statements(body)
        self.depth -= 1

    def statements(self, body: p.Body) -> None:
        place = 0
        while place < len(body):
            taken = popped(*body[place : place + 2])
            if taken:
                self.line(taken)
            else:
                self.statement(body[place])
            place += 2 if taken else 1
        if not body:
            self.line("pass")

    def statement(self, s: p.Statement) -> None:
        match s:
            case p.If():
                self.branches(s)
            case p.Break() | p.Again():
                self.jump(s)
            case p.Loop(label, body):
                self.endless(label, body)
            case p.Each(_, local, of, (p.Add(to, p.Get(item)),)) if item == local and of != p.Stored(to):
                self.line(f"{storage(to)}.extend({text(of)})")
            case p.Each(label=label, body=body) | p.Count(label=label, body=body):
                self.loop(_head(s), label, body)
            case p.Block(label, body):
                self.loop("while True:", label, (*body, p.Break(label)) if falls_through(body) else body)
            case Searched(loop, other):
                self.loop(_head(loop), loop.label, loop.body)
                self.line("else:")
                self.body(other)
            case _:
                for line in lines(self.site, s):
                    self.line(line)

    def branches(self, s: p.If) -> None:
        self.line(f"if {truth(s.test)}:")
        self.body(s.then)
        while len(s.other) == 1 and isinstance(s.other[0], p.If):
            s = s.other[0]
            self.line(f"elif {truth(s.test)}:")
            self.body(s.then)
        if s.other:
            self.line("else:")
            self.body(s.other)

    def endless(self, label: str, body: p.Body) -> None:
        first = body[0] if body else None
        if isinstance(first, p.If) and first.then == (p.Break(label),) and not first.other:
            self.loop(f"while {truth(opposite(first.test))}:", label, body[1:])
            return
        ways = ways_out(body) - {END, p.Again(label)}
        if len(ways) != 1 or p.Break(label) in ways:
            self.loop("while True:", label, body)
            return
        # Left for one thing only: `break` can mean that.
        (way,) = ways
        self.around("while True:", (way, p.Again(label)), body)
        self.jump(way)

    def loop(self, head: str, label: str, body: p.Body) -> None:
        """A loop, or a block as a loop that runs once."""
        own = (p.Break(label), p.Again(label))
        further = sorted(ways_out(body) - {END, *own}, key=str)
        for way in further:
            if self.word(way):
                self.line(f"{_flag(way)} = False")
        self.around(head, own, body)
        for way in further:
            self.line(f"if {_flag(way)}:")
            self.line(f"    {self.word(way) or 'break'}")

    def around(self, head: str, meaning: tuple[Way, Way], body: p.Body) -> None:
        self.line(head)
        self.loops.append(meaning)
        self.body(body)
        self.loops.pop()

    def jump(self, way: Way) -> None:
        word = self.word(way)
        if not word:
            self.line(f"{_flag(way)} = True")
        self.line(word or "break")

    def word(self, way: Way) -> str:
        """Python's word for a jump from here, if it has one."""
        if not self.loops or way not in self.loops[-1]:
            return ""
        return ("break", "continue")[self.loops[-1].index(way)]


def _aside(function: p.Function) -> str:
    """All that a function that stops puts aside."""
    names = [name for name, _ in (*function.params, *function.locals)]
    return f"({', '.join([*names, *(['guard'] if function.bounds else [])])},)"


def _other(statuses: tuple[int, ...]) -> str:
    """Whether what unwinds is none of these; the status is all that an `Unwound` is made with."""
    if len(statuses) == 1:
        return f"unwound.args[0] != {statuses[0]}"
    return f"unwound.args[0] not in {tuple(statuses)}"


def _flag(way: Way) -> str:
    assert isinstance(way, p.Break | p.Again)
    return f"{'OUT' if isinstance(way, p.Break) else 'ON'}_{way.label}"


def _head(s: p.Each | p.Count) -> str:
    if isinstance(s, p.Each):
        return f"for {s.local} in {text(s.of)}:"
    if isinstance(s.low, p.Const) and isinstance(s.high, p.Const) and s.high.value - s.low.value < WRITTEN_OUT:
        numbers = "".join(f"{number}, " for number in range(s.low.value, s.high.value + 1))
        return f"for {s.local} in ({numbers.strip()}):"
    low = "" if s.low == p.Const(0) else f"{text(s.low)}, "
    return f"for {s.local} in range({low}{_above(s.high)}):"


def _above(high: p.Expr) -> str:
    match high:
        case p.Const(value):
            return str(value + 1)
        case p.Binary("-", left, p.Const(1)):
            return text(left)
    return text(p.Binary("+", high, p.Const(1)))
