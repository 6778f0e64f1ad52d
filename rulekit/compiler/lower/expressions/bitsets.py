"""Represent subsets of a few constants, such as seats, as bitsets.

A mask has a bit for each element; the set itself is a row of a constant table
that lists the power set by mask.  Nothing is built, and size and membership
are looked up.  A local or parameter that is such a set holds the mask alone.
"""

from __future__ import annotations

from rulekit.compiler.lower.analysis.abstract_interpretation import known_here
from rulekit.compiler.lower.analysis.cardinality import constant_range
from rulekit.compiler.lower.builder.ir_builder import FEW, Builder
from rulekit.compiler.lower.expressions.query_inversion import inverted
from rulekit.compiler.lower.expressions.sets import holds_never
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ZERO, binary
from rulekit.model import expr as x

MAX_BITS = 6
"""Up to so many elements have a table of their power set."""
MAX_INTERVAL = 200
"""Up to so many successive integers are a constant row."""


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
    m.emit(p.Set(mask, ZERO))
    m.over(e, lambda item: m.emit(set_bit(m, numbers, mask, item)))
    return row_of_bits(m, numbers, p.Get(mask))


def row_of_bits(m: Builder, numbers: range, mask: p.Expr) -> p.Expr:
    """The set of the numbers that have a bit in a mask."""
    row = m.program.row(power_set(numbers), mask)
    assert isinstance(row, p.Row)
    m.program.universes[row.table] = numbers
    return row


def power_set(numbers: range) -> tuple[tuple[int, ...], ...]:
    """All subsets, indexed by mask; bit n stands for the nth number."""
    return tuple(tuple(n for place, n in enumerate(numbers) if bits >> place & 1) for bits in range(1 << len(numbers)))


def _chosen_from(m: Builder, e: x.Expr) -> range | None:
    """The universe of a set: the few constants, in order, from which it is chosen; None if there are more."""
    if not isinstance(e, x.Filter | x.Without | x.Union):
        return None
    of: x.Expr = e
    while isinstance(of, x.Filter | x.Without | x.Extreme) or (isinstance(of, x.Union) and holds_never(m, of.right)):
        of = of.left if isinstance(of, x.Union) else of.of
    if isinstance(of, x.Local) and isinstance(row := known_here(m, of).value, p.Row):
        return m.program.universes.get(row.table)
    numbers = constant_range(m, of)
    return numbers if numbers is not None and len(numbers) <= MAX_BITS else None


def set_bit(m: Builder, numbers: range, mask: str, item: p.Expr) -> p.Statement:
    at = binary("-", item, p.Const(numbers.start))
    bit = m.program.entry(tuple(1 << place for place in range(len(numbers))), at)
    return p.Set(mask, p.Binary("+", p.Get(mask), bit))


FEW.append(constant_row)
