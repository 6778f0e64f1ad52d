"""Represent subsets of a few constants, such as seats, as bitsets.

A mask has a bit for each element; the set itself is a row of a constant table
that lists the power set by mask.  Nothing is built, and size and membership
are looked up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rulekit.compiler.lower.analysis.abstract_interpretation import interval_of, with_element
from rulekit.compiler.lower.analysis.cardinality import constant_range
from rulekit.compiler.lower.builder.ir_builder import ANY, FEW, NOTHING, ONE, ZERO, Builder, binary, same
from rulekit.compiler.lower.expressions.defines import expand_inline, is_outlined
from rulekit.compiler.lower.expressions.query_inversion import inverted
from rulekit.compiler.lower.expressions.scalars import not_nothing
from rulekit.compiler.plan import ir as p
from rulekit.model import expr as x

MAX_BITS = 6
"""Up to so many elements have a table of their power set."""
MAX_NODES = 400
"""The largest unrolled test, in nodes of the plan, for which a bitset pays."""
MAX_INTERVAL = 200
"""Up to so many successive integers are a constant row."""


class _NotConstant(Exception):
    """An element turned out to be no constant, so that it has no bit."""


def constant_row(m: Builder, e: x.Expr) -> p.Expr | None:
    """The set as a row of a constant table, or None if it has no such form.

    A filter that can be inverted (see `query_inversion`) is given in that form instead.
    """
    if isinstance(e, x.Filter):
        found = inverted(m, e)
        if found is not None:
            return found
    whole = constant_range(m, e)
    if whole is not None and len(whole) <= MAX_INTERVAL and (not isinstance(e, x.AllOf) or m.storage.gone is None):
        return m.program.row((tuple(whole),), ZERO)
    numbers = _chosen_from(m, e)
    if numbers is None:
        return None
    mask = m.temp()
    if isinstance(e, x.Extreme):
        write = lambda: _best(m, e, numbers, mask)  # noqa: E731
    else:
        write = lambda: _each(m, e, lambda item: m.emit(set_bit(numbers, mask, item)))  # noqa: E731
    written = _written(m, write)
    if written is None:
        return None
    m.emit(p.Set(mask, ZERO), *written)
    return m.program.row(power_set(numbers), p.Get(mask))


def power_set(numbers: range) -> tuple[tuple[int, ...], ...]:
    """All subsets, indexed by mask; bit n stands for the nth number."""
    return tuple(tuple(n for place, n in enumerate(numbers) if bits >> place & 1) for bits in range(1 << len(numbers)))


def _chosen_from(m: Builder, e: x.Expr) -> range | None:
    """The universe of a set: the few constants, in order, from which it is chosen; None if there are more."""
    if not isinstance(e, x.Filter | x.Without | x.Extreme):
        return None
    of: x.Expr = e
    while isinstance(of, x.Filter | x.Without | x.Extreme):
        of = of.of
    numbers = constant_range(m, of)
    return numbers if numbers is not None and len(numbers) <= MAX_BITS else None


def _written(m: Builder, write: Callable[[], Any]) -> p.Body | None:
    try:
        written = m.collect(write)
    except _NotConstant:
        return None
    finally:
        m.written_out = False
    return written if _nodes(written) <= MAX_NODES else None


def _nodes(part: Any) -> int:
    if isinstance(part, tuple):
        return sum(_nodes(one) for one in part)
    names = getattr(part, "__match_args__", None)
    return 0 if names is None else 1 + sum(_nodes(getattr(part, name)) for name in names)


def _each(m: Builder, e: x.Expr, write: Callable[[int], Any]) -> None:
    def one(item: p.Expr) -> None:
        if not isinstance(item, p.Const):
            raise _NotConstant
        write(item.value)

    m.written_out = True
    m.over(e, one)


def _bit(numbers: range, item: int) -> p.Expr:
    return p.Const(1 << item - numbers.start)


def set_bit(numbers: range, mask: str, item: int) -> p.Statement:
    return p.Set(mask, p.Binary("+", p.Get(mask), _bit(numbers, item)))


def _best(m: Builder, e: x.Extreme, numbers: range, mask: str) -> None:
    """Argmin or argmax: a better key starts the mask anew."""
    best = m.temp()
    first: list[p.Expr] = []

    def one(item: int) -> None:
        with_element(m, e.slot, p.Const(item), e.of)
        known = interval_of(m, e.key)
        start = known[1] + 1 if e.lowest else known[0] - 1
        sure = ANY[0] < known[0] <= known[1] < ANY[1]
        first.append(p.Const(start) if sure else NOTHING)
        key = m.atom(not_nothing(m, e.key, m.value(e.key)))
        better = p.Binary("<", key, p.Get(best)) if e.lowest else p.Binary("<", p.Get(best), key)
        if not sure:
            better = p.Binary("|", same(p.Get(best), NOTHING), better)
        begin = (p.Set(mask, _bit(numbers, item)), p.Set(best, key))
        m.emit(p.If(better, begin, (p.If(same(key, p.Get(best)), (set_bit(numbers, mask, item),)),)))

    written = m.collect(lambda: _each(m, e.of, one))
    if len(set(first)) > 1:
        raise _NotConstant
    m.emit(p.Set(best, first[0] if first else ZERO), *written)


def _through(m: Builder, e: x.Invoke, ask: Callable[[Builder, x.Expr], p.Expr | None]) -> p.Expr | None:
    """The answer of `ask` for the body of a define, expanded in place."""
    if is_outlined(m):
        return None
    answers: list[p.Expr | None] = []
    written = m.collect(lambda: expand_inline(m, e, lambda value: answers.append(ask(m, value))))
    if answers[0] is not None:
        m.emit(*written)
    return answers[0]


def any_of(m: Builder, e: x.Expr) -> p.Expr | None:
    """Whether any of a few constants pass a test, as one unrolled expression; None where that needs statements."""
    if isinstance(e, x.Invoke):
        return _through(m, e, any_of)
    if not isinstance(e, x.Filter):
        return None
    numbers = constant_range(m, e.of)
    if not numbers or len(numbers) > MAX_BITS or (isinstance(e.of, x.AllOf) and m.storage.gone is not None):
        return None
    tests: list[p.Expr] = []

    def test(number: int) -> None:
        with_element(m, e.slot, p.Const(number), e.of)
        tests.append(m.value(e.test))

    first, *later = [m.collect(partial(test, number)) for number in numbers]
    if any(later):
        return None
    m.emit(*first)
    result: p.Expr = ZERO
    for one in tests:
        result = binary("|", result, one)
    return result


def count_of(m: Builder, e: x.Expr) -> p.Expr | None:
    """How many of a few constants pass a test, unrolled; None where that is no gain."""
    if isinstance(e, x.Invoke):
        return _through(m, e, count_of)
    if not isinstance(e, x.Filter | x.Without) or _chosen_from(m, e) is None:
        return None
    count = m.temp()
    more = p.Set(count, p.Binary("+", p.Get(count), ONE))
    written = _written(m, lambda: _each(m, e, lambda item: m.emit(more)))
    if written is None:
        return None
    m.emit(p.Set(count, ZERO), *written)
    return p.Get(count)


FEW.append(constant_row)
