"""From statements of a plan to WebAssembly text.

A function leaves by the block `$.exit`, with what it gives in `$.value` and
its status in `$.status`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import statements
from rulekit.compiler.wasm import filters
from rulekit.compiler.wasm.expressions import (
    bare,
    entry,
    index,
    is_cheap,
    is_sequence,
    is_truth,
    place,
    real,
    sequence,
    size,
    stored,
    test,
    twice,
    value,
)
from rulekit.compiler.wasm.writer import Writer

ROOM = 15
"""The entries for which a local sequence without a bound has room at first."""
_ALWAYS = p.Const(1)


def body(w: Writer, written: p.Body) -> None:
    for statement in written:
        _WRITERS[type(statement)](w, statement)


# ---------------------------------------------------------------- locals and words


def _set(w: Writer, s: p.Set) -> None:
    (sequence if is_sequence(w, s.value) else value)(w, s.value)
    w.put(f"local.set ${s.local}")


def _store(w: Writer, s: p.Store) -> None:
    """What a word grows by is added where it stands, so that its place is worked out once."""
    offset = place(w, w.layout.words, s.at, 3)
    match s.value:
        case p.Binary("+", p.Word(at), more) if at == s.at and not isinstance(at, p.Const):
            again = w.spare("i32")
            w.put(f"local.tee {again}", f"local.get {again}", f"i64.load offset={offset}")
            value(w, more)
            w.put("i64.add")
        case _:
            value(w, s.value)
    w.put(f"i64.store offset={offset}")


def _sum(w: Writer, s: p.Sum) -> None:
    at, new = w.spare("i32"), w.spare("i64")
    offset = place(w, w.layout.sums, s.at, 3)
    w.put(f"local.tee {at}", f"local.get {at}", f"i64.load offset={offset}")
    value(w, s.value)
    if s.manner == "+":
        w.put("i64.add")
    else:
        old = w.spare("i64")
        w.put(f"local.set {new}", f"local.tee {old}", f"local.get {new}", f"local.get {old}", f"local.get {new}")
        w.put("i64.lt_s" if s.manner == "min" else "i64.gt_s", "select")
    w.put(f"i64.store offset={offset}")


def _set_cell(w: Writer, s: p.SetCell) -> None:
    offset = place(w, w.layout.cells, s.at, 3)
    is_real = isinstance(s.value, p.Real)
    (real if is_real else value)(w, s.value)
    w.put(f"{'f64' if is_real else 'i64'}.store offset={offset}")


# ---------------------------------------------------------------- control


def _if(w: Writer, s: p.If) -> None:
    match s:
        case p.If(then=(p.Set(local, p.Binary("+", p.Get(same)) as new),), other=()) if (
            is_cheap(w, new) and same == local
        ):
            # What is counted or gathered in a mask does without a jump, as those are often foreseen wrongly.
            known = isinstance(new.right, p.Const) and is_truth(s.test)
            more = p.Binary("+", new.left, p.Binary("*", s.test, new.right))
            value(w, more if known else p.Pick(s.test, new, new.left))
            w.put(f"local.set ${local}")
            return
        case p.If(then=(p.Push(local, item) as push,), other=()) if (
            local in w.bounded and local not in w.masks and is_cheap(w, item)
        ):
            # So does what is kept of many: there is room, so it is written, and counted if it is wanted.
            _push(w, push, s.test)
            return
    test(w, s.test)
    if len(s.then) == 1 and isinstance(s.then[0], p.Break | p.Again) and not s.other:
        w.put(f"br_if {_target(s.then[0])}")
        return
    w.put("if")
    body(w, s.then)
    if s.other:
        w.put("else")
        body(w, s.other)
    w.put("end")


def _target(s: p.Break | p.Again) -> str:
    return f"${'behind' if isinstance(s, p.Break) else 'again'}.{s.label}"


def _loop(w: Writer, s: p.Loop) -> None:
    w.put(f"block $behind.{s.label}", f"loop $again.{s.label}")
    body(w, s.body)
    w.put(f"br $again.{s.label}", "end", "end")


def _block(w: Writer, s: p.Block) -> None:
    w.put(f"block $behind.{s.label}")
    body(w, s.body)
    w.put("end")


def _each(w: Writer, s: p.Each) -> None:
    if isinstance(s.of, p.Bits):
        _each_bit(w, s, s.of.mask, s.of.first)
        return
    if isinstance(s.of, p.Row) and (first := _universe_from(w.module.plan.rows[s.of.table])) is not None:
        _each_bit(w, s, s.of.at, first)
        return
    at, end = w.spare("i32"), w.spare("i32")
    bare(w, s.of)
    w.put(f"local.tee {at}")
    if isinstance(s.of, p.Get):
        size(w, s.of)
    else:
        w.put(f"local.get {at}", "i32.load")
    w.put("i32.const 3", "i32.shl", "i32.add", f"local.set {end}")
    step = (f"local.get {at}", "i64.load offset=8", f"local.set ${s.local}")
    on = (f"local.get {at}", "i32.const 8", "i32.add", f"local.set {at}")
    _rounds(w, s, (f"local.get {at}", f"local.get {end}", "i32.lt_u"), step, on)


@cache
def _universe_from(rows: tuple[tuple[int, ...], ...]) -> int | None:
    """The first of the numbers of which the rows are the power set, by masks; None if they are not."""
    first = rows[1][0] if len(rows) > 1 and rows[1] else 0
    bits = range(len(rows).bit_length() - 1)
    subsets = tuple(tuple(first + bit for bit in bits if mask >> bit & 1) for mask in range(1 << len(bits)))
    return first if len(rows) > 1 and rows == subsets else None


def _each_bit(w: Writer, s: p.Each, mask: p.Expr, first: int) -> None:
    left = w.spare("i64")
    value(w, mask)
    w.put(f"local.set {left}")
    step = (
        f"local.get {left}",
        "i64.ctz",
        *((f"i64.const {first}", "i64.add") if first else ()),
        f"local.set ${s.local}",
    )
    on = (f"local.get {left}", f"local.get {left}", "i64.const 1", "i64.sub", "i64.and", f"local.set {left}")
    _rounds(w, s, (f"local.get {left}", "i64.const 0", "i64.ne"), step, on)


def _count(w: Writer, s: p.Count) -> None:
    at, high = w.spare("i64"), w.spare("i64")
    value(w, s.low)
    w.put(f"local.set {at}")
    value(w, s.high)
    w.put(f"local.set {high}")
    step = (f"local.get {at}", f"local.set ${s.local}")
    on = (f"local.get {at}", "i64.const 1", "i64.add", f"local.set {at}")
    _rounds(w, s, (f"local.get {at}", f"local.get {high}", "i64.le_s"), step, on)


def _rounds(w: Writer, s: p.Each | p.Count, more: tuple[str, ...], step: tuple[str, ...], on: tuple[str, ...]) -> None:
    """more: tests whether there is another round; step begins one, on ends it."""
    w.put(f"block $behind.{s.label}", *more, "i32.eqz", f"br_if $behind.{s.label}", f"loop $.{s.label}", *step)
    again = any(isinstance(inner, p.Again) and inner.label == s.label for inner in statements(s.body))
    w.put(*([f"block $again.{s.label}"] if again else []))
    body(w, s.body)
    w.put(*(["end"] if again else []))
    w.put(*on, *more, f"br_if $.{s.label}", "end", "end")


# ---------------------------------------------------------------- calls


def _arguments(w: Writer, args: tuple[p.Expr, ...]) -> None:
    for arg in args:
        (sequence if is_sequence(w, arg) else value)(w, arg)


def _check(w: Writer) -> None:
    """Leave if the status on the stack says so."""
    w.put("local.tee $.status", "br_if $.exit")


def _do(w: Writer, s: p.Do) -> None:
    function = w.module.functions[s.function]
    if function.gives == "list" and s.local is not None:
        _old(w, s.local)
    _arguments(w, s.args)
    w.put(f"call $plan.{s.function}")
    if s.function in w.module.unwinding:
        _check(w)
    if s.local is None:
        w.put(*(["drop"] if function.gives else []))
        return
    w.put(*(["call $into"] if function.gives == "list" else []), f"local.set ${s.local}")
    _sized(w, s.local)


def _return(w: Writer, s: p.Return) -> None:
    if s.value is not None:
        (sequence if w.function.gives == "list" else value)(w, s.value)
        w.put("local.set $.value")
    w.put("br $.exit")


def _unwind(w: Writer, s: p.Unwind) -> None:
    index(w, s.status)
    w.put("local.set $.status", "br $.exit")


def _fail(w: Writer, s: p.Fail) -> None:
    w.put(f"i32.const {int(p.Status.FAILED)}")
    index(w, s.status)
    w.put("global.get $trying", "select", "local.set $.status", "br $.exit")


def _spend(w: Writer, s: p.Spend) -> None:
    if s.steps != p.Const(0):
        w.put("global.get $work")
        value(w, s.steps)
        w.put("i64.add", "global.set $work")
    if s.checked:
        w.put("global.get $work", "global.get $limit", "i64.gt_s", "if")
        w.put(f"i32.const {int(p.Status.ENDLESS)}", "local.set $.status", "br $.exit", "end")


def _apart(w: Writer, s: p.Apart) -> None:
    value(w, s.begun)
    w.put("call $end_apart" if s.ends else "call $seat_apart")


# ---------------------------------------------------------------- local sequences


def _old(w: Writer, local: str) -> None:
    """The place that a local sequence had and may have again, or 0."""
    w.put("i32.const 0" if local in w.renamed else f"local.get ${local}")


def _new(w: Writer, s: p.New) -> None:
    """A local sequence without entries: in the room that is kept for it, or where it was since that was too small."""
    local, name = s.local, f"local.get ${s.local}"
    filters.begin(w, local)
    if local in w.sizes:
        w.put("i32.const 0", f"local.set {w.sizes[local]}")
    if local in w.bounded:
        w.put("local.get $.mark", f"i32.const {w.places[local]}", "i32.add", f"local.set ${local}")
        w.put(*([] if local in w.sizes else [name, "i32.const 0", "i32.store"]))
        return
    if local in w.renamed:
        w.put(f"i32.const {ROOM}", "call $fresh", f"local.set ${local}")
        return
    w.put(name, "if", name, "i32.const 0", "i32.store", "else")
    w.put("local.get $.mark", f"i32.const {w.places[local]}", "i32.add", f"local.tee ${local}")
    w.put(f"i64.const {ROOM << 32}", "i64.store", "end")


def _copy(w: Writer, s: p.Copy) -> None:
    """What is copied may be the sequence itself."""
    _old(w, s.local)
    sequence(w, s.of)
    w.put("call $copy", f"local.set ${s.local}")
    _sized(w, s.local)


def _push(w: Writer, s: p.Push, wanted: p.Expr = _ALWAYS) -> None:
    """Written out, as nothing is done more often."""
    of, count = f"local.get ${s.local}", f"local.get {w.sizes[s.local]}"
    if s.local not in w.bounded:
        w.put(count, of, "i32.load offset=4", "i32.ge_u", "if")
        sequence(w, p.Get(s.local))
        w.put("call $grown", f"local.set ${s.local}", "end")
    item = twice(w, s.value) if s.local in w.masks else None
    if item:
        filters.add(w, s.local, item)
    w.put(of, count, "i32.const 3", "i32.shl", "i32.add")
    if item:
        w.put(item)
    else:
        value(w, s.value)
    w.put("i64.store offset=8", count)
    test(w, wanted)
    w.put("i32.add", f"local.set {w.sizes[s.local]}")


def _drop(w: Writer, s: p.Drop) -> None:
    sequence(w, p.Get(s.local))
    index(w, s.at)
    w.put("call $take")
    _sized(w, s.local)


def _sized(w: Writer, local: str) -> None:
    """Something else has made a sequence anew."""
    if local in w.sizes:
        w.put(f"local.get ${local}", "i32.load", f"local.set {w.sizes[local]}")


def _sort(w: Writer, s: p.Sort) -> None:
    sequence(w, p.Get(s.local))
    sequence(w, s.keys)
    w.put(f"i32.const {s.width}", "call $sort")


# ---------------------------------------------------------------- lists of the storage


def _add(w: Writer, s: p.Add) -> None:
    """Written out; a list has all the room it needs, and where it has not, the plan is wrong."""
    of, count = w.spare("i32"), w.spare("i32")
    stored(w, s.list)
    w.put(f"local.tee {of}", "i32.load", f"local.tee {count}")
    w.put(f"local.get {of}", "i32.load offset=4", "i32.ge_u", "if", "unreachable", "end")
    w.put(f"local.get {of}", f"local.get {count}", "i32.const 3", "i32.shl", "i32.add")
    value(w, s.value)
    w.put("i64.store offset=8", f"local.get {of}", f"local.get {count}", "i32.const 1", "i32.add", "i32.store")


def _take(w: Writer, s: p.Take) -> None:
    stored(w, s.list)
    index(w, s.at)
    w.put("call $take")


def _put(w: Writer, s: p.Put) -> None:
    offset = entry(w, p.Stored(s.list), s.at)
    value(w, s.value)
    w.put(f"i64.store offset={offset}")


def _move(w: Writer, s: p.Move) -> None:
    stored(w, s.list)
    index(w, s.start)
    index(w, s.end)
    w.put("call $move")


def _fill(w: Writer, s: p.Fill) -> None:
    stored(w, s.list)
    of = s.of
    if isinstance(of, p.Row) and isinstance(of.at, p.Const) and not w.module.plan.rows[of.table][of.at.value]:
        w.put("i32.const 0", "i32.store")
        return
    sequence(w, s.of)
    w.put("call $fill")


# ---------------------------------------------------------------- chance, questions, tries


def _draw(w: Writer, s: p.Draw) -> None:
    w.put(f"i32.const {s.stream}")
    value(w, s.n)
    w.put("call $draw")
    _check(w)
    w.put(f"local.set ${s.local}")


def _ask(w: Writer, s: p.Ask) -> None:
    w.put(f"i32.const {s.ask}")
    value(w, s.seat)
    sequence(w, s.options)
    sequence(w, s.options if s.among is None else s.among)
    w.put("call $ask")
    _check(w)
    w.put(f"local.set ${s.local}")


def _ask_several(w: Writer, s: p.AskSeveral) -> None:
    _old(w, s.local)
    w.put(f"i32.const {s.ask}")
    value(w, s.seat)
    sequence(w, s.options)
    value(w, s.least)
    value(w, s.most)
    index(w, p.Const(0) if s.nothing is None else s.nothing)
    w.put("call $ask_several")
    _check(w)
    w.put("call $into", f"local.set ${s.local}")
    _sized(w, s.local)


def _noted(w: Writer, s: p.Noted) -> None:
    value(w, s.answer)
    w.put("call $noted")


def _live(w: Writer, s: p.Live) -> None:
    w.put("local.get $.guard", "if", "local.get $.guard", f"i32.const {s.on}", "i32.store offset=4", "end")


def _try(w: Writer, s: p.Try) -> None:
    _arguments(w, s.args)
    w.put(f"call $try.{s.function}")
    _check(w)
    w.put(f"local.set ${s.local}")


def _feasible(w: Writer, s: p.Feasible) -> None:
    _old(w, s.local)
    sequence(w, s.options)
    w.put("call $feasible")
    _check(w)
    w.put(f"local.set ${s.local}")
    _sized(w, s.local)


_WRITERS: dict[type, Callable[[Writer, Any], None]] = {
    p.Set: _set,
    p.Store: _store,
    p.Sum: _sum,
    p.SetCell: _set_cell,
    p.If: _if,
    p.Loop: _loop,
    p.Block: _block,
    p.Each: _each,
    p.Count: _count,
    p.Break: lambda w, s: w.put(f"br {_target(s)}"),
    p.Again: lambda w, s: w.put(f"br {_target(s)}"),
    p.Do: _do,
    p.Return: _return,
    p.Unwind: _unwind,
    p.Fail: _fail,
    p.Spend: _spend,
    p.Apart: _apart,
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
