"""Lower the built-in functions about numbers, sets, seats and directions.

`VALUE_BUILTINS` and `LIST_BUILTINS` are the dispatch tables by name; the
modules of `moves` add those about grids and courses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulekit.compiler.lower.builder.ir_builder import LISTS, LOOPS, VALUES, Builder, Write
from rulekit.compiler.lower.expressions.ordering import decide_order
from rulekit.compiler.lower.expressions.scalars import not_nothing, printed_row
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, same
from rulekit.model import builtin_signatures, traversal
from rulekit.model import expr as x

Word = Callable[[Builder, x.Builtin], p.Expr]
Each = Callable[[Builder, x.Builtin, Write], None]

# ---------------------------------------------------------------- numbers and seats


def _min(m: Builder, e: x.Builtin) -> p.Expr:
    return binary(e.word, not_nothing(m, e.args[0]), not_nothing(m, e.args[1]))


def _abs(m: Builder, e: x.Builtin) -> p.Expr:
    value = m.atom(not_nothing(m, e.args[0]))
    return binary("max", value, binary("-", ZERO, value))


def _index(m: Builder, e: x.Builtin) -> p.Expr:
    item = m.value(e.args[0])
    place = _place_in(m, e, m.list(e.args[1]), item)
    m.fault(binary("<", place, ZERO), "outside")
    return add(place, ONE)


def _seats_after(m: Builder, e: x.Builtin) -> p.Expr:
    behind = binary("-", not_nothing(m, e.args[0]), p.Word(p.Const(m.storage.starter)))
    return binary("%", behind, p.Const(m.setting.players))


def _turns_after(m: Builder, e: x.Builtin) -> p.Expr:
    between = binary("-", binary("-", not_nothing(m, e.args[0]), not_nothing(m, e.args[1])), ONE)
    return add(binary("%", between, p.Const(m.setting.players)), ONE)


_WAYS = tuple(builtin_signatures.DIRECTIONS.values())


def _turned(steps: int) -> Word:
    """A direction turned by so many eighths of a circle."""

    turned = dict(zip(_WAYS, _WAYS[steps:] + _WAYS[:steps], strict=True)) | {(0, 0): (0, 0)}
    table = tuple(p.pair(*turned[column, row]) for column in (-1, 0, 1) for row in (-1, 0, 1))

    def turn(m: Builder, e: x.Builtin) -> p.Expr:
        corner = m.atom(add(not_nothing(m, e.args[0]), p.Const(p.pair(1, 1))))
        column = binary("//", corner, p.Const(p.WIDTH))
        return m.program.entry(table, binary("-", corner, binary("*", column, p.Const(p.WIDTH - 3))))

    return turn


# ---------------------------------------------------------------- sets


def _cycle(m: Builder, e: x.Builtin) -> p.Expr:
    items, item = m.list(e.args[0]), m.atom(m.value(e.args[1]))
    at = _place_in(m, e, items, item)
    return _round(m, items, add(at, ONE), binary("max", at, ZERO))


def _place_in(m: Builder, e: x.Builtin, items: p.Expr, item: p.Expr) -> p.Expr:
    """The place of something in a set, from 0: of the very thing, else of the first equal card; -1 for none."""
    if e.how != "thing" or m.setting.copy_base == len(m.setting.things):
        return m.atom(p.Find(items, item))
    item, at = m.atom(item), m.temp()
    m.emit(p.Set(at, p.Find(items, item)))

    def find_equal() -> None:
        rows = m.new()

        def push_row(one: p.Expr) -> None:
            m.emit(p.If(same(one, NOTHING), (p.Push(rows, one),), (p.Push(rows, printed_row(m, one)),)))

        m.each_in(items, push_row)
        m.emit(p.Set(at, p.Find(p.Get(rows), printed_row(m, item))))

    m.when(binary("&", binary("<", p.Get(at), ZERO), binary("!=", item, NOTHING)), find_equal)
    return p.Get(at)


def _round(m: Builder, items: p.Expr, start: p.Expr, end: p.Expr) -> p.Expr:
    """What stands from a place on, then what stands before another one; places from 0."""
    made = m.new()
    for low, behind in ((start, p.Size(items)), (ZERO, end)):
        m.each_number(low, binary("-", behind, ONE), lambda i: m.emit(p.Push(made, p.Item(items, i))))
    return p.Get(made)


def _slice(m: Builder, e: x.Builtin) -> p.Expr:
    decide_order(m, e.args[0], whole=True)
    items = m.list(e.args[0])
    made = m.new()

    def one(place: p.Expr) -> None:
        place = m.atom(place)
        m.fault(binary("|", binary("<", place, ONE), binary("<", p.Size(items), place)), "outside")
        m.emit(p.Push(made, p.Item(items, binary("-", place, ONE))))

    m.over(e.args[1], one)
    return p.Get(made)


def _each_onward(m: Builder, e: x.Builtin, write: Write) -> None:
    items, place = _items_and_place(m, e)
    m.fault(binary("<", place, ONE), "outside")
    last = binary("-", p.Size(items), ONE)
    m.each_number(binary("-", place, ONE), last, lambda i: write(m.atom(p.Item(items, i))))


def collected(m: Builder, e: x.Builtin, each: Each) -> p.Expr:
    """What a loop goes through, as a sequence."""
    made = m.new()
    each(m, e, lambda item: m.emit(p.Push(made, item)))
    return p.Get(made)


def _each(m: Builder, e: x.Builtin, write: Write) -> None:
    """Some sets are gone through where they stand; others are made first."""
    if e.word in LOOP_BUILTINS:
        LOOP_BUILTINS[e.word](m, e, write)
    else:
        m.each_in(m.list(e), write)


def _going_round(m: Builder, e: x.Builtin) -> p.Expr:
    items, place = _items_and_place(m, e)
    at = m.atom(binary("%", binary("-", place, ONE), binary("max", p.Size(items), ONE)))
    return _round(m, items, at, at)


def _items_and_place(m: Builder, e: x.Builtin) -> tuple[p.Expr, p.Expr]:
    decide_order(m, e.args[0], whole=True)
    items = m.list(e.args[0])
    return items, m.atom(not_nothing(m, e.args[1]))


def _a_copy(m: Builder, e: x.Builtin) -> p.Expr:
    """The first copy of a printed card that lies anywhere; the printed card if none does."""
    card = m.atom(m.value(e.args[0]))
    result, label = m.temp(), m.fresh("f")
    m.emit(p.Set(result, card))
    rows = tuple(m.setting.row_of)

    def one(thing: p.Expr) -> None:
        m.emit(p.If(same(m.program.entry(rows, thing), card), (p.Set(result, thing), p.Break(label))))

    def piles() -> None:
        for slot, number in m.storage.list_of.items():
            if m.setting.game.variables[m.setting.slot_variable[slot]].form == "pile":
                m.each_in(p.Stored(p.Const(number)), one)

    m.emit(p.Block(label, m.collect(piles)))
    return p.Get(result)


# ---------------------------------------------------------------- the table


VALUE_BUILTINS: dict[str, Word] = {
    "min": _min,
    "max": _min,
    "abs": _abs,
    "index": _index,
    "seats_after": _seats_after,
    "turns_after": _turns_after,
    "seat": lambda m, e: add(not_nothing(m, e.args[0]), ONE),
    "starter": lambda m, e: p.Word(p.Const(m.storage.starter)),
    "answered_last": lambda m, e: p.Word(p.Const(m.storage.last_answer)),
    "left": _turned(-2),
    "right": _turned(2),
    "opposite": lambda m, e: binary("-", ZERO, not_nothing(m, e.args[0])),
    "a_copy": _a_copy,
}
LIST_BUILTINS: dict[str, Word] = {
    "cycle": _cycle,
    "going_round": _going_round,
    "slice": _slice,
    "onward": lambda m, e: collected(m, e, _each_onward),
}
LOOP_BUILTINS: dict[str, Each] = {"onward": _each_onward}
UNORDERED: dict[str, Each] = {}
"""Loops in any order, for those who only ask whether there is anything."""


def over_any(m: Builder, e: x.Expr) -> Callable[[Write], None] | None:
    """What writes a loop over a set in any order, where there is none in order that does without a list."""
    if not isinstance(e, x.Builtin) or e.word not in LOOP_BUILTINS | UNORDERED:
        return None
    return partial((LOOP_BUILTINS | UNORDERED)[e.word], m, e)


def _called(m: Builder, e: x.Builtin, table: dict[str, Word]) -> p.Expr:
    if e.word not in table:
        raise Unsupported(f"the word {e.word}")
    return table[e.word](m, e)


def _worked_out(m: Builder, e: x.Builtin) -> p.Expr:
    """A built-in set, once for all its uses in an operation if it hangs on no name (common subexpressions)."""
    counts = m.counts_on_the_way(e)
    if e in m.worked_out and not counts:
        return m.worked_out[e]
    made = _called(m, e, LIST_BUILTINS)
    if not counts and not any(isinstance(part, x.Local | x.Element) for part in traversal.parts(e)):
        m.worked_out[e] = made
    return made


VALUES[x.Builtin] = lambda m, e: _called(m, e, VALUE_BUILTINS)
LISTS[x.Builtin] = _worked_out
LOOPS[x.Builtin] = _each
