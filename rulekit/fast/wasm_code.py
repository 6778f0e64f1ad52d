"""From functions of a plan to WebAssembly text.

A function that may unwind gives its status behind what it gives.  The way out
is one for all: the arena goes back to where it was, guards end, what is caught
becomes DONE.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from attrs import define, field

from rulekit.fast import plan as p
from rulekit.fast.wasm_layout import Layout
from rulekit.fast.wasm_values import Writer, bare, entry, index, is_sequence, place, sequence, size, stored, test, value

KINDS = {"int": "i64", "list": "i32"}
_UNWINDING = (p.Unwind, p.Fail, p.Tick, p.Draw, p.Ask, p.AskSeveral, p.Try, p.Feasible)
ROOM = 15
PLACE = 8 + 8 * ROOM
"""The room that a local sequence begins with, in entries and with its head in bytes."""
_MAKING = (p.New, p.Copy, p.AskSeveral)


def statements(body: p.Body) -> Iterator[p.Statement]:
    for statement in body:
        yield statement
        for inner in ("then", "other", "body"):
            yield from statements(getattr(statement, inner, ()))


def unwinding(functions: Iterable[p.Function]) -> frozenset[str]:
    """The functions that may end with a status."""
    calls: dict[str, set[str]] = {}
    found: set[str] = set()
    for function in functions:
        for statement in statements(function.body):
            if isinstance(statement, _UNWINDING):
                found.add(function.name)
            elif isinstance(statement, p.Do):
                calls.setdefault(statement.function, set()).add(function.name)
    waiting = list(found)
    while waiting:
        more = calls.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return frozenset(found)


@define(eq=False)
class Coder(Writer):
    """unwinding: functions that end with a status; bounding: numbers of those that bound.

    renamed:  local sequences whose place must not be used again, as another name may still stand for it.
    """

    function: p.Function = field(kw_only=True)
    functions: dict[str, p.Function] = field(kw_only=True)
    unwinding: frozenset[str] = field(kw_only=True)
    bounding: dict[str, int] = field(kw_only=True)
    renamed: frozenset[str] = frozenset()
    places: list[str] = field(factory=list)
    status: bool = False
    makes: bool = False

    def body(self, body: p.Body) -> None:
        for statement in body:
            _STATEMENTS[type(statement)](self, statement)

    def leave(self, status: int) -> None:
        self.put(f"i32.const {status}", "local.set $.status", "br $.exit")


def write(
    plan: p.Plan, layout: Layout, functions: dict[str, p.Function], unwinds: frozenset[str], bounding: dict[str, int],
    function: p.Function,
) -> list[str]:  # fmt: skip
    """A function of a plan, as lines of text."""
    inner = list(statements(function.body))
    renamed = frozenset(_renamed(inner))
    coder = Coder(
        plan,
        layout,
        dict((*function.params, *function.locals)),
        function=function,
        functions=functions,
        unwinding=unwinds,
        bounding=bounding,
        renamed=renamed,
        sizes={name: f"$.size.{name}" for name in sorted({s.local for s in inner if isinstance(s, p.Push)})},
        places=sorted({s.local for s in inner if isinstance(s, p.New)} - renamed),
        status=function.name in unwinds,
        makes=function.bounds or function.gives == "list" or any(_makes(functions, s) for s in inner),
    )
    _heading(coder)
    coder.put("block $.exit")
    coder.body(function.body)
    coder.put("end")
    _ending(coder)
    return _framed(coder)


def result(function: p.Function, unwinds: frozenset[str]) -> str:
    kinds = [KINDS[function.gives]] if function.gives else []
    kinds += ["i32"] if function.name in unwinds else []
    return f" (result {' '.join(kinds)})" if kinds else ""


def parameters(function: p.Function) -> str:
    return "".join(f" (param ${name} {KINDS[kind]})" for name, kind in function.params)


def _makes(functions: dict[str, p.Function], statement: p.Statement) -> bool:
    """Whether a statement takes room in the arena."""
    if isinstance(statement, p.Do):
        return functions[statement.function].gives == "list"
    return isinstance(statement, (*_MAKING, p.Push))


def _renamed(inner: list[p.Statement]) -> Iterator[str]:
    waiting = [statement.value for statement in inner if isinstance(statement, p.Set)]
    while waiting:
        expr = waiting.pop()
        if isinstance(expr, p.Get):
            yield expr.local
        elif isinstance(expr, p.Pick):
            waiting += [expr.then, expr.other]


def _heading(c: Coder) -> None:
    if c.makes:
        c.put("global.get $arena", "local.tee $.mark")
        c.put(f"i32.const {PLACE * len(c.places)}", "i32.add", "global.set $arena")
        c.put("global.get $arena", "global.get $top", "i32.gt_u", "if", "global.get $arena", "call $widen", "end")
    if c.function.bounds:
        c.put(f"i32.const {c.bounding[c.function.name]}", f"i32.const {8 * len(c.function.params)}")
        c.put("call $begin_guard", "local.tee $.guard", "if")
        for number, (name, kind) in enumerate(c.function.params):
            offset = argument(c.layout, number)
            c.put("local.get $.guard", f"local.get ${name}", f"{KINDS[kind]}.store offset={offset}")
        c.put("end")


def argument(layout: Layout, number: int) -> int:
    """Where an argument stands among what a guard remembers."""
    return 16 + layout.end - layout.words + 8 * number


def _ending(c: Coder) -> None:
    function = c.function
    if function.bounds:
        c.put("local.get $.guard", "call $end_guard")
    for status in function.catches:
        c.put("local.get $.status", f"i32.const {status}", "i32.eq", "if", "i32.const 0", "local.set $.status", "end")
    if function.gives == "list":
        c.put("local.get $.mark", "local.get $.value", "call $kept")
    else:
        c.put(*(["local.get $.mark", "global.set $arena"] if c.makes else []))
        c.put(*(["local.get $.value"] if function.gives else []))
    c.put(*(["local.get $.status"] if c.status else []))


def _framed(c: Coder) -> list[str]:
    function = c.function
    own = [("$.status", "i32")]
    own += [("$.mark", "i32")] if c.makes else []
    own += [("$.guard", "i32")] if function.bounds else []
    own += [("$.value", KINDS[function.gives])] if function.gives else []
    own += [(name, "i32") for name in c.sizes.values()]
    named = [(f"${name}", KINDS[kind]) for name, kind in function.locals]
    locals_ = " ".join(f"(local {name} {kind})" for name, kind in (*named, *own, *c.extra))
    heading = f"(func $plan.{function.name}{parameters(function)}{result(function, c.unwinding)}"
    origin = " ".join(function.origin.encode("ascii", "replace").decode().split())
    return [f";; {origin}", heading, locals_, *c.out, ")"]


# ---------------------------------------------------------------- locals and words


def _set(c: Coder, s: p.Set) -> None:
    (sequence if is_sequence(c, s.value) else value)(c, s.value)
    c.put(f"local.set ${s.local}")


def _store(c: Coder, s: p.Store) -> None:
    offset = place(c, c.layout.words, s.at, 3)
    value(c, s.value)
    c.put(f"i64.store offset={offset}")


# ---------------------------------------------------------------- control


def _if(c: Coder, s: p.If) -> None:
    test(c, s.test)
    if len(s.then) == 1 and isinstance(s.then[0], p.Break | p.Again) and not s.other:
        c.put(f"br_if {_target(s.then[0])}")
        return
    c.put("if")
    c.body(s.then)
    if s.other:
        c.put("else")
        c.body(s.other)
    c.put("end")


def _target(s: p.Break | p.Again) -> str:
    return f"${'behind' if isinstance(s, p.Break) else 'again'}.{s.label}"


def _loop(c: Coder, s: p.Loop) -> None:
    c.put(f"block $behind.{s.label}", f"loop $again.{s.label}")
    c.body(s.body)
    c.put(f"br $again.{s.label}", "end", "end")


def _block(c: Coder, s: p.Block) -> None:
    c.put(f"block $behind.{s.label}")
    c.body(s.body)
    c.put("end")


def _each(c: Coder, s: p.Each) -> None:
    at, end = c.spare("i32"), c.spare("i32")
    bare(c, s.of)
    c.put(f"local.tee {at}")
    if isinstance(s.of, p.Get):
        size(c, s.of)
    else:
        c.put(f"local.get {at}", "i32.load")
    c.put("i32.const 3", "i32.shl", "i32.add", f"local.set {end}")
    step = (f"local.get {at}", "i64.load offset=8", f"local.set ${s.local}")
    on = (f"local.get {at}", "i32.const 8", "i32.add", f"local.set {at}")
    _rounds(c, s, (f"local.get {at}", f"local.get {end}", "i32.lt_u"), step, on)


def _count(c: Coder, s: p.Count) -> None:
    at, high = c.spare("i64"), c.spare("i64")
    value(c, s.low)
    c.put(f"local.set {at}")
    value(c, s.high)
    c.put(f"local.set {high}")
    step = (f"local.get {at}", f"local.set ${s.local}")
    on = (f"local.get {at}", "i64.const 1", "i64.add", f"local.set {at}")
    _rounds(c, s, (f"local.get {at}", f"local.get {high}", "i64.le_s"), step, on)


def _rounds(c: Coder, s: p.Each | p.Count, more: tuple[str, ...], step: tuple[str, ...], on: tuple[str, ...]) -> None:
    """more: tests whether there is another round; step begins one, on ends it."""
    c.put(f"block $behind.{s.label}", *more, "i32.eqz", f"br_if $behind.{s.label}", f"loop $.{s.label}", *step)
    again = any(isinstance(inner, p.Again) and inner.label == s.label for inner in statements(s.body))
    c.put(*([f"block $again.{s.label}"] if again else []))
    c.body(s.body)
    c.put(*(["end"] if again else []))
    c.put(*on, *more, f"br_if $.{s.label}", "end", "end")


def _jump(c: Coder, s: p.Break | p.Again) -> None:
    c.put(f"br {_target(s)}")


# ---------------------------------------------------------------- calls


def _arguments(c: Coder, args: tuple[p.Expr, ...]) -> None:
    for arg in args:
        (sequence if is_sequence(c, arg) else value)(c, arg)


def _check(c: Coder) -> None:
    """Leave if the status on the stack says so."""
    c.put("local.tee $.status", "br_if $.exit")


def _do(c: Coder, s: p.Do) -> None:
    function = c.functions[s.function]
    if function.gives == "list" and s.local is not None:
        _old(c, s.local)
    _arguments(c, s.args)
    c.put(f"call $plan.{s.function}")
    if s.function in c.unwinding:
        _check(c)
    if s.local is None:
        c.put(*(["drop"] if function.gives else []))
        return
    c.put(*(["call $into"] if function.gives == "list" else []), f"local.set ${s.local}")
    _sized(c, s.local)


def _return(c: Coder, s: p.Return) -> None:
    if s.value is not None:
        (sequence if c.function.gives == "list" else value)(c, s.value)
        c.put("local.set $.value")
    c.put("br $.exit")


def _unwind(c: Coder, s: p.Unwind) -> None:
    index(c, s.status)
    c.put("local.set $.status", "br $.exit")


def _fail(c: Coder, s: p.Fail) -> None:
    c.put(f"i32.const {int(p.Status.FAILED)}")
    index(c, s.status)
    c.put("global.get $trying", "select", "local.set $.status", "br $.exit")


def _tick(c: Coder, s: p.Tick) -> None:
    c.put("global.get $left", "i32.eqz", "if")
    c.leave(p.Status.ENDLESS)
    c.put("end", "global.get $left", "i32.const 1", "i32.sub", "global.set $left")


# ---------------------------------------------------------------- local sequences


def _old(c: Coder, local: str) -> None:
    """The place that a local sequence had and may have again, or 0."""
    c.put("i32.const 0" if local in c.renamed else f"local.get ${local}")


def _empty(c: Coder, local: str) -> None:
    """A local sequence without entries: where it was, or else in the room that is kept for it."""
    name = f"local.get ${local}"
    if local in c.sizes:
        c.put("i32.const 0", f"local.set {c.sizes[local]}")
    if local in c.renamed:
        c.put(f"i32.const {ROOM}", "call $fresh", f"local.set ${local}")
        return
    c.put(name, "if", name, "i32.const 0", "i32.store", "else")
    c.put("local.get $.mark", f"i32.const {PLACE * c.places.index(local)}", "i32.add", f"local.tee ${local}")
    c.put(f"i64.const {ROOM << 32}", "i64.store", "end")


def _new(c: Coder, s: p.New) -> None:
    _empty(c, s.local)


def _copy(c: Coder, s: p.Copy) -> None:
    """What is copied may be the sequence itself."""
    _old(c, s.local)
    sequence(c, s.of)
    c.put("call $copy", f"local.set ${s.local}")
    _sized(c, s.local)


def _push(c: Coder, s: p.Push) -> None:
    """Written out, as nothing is done more often."""
    of, count = f"local.get ${s.local}", f"local.get {c.sizes[s.local]}"
    c.put(count, of, "i32.load offset=4", "i32.ge_u", "if")
    sequence(c, p.Get(s.local))
    c.put("call $grown", f"local.set ${s.local}", "end")
    c.put(of, count, "i32.const 3", "i32.shl", "i32.add")
    value(c, s.value)
    c.put("i64.store offset=8", count, "i32.const 1", "i32.add", f"local.set {c.sizes[s.local]}")


def _drop(c: Coder, s: p.Drop) -> None:
    sequence(c, p.Get(s.local))
    index(c, s.at)
    c.put("call $take")
    _sized(c, s.local)


def _sized(c: Coder, local: str) -> None:
    """Something else has made a sequence anew."""
    if local in c.sizes:
        c.put(f"local.get ${local}", "i32.load", f"local.set {c.sizes[local]}")


def _sort(c: Coder, s: p.Sort) -> None:
    sequence(c, p.Get(s.local))
    sequence(c, s.keys)
    c.put(f"i32.const {s.width}", "call $sort")


# ---------------------------------------------------------------- lists of the storage


def _add(c: Coder, s: p.Add) -> None:
    """Written out; a list has all the room it needs, and where it has not, the plan is wrong."""
    of, count = c.spare("i32"), c.spare("i32")
    stored(c, s.list)
    c.put(f"local.tee {of}", "i32.load", f"local.tee {count}")
    c.put(f"local.get {of}", "i32.load offset=4", "i32.ge_u", "if", "unreachable", "end")
    c.put(f"local.get {of}", f"local.get {count}", "i32.const 3", "i32.shl", "i32.add")
    value(c, s.value)
    c.put("i64.store offset=8", f"local.get {of}", f"local.get {count}", "i32.const 1", "i32.add", "i32.store")


def _take(c: Coder, s: p.Take) -> None:
    stored(c, s.list)
    index(c, s.at)
    c.put("call $take")


def _put(c: Coder, s: p.Put) -> None:
    offset = entry(c, p.Stored(s.list), s.at)
    value(c, s.value)
    c.put(f"i64.store offset={offset}")


def _move(c: Coder, s: p.Move) -> None:
    stored(c, s.list)
    index(c, s.start)
    index(c, s.end)
    c.put("call $move")


def _fill(c: Coder, s: p.Fill) -> None:
    stored(c, s.list)
    sequence(c, s.of)
    c.put("call $fill")


# ---------------------------------------------------------------- chance, questions, tries


def _draw(c: Coder, s: p.Draw) -> None:
    c.put(f"i32.const {s.stream}")
    value(c, s.n)
    c.put("call $draw")
    _check(c)
    c.put(f"local.set ${s.local}")


def _ask(c: Coder, s: p.Ask) -> None:
    c.put(f"i32.const {s.ask}")
    value(c, s.seat)
    sequence(c, s.options)
    sequence(c, s.options if s.among is None else s.among)
    c.put("call $ask")
    _check(c)
    c.put(f"local.set ${s.local}")


def _ask_several(c: Coder, s: p.AskSeveral) -> None:
    _old(c, s.local)
    c.put(f"i32.const {s.ask}")
    value(c, s.seat)
    sequence(c, s.options)
    value(c, s.least)
    value(c, s.most)
    c.put("call $ask_several")
    _check(c)
    c.put("call $into", f"local.set ${s.local}")
    _sized(c, s.local)


def _noted(c: Coder, s: p.Noted) -> None:
    value(c, s.answer)
    c.put("call $noted")


def _live(c: Coder, s: p.Live) -> None:
    c.put("local.get $.guard", "if", "local.get $.guard", f"i32.const {s.on}", "i32.store offset=4", "end")


def _try(c: Coder, s: p.Try) -> None:
    _arguments(c, s.args)
    c.put(f"call $try.{s.function}")
    _check(c)
    c.put(f"local.set ${s.local}")


def _feasible(c: Coder, s: p.Feasible) -> None:
    value(c, s.answer)
    c.put("call $feasible")
    _check(c)
    c.put(f"local.set ${s.local}")


_STATEMENTS: dict[type, Callable[[Coder, Any], None]] = {
    p.Set: _set,
    p.Store: _store,
    p.If: _if,
    p.Loop: _loop,
    p.Block: _block,
    p.Each: _each,
    p.Count: _count,
    p.Break: _jump,
    p.Again: _jump,
    p.Do: _do,
    p.Return: _return,
    p.Unwind: _unwind,
    p.Fail: _fail,
    p.Tick: _tick,
    p.New: _new,
    p.Copy: _copy,
    p.Push: _push,
    p.Drop: _drop,
    p.Sort: _sort,
    p.Add: _add,
    p.Take: _take,
    p.Put: _put,
    p.Move: _move,
    p.Fill: _fill,
    p.Draw: _draw,
    p.Ask: _ask,
    p.AskSeveral: _ask_several,
    p.Noted: _noted,
    p.Live: _live,
    p.Try: _try,
    p.Feasible: _feasible,
}
