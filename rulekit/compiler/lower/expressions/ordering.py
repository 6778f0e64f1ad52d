"""Lower sorting (`ordered by`) and argmin/argmax queries (the elements with the best key).

Sorts that static analysis shows to be needless are left out.
"""

from __future__ import annotations

from itertools import pairwise

from rulekit.compiler.lower.analysis.abstract_interpretation import with_element
from rulekit.compiler.lower.analysis.cardinality import constant_range
from rulekit.compiler.lower.analysis.side_effects import has_effects
from rulekit.compiler.lower.builder.ir_builder import LISTS, Builder
from rulekit.compiler.lower.expressions.scalars import not_nothing
from rulekit.compiler.lower.expressions.sequences import list_number
from rulekit.compiler.lower.expressions.shuffling import settle
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, binary, same
from rulekit.model import expr as x


def _extreme_list(m: Builder, e: x.Extreme) -> p.Expr:
    """All elements with the best key, in one pass: a better key empties the sequence."""
    name, best = m.new(), m.temp()
    m.emit(p.Set(best, NOTHING))

    member = m.costs.cost(e).member if m.is_measured(e) else 0

    def one(item: p.Expr) -> None:
        m.spend(member)
        with_element(m, e.slot, item, e.of)
        key = m.atom(not_nothing(m, e.key))
        first = same(p.Get(best), NOTHING)
        better = p.Binary("<", key, p.Get(best)) if e.lowest else p.Binary("<", p.Get(best), key)
        begin = (p.New(name), p.Push(name, item), p.Set(best, key))
        equal = p.If(same(key, p.Get(best)), (p.Push(name, item),))
        m.emit(p.If(p.Binary("|", first, better), begin, (equal,)))

    m.over(e.of, one)
    return p.Get(name)


def is_sorted(m: Builder, e: x.Ordered) -> bool:
    """Whether a set is known to be sorted already: constant members whose keys are monotone in their order."""
    of = e.of
    while isinstance(of, x.Filter | x.Without):
        of = of.of
    numbers = constant_range(m, of)
    if numbers is None or len(e.keys) != 1 or m.counts_on_the_way(e):
        return False
    key, lowest = e.keys[0]
    if key == x.Element(e.slot):
        return lowest
    if not isinstance(key, x.NumberOf | x.Trait) or x.Element(e.slot) != (
        key.thing if isinstance(key, x.NumberOf | x.Trait) else None
    ):
        return False
    with_element(m, e.slot, ZERO, e.of)
    keys = [_known_key(m, key, number) for number in numbers]
    return all(a is not None and b is not None and (a <= b if lowest else a >= b) for a, b in pairwise(keys))


def _known_key(m: Builder, key: x.NumberOf | x.Trait, thing: int) -> int | None:
    if isinstance(key, x.NumberOf):
        return m.setting.things[thing].number
    value = key.values[thing - m.setting.kind_base[key.kind]]
    return value if isinstance(value, int) else None


def ordered_list(m: Builder, e: x.Ordered) -> p.Expr:
    if is_sorted(m, e):
        return m.list(e.of)
    name = m.held(e.of)
    if name in m.lasting:
        held, name = name, m.temp("list", "s")
        m.emit(p.Copy(name, p.Get(held)))
    _sort_if_needed(m, name, e)
    return p.Get(name)


def keys_of(m: Builder, name: str, slot: int, keys: tuple[tuple[x.Expr, bool], ...], of: x.Expr) -> p.Expr:
    """The keys by which a local sequence is ordered, smallest first: `len(keys)` for each element."""
    made = m.new()

    def one(item: p.Expr) -> None:
        with_element(m, slot, item, of)
        for key, low in keys:
            value = not_nothing(m, key)
            m.emit(p.Push(made, value if low else binary("-", ZERO, value)))

    m.each_in(p.Get(name), one)
    return p.Get(made)


def _sort_if_needed(m: Builder, name: str, e: x.Ordered) -> None:
    """Sort a local sequence, or a copy if it is another's; fewer than two elements are not looked at.

    They are if keys may fail.
    """
    own = m.temp("list", "s") if name in m.aliases else name

    member = m.costs.cost(e).member if m.is_measured(e) else 0

    def write() -> None:
        if member:
            m.spend_size(p.Get(name), member)
        m.emit(*([p.Copy(own, p.Get(name))] if own != name else []))
        m.emit(p.Sort(own, keys_of(m, own, e.slot, e.keys, e.of), len(e.keys)))
        m.emit(*([p.Set(name, p.Get(own))] if own != name else []))

    written = m.collect(write)
    m.emit(*written if has_effects(m.program, written) else (p.If(binary("<", ONE, p.Size(p.Get(name))), written),))


def decide_order(m: Builder, of: x.Expr, whole: bool) -> None:
    """Decide the order of a shuffled pile before it is read, see `shuffling`.

    whole:  the whole order, else only what lies on top.
    """
    while isinstance(of, x.Filter | x.Without | x.Extreme | x.Ordered):
        of, whole = of.of, True
    if not isinstance(of, x.Stored) or of.variable not in m.storage.shuffled:
        return
    pile = m.atom(list_number(m, of.variable, of.of))
    settle(m, of.variable, pile, whole)


LISTS.update({x.Extreme: _extreme_list, x.Ordered: ordered_list})
