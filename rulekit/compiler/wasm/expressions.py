"""From expressions of a plan to WebAssembly text.

`value` leaves a 64-bit integer on the stack, `test` a 32-bit truth, `sequence`
the 32-bit address of a sequence.  Addresses that are known go into the
offsets of loads and stores.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from rulekit.compiler.plan import ir as p
from rulekit.compiler.wasm import filters
from rulekit.compiler.wasm.writer import Writer
from rulekit.play.state.counter_rng import FIRST_FACTOR, GOLDEN, SECOND_FACTOR

HEAD = 8
"""Bytes of a sequence before its entries."""
_CHEAP = 6
"""So many operations are rather done than jumped over."""
_COMPARE = {"==": "i64.eq", "!=": "i64.ne", "<": "i64.lt_s", "<=": "i64.le_s"}
_ARITHMETIC = {"+": "i64.add", "-": "i64.sub", "*": "i64.mul", "or": "i64.or"}
_REALS = {"+": "f64.add", "-": "f64.sub", "*": "f64.mul", "/": "f64.div", "max": "f64.max", "sqrt": "f64.sqrt"}
_TRUTH = frozenset([*_COMPARE, "&", "|"])


def value(w: Writer, e: p.Expr) -> None:
    made = _VALUES.get(type(e))
    if made is not None:
        made(w, e)
        return
    test(w, e)
    w.put("i64.extend_i32_u")


def test(w: Writer, e: p.Expr) -> None:
    if isinstance(e, p.Binary) and e.op in _COMPARE:
        _compare(w, e)
    elif isinstance(e, p.Binary) and e.op in ("&", "|"):
        _flags(w, e)
    elif isinstance(e, p.Real) and e.op == "<":
        _real_operation(w, e, "f64.lt")
    elif isinstance(e, p.Const):
        w.put(f"i32.const {int(e.value != 0)}")
    elif isinstance(e, p.Pick) and is_truth(e):
        _pick(w, e, test, "i32")
    elif type(e) in _TESTS:
        _TESTS[type(e)](w, e)
    else:
        value(w, e)
        w.put("i64.const 0", "i64.ne")


def sequence(w: Writer, e: p.Expr) -> None:
    _SEQUENCES[type(e)](w, e)


def bare(w: Writer, e: p.Expr) -> None:
    """The address of a sequence whose size is not looked at."""
    if isinstance(e, p.Get):
        w.put(f"local.get ${e.local}")
    else:
        sequence(w, e)


def size(w: Writer, e: p.Expr) -> None:
    """The size of a sequence in 32 bits."""
    known = _address(w, e)
    if known is not None:
        w.put("i32.const 0", f"i32.load offset={known}")
    elif isinstance(e, p.Get) and e.local in w.sizes:
        w.put(f"local.get {w.sizes[e.local]}")
    else:
        sequence(w, e)
        w.put("i32.load")


def is_truth(e: p.Expr) -> bool:
    """Whether an expression is a flag that is reckoned in 32 bits."""
    if isinstance(e, p.Pick):
        return is_truth(e.then) and is_truth(e.other)
    return isinstance(e, p.Not | p.Has | p.Alike | p.Trying) or (isinstance(e, p.Binary) and e.op in _TRUTH)


def is_sequence(w: Writer, e: p.Expr) -> bool:
    if isinstance(e, p.Get):
        return w.types[e.local] == "list"
    return is_sequence(w, e.then) if isinstance(e, p.Pick) else isinstance(e, p.Row | p.Stored)


# ---------------------------------------------------------------- places


def index(w: Writer, e: p.Expr) -> None:
    """An integer in 32 bits: a place, or the number of a list."""
    if isinstance(e, p.Const):
        w.put(f"i32.const {e.value}")
    else:
        value(w, e)
        w.put("i32.wrap_i64")


def place(w: Writer, base: int, at: p.Expr, shift: int) -> int:
    """Where an entry of what begins at `base` stands: leaves one part on the stack, gives the other, the offset."""
    if isinstance(at, p.Const):
        w.put("i32.const 0")
        return base + (at.value << shift)
    if isinstance(at, p.Binary) and at.op == "+" and isinstance(at.right, p.Const):
        less = base + (at.right.value << shift)
        if at.right.value < 0 <= less or (at.right.value >= 0 and is_natural(at.left)):
            at, base = at.left, less
    index(w, at)
    if shift:
        w.put(f"i32.const {shift}", "i32.shl")
    return base


def entry(w: Writer, of: p.Expr, at: p.Expr) -> int:
    """Where an entry of a sequence stands, in the same terms."""
    known = _address(w, of)
    if known is not None:
        return place(w, known + HEAD, at, 3)
    bare(w, of)
    if isinstance(at, p.Const):
        return HEAD + 8 * at.value
    index(w, at)
    w.put("i32.const 3", "i32.shl", "i32.add")
    return HEAD


def _address(w: Writer, e: p.Expr) -> int | None:
    """The address of a sequence, if it is known here."""
    if isinstance(e, p.Stored) and isinstance(e.list, p.Const):
        return w.layout.lists[e.list.value]
    if isinstance(e, p.Row) and isinstance(e.at, p.Const):
        return w.layout.rows[e.table].addresses[e.at.value]
    return None


def stored(w: Writer, number: p.Expr) -> None:
    """The address of a list of the storage."""
    if isinstance(number, p.Const):
        w.put(f"i32.const {w.layout.lists[number.value]}")
    else:
        w.put(f"i32.load offset={place(w, w.layout.list_table, number, 2)}")


def is_natural(e: p.Expr) -> bool:
    """Whether an integer is surely not below 0."""
    if isinstance(e, p.Const):
        return e.value >= 0
    if isinstance(e, p.Binary):
        if e.op == "%":
            return isinstance(e.right, p.Const) and e.right.value > 0
        return e.op in _TRUTH or (e.op != "-" and is_natural(e.left) and is_natural(e.right))
    return isinstance(e, p.Size | p.Not | p.Has | p.Alike | p.Trying)


def is_cheap(w: Writer, e: p.Expr) -> bool:
    """Whether an expression may be worked out where it is not wanted: it is short and cannot go wrong."""
    return _cost(w, e) <= _CHEAP


def _cost(w: Writer, e: p.Expr) -> int:
    if isinstance(e, p.Const | p.Get) or (isinstance(e, p.Word) and isinstance(e.at, p.Const)):
        return 1
    if isinstance(e, p.Not):
        return 1 + _cost(w, e.of)
    if isinstance(e, p.Binary) and (e.op not in ("//", "%") or _power(e.right) is not None):
        return 1 + _cost(w, e.left) + _cost(w, e.right)
    if isinstance(e, p.Entry) and _are_bits(w.module.plan.tables[e.table]):
        return 1 + _cost(w, e.at)
    return _CHEAP + 1


# ---------------------------------------------------------------- integers


@cache
def _are_bits(table: tuple[int, ...]) -> bool:
    """Whether a table has the bit of each place."""
    return len(table) < 64 and table == tuple(1 << place for place in range(len(table)))


def _entry(w: Writer, e: p.Entry) -> None:
    if _are_bits(w.module.plan.tables[e.table]):
        w.put("i64.const 1")
        value(w, e.at)
        w.put("i64.shl")
        return
    table = w.layout.tables[e.table]
    offset = place(w, table.address, e.at, table.width.bit_length() - 4)
    w.put(f"i64.load{'' if table.width == 64 else f'{table.width}_s'} offset={offset}")


def _size(w: Writer, e: p.Size) -> None:
    size(w, e.of)
    w.put("i64.extend_i32_u")


def _find(w: Writer, e: p.Find) -> None:
    sequence(w, e.of)
    value(w, e.item)
    w.put("call $find", "i64.extend_i32_s")


def _binary(w: Writer, e: p.Binary) -> None:
    if e.op in _TRUTH:
        test(w, e)
        w.put("i64.extend_i32_u")
    elif e.op in _ARITHMETIC:
        value(w, e.left)
        value(w, e.right)
        w.put(_ARITHMETIC[e.op])
    elif e.op in ("min", "max"):
        _extreme(w, e)
    else:
        _division(w, e)


def _extreme(w: Writer, e: p.Binary) -> None:
    left, right = twice(w, e.left), twice(w, e.right)
    w.put(left, right, left, right, "i64.lt_s" if e.op == "min" else "i64.gt_s", "select")


def twice(w: Writer, e: p.Expr) -> str:
    """An instruction that gives a value as often as it is written."""
    if isinstance(e, p.Const):
        return f"i64.const {e.value}"
    if isinstance(e, p.Get):
        return f"local.get ${e.local}"
    name = w.spare("i64")
    value(w, e)
    w.put(f"local.set {name}")
    return f"local.get {name}"


def _power(e: p.Expr) -> int | None:
    """Of which power of 2 the constant is, if any."""
    if isinstance(e, p.Const) and e.value > 0 and e.value & (e.value - 1) == 0:
        return e.value.bit_length() - 1
    return None


def _division(w: Writer, e: p.Binary) -> None:
    power, is_rest = _power(e.right), e.op == "%"
    value(w, e.left)
    if power is not None:
        w.put(*((f"i64.const {(1 << power) - 1}", "i64.and") if is_rest else (f"i64.const {power}", "i64.shr_s")))
        return
    value(w, e.right)
    plain, floor = ("i64.rem_u", "call $floor_mod") if is_rest else ("i64.div_u", "call $floor_div")
    w.put(plain if is_natural(e.left) and is_natural(e.right) else floor)


def _hash(w: Writer, e: p.Hash) -> None:
    """`counter_rng.output`, written out, as it is in every look of a search."""
    z = w.spare("i64")
    value(w, e.key)
    value(w, e.value)
    w.put("i64.const 1", "i64.add", f"i64.const {GOLDEN:#x}", "i64.mul", "i64.add")
    for shift, factor in ((30, FIRST_FACTOR), (27, SECOND_FACTOR), (31, 1)):
        w.put(f"local.tee {z}", f"local.get {z}", f"i64.const {shift}", "i64.shr_u", "i64.xor")
        w.put(*([f"i64.const {factor:#x}", "i64.mul"] if factor != 1 else []))


# ---------------------------------------------------------------- reals


def _real(w: Writer, e: p.Real) -> None:
    if e.op == "<":
        test(w, e)
        w.put("i64.extend_i32_u")
    else:
        real(w, e)
        w.put("i64.reinterpret_f64")


def real(w: Writer, e: p.Expr) -> None:
    """Leaves a double on the stack."""
    if isinstance(e, p.Real) and e.op == "float":
        value(w, e.left)
        w.put("f64.convert_i64_s")
    elif isinstance(e, p.Real) and e.op in _REALS:
        _real_operation(w, e, _REALS[e.op])
    elif isinstance(e, p.Cell):
        w.put(f"f64.load offset={place(w, w.layout.cells, e.at, 3)}")
    else:
        value(w, e)
        w.put("f64.reinterpret_i64")


def _real_operation(w: Writer, e: p.Real, instruction: str) -> None:
    real(w, e.left)
    if e.right is not None:
        real(w, e.right)
    w.put(instruction)


# ---------------------------------------------------------------- truths


def _compare(w: Writer, e: p.Binary) -> None:
    zero = p.Const(0)
    if e.op in ("==", "!=") and zero in (e.left, e.right):
        value(w, e.right if e.left == zero else e.left)
        w.put(*(["i64.eqz"] if e.op == "==" else ["i64.const 0", "i64.ne"]))
        return
    value(w, e.left)
    value(w, e.right)
    w.put(_COMPARE[e.op])


def _flags(w: Writer, e: p.Binary) -> None:
    inside = _bits_inside(e)
    if inside is not None:
        value(w, inside[0])
        w.put(f"i64.const {~inside[1]}", "i64.and", "i64.eqz")
        return
    test(w, e.left)
    if is_cheap(w, e.right):
        test(w, e.right)
        w.put("i32.and" if e.op == "&" else "i32.or")
        return
    w.put("if (result i32)")
    test(w, e.right if e.op == "&" else p.Const(1))
    w.put("else")
    test(w, p.Const(0) if e.op == "&" else e.right)
    w.put("end")


def _bits_inside(e: p.Expr) -> tuple[p.Expr, int] | None:
    """Of a test whether a pair lies within sizes that are powers of 2: the pair, and the bits that it may have."""
    match e:
        case p.Binary(
            "&", p.Binary("&", low, p.Binary("<", pair, far)), p.Binary("<", p.Binary("%", rest, width), high)
        ):
            sizes = [1 << power for power in map(_power, (far, width, high)) if power is not None]
            if low == p.Binary("<=", p.Const(0), pair) and rest == pair and len(sizes) == 3:
                return pair, sizes[0] - sizes[1] + sizes[2] - 1
    return None


def _not(w: Writer, e: p.Not) -> None:
    test(w, e.of)
    w.put("i32.eqz")


def _has(w: Writer, e: p.Has) -> None:
    """In a list of one entry, as many are, it is that one; where a filter has no bit of it, it is not there."""
    if isinstance(e.of, p.Get) and e.of.local in w.masks:
        item = twice(w, e.item)
        filters.may_have(w, e.of.local, item)
        w.put("if (result i32)")
        sequence(w, e.of)
        w.put(item, "call $find", "i32.const 0", "i32.ge_s", "else", "i32.const 0", "end")
        return
    known = _address(w, e.of)
    alone = known is not None and is_cheap(w, e.item)
    if alone:
        w.put("i32.const 0", f"i32.load offset={known}", "i32.const 1", "i32.eq", "if (result i32)")
        w.put("i32.const 0", f"i64.load offset={(known or 0) + HEAD}")
        value(w, e.item)
        w.put("i64.eq", "else")
    sequence(w, e.of)
    value(w, e.item)
    w.put("call $find", "i32.const 0", "i32.ge_s", *(["end"] if alone else []))


def _alike(w: Writer, e: p.Alike) -> None:
    sequence(w, e.left)
    sequence(w, e.right)
    w.put("call $alike" if e.ordered else "call $alike_sorted")


def _pick(w: Writer, e: p.Pick, write: Callable[[Writer, p.Expr], None], kind: str) -> None:
    if is_cheap(w, e.then) and is_cheap(w, e.other):
        write(w, e.then)
        write(w, e.other)
        test(w, e.test)
        w.put("select")
        return
    test(w, e.test)
    w.put(f"if (result {kind})")
    write(w, e.then)
    w.put("else")
    write(w, e.other)
    w.put("end")


# ---------------------------------------------------------------- sequences


def _row(w: Writer, e: p.Row) -> None:
    known = _address(w, e)
    if known is not None:
        w.put(f"i32.const {known}")
    else:
        w.put(f"i32.load offset={place(w, w.layout.rows[e.table].table, e.at, 2)}")


def _local(w: Writer, e: p.Get) -> None:
    name = f"local.get ${e.local}"
    if e.local in w.sizes:
        w.put(name, f"local.get {w.sizes[e.local]}", "i32.store")
    w.put(name)


_VALUES: dict[type, Callable[[Writer, Any], None]] = {
    p.Spent: lambda w, e: w.put("global.get $work"),
    p.StepsLeft: lambda w, e: w.put("call $begin_apart"),
    p.Const: lambda w, e: w.put(f"i64.const {e.value}"),
    p.Get: lambda w, e: w.put(f"local.get ${e.local}"),
    p.Word: lambda w, e: w.put(f"i64.load offset={place(w, w.layout.words, e.at, 3)}"),
    p.Entry: _entry,
    p.Size: _size,
    p.Item: lambda w, e: w.put(f"i64.load offset={entry(w, e.of, e.at)}"),
    p.Find: _find,
    p.Binary: _binary,
    p.Cell: lambda w, e: w.put(f"i64.load offset={place(w, w.layout.cells, e.at, 3)}"),
    p.Hash: _hash,
    p.Real: _real,
    p.Pick: lambda w, e: _pick(w, e, value, "i64"),
}
_TESTS: dict[type, Callable[[Writer, Any], None]] = {
    p.Not: _not,
    p.Has: _has,
    p.Alike: _alike,
    p.Trying: lambda w, e: w.put("global.get $trying", "i32.const 0", "i32.ne"),
}
_SEQUENCES: dict[type, Callable[[Writer, Any], None]] = {
    p.Get: _local,
    p.Row: _row,
    p.Stored: lambda w, e: stored(w, e.list),
    p.Pick: lambda w, e: _pick(w, e, sequence, "i32"),
}
