"""Lower reductions of sets to one value: count, any, first, last, the nth, sum, least and most.

Also called aggregates or folds.  A loop ends early (short-circuits) where the
rest of it can have no effect.
"""

from __future__ import annotations

from functools import partial

from rulekit.compiler.lower.analysis.abstract_interpretation import element_interval, interval_of, with_element
from rulekit.compiler.lower.analysis.cardinality import constant_range, known_members
from rulekit.compiler.lower.analysis.side_effects import has_effects
from rulekit.compiler.lower.builder.ir_builder import ANY, LISTS, VALUES, Builder
from rulekit.compiler.lower.expressions.builtins import over_any
from rulekit.compiler.lower.expressions.ordering import decide_order
from rulekit.compiler.lower.expressions.scalars import not_nothing, overflow_checked, owner_index
from rulekit.compiler.lower.expressions.sets import search
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, same
from rulekit.model import expr as x

_LOOPED = x.Mapped | x.Extreme | x.Ordered | x.Choice | x.Invoke
"""What is gone through where it stands, though it can be made a sequence."""


def _count(m: Builder, e: x.Count) -> p.Expr:
    if type(e.of) in LISTS and not isinstance(e.of, _LOOPED):
        of = m.list(e.of)
        return m.sizes.get(of) or m.program.size(of)
    numbers = known_members(m, e.of)
    if numbers is not None and m.storage.gone is None:
        return p.Const(len(numbers))
    count = m.temp()
    m.emit(p.Set(count, ZERO))
    m.over(e.of, lambda item: m.emit(p.Set(count, p.Binary("+", p.Get(count), ONE))))
    return p.Get(count)


def _some(m: Builder, e: x.Some) -> p.Expr:
    of = e.of
    over = over_any(m, of)
    if over is None and type(of) in LISTS and not isinstance(of, _LOOPED):
        size = m.program.size(m.list(of))
        return same(size, ZERO) if e.negate else binary("<", ZERO, size)
    while isinstance(of, x.Extreme | x.Ordered) and not has_effects(m.program, m.collect(partial(m.list, of))):
        of = of.of
    result = m.temp()
    m.emit(p.Set(result, p.Const(int(e.negate))))
    search(m, over or partial(m.over, of), lambda _, leave: m.emit(p.Set(result, p.Const(int(not e.negate))), *leave))
    return p.Get(result)


def _end(m: Builder, e: x.End) -> p.Expr:
    if isinstance(e.of, x.Seats | x.Spaces) and (numbers := constant_range(m, e.of)):
        return p.Const(numbers[-1] if e.last else numbers[0])
    decide_order(m, e.of, whole=e.last)
    if type(e.of) not in LISTS or isinstance(e.of, x.Mapped):
        return _gone_through(m, e)
    result = m.temp()
    m.emit(p.Set(result, NOTHING))
    of = m.list(e.of)
    if isinstance(of, p.Row):
        place = -1 if e.last else 0
        rows = list(m.program.rows)[of.table]
        return m.program.entry(tuple(row[place] if row else p.NONE for row in rows), of.at)
    at = binary("-", p.Size(of), ONE) if e.last else ZERO
    m.emit(p.If(binary("<", ZERO, p.Size(of)), (p.Set(result, p.Item(of, at)),)))
    return p.Get(result)


def _gone_through(m: Builder, e: x.End) -> p.Expr:
    """The same of a set that is no sequence."""
    result, found = m.temp(), m.temp()
    m.emit(p.Set(result, NOTHING), p.Set(found, ZERO))

    def first(item: p.Expr, leave: p.Body) -> None:
        it_is = (p.Set(result, item), *leave)
        leaves = any(isinstance(one, p.Break) for one in leave)
        m.emit(*it_is if leaves else (p.If(p.Not(p.Get(found)), (*it_is, p.Set(found, ONE))),))

    if e.last:
        m.over(e.of, lambda item: m.emit(p.Set(result, item)))
    else:
        search(m, partial(m.over, e.of), first)
    return p.Get(result)


def _item_of(m: Builder, e: x.ItemOf) -> p.Expr:
    if isinstance(e.of, x.GroupOf) and m.storage.gone is None:
        return _piece_of_group(m, e.of, e.index)
    decide_order(m, e.of, whole=True)
    of = m.list(e.of)
    index = m.atom(not_nothing(m, e.index))
    m.fault(binary("|", binary("<", index, ONE), binary("<", p.Size(of), index)), "outside")
    return p.Item(of, binary("-", index, ONE))


def _piece_of_group(m: Builder, e: x.GroupOf, place: x.Expr) -> p.Expr:
    """The nth piece of a group, by arithmetic: pieces of one declaration have successive numbers."""
    variable = m.setting.game.variables[e.variable]
    owner = owner_index(m, variable, e.of)
    first = add(binary("*", owner, p.Const(variable.count)), p.Const(m.setting.piece_first[e.variable] - 1))
    index = m.atom(not_nothing(m, place))
    low, high = interval_of(m, place)
    if low < 1 or high > variable.count:
        m.fault(binary("|", binary("<", index, ONE), binary("<", p.Const(variable.count), index)), "outside")
    return add(first, index)


def _fold(m: Builder, e: x.Fold) -> p.Expr:
    result = m.temp()
    m.emit(p.Set(result, ZERO))
    begun = m.temp() if e.op != "sum" else ""
    if begun:
        m.emit(p.Set(begun, ZERO))

    member = m.costs.cost(e).member if m.is_measured(e) else 0

    def one(item: p.Expr) -> None:
        m.spend(member)
        with_element(m, e.slot, item, e.of)
        value = not_nothing(m, e.value)
        if not begun:
            m.emit(p.Set(result, p.Binary("+", p.Get(result), value)))
            return
        value = m.atom(value)
        better = p.Binary("<", value, p.Get(result)) if e.op == "least" else p.Binary("<", p.Get(result), value)
        test = p.Binary("|", p.Not(p.Get(begun)), better)
        m.emit(p.If(test, (p.Set(result, value), p.Set(begun, ONE))))

    m.over(e.of, one)
    if begun:
        return p.Get(result)
    low, high = element_interval(m, x.Mapped(e.of, e.slot, e.value, False, False))
    small = max(abs(low), abs(high)) < ANY[1] // 20_000
    return p.Get(result) if small else overflow_checked(m, p.Get(result))


VALUES.update(
    {
        x.Count: _count,
        x.Some: _some,
        x.End: _end,
        x.ItemOf: _item_of,
        x.Fold: _fold,
    }
)
