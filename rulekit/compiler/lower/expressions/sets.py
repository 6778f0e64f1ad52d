"""Lower sets to loops over their elements, without building them.

`Builder.over` nests the code for each element into the loop of the set, so that
chains of filters and maps become one loop: loop fusion, also called
deforestation or push-style iteration.  Sets that must be stored are in `sequences`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulekit import limits
from rulekit.compiler.lower.analysis.abstract_interpretation import (
    element_interval,
    element_maybe,
    interval_of,
    with_element,
)
from rulekit.compiler.lower.analysis.cardinality import constant_range, distinct, starter_changes
from rulekit.compiler.lower.analysis.side_effects import has_effects, has_later_effects, without
from rulekit.compiler.lower.builder.ir_builder import LISTS, LOOPS, Builder, Write
from rulekit.compiler.lower.expressions.ordering import is_sorted, ordered_list
from rulekit.compiler.lower.expressions.scalars import not_nothing, owner_index, printed_row, table_owner
from rulekit.compiler.lower.expressions.sequences import as_element, choice_list, listed_list
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, negation, same, word
from rulekit.compiler.plan.traversal import statements
from rulekit.model import expr as x
from rulekit.model import traversal
from rulekit.play.state.cost_model import MEMBER, SCANNED
from rulekit.values import evolve

# ---------------------------------------------------------------- members


def _all_of(m: Builder, e: x.AllOf, write: Write) -> None:
    first, count = m.setting.kind_base.get(e.kind, 0), m.setting.kind_count.get(e.kind, 0)
    may_go = any(thing in m.setting.piece_slot for thing in range(first, first + count))
    _numbers_there(m, p.Const(first), count, _unless_gone(m, write) if may_go else write)


def _unless_gone(m: Builder, write: Write) -> Write:
    """Writes it for a piece unless that was removed from the game; one that stands somewhere was not."""
    gone = m.storage.gone
    if gone is None:
        return write

    def one(piece: p.Expr) -> None:
        match body := m.collect(lambda: write(piece)):
            case [p.If(test, _, ())] if binary("!=", word(m.storage.pieces, piece), NOTHING) in _conjuncts(test):
                m.emit(*body)
            case _:
                m.when(same(word(gone, piece), ZERO), lambda: m.emit(*body))

    return one


def _numbers_there(m: Builder, first: p.Expr, count: int, write: Write) -> None:
    """Things with successive numbers."""
    if count == 1 and isinstance(first, p.Const):
        write(first)
    elif count:
        m.each_number(first, add(first, p.Const(count - 1)), write)


def _group_of(m: Builder, e: x.GroupOf, write: Write) -> None:
    variable = m.setting.game.variables[e.variable]
    owner = m.atom(owner_index(m, variable, e.of))
    start = p.Const(m.setting.piece_first[e.variable])
    first = m.atom(add(binary("*", owner, p.Const(variable.count)), start))

    def one(piece: p.Expr) -> None:
        with m.holding(*([same(table_owner(m, piece), owner)] if variable.owner == "player" else [])):
            write(piece)

    _numbers_there(m, first, variable.count, _unless_gone(m, one))


def _seats(m: Builder, e: x.Seats, write: Write) -> None:
    n, everyone = m.setting.players, m.setting.everyone
    if e.who != "neutrals":
        if starter_changes(m):
            starter = m.atom(p.Word(p.Const(m.storage.starter)))
            m.each_number(ZERO, p.Const(n - 1), lambda i: write(m.atom(binary("%", add(starter, i), p.Const(n)))))
        else:
            m.each_number(ZERO, p.Const(n - 1), write)
    if e.who != "players" and everyone > n:
        m.each_number(p.Const(n), p.Const(everyone - 1), write)


def as_interval(m: Builder, e: x.Expr) -> tuple[p.Expr, p.Expr] | None:
    """The bounds of a set that is all integers from one to another, both included; None for any other set."""
    numbers = constant_range(m, e)
    if numbers is not None and (m.storage.gone is None or not isinstance(e, x.AllOf)):
        return p.Const(numbers.start), p.Const(numbers.stop - 1)
    if isinstance(e, x.Interval):
        low = m.atom(not_nothing(m, e.low))
        high = m.atom(not_nothing(m, e.high))
        _check_size(m, e, low, high)
        spend_interval(m, e, low, high, MEMBER)
        return low, high
    return None


def spend_interval(m: Builder, e: x.Interval, low: p.Expr, high: p.Expr, member: int) -> None:
    """Count the numbers of a range of unknown size."""
    if m.is_measured(e):
        m.spend(binary("*", interval_length(low, high), p.Const(member)))


def interval_length(low: p.Expr, high: p.Expr) -> p.Expr:
    return binary("max", ZERO, add(binary("-", high, low), ONE))


def cursor_of(m: Builder, e: x.Expr) -> tuple[p.Expr, p.Expr | None, p.Expr]:
    """What a loop of the flow over a set goes through, see `Builder.cursors`."""
    bounds = as_interval(m, e)
    if bounds is not None:
        return bounds[0], None, bounds[1]
    name = m.held(e)
    match m.body[-1:]:
        case [p.Set(local, p.Row(at=p.Get() | p.Const()) as row)] if local == name:
            return ZERO, row, ZERO
    return ZERO, p.Get(name), ZERO


def _interval(m: Builder, e: x.Spaces | x.Interval, write: Write) -> None:
    bounds = as_interval(m, e)
    assert bounds is not None
    m.each_number(*bounds, write)


def _check_size(m: Builder, e: x.Interval, low: p.Expr, high: p.Expr) -> None:
    """A fault `set-too-large` where the bounds allow more elements than a set may have."""
    (a, _), (_, b) = interval_of(m, e.low), interval_of(m, e.high)
    if b - a >= limits.SET:
        m.fault(binary("<=", add(low, p.Const(limits.SET)), high), "set-too-large")


def search(m: Builder, over: Callable[[Write], None], look: Callable[[p.Expr, p.Body], None]) -> None:
    """A loop over a set that ends at the first element that decides, unless more may happen for later ones.

    over:  writes the loop.
    look:  writes what is done with an element; where it decides, with these statements behind, which may go on.
    """
    label = m.fresh("f")
    block = p.Block(label, m.collect(lambda: over(lambda item: look(item, (p.Break(label),)))))
    if not has_later_effects(m.program, block.body):
        m.emit(block)
        return
    notes = {p.Store(p.Const(word), ONE): p.Word(p.Const(word)) for word in m.storage.unclear.values()}
    noted = dict.fromkeys(one for one in statements(block.body) if one in notes)
    if not noted or has_later_effects(m.program, without(block.body, noted)):
        over(lambda item: look(item, ()))
        return
    # Nothing is lost once these readings were met.
    met: p.Expr = ONE
    for one in noted:
        met = binary("&", met, notes[one])
    leave = p.If(met, (p.Break(label),))
    m.emit(p.Block(label, m.collect(lambda: over(lambda item: look(item, (leave,))))))


# ---------------------------------------------------------------- some of them


def _filter(m: Builder, e: x.Filter, write: Write) -> None:
    """A loop with a test inside; a part of it that is the same for all elements is tested once (loop unswitching)."""
    member = m.costs.cost(e).member if m.is_measured(e) else 0
    ahead, rest = (None, e.test) if m.counts_on_the_way(e) else _leading(e.test)
    if ahead is not None and x.Element(e.slot) not in traversal.parts(ahead):
        made: list[p.Expr] = []
        written = m.collect(lambda: made.append(m.value(ahead)))
        if not has_effects(m.program, written):
            m.emit(*written)
            m.when(made[0], lambda: _filter(m, evolve(e, test=rest), write))
            return

    def one(item: p.Expr) -> None:
        m.spend(member)
        with_element(m, e.slot, item, e.of)
        test = m.value(e.test)
        m.when(test, partial(kept, test, item))

    def kept(test: p.Expr, item: p.Expr) -> None:
        with m.holding(*_conjuncts(test)):
            write(item)

    m.over(e.of, one)


def _conjuncts(test: p.Expr) -> list[p.Expr]:
    if isinstance(test, p.Binary) and test.op == "&":
        return [*_conjuncts(test.left), *_conjuncts(test.right)]
    return [test]


def _leading(test: x.Expr) -> tuple[x.Expr | None, x.Expr]:
    """The part of a conjunction that is worked out first, and the others; None where there is one part alone."""
    if not isinstance(test, x.Both):
        return None, test
    ahead, rest = _leading(test.left)
    return (test.left, test.right) if ahead is None else (ahead, x.Both(rest, test.right))


def holds_never(m: Builder, e: x.Expr) -> bool:
    """Whether a set is a filter whose test is surely false, as a reading makes it that was not chosen.

    To go through it may have effects all the same.
    """
    if not isinstance(e, x.Filter):
        return False
    test: list[p.Expr] = []

    def tried() -> None:
        with_element(m, e.slot, p.Get(m.temp()), e.of)
        test.append(m.value(e.test))

    m.collect(tried)
    return test == [ZERO]


def _mapped(m: Builder, e: x.Mapped, write: Write) -> None:
    if e.distinct:
        m.each_in(_distinct_list(m, e), write)
        return
    _mapped_all(m, e, write)


def _mapped_all(m: Builder, e: x.Mapped, write: Write) -> None:
    member = m.costs.cost(e).member if m.is_measured(e) else 0
    if isinstance(e.value, x.PieceOf):
        write = _unless_gone(m, write)

    def joined(item: p.Expr) -> None:
        m.spend(MEMBER if member else 0)
        write(item)

    def one(item: p.Expr) -> None:
        m.spend(member)
        with_element(m, e.slot, item, e.of)
        if e.flat:
            m.over(e.value, joined)
        else:
            write(m.atom(as_element(m, e.value)))

    m.over(e.of, one)


def _distinct_list(m: Builder, e: x.Mapped) -> p.Expr:
    """Each value once, where it came first."""
    name = m.new()

    def one(item: p.Expr) -> None:
        if e.distinct and m.is_measured(e):
            m.spend(binary("//", p.Size(p.Get(name)), p.Const(SCANNED)))
        known = p.Has(p.Get(name), item) if e.distinct else ZERO
        m.when(negation(known), lambda: m.emit(p.Push(name, item)))

    _mapped_all(m, e, one)
    return p.Get(name)


def _without(m: Builder, e: x.Without, write: Write) -> None:
    is_measured = m.is_measured(e)
    if e.how == "thing" and m.setting.copy_base < len(m.setting.things):
        less = m.new()
        maybe = element_maybe(m, e.less)

        def push(item: p.Expr) -> None:
            m.spend(MEMBER if is_measured else 0)
            row = p.Push(less, printed_row(m, item))
            m.emit(p.If(binary("!=", item, NOTHING), (row,)) if maybe else row)

        m.over(e.less, push)
        held: p.Expr = p.Get(less)
    elif isinstance(e.less, x.Listed) and len(e.less.items) == 1:
        one = m.atom(as_element(m, e.less.items[0]))
        m.spend(MEMBER if is_measured else 0)

        def other(item: p.Expr) -> None:
            m.spend(MEMBER if is_measured else 0)
            m.when(binary("!=", item, one), lambda: write(item))

        m.over(e.of, other)
        return
    else:
        held = m.list(e.less)
        m.spend(binary("*", p.Size(held), p.Const(MEMBER if is_measured else 0)))
    as_row = e.how == "thing"

    def keep(item: p.Expr) -> None:
        if is_measured:
            m.spend(add(binary("//", p.Size(held), p.Const(SCANNED)), p.Const(MEMBER)))
        key = printed_row(m, item) if as_row else item
        m.when(p.Not(p.Has(held, key)), lambda: write(item))

    m.over(e.of, keep)


def _union(m: Builder, e: x.Union, write: Write) -> None:
    is_measured = m.is_measured(e)
    is_plain = not _may_mix_printed(m, e) and distinct(m, e.left)
    if is_plain and not is_measured and holds_never(m, e.right):
        m.over(e.left, write)
        m.over(e.right, write)
        return
    left = m.list(e.left)
    m.spend(p.Size(left) if is_measured else 0)
    if not is_plain or not distinct(m, e.right):
        m.each_in(_union_list(m, e, left), write)
        return
    m.each_in(left, write)

    def one(item: p.Expr) -> None:
        if is_measured:
            m.spend(add(binary("//", p.Size(left), p.Const(SCANNED)), p.Const(MEMBER)))
        m.when(p.Not(p.Has(left, item)), lambda: write(item))

    m.over(e.right, one)


def _union_list(m: Builder, e: x.Union, left: p.Expr) -> p.Expr:
    """Each member of both sides once; of printed cards those of which no copy is in either side.

    left:  the members of the left side, as a sequence.
    """
    is_measured = m.is_measured(e)
    together = m.new()

    def add_once(item: p.Expr) -> None:
        m.emit(p.If(p.Not(p.Has(p.Get(together), item)), (p.Push(together, item),)))

    def add_right(item: p.Expr) -> None:
        if is_measured:
            m.spend(add(binary("//", p.Size(left), p.Const(SCANNED)), p.Const(MEMBER)))
        add_once(item)

    m.each_in(left, add_once)
    m.over(e.right, add_right)
    return _without_printed(m, p.Get(together)) if _may_mix_printed(m, e) else p.Get(together)


def _without_printed(m: Builder, things: p.Expr) -> p.Expr:
    """The cards of a sequence but for printed cards of which a copy is in it."""
    copied, kept = m.new(), m.new()
    is_copy = partial(binary, "<=", p.Const(m.setting.copy_base))
    m.each_in(things, lambda item: m.emit(p.If(is_copy(item), (p.Push(copied, printed_row(m, item)),))))
    m.each_in(things, lambda item: m.emit(p.If(p.Not(p.Has(p.Get(copied), item)), (p.Push(kept, item),))))
    return p.Get(kept)


def _may_mix_printed(m: Builder, e: x.Union) -> bool:
    """Whether printed cards may be put together with copies of cards."""
    if e.how != "thing" or m.setting.copy_base == len(m.setting.things):
        return False
    reach = [element_interval(m, side) for side in (e.left, e.right)]
    return min(low for low, _ in reach) < m.setting.copy_base <= max(high for _, high in reach)


def _listed(m: Builder, e: x.Listed, write: Write) -> None:
    if len(e.items) == 1:
        write(m.atom(as_element(m, e.items[0])))
    else:
        m.each_in(listed_list(m, e), write)


def _choice_loop(m: Builder, e: x.Choice, write: Write) -> None:
    test = m.value(e.test)
    if isinstance(test, p.Const):
        chosen = e.then if test.value else e.other
        m.spend_deferred(chosen)
        m.over(chosen, write)
        return
    m.each_in(choice_list(m, e, test), write)


def _ordered(m: Builder, e: x.Ordered, write: Write) -> None:
    if is_sorted(m, e):
        m.over(e.of, write)
    else:
        m.each_in(ordered_list(m, e), write)


LISTS.update({x.Mapped: _distinct_list})
LOOPS.update(
    {
        x.AllOf: _all_of,
        x.GroupOf: _group_of,
        x.Seats: _seats,
        x.Spaces: _interval,
        x.Interval: _interval,
        x.Filter: _filter,
        x.Ordered: _ordered,
        x.Mapped: _mapped,
        x.Without: _without,
        x.Union: _union,
        x.Listed: _listed,
        x.Choice: _choice_loop,
    }
)
