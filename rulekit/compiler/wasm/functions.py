"""From functions of a plan to WebAssembly text.

A function that may unwind gives its status behind what it gives.  The way out
is one for all: the arena goes back to where it was, guards end, what is caught
becomes DONE.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulekit.compiler.passes.bit_loops import fused
from rulekit.compiler.passes.list_rooms import rooms
from rulekit.compiler.passes.unrolling import unrolled
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import statements
from rulekit.compiler.wasm import filters
from rulekit.compiler.wasm.filters import filtered
from rulekit.compiler.wasm.memory_layout import Layout
from rulekit.compiler.wasm.statements import ROOM, body
from rulekit.compiler.wasm.writer import KINDS, Module, Writer
from rulekit.values import evolve

_UNWINDING = (p.Unwind, p.Fail, p.Draw, p.Ask, p.AskSeveral, p.Try, p.Feasible)
_MAKING = (p.New, p.Copy, p.Push, p.AskSeveral, p.Feasible)


def unwinding(functions: Iterable[p.Function]) -> frozenset[str]:
    """The functions that may end with a status."""
    calls: dict[str, set[str]] = {}
    found: set[str] = set()
    for function in functions:
        for statement in statements(function.body):
            if isinstance(statement, _UNWINDING) or (isinstance(statement, p.Spend) and statement.checked):
                found.add(function.name)
            elif isinstance(statement, p.Do):
                calls.setdefault(statement.function, set()).add(function.name)
    waiting = list(found)
    while waiting:
        more = calls.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return frozenset(found)


def write(module: Module, function: p.Function) -> list[str]:
    """A function of a plan, as lines of text."""
    if not function.stops:
        function = evolve(function, body=fused(function.body))
    inner = list(statements(function.body))
    renamed = frozenset(_renamed(inner))
    pushed = sorted({s.local for s in inner if isinstance(s, p.Push)})
    w = Writer(
        module,
        function,
        types=dict((*function.params, *function.locals)),
        sizes={name: f"$.size.{name}" for name in pushed},
        renamed=renamed,
    )
    w.bounded = {name: most for name, most in rooms(module.plan, function).items() if name not in renamed}
    for name in sorted({s.local for s in inner if isinstance(s, p.New)} - renamed):
        w.places[name] = w.room
        w.room += 8 + 8 * w.bounded.get(name, ROOM)
    grown, params = filtered(function)
    w.masks = {name: f"$.mask.{name}" for name in (*grown, *params)}
    w.roomy = frozenset(getattr(s, "local", "") for s in inner if _makes(module, s)) - w.places.keys() - renamed
    makes = function.bounds or function.gives == "list" or any(_makes(module, s) for s in inner)
    _heading(w, makes)
    for name in params:
        filters.of_parameter(w, name)
    heading, w.out = w.out, []
    w.put("block $.exit")
    body(w, unrolled(module.plan, function.body, module.most))
    w.put("end")
    if function.stops:
        w.out = [*_taken_back(w, heading), *w.out, *_put_aside(w)]
    else:
        w.out = heading + w.out
    _ending(w, makes)
    return _framed(w)


def parameters(function: p.Function) -> str:
    return "".join(f" (param ${name} {KINDS[kind]})" for name, kind in function.params)


def argument(layout: Layout, number: int) -> int:
    """Where an argument stands among what a guard remembers."""
    return 16 + layout.end - layout.storage + 8 * number


def _result(w: Writer) -> str:
    kinds = [KINDS[w.function.gives]] if w.function.gives else []
    kinds += ["i32"] if w.function.name in w.module.unwinding else []
    return f" (result {' '.join(kinds)})" if kinds else ""


def _makes(module: Module, statement: p.Statement) -> bool:
    """Whether a statement takes room in the arena."""
    if isinstance(statement, p.Do):
        return module.functions[statement.function].gives == "list"
    return isinstance(statement, _MAKING)


def _renamed(inner: list[p.Statement]) -> Iterator[str]:
    waiting = [statement.value for statement in inner if isinstance(statement, p.Set)]
    while waiting:
        expr = waiting.pop()
        if isinstance(expr, p.Get):
            yield expr.local
        elif isinstance(expr, p.Pick):
            waiting += [expr.then, expr.other]


def _heading(w: Writer, makes: bool) -> None:
    if makes:
        w.put("global.get $arena", "local.tee $.mark")
        w.put(f"i32.const {w.room}", "i32.add", "global.set $arena")
        w.put("global.get $arena", "global.get $top", "i32.gt_u", "if", "global.get $arena", "call $widen", "end")
    if w.function.bounds:
        _remember(w)


def _remember(w: Writer) -> None:
    params = w.function.params
    w.put("global.get $trying", "i32.eqz", "if")
    w.put(f"i32.const {w.module.bounding[w.function.name]}", f"i32.const {8 * len(params)}")
    w.put("call $begin_guard", "local.set $.guard")
    for number, (name, kind) in enumerate(params):
        offset = argument(w.layout, number)
        w.put("local.get $.guard", f"local.get ${name}", f"{KINDS[kind]}.store offset={offset}")
    w.put("end")


def _ending(w: Writer, makes: bool) -> None:
    function = w.function
    if function.bounds:
        w.put("local.get $.guard", "if", "local.get $.guard", "call $end_guard", "end")
    for status in function.catches:
        w.put("local.get $.status", f"i32.const {status}", "i32.eq", "if", "i32.const 0", "local.set $.status", "end")
    if function.gives == "list":
        w.put("local.get $.mark", "local.get $.value", "call $kept")
    else:
        w.put(*(["local.get $.mark", "global.set $arena"] if makes else []))
        w.put(*(["local.get $.value"] if function.gives else []))
    w.put(*(["local.get $.status"] if function.name in w.module.unwinding else []))


def _locals(w: Writer, *, brief: bool) -> list[tuple[str, str]]:
    """The locals that a function puts aside, or those that are brief, with their types.

    What has room in the arena is put aside, so that it is made anew in the same place.
    """
    return [
        *((f"${name}", KINDS[kind]) for name, kind in w.function.locals if brief == (name in w.brief - w.roomy)),
        *((name, "i32") for local, name in w.sizes.items() if brief == (local in w.brief)),
        *((name, "i64") for local, name in w.masks.items() if brief == (local in w.brief)),
        *([] if brief else [("$.mark", "i32"), ("$.guard", "i32"), *w.extra]),
    ]


def _aside(w: Writer) -> list[tuple[str, str, int]]:
    """What a function that stops puts aside, with types and offsets."""
    params = [(f"${name}", KINDS[kind]) for name, kind in w.function.params]
    return [(name, kind, 8 * place) for place, (name, kind) in enumerate((*params, *_locals(w, brief=False)))]


def _put_aside(w: Writer) -> Iterator[str]:
    """The arena stays as it is, and what is put aside lies on top of it."""
    aside = _aside(w)
    yield from ("local.get $.status", f"i32.const {int(p.Status.WAITING)}", "i32.eq", "if")
    yield from (f"i32.const {8 * len(aside)}", "call $room", "local.set $.frame")
    for name, kind, offset in aside:
        yield from ("local.get $.frame", f"local.get {name}", f"{kind}.store offset={offset}")
    yield from ([f"{KINDS[w.function.gives]}.const 0"] if w.function.gives else [])
    yield from ("local.get $.status", "return", "end")


def _taken_back(w: Writer, heading: list[str]) -> Iterator[str]:
    aside = _aside(w)
    yield from ("global.get $resuming", "if", "global.get $frame", f"i32.const {8 * len(aside)}", "i32.sub")
    yield from ("local.tee $.frame", "global.set $frame")
    for name, kind, offset in aside:
        yield from ("local.get $.frame", f"{kind}.load offset={offset}", f"local.set {name}")
    yield from ("else", *heading, "end")


def _framed(w: Writer) -> list[str]:
    function = w.function
    own = [("$.status", "i32"), ("$.frame", "i32")]
    own += [("$.value", KINDS[function.gives])] if function.gives else []
    locals_ = " ".join(
        f"(local {name} {kind})" for name, kind in (*_locals(w, brief=False), *_locals(w, brief=True), *own)
    )
    origin = " ".join(function.origin.encode("ascii", "replace").decode().split())
    heading = f"(func $plan.{function.name}{parameters(function)}{_result(w)}"
    return [f";; {origin}", heading, locals_, *w.out, ")"]
