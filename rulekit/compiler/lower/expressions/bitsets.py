"""Represent subsets of a few constants, such as seats, as bitsets.

A mask has a bit for each element; the set itself is a row of a constant table
that lists the power set by mask.  Nothing is built, and size and membership
are looked up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.compiler.lower.analysis.cardinality import constant_range
from rulekit.compiler.lower.builder.ir_builder import FEW, ZERO, Builder
from rulekit.compiler.lower.expressions.query_inversion import inverted
from rulekit.compiler.passes.unrolling import node_count
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
    written = _written(m, lambda: _each(m, e, lambda item: m.emit(set_bit(numbers, mask, item))))
    if written is None:
        return None
    m.emit(p.Set(mask, ZERO), *written)
    return m.program.row(power_set(numbers), p.Get(mask))


def power_set(numbers: range) -> tuple[tuple[int, ...], ...]:
    """All subsets, indexed by mask; bit n stands for the nth number."""
    return tuple(tuple(n for place, n in enumerate(numbers) if bits >> place & 1) for bits in range(1 << len(numbers)))


def _chosen_from(m: Builder, e: x.Expr) -> range | None:
    """The universe of a set: the few constants, in order, from which it is chosen; None if there are more."""
    if not isinstance(e, x.Filter | x.Without):
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
    return written if node_count(written, MAX_NODES + 1) <= MAX_NODES else None


def _each(m: Builder, e: x.Expr, write: Callable[[int], Any]) -> None:
    def one(item: p.Expr) -> None:
        if not isinstance(item, p.Const):
            raise _NotConstant
        write(item.value)

    m.written_out = True
    m.over(e, one)


def set_bit(numbers: range, mask: str, item: int) -> p.Statement:
    return p.Set(mask, p.Binary("+", p.Get(mask), p.Const(1 << item - numbers.start)))


FEW.append(constant_row)
