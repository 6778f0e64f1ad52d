"""Lower membership tests (`in`) and equality of things and sets.

A test of a filtered set is pushed down to its source and its condition
(predicate pushdown), so that the set is not built.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from rulekit.compiler.lower.analysis.abstract_interpretation import (
    element_interval,
    element_maybe,
    interval_of,
    may_be_nothing,
    shape,
    with_element,
)
from rulekit.compiler.lower.analysis.side_effects import has_effects
from rulekit.compiler.lower.builder.ir_builder import LISTS, VALUES, Builder, Interval, Write
from rulekit.compiler.lower.expressions.scalars import equality_key, owner_index, printed_row
from rulekit.compiler.lower.expressions.sequences import as_element
from rulekit.compiler.lower.expressions.sets import as_interval, interval_length, search, spend_interval
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, negation, same
from rulekit.model import expr as x
from rulekit.play.state.cost_model import MEMBER, SCANNED
from rulekit.values import evolve

# ---------------------------------------------------------------- being in a set


def _among(m: Builder, e: x.Among) -> p.Expr:
    left = as_element(m, e.left)
    if m.is_measured(e):
        return _measured_among(m, e, m.atom(left))
    if e.how == "thing" and m.setting.copy_base < len(m.setting.things):
        key = m.atom(equality_key(m, left, e.left))
        own = own_copy(m, e.right, key, interval_of(m, e.left))
        found = _has_row(m, e.right, key) if own is None else p.Has(m.list(e.right), own)
    elif type(e.right) in LISTS and not isinstance(e.right, x.Listed):
        found = p.Has(m.list(e.right), left)
    else:
        found = _among_few(m, e.right, m.atom(left))
    return negation(found) if e.negate else found


def _measured_among(m: Builder, e: x.Among, left: p.Expr) -> p.Expr:
    """Membership in a set of unknown size, which is counted as searched."""
    if isinstance(e.right, x.Interval):
        bounds = as_interval(m, e.right)
        assert bounds is not None
        low, high = bounds
        m.spend(binary("//", interval_length(low, high), p.Const(SCANNED)))
        found = binary("&", binary("<=", low, left), binary("<=", left, high))
        return negation(found) if e.negate else found
    of = m.list(e.right)
    m.spend(binary("//", p.Size(of), p.Const(SCANNED)))
    if e.how == "thing" and m.setting.copy_base < len(m.setting.things):
        key = m.atom(equality_key(m, left, e.left))
        found = _has_row(m, e.right, key, of)
    else:
        found = p.Has(of, left)
    return negation(found) if e.negate else found


def _among_few(m: Builder, of: x.Expr, left: p.Expr) -> p.Expr:
    if isinstance(of, x.Listed) and len(of.items) <= 4:
        result: p.Expr = ZERO
        for item in of.items:
            result = binary("|", result, same(left, as_element(m, item)))
        return result
    if isinstance(of, x.Interval):
        low, high = m.value(of.low), m.value(of.high)
        spend_interval(m, of, low, high, MEMBER)
        return binary("&", binary("<=", low, left), binary("<=", left, high))
    if isinstance(of, x.Filter) and not m.counts_on_the_way(of) and _is_pure(m, of, left):
        return _passes(m, of, left)
    return _found(m, of, lambda item: same(item, left))


def _found(m: Builder, of: x.Expr, test: Callable[[p.Expr], p.Expr], listed: p.Expr | None = None) -> p.Expr:
    """Whether a test holds for some element of a set.  listed: the set as a sequence, if there is one."""
    result = m.temp()
    m.emit(p.Set(result, ZERO))

    def over(write: Write) -> None:
        if listed is None:
            m.over(of, write)
        else:
            m.each_in(listed, write)

    search(m, over, lambda item, leave: m.emit(p.If(test(item), (p.Set(result, ONE), *leave))))
    return p.Get(result)


def _is_pure(m: Builder, of: x.Filter, left: p.Expr) -> bool:
    return not has_effects(m.program, m.collect(lambda: _passes(m, of, left)))


def _passes(m: Builder, of: x.Filter, left: p.Expr) -> p.Expr:
    """Whether something is in a filtered set: it is in the source, and then the condition holds of it."""
    inside = m.atom(_among_few(m, of.of, left)) if type(of.of) not in LISTS else m.atom(p.Has(m.list(of.of), left))
    result = m.temp()
    m.emit(p.Set(result, ZERO))

    def test() -> None:
        with_element(m, of.slot, left, of.of)
        m.emit(p.Set(result, m.value(of.test)))

    m.when(inside, test)
    return p.Get(result)


def own_copy(m: Builder, of: x.Expr, row: p.Expr, known: Interval) -> p.Expr | None:
    """The only copy of a printed card that can lie in a pile, where the owner of the pile determines it.

    row:    the printed card; known: its bounds.
    Shape:  None where several copies are possible; see `uniqueness` for the invariant.
    """
    if not isinstance(of, x.Stored) or not 0 <= known[0] <= known[1] < m.setting.copy_base:
        return None
    variable = m.setting.game.variables[of.variable]
    is_unique = variable.type.element.kind in m.storage.unique_kinds
    if variable.form != "pile" or not is_unique or variable.owner != "player":
        return None
    shifts = m.storage.own_copies.get(variable.type.element.kind, ())
    shift = _shift(shifts, known)
    if shift is None:
        return None
    owner = owner_index(m, variable, of.of)
    return add(binary("+", row, binary("*", owner, p.Const(shift[1]))), p.Const(shift[0]))


def _shift(copies: tuple[dict[int, int], ...], known: Interval) -> tuple[int, int] | None:
    """The offset of each owner's copies from the printed cards, if it is linear: that of the first, and the step."""
    rows = range(known[0], known[1] + 1)
    shifts = [{own.get(row, p.NONE) - row for row in rows} for own in copies]
    if not shifts or any(len(one) != 1 or min(one) < 0 for one in shifts):
        return None
    plain = [min(one) for one in shifts]
    step = plain[1] - plain[0] if len(plain) > 1 else 0
    return (plain[0], step) if all(b - a == step for a, b in pairwise(plain)) else None


def _has_row(m: Builder, of: x.Expr, key: p.Expr, listed: p.Expr | None = None) -> p.Expr:
    """Whether some element of a set is the same card as `key`."""
    maybe = element_maybe(m, of)

    def test(item: p.Expr) -> p.Expr:
        alike = same(element_row(m, of, item), key)
        return binary("&", binary("!=", item, NOTHING), alike) if maybe else alike

    return _found(m, of, test, listed)


def element_row(m: Builder, of: x.Expr, item: p.Expr) -> p.Expr:
    """The printed card of an element of a set; the element itself where the set holds printed cards alone."""
    low, high = element_interval(m, of)
    return item if low >= 0 and high < m.setting.copy_base else printed_row(m, item)


# ---------------------------------------------------------------- being the same


def _same(m: Builder, e: x.Same) -> p.Expr:
    if _is_snapshot(m, e.left) or _is_snapshot(m, e.right):
        equal: p.Expr = p.Alike(_as_list(m, e.left), _as_list(m, e.right), True)
        return p.Not(equal) if e.negate else equal
    if any(other == x.Const(None) and shape(m, side) for side, other in ((e.left, e.right), (e.right, e.left))):
        return _none_or_set(m, e)
    if e.how in ("plain", "thing"):
        left, right = _counted_to(m, e.left, e.right), _counted_to(m, e.right, e.left)
        if e.how == "thing" and NOTHING not in (left, right):
            left, right = equality_key(m, left, e.left), equality_key(m, right, e.right)
        return binary("!=", left, right) if e.negate else same(left, right)
    left, right = _for_same(m, e, e.left), _for_same(m, e, e.right)
    if m.is_measured(e):
        m.spend(binary("*", binary("+", p.Size(left), p.Size(right)), p.Const(MEMBER)))
    equal = p.Alike(left, right, e.how.startswith("ordered"))
    return p.Not(equal) if e.negate else equal


def _counted_to(m: Builder, e: x.Expr, other: x.Expr) -> p.Expr:
    """A value to be compared with another: steps are counted to a constant one and no further."""
    bound = isinstance(other, x.Const) and other != x.Const(None)
    if bound and isinstance(e, x.Builtin) and e.word == "contact_steps":
        e = evolve(e, args=(*e.args, other))
    return m.value(e)


def _none_or_set(m: Builder, e: x.Same) -> p.Expr:
    """Whether a set is nothing, which only an optional choice can be.  It is evaluated all the same: it may fail."""
    of = e.left if e.right == x.Const(None) else e.right
    value = m.value(of) if isinstance(of, x.Local) and may_be_nothing(m, of) else None
    if isinstance(value, p.Get) and m.types.get(value.local) == "int":
        return binary("!=" if e.negate else "==", value, NOTHING)
    m.list(of)
    return p.Const(int(e.negate))


def _is_snapshot(m: Builder, e: x.Expr) -> bool:
    return isinstance(e, x.Stored) and m.setting.game.variables[e.variable].form == "snapshot"


def _as_list(m: Builder, e: x.Expr) -> p.Expr:
    """A snapshot; none is an empty one."""
    return m.program.row(((),), ZERO) if e == x.Const(None) else m.list(e)


def _for_same(m: Builder, e: x.Same, side: x.Expr) -> p.Expr:
    if not e.how.endswith("things") or m.setting.copy_base == len(m.setting.things):
        return m.list(side)
    name = m.new()
    maybe = element_maybe(m, side)

    def push(item: p.Expr) -> None:
        row = p.Push(name, printed_row(m, item))
        m.emit(p.If(same(item, NOTHING), (p.Push(name, item),), (row,)) if maybe else row)

    m.over(side, push)
    return p.Get(name)


VALUES.update({x.Among: _among, x.Same: _same})
