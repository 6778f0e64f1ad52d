"""What sets, queries over sets and folds become in a plan.

A set that is only looked through is never built: `over` writes the loop that
goes through it, and what is asked of each element stands inside.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from rulekit import limits
from rulekit.fast import plan as p
from rulekit.fast.layout import LISTED, Unsupported, plain
from rulekit.fast.maker import (
    ANY,
    LISTS,
    LOOPS,
    NOTHING,
    ONE,
    VALUES,
    ZERO,
    Maker,
    Reach,
    add,
    binary,
    negation,
    same,
    word,
)
from rulekit.fast.values import (
    bounded,
    may_be_nothing,
    note_unclear,
    owner_index,
    reach,
    row_of,
    same_value,
    something,
    through,
)
from rulekit.model import expr as x
from rulekit.model import ops, words
from rulekit.model.types import Type

Write = Callable[[p.Expr], Any]

# ---------------------------------------------------------------- what is known of a set


def shape(m: Maker, e: x.Expr) -> int:
    """0: one thing, 1: a set, 2: a set of sets."""
    if isinstance(e, x.GroupOf | x.AllOf | x.Seats | x.Spaces | x.Interval):
        return 1
    if isinstance(e, x.Filter | x.Without | x.Extreme | x.Ordered):
        return shape(m, e.of)
    if isinstance(e, x.Union):
        return shape(m, e.left)
    if isinstance(e, x.Listed):
        return 1 + (shape(m, e.items[0]) if e.items else 0)
    if isinstance(e, x.Local):
        return m.shapes.get(e.index, 0)
    if isinstance(e, x.Element):
        return m.elements[e.index][1]
    if isinstance(e, x.Const):
        return 1 if isinstance(e.value, tuple) and not isinstance(e, x.Direction) else 0
    return _shape_by_type(m, e)


def _shape_by_type(m: Maker, e: x.Expr) -> int:
    game = m.setting.game
    if isinstance(e, x.Stored):
        variable = game.variables[e.variable]
        return 1 if variable.form in LISTED else depth(variable.type)
    if isinstance(e, x.Trait):
        return depth(game.kinds[e.kind].trait_types[e.name])
    if isinstance(e, x.OptionValue):
        return depth(game.options[e.index].type)
    if isinstance(e, x.Invoke):
        return depth(game.defines[e.define].type)
    if isinstance(e, x.Choice):
        return max(shape(m, e.then), shape(m, e.other))
    if isinstance(e, x.ItemOf | x.End):
        return shape(m, e.of) - 1
    if isinstance(e, x.Mapped):
        return _mapped_shape(m, e)
    if isinstance(e, x.Builtin):
        return _word_shape(m, e)
    return 0


def _mapped_shape(m: Maker, e: x.Mapped) -> int:
    if e.flat:
        return 1
    with_element(m, e.slot, ZERO, e.of)
    return 1 + shape(m, e.value)


def _word_shape(m: Maker, e: x.Builtin) -> int:
    if e.word in ("cycle", "slice"):
        return shape(m, e.args[0])
    if e.word in words.FUNCTIONS:
        gives = words.FUNCTIONS[e.word].gives
        return 2 if gives == "set pieces" else int(gives.startswith("set "))
    return int(e.word in ("winners", "losers"))


def depth(kind: Type) -> int:
    return 1 + depth(kind.element) if kind.is_set else 0


def element_maybe(m: Maker, e: x.Expr) -> bool:
    """Whether an element of a set may be nothing."""
    if isinstance(e, x.Filter | x.Without | x.Extreme | x.Ordered):
        return element_maybe(m, e.of)
    if isinstance(e, x.Union):
        return element_maybe(m, e.left) or element_maybe(m, e.right)
    if isinstance(e, x.Choice):
        return element_maybe(m, e.then) or element_maybe(m, e.other)
    if isinstance(e, x.Listed):
        return any(may_be_nothing(m, item) for item in e.items)
    if isinstance(e, x.Const):
        return isinstance(e.value, tuple) and None in e.value
    if isinstance(e, x.Mapped) and not e.flat:
        with_element(m, e.slot, ZERO, e.of)
        return may_be_nothing(m, e.value)
    if isinstance(e, x.Local):
        return e.index not in m.sure
    if isinstance(e, x.Invoke):
        return bool(through(m, e, lambda value: element_maybe(m, value)))
    return isinstance(e, x.Element)


def element_reach(m: Maker, e: x.Expr) -> Reach:
    if isinstance(e, x.Filter | x.Without | x.Extreme | x.Ordered):
        return element_reach(m, e.of)
    if isinstance(e, x.Interval):
        return reach(m, e.low)[0], reach(m, e.high)[1]
    if isinstance(e, x.Spaces):
        return e.low, e.high
    if isinstance(e, x.Seats):
        return 0, m.setting.everyone - 1
    if isinstance(e, x.AllOf):
        first = m.setting.kind_base.get(e.kind, 0)
        return first, first + m.setting.kind_count.get(e.kind, 1) - 1
    if isinstance(e, x.GroupOf):
        first = m.setting.piece_first[e.variable]
        variable = m.setting.game.variables[e.variable]
        return first, first + m.setting.owners(variable) * variable.count - 1
    if isinstance(e, x.Stored) and m.setting.game.variables[e.variable].form == "pile":
        return m.setting.copy_base, len(m.setting.things) - 1
    if isinstance(e, x.Union | x.Choice):
        sides = (e.left, e.right) if isinstance(e, x.Union) else (e.then, e.other)
        (a, b), (c, d) = (element_reach(m, side) for side in sides)
        return min(a, c), max(b, d)
    if isinstance(e, x.Mapped) and e.flat:
        with_element(m, e.slot, ZERO, e.of)
        return element_reach(m, e.value)
    if isinstance(e, x.Invoke):
        known: Reach = through(m, e, lambda value: element_reach(m, value))
        return known
    if isinstance(e, x.Mapped) and not e.flat:
        with_element(m, e.slot, ZERO, e.of)
        return reach(m, e.value)
    if isinstance(e, x.Local):
        return m.reaches.get(e.index, ANY)
    return ANY


def with_element(m: Maker, slot: int, item: p.Expr, of: x.Expr) -> None:
    """What an element stands for from now on; one that is a set itself is written out as a sequence."""
    shaped = shape(m, of) - 1
    cells = GRID["are_cells"](m, of)
    (m.cell_elements.add if cells else m.cell_elements.discard)(slot)
    if shaped == 1 and item != ZERO:
        item = GRID["members"](m, item)
    m.elements[slot] = (item, shaped, element_reach(m, of), element_maybe(m, of))


GRID: dict[str, Callable[..., Any]] = {}
"""What `grid_words` knows of cells and groups."""


def distinct(e: x.Expr) -> bool:
    """Whether a set surely has no element twice."""
    if isinstance(e, x.Filter | x.Without | x.Extreme | x.Ordered):
        return distinct(e.of)
    if isinstance(e, x.Union):
        return distinct(e.left) and distinct(e.right)
    if isinstance(e, x.Mapped):
        return e.distinct
    return isinstance(e, x.AllOf | x.GroupOf | x.Seats | x.Spaces | x.Interval | x.Stored)


# ---------------------------------------------------------------- sets as loops


def _all_of(m: Maker, e: x.AllOf, write: Write) -> None:
    first = m.setting.kind_base.get(e.kind, 0)
    _numbers_there(m, first, m.setting.kind_count.get(e.kind, 0), write)


def _numbers_there(m: Maker, first: int, count: int, write: Write) -> None:
    """Things by number, pieces only while they are in the game."""
    gone = m.storage.gone
    may_go = gone is not None and any(thing in m.setting.piece_slot for thing in range(first, first + count))

    def one(thing: p.Expr) -> None:
        if may_go and gone is not None:
            m.when(same(word(gone, thing), ZERO), lambda: write(thing))
        else:
            write(thing)

    if count == 1:
        one(p.Const(first))
    elif count:
        m.each_number(p.Const(first), p.Const(first + count - 1), one)


def _group_of(m: Maker, e: x.GroupOf, write: Write) -> None:
    variable = m.setting.game.variables[e.variable]
    owner = owner_index(m, variable, e.of)
    start = m.setting.piece_first[e.variable]
    if isinstance(owner, p.Const):
        _numbers_there(m, start + owner.value * variable.count, variable.count, write)
        return
    first = m.atom(add(binary("*", owner, p.Const(variable.count)), p.Const(start)))
    gone = m.storage.gone

    def one(thing: p.Expr) -> None:
        if gone is not None:
            m.when(same(word(gone, thing), ZERO), lambda: write(thing))
        else:
            write(thing)

    m.each_number(first, add(first, p.Const(variable.count - 1)), one)


def _seats(m: Maker, e: x.Seats, write: Write) -> None:
    n, everyone = m.setting.players, m.setting.everyone
    if e.who != "neutrals":
        if _starts_change(m):
            starter = m.atom(p.Word(p.Const(m.storage.starter)))
            m.each_number(ZERO, p.Const(n - 1), lambda i: write(m.atom(binary("%", add(starter, i), p.Const(n)))))
        else:
            m.each_number(ZERO, p.Const(n - 1), write)
    if e.who != "players" and everyone > n:
        m.each_number(p.Const(n), p.Const(everyone - 1), write)


def as_numbers(m: Maker, e: x.Expr) -> tuple[p.Expr, p.Expr] | None:
    """A set that is just the integers from one to another, both included."""
    if isinstance(e, x.Seats) and e.who != "neutrals" and not _starts_change(m):
        return ZERO, p.Const(_how_many(m, e) - 1)
    if isinstance(e, x.AllOf) and m.storage.gone is None:
        first = m.setting.kind_base.get(e.kind, 0)
        return p.Const(first), p.Const(first + m.setting.kind_count.get(e.kind, 0) - 1)
    if isinstance(e, x.Spaces):
        return p.Const(e.low), p.Const(e.high)
    if isinstance(e, x.Interval):
        low = m.atom(something(m, e.low, m.value(e.low)))
        high = m.atom(something(m, e.high, m.value(e.high)))
        refuse_large(m, e, low, high)
        return low, high
    return None


def constant_numbers(m: Maker, e: x.Expr) -> range | None:
    """A set that is just known integers from one to another; pieces may be gone from it."""
    if isinstance(e, x.Seats) and (e.who == "neutrals" or not _starts_change(m)):
        n, everyone = m.setting.players, m.setting.everyone
        return {"players": range(n), "everyone": range(everyone), "neutrals": range(n, everyone)}[e.who]
    if isinstance(e, x.AllOf):
        first = m.setting.kind_base.get(e.kind, 0)
        return range(first, first + m.setting.kind_count.get(e.kind, 0))
    if isinstance(e, x.Spaces):
        return range(e.low, e.high + 1)
    if isinstance(e, x.Interval) and isinstance(e.low, x.Const) and isinstance(e.high, x.Const):
        low, high = e.low.value, e.high.value
        if isinstance(low, int) and isinstance(high, int) and high - low < limits.SET:
            return range(low, high + 1)
    return None


def _starts_change(m: Maker) -> bool:
    return any(isinstance(op, ops.SetStarter) for code in m.setting.game.codes for op in code.ops)


def _spaces(m: Maker, e: x.Spaces, write: Write) -> None:
    m.each_number(p.Const(e.low), p.Const(e.high), write)


def _interval(m: Maker, e: x.Interval, write: Write) -> None:
    low = m.atom(something(m, e.low, m.value(e.low)))
    high = m.atom(something(m, e.high, m.value(e.high)))
    refuse_large(m, e, low, high)
    m.each_number(low, high, write)


def refuse_large(m: Maker, e: x.Interval, low: p.Expr, high: p.Expr) -> None:
    (a, _), (_, b) = reach(m, e.low), reach(m, e.high)
    if b - a >= limits.SET:
        m.fault(binary("<=", add(low, p.Const(limits.SET)), high), "set-too-large")


GATHERED: list[Callable[[Maker, x.Filter], p.Expr | None]] = []
"""A filtered set that is gathered the other way round; `turned` says it."""


def _filter(m: Maker, e: x.Filter, write: Write) -> None:
    turned = GATHERED[0](m, e)
    if turned is not None:
        m.each_in(turned, write)
        return

    def one(item: p.Expr) -> None:
        with_element(m, e.slot, item, e.of)
        test = m.value(e.test)
        m.when(test, lambda: write(item))

    m.over(e.of, one)


def _mapped(m: Maker, e: x.Mapped, write: Write) -> None:
    if e.distinct:
        m.each_in(_distinct_list(m, e), write)
        return
    _mapped_all(m, e, write)


def _mapped_all(m: Maker, e: x.Mapped, write: Write) -> None:
    def one(item: p.Expr) -> None:
        with_element(m, e.slot, item, e.of)
        if e.flat:
            m.over(e.value, write)
        else:
            write(m.atom(m.value(e.value)))

    m.over(e.of, one)


def _distinct_list(m: Maker, e: x.Mapped) -> p.Expr:
    """Each value once, where it came first."""
    name = m.new()

    def one(item: p.Expr) -> None:
        if e.distinct:
            m.when(negation(p.Has(p.Get(name), item)), lambda: m.emit(p.Push(name, item)))
        else:
            m.emit(p.Push(name, item))

    _mapped_all(m, e, one)
    return p.Get(name)


def _without(m: Maker, e: x.Without, write: Write) -> None:
    if e.how == "thing" and m.setting.copy_base < len(m.setting.things):
        less = m.new()
        maybe = element_maybe(m, e.less)

        def push(item: p.Expr) -> None:
            row = p.Push(less, _row_or_nothing(m, item))
            m.emit(p.If(binary("!=", item, NOTHING), (row,)) if maybe else row)

        m.over(e.less, push)
        held: p.Expr = p.Get(less)
    elif isinstance(e.less, x.Listed) and len(e.less.items) == 1:
        one = m.atom(m.value(e.less.items[0]))
        m.over(e.of, lambda item: m.when(binary("!=", item, one), lambda: write(item)))
        return
    else:
        held = m.list(e.less)
    as_row = e.how == "thing"

    def keep(item: p.Expr) -> None:
        key = _row_or_nothing(m, item) if as_row else item
        m.when(p.Not(p.Has(held, key)), lambda: write(item))

    m.over(e.of, keep)


def row_in(m: Maker, of: x.Expr, item: p.Expr) -> p.Expr:
    """The printed card of an element of a set."""
    low, high = element_reach(m, of)
    return item if low >= 0 and high < m.setting.copy_base else _row_or_nothing(m, item)


def _row_or_nothing(m: Maker, item: p.Expr) -> p.Expr:
    if m.setting.copy_base == len(m.setting.things):
        return item
    table = tuple(m.setting.row_of)
    return m.program.entry(table, item)


def _union(m: Maker, e: x.Union, write: Write) -> None:
    left = m.list(e.left)
    m.each_in(left, write)
    m.over(e.right, lambda item: m.when(p.Not(p.Has(left, item)), lambda: write(item)))


def _listed(m: Maker, e: x.Listed, write: Write) -> None:
    if len(e.items) == 1:
        write(m.atom(m.value(e.items[0])))
    else:
        m.each_in(_listed_list(m, e), write)


def _invoke(m: Maker, e: x.Invoke, write: Write) -> None:
    outer = names_of(m)

    def one(item: p.Expr) -> None:
        inner = names_of(m)
        use_names(m, outer)
        write(item)
        use_names(m, inner)

    inlined(m, e, lambda value: m.over(value, one))


def _choice_loop(m: Maker, e: x.Choice, write: Write) -> None:
    test = m.value(e.test)
    if isinstance(test, p.Const):
        m.over(e.then if test.value else e.other, write)
        return
    m.each_in(_chosen_list(m, e, test), write)


# ---------------------------------------------------------------- sets as sequences


def _listed_list(m: Maker, e: x.Listed) -> p.Expr:
    if any(shape(m, item) for item in e.items):
        raise Unsupported("sets of written sets")
    values = [m.value(item) for item in e.items]
    if all(isinstance(value, p.Const) for value in values):
        return m.program.row((tuple(value.value for value in values if isinstance(value, p.Const)),), ZERO)
    name = m.new()
    m.emit(*(p.Push(name, value) for value in values))
    return p.Get(name)


def _const_list(m: Maker, e: x.Const) -> p.Expr:
    assert isinstance(e.value, tuple)
    return m.program.row((tuple(plain(item) for item in e.value),), ZERO)


def _option_list(m: Maker, e: x.OptionValue) -> p.Expr:
    note_unclear(m, e)
    values: Any = m.setting.options[e.index]
    return m.program.row((tuple(plain(item) for item in values),), ZERO)


def _stored_list(m: Maker, e: x.Stored) -> p.Expr:
    return p.Stored(list_of(m, e.variable, e.of))


def list_of(m: Maker, variable: int, of: x.Expr | None) -> p.Expr:
    """The number of a list of the storage."""
    owner = owner_index(m, m.setting.game.variables[variable], of)
    return add(owner, p.Const(m.storage.list_base[variable]))


def _trait_list(m: Maker, e: x.Trait) -> p.Expr:
    thing = something(m, e.thing, m.value(e.thing))
    at = binary("-", row_of(m, e.kind, thing), p.Const(m.setting.kind_base[e.kind]))
    rows: Any = e.values
    return m.program.row(tuple(tuple(plain(item) for item in row or ()) for row in rows), at)


FEW = 64
"""A loop over so many elements counts no work of its own."""


def most(m: Maker, e: x.Expr) -> int:
    """How many elements a set has at the most."""
    if isinstance(e, x.Filter | x.Without | x.Extreme | x.Ordered):
        return most(m, e.of)
    if isinstance(e, x.Seats):
        return m.setting.everyone
    if isinstance(e, x.AllOf):
        return m.setting.kind_count.get(e.kind, 0)
    if isinstance(e, x.GroupOf):
        return m.setting.game.variables[e.variable].count
    if isinstance(e, x.Listed):
        return len(e.items)
    if isinstance(e, x.Interval):
        return max(0, reach(m, e.high)[1] - reach(m, e.low)[0] + 1)
    if isinstance(e, x.Stored):
        return m.storage.rooms[m.storage.list_base[e.variable]]
    if isinstance(e, x.Mapped):
        with_element(m, e.slot, ZERO, e.of)
        return most(m, e.of) * (most(m, e.value) if e.flat else 1)
    if isinstance(e, x.Invoke):
        return int(through(m, e, lambda value: most(m, value)))
    if isinstance(e, x.Local):
        return m.mosts.get(e.index, limits.SET)
    if isinstance(e, x.Choice):
        return max(most(m, e.then), most(m, e.other))
    if isinstance(e, x.Union):
        return most(m, e.left) + most(m, e.right)
    return limits.SET


def _local_list(m: Maker, e: x.Local) -> p.Expr:
    got = m.locals[e.index]
    if isinstance(got, p.Get) and m.types.get(got.local) == "int":
        # A group of pieces, kept as one number.
        members: p.Expr = GRID["members"](m, got)
        return members
    return got


def _element_list(m: Maker, e: x.Element) -> p.Expr:
    return m.elements[e.index][0]


def _chosen_list(m: Maker, e: x.Choice, test: p.Expr) -> p.Expr:
    name = m.temp("list", "s")
    m.when(
        test,
        lambda: m.emit(p.Copy(name, m.list(e.then))),
        lambda: m.emit(p.Copy(name, m.list(e.other))),
    )
    return p.Get(name)


def _choice_list(m: Maker, e: x.Choice) -> p.Expr:
    test = m.value(e.test)
    if isinstance(test, p.Const):
        return m.list(e.then if test.value else e.other)
    return _chosen_list(m, e, test)


def _invoke_list(m: Maker, e: x.Invoke) -> p.Expr:
    made: list[p.Expr] = []
    inlined(m, e, lambda value: made.append(m.list(value)))
    return made[0]


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


def _in_order(m: Maker, e: x.Ordered) -> bool:
    """Whether a set is in this order already: members in theirs, by what never falls from one to the next."""
    of = e.of
    while isinstance(of, x.Filter | x.Without):
        of = of.of
    numbers = constant_numbers(m, of)
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


def _ordered(m: Maker, e: x.Ordered, write: Write) -> None:
    if _in_order(m, e):
        m.over(e.of, write)
    else:
        m.each_in(_ordered_list(m, e), write)


def _ordered_list(m: Maker, e: x.Ordered) -> p.Expr:
    if _in_order(m, e):
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
    if may_unwind(written):
        m.emit(*written)
    else:
        m.emit(p.If(binary("<", ONE, p.Size(p.Get(name))), written))


def may_unwind(body: p.Body) -> bool:
    inner = ("then", "other", "body")
    return any(
        isinstance(statement, p.Unwind | p.Do) or any(may_unwind(getattr(statement, part, ())) for part in inner)
        for statement in body
    )


# ---------------------------------------------------------------- one thing of a set


COUNT_OF: list[Callable[[Maker, x.Expr], p.Expr | None]] = []
ANY_OF: list[Callable[[Maker, x.Expr], p.Expr | None]] = []
"""How many of a few numbers pass, and whether any does; `few_numbers` says it."""


def _count(m: Maker, e: x.Count) -> p.Expr:
    if type(e.of) in LISTS and not isinstance(e.of, x.Mapped | x.Extreme | x.Ordered | x.Choice | x.Invoke):
        return p.Size(m.list(e.of))
    if isinstance(e.of, x.AllOf | x.Seats | x.Spaces) and m.storage.gone is None:
        return p.Const(_how_many(m, e.of))
    few = COUNT_OF[0](m, e.of)
    if few is not None:
        return few
    count = m.temp()
    m.emit(p.Set(count, ZERO))
    m.over(e.of, lambda item: m.emit(p.Set(count, p.Binary("+", p.Get(count), ONE))))
    return p.Get(count)


def _how_many(m: Maker, e: x.Expr) -> int:
    if isinstance(e, x.AllOf):
        return m.setting.kind_count.get(e.kind, 0)
    if isinstance(e, x.Spaces):
        return e.high - e.low + 1
    assert isinstance(e, x.Seats)
    players, everyone = m.setting.players, m.setting.everyone
    return {"players": players, "everyone": everyone, "neutrals": everyone - players}[e.who]


def _some(m: Maker, e: x.Some) -> p.Expr:
    of = e.of
    if type(of) in LISTS and not isinstance(of, x.Mapped | x.Extreme | x.Ordered | x.Choice | x.Invoke):
        size = p.Size(m.list(of))
        return same(size, ZERO) if e.negate else binary("<", ZERO, size)
    while isinstance(of, x.Extreme | x.Ordered):
        of = of.of
    few = ANY_OF[0](m, of)
    if few is not None:
        return negation(few) if e.negate else few
    return first_of(
        m, of, lambda item, result: m.emit(p.Set(result, ZERO if e.negate else ONE)), p.Const(int(e.negate))
    )


def first_of(m: Maker, e: x.Expr, write: Callable[[p.Expr, str], Any], otherwise: p.Expr) -> p.Expr:
    """Something of the first element of a set, or else a constant; nothing beyond that element is looked at."""
    result, label = m.temp(), m.fresh("f")
    m.emit(p.Set(result, otherwise))

    def one(item: p.Expr) -> None:
        write(item, result)
        m.emit(p.Break(label))

    m.emit(p.Block(label, m.collect(lambda: m.over(e, one))))
    return p.Get(result)


def _end(m: Maker, e: x.End) -> p.Expr:
    if isinstance(e.of, x.Seats | x.Spaces) and (numbers := constant_numbers(m, e.of)):
        return p.Const(numbers[-1] if e.last else numbers[0])
    decide_order(m, e.of, whole=e.last)
    direct = type(e.of) in LISTS and not isinstance(e.of, x.Mapped)
    if not e.last and not direct:
        return first_of(m, e.of, lambda item, result: m.emit(p.Set(result, item)), NOTHING)
    result = m.temp()
    m.emit(p.Set(result, NOTHING))
    if not direct:
        m.over(e.of, lambda item: m.emit(p.Set(result, item)))
        return p.Get(result)
    of = m.list(e.of)
    at = binary("-", p.Size(of), ONE) if e.last else ZERO
    m.emit(p.If(binary("<", ZERO, p.Size(of)), (p.Set(result, p.Item(of, at)),)))
    return p.Get(result)


def _item_of(m: Maker, e: x.ItemOf) -> p.Expr:
    if isinstance(e.of, x.GroupOf) and m.storage.gone is None:
        return _piece_of_group(m, e.of, e.index)
    decide_order(m, e.of, whole=True)
    of = m.list(e.of)
    index = m.atom(something(m, e.index, m.value(e.index)))
    m.fault(binary("|", binary("<", index, ONE), binary("<", p.Size(of), index)), "outside")
    return p.Item(of, binary("-", index, ONE))


def _piece_of_group(m: Maker, e: x.GroupOf, place: x.Expr) -> p.Expr:
    """Pieces of one declaration that are never taken away have numbers in a row."""
    variable = m.setting.game.variables[e.variable]
    owner = owner_index(m, variable, e.of)
    first = add(binary("*", owner, p.Const(variable.count)), p.Const(m.setting.piece_first[e.variable] - 1))
    index = m.atom(something(m, place, m.value(place)))
    low, high = reach(m, place)
    if low < 1 or high > variable.count:
        m.fault(binary("|", binary("<", index, ONE), binary("<", p.Const(variable.count), index)), "outside")
    return add(first, index)


def decide_order(m: Maker, of: x.Expr, whole: bool) -> None:
    """Before a rule needs it, the order of a shuffled pile (or what lies on top) is decided."""
    while isinstance(of, x.Filter | x.Without | x.Extreme | x.Ordered):
        of, whole = of.of, True
    if not isinstance(of, x.Stored) or of.variable not in m.storage.shuffled:
        return
    pile = m.atom(list_of(m, of.variable, of.of))
    settle = SETTLE[0]
    settle(m, of.variable, pile, whole)


SETTLE: list[Callable[[Maker, int, p.Expr, bool], None]] = []
"""How the order of a pile is decided; `changes` says it."""


def _fold(m: Maker, e: x.Fold) -> p.Expr:
    result = m.temp()
    m.emit(p.Set(result, ZERO))
    begun = m.temp() if e.op != "sum" else ""
    if begun:
        m.emit(p.Set(begun, ZERO))

    def one(item: p.Expr) -> None:
        with_element(m, e.slot, item, e.of)
        value = m.value(e.value)
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
    low, high = element_reach(m, x.Mapped(e.of, e.slot, e.value, False, False))
    small = max(abs(low), abs(high)) < ANY[1] // 20_000
    return p.Get(result) if small else bounded(m, p.Get(result))


def _among(m: Maker, e: x.Among) -> p.Expr:
    left = m.value(e.left)
    if e.how == "thing" and m.setting.copy_base < len(m.setting.things):
        key = m.atom(same_value(m, left, e.left))
        own = own_copy(m, e.right, key, reach(m, e.left))
        found = _has_row(m, e.right, key) if own is None else p.Has(m.list(e.right), own)
    elif type(e.right) in LISTS and not isinstance(e.right, x.Listed):
        found = p.Has(m.list(e.right), left)
    else:
        found = _among_few(m, e.right, m.atom(left))
    return negation(found) if e.negate else found


def _among_few(m: Maker, of: x.Expr, left: p.Expr) -> p.Expr:
    if isinstance(of, x.Listed) and len(of.items) <= 4:
        result: p.Expr = ZERO
        for item in of.items:
            result = binary("|", result, same(left, m.value(item)))
        return result
    if isinstance(of, x.Interval):
        low, high = m.value(of.low), m.value(of.high)
        return binary("&", binary("<=", low, left), binary("<=", left, high))
    if isinstance(of, x.Filter):
        return _passes(m, of, left)
    result_name, label = m.temp(), m.fresh("f")
    m.emit(p.Set(result_name, ZERO))
    found = (p.Set(result_name, ONE), p.Break(label))
    m.emit(p.Block(label, m.collect(lambda: m.over(of, lambda item: m.emit(p.If(same(item, left), found))))))
    return p.Get(result_name)


def _passes(m: Maker, of: x.Filter, left: p.Expr) -> p.Expr:
    """In a filtered set: in the whole set, and the test holds of it.  Elsewhere the test is not asked."""
    inside = m.atom(_among_few(m, of.of, left)) if type(of.of) not in LISTS else m.atom(p.Has(m.list(of.of), left))
    result = m.temp()
    m.emit(p.Set(result, ZERO))

    def test() -> None:
        with_element(m, of.slot, left, of.of)
        m.emit(p.Set(result, m.value(of.test)))

    m.when(inside, test)
    return p.Get(result)


def own_copy(m: Maker, of: x.Expr, row: p.Expr, known: Reach) -> p.Expr | None:
    """The copy of a printed card that can lie in a pile, where that follows from whose pile it is."""
    if not isinstance(of, x.Stored) or not 0 <= known[0] <= known[1] < m.setting.copy_base:
        return None
    variable = m.setting.game.variables[of.variable]
    if variable.form != "pile" or variable.type.element.kind not in m.storage.apart or variable.owner != "player":
        return None
    shifts = m.storage.own_copies.get(variable.type.element.kind, ())
    shift = _shift(shifts, known)
    if shift is None:
        return None
    owner = owner_index(m, variable, of.of)
    return add(binary("+", row, binary("*", owner, p.Const(shift[1]))), p.Const(shift[0]))


def _shift(copies: tuple[dict[int, int], ...], known: Reach) -> tuple[int, int] | None:
    """How far each owner's copies lie from the printed cards, if that grows evenly: for the first, and by how much."""
    rows = range(known[0], known[1] + 1)
    shifts = [{own.get(row, p.NONE) - row for row in rows} for own in copies]
    if not shifts or any(len(one) != 1 or min(one) < 0 for one in shifts):
        return None
    plain = [min(one) for one in shifts]
    step = plain[1] - plain[0] if len(plain) > 1 else 0
    return (plain[0], step) if all(b - a == step for a, b in pairwise(plain)) else None


def _has_row(m: Maker, of: x.Expr, key: p.Expr) -> p.Expr:
    """Whether some element of a set is the same card as `key`."""
    result, label = m.temp(), m.fresh("f")
    m.emit(p.Set(result, ZERO))
    found = (p.Set(result, ONE), p.Break(label))
    maybe = element_maybe(m, of)

    def one(item: p.Expr) -> None:
        there = p.If(same(row_in(m, of, item), key), found)
        m.emit(p.If(binary("!=", item, NOTHING), (there,)) if maybe else there)

    m.emit(p.Block(label, m.collect(lambda: m.over(of, one))))
    return p.Get(result)


def _same(m: Maker, e: x.Same) -> p.Expr:
    if e.how in ("plain", "thing"):
        left, right = m.value(e.left), m.value(e.right)
        if e.how == "thing" and NOTHING not in (left, right):
            left, right = same_value(m, left, e.left), same_value(m, right, e.right)
        return binary("!=", left, right) if e.negate else same(left, right)
    left, right = _for_same(m, e, e.left), _for_same(m, e, e.right)
    equal = p.Alike(left, right, e.how.startswith("ordered"))
    return p.Not(equal) if e.negate else equal


def _for_same(m: Maker, e: x.Same, side: x.Expr) -> p.Expr:
    if not e.how.endswith("things") or m.setting.copy_base == len(m.setting.things):
        return m.list(side)
    name = m.new()
    maybe = element_maybe(m, side)

    def push(item: p.Expr) -> None:
        row = p.Push(name, _row_or_nothing(m, item))
        m.emit(p.If(same(item, NOTHING), (p.Push(name, item),), (row,)) if maybe else row)

    m.over(side, push)
    return p.Get(name)


# ---------------------------------------------------------------- defines


DEEPEST = 40
"""Defines inside one another, written out where they are used."""


def inlined(m: Maker, e: x.Invoke, write: Callable[[x.Expr], Any]) -> None:
    """Write what a define stands for, with its parameters bound to the arguments."""
    define = m.setting.game.defines[e.define]
    if m.depth > DEEPEST:
        raise Unsupported("defines nested so deep")
    bound = [_bound(m, arg) for arg in e.args]
    outer = names_of(m)
    use_names(m, (*_named(bound), _cells_among(m, e.args), set(), {}))
    m.depth += 1
    write(define.value)
    m.depth -= 1
    use_names(m, outer)


def parameters(m: Maker, e: x.Invoke) -> tuple[Any, ...]:
    """The names inside a define, for questions about it: what its parameters are is known, their values are not."""
    named = _named([(ZERO, shape(m, arg), *_known(m, arg)) for arg in e.args])
    return (*named, _cells_among(m, e.args), set(), {})


def _cells_among(m: Maker, args: tuple[x.Expr, ...]) -> set[int]:
    return {index for index, arg in enumerate(args) if GRID["are_cells"](m, arg)}


def _known(m: Maker, arg: x.Expr) -> tuple[Reach, bool]:
    if shape(m, arg):
        return element_reach(m, arg), element_maybe(m, arg)
    return reach(m, arg), may_be_nothing(m, arg)


def _named(bound: list[tuple[p.Expr, int, Reach, bool]]) -> tuple[Any, ...]:
    values = {index: value for index, (value, _, _, _) in enumerate(bound)}
    shapes = {index: shaped for index, (_, shaped, _, _) in enumerate(bound)}
    reaches = {index: known for index, (_, _, known, _) in enumerate(bound)}
    sure = {index for index, (_, _, _, maybe) in enumerate(bound) if not maybe}
    return values, shapes, reaches, sure, {}


def names_of(m: Maker) -> tuple[Any, ...]:
    return m.locals, m.shapes, m.reaches, m.sure, m.elements, m.cells, m.cell_elements, m.mosts


def use_names(m: Maker, names: tuple[Any, ...]) -> None:
    """What the parameters and elements of an expression stand for from now on."""
    m.locals, m.shapes, m.reaches, m.sure, m.elements, m.cells, m.cell_elements, m.mosts = names


def _bound(m: Maker, arg: x.Expr) -> tuple[p.Expr, int, Reach, bool]:
    shaped = shape(m, arg)
    value = m.list(arg) if shaped else m.atom(m.value(arg))
    return value, shaped, *_known(m, arg)


def _invoke_value(m: Maker, e: x.Invoke) -> p.Expr:
    made: list[p.Expr] = []
    inlined(m, e, lambda value: made.append(m.value(value)))
    return made[0]


VALUES.update(
    {
        x.Count: _count,
        x.Some: _some,
        x.End: _end,
        x.ItemOf: _item_of,
        x.Fold: _fold,
        x.Among: _among,
        x.Same: _same,
        x.Invoke: _invoke_value,
    }
)
LISTS.update(
    {
        x.Listed: _listed_list,
        x.Const: _const_list,
        x.OptionValue: _option_list,
        x.Stored: _stored_list,
        x.Trait: _trait_list,
        x.Local: _local_list,
        x.Element: _element_list,
        x.Choice: _choice_list,
        x.Invoke: _invoke_list,
        x.Extreme: _extreme_list,
        x.Ordered: _ordered_list,
        x.Mapped: _distinct_list,
    }
)
LOOPS.update(
    {
        x.AllOf: _all_of,
        x.GroupOf: _group_of,
        x.Seats: _seats,
        x.Spaces: _spaces,
        x.Interval: _interval,
        x.Filter: _filter,
        x.Ordered: _ordered,
        x.Mapped: _mapped,
        x.Without: _without,
        x.Union: _union,
        x.Listed: _listed,
        x.Invoke: _invoke,
        x.Choice: _choice_loop,
    }
)
