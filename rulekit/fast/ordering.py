"""What sets become that are put in order, or of which the best are wanted."""

from __future__ import annotations

from itertools import pairwise

from rulekit.fast import plan as p
from rulekit.fast.known import with_element
from rulekit.fast.maker import LISTS, NOTHING, ONE, ZERO, Maker, binary, same
from rulekit.fast.sequences import list_of
from rulekit.fast.shuffling import settle
from rulekit.fast.side_effects import has_effects
from rulekit.fast.sizes import constant_range
from rulekit.fast.values import something
from rulekit.model import expr as x


def _extreme_list(m: Maker, e: x.Extreme) -> p.Expr:
    """All elements with the best key: the list is begun anew when a better one comes."""
    name, best = m.new(), m.temp()
    m.emit(p.Set(best, NOTHING))

    def one(item: p.Expr) -> None:
        with_element(m, e.slot, item, e.of)
        key = m.atom(something(m, e.key, m.value(e.key)))
        first = same(p.Get(best), NOTHING)
        better = p.Binary("<", key, p.Get(best)) if e.lowest else p.Binary("<", p.Get(best), key)
        begin = (p.New(name), p.Push(name, item), p.Set(best, key))
        equal = p.If(same(key, p.Get(best)), (p.Push(name, item),))
        m.emit(p.If(p.Binary("|", first, better), begin, (equal,)))

    m.over(e.of, one)
    return p.Get(name)


def in_order(m: Maker, e: x.Ordered) -> bool:
    """Whether a set is in this order already: members in theirs, by what never falls from one to the next."""
    of = e.of
    while isinstance(of, x.Filter | x.Without):
        of = of.of
    numbers = constant_range(m, of)
    if numbers is None or len(e.keys) != 1:
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


def _known_key(m: Maker, key: x.NumberOf | x.Trait, thing: int) -> int | None:
    if isinstance(key, x.NumberOf):
        return m.setting.things[thing].number
    value = key.values[thing - m.setting.kind_base[key.kind]]
    return value if isinstance(value, int) else None


def ordered_list(m: Maker, e: x.Ordered) -> p.Expr:
    if in_order(m, e):
        return m.list(e.of)
    name = m.own(e.of)
    sort_several(m, name, e)
    return p.Get(name)


def sort(m: Maker, name: str, slot: int, keys: tuple[tuple[x.Expr, bool], ...], of: x.Expr) -> p.Expr:
    """Order a local sequence in place; gives the keys as they were before, `len(keys)` for each element."""
    made = m.new()

    def one(item: p.Expr) -> None:
        with_element(m, slot, item, of)
        for key, low in keys:
            value = something(m, key, m.value(key))
            m.emit(p.Push(made, value if low else binary("-", ZERO, value)))

    m.each_in(p.Get(name), one)
    m.emit(p.Sort(name, p.Get(made), len(keys)))
    return p.Get(made)


def sort_several(m: Maker, name: str, e: x.Ordered) -> None:
    """Order a local sequence if there is something to order; keys that cannot fail are not worked out for one."""
    written = m.collect(lambda: sort(m, name, e.slot, e.keys, e.of))
    if has_effects(m.program, written):
        m.emit(*written)
    else:
        m.emit(p.If(binary("<", ONE, p.Size(p.Get(name))), written))


def decide_order(m: Maker, of: x.Expr, whole: bool) -> None:
    """Before a rule needs it, the order of a shuffled pile (or what lies on top) is decided."""
    while isinstance(of, x.Filter | x.Without | x.Extreme | x.Ordered):
        of, whole = of.of, True
    if not isinstance(of, x.Stored) or of.variable not in m.storage.shuffled:
        return
    pile = m.atom(list_of(m, of.variable, of.of))
    settle(m, of.variable, pile, whole)


LISTS.update({x.Extreme: _extreme_list, x.Ordered: ordered_list})
