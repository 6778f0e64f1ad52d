"""Function specialization: a code or a define becomes one function for each sort of arguments with which it is used.

A sort is what is known of an argument, as far as functions are told apart by it.
"""

from __future__ import annotations

from rulekit import limits
from rulekit.compiler.lower.analysis.abstract_interpretation import known_of
from rulekit.compiler.lower.analysis.cardinality import SMALL_SET, distinct, max_size
from rulekit.compiler.lower.builder.ir_builder import ANY, Builder, Known
from rulekit.compiler.plan import ir as p
from rulekit.model import expr as x
from rulekit.values import evolve

HANDED = p.Get("handed")
"""The value of a sort that is handed as it is; of a constant nothing is handed, of a set of few its bits."""
ONE_THING = Known(HANDED, maybe=False)

Sorts = tuple[Known, ...]


def arguments(m: Builder, args: tuple[x.Expr, ...], *, changes: bool) -> tuple[Sorts, tuple[p.Expr, ...]]:
    """The sorts of arguments, and what is handed.  changes: whether the function may change what is stored."""
    sorts, handed = list[Known](), list[p.Expr]()
    for arg in args:
        known = known_of(m, arg)
        sort, given = _a_set(m, arg, known, changes) if known.shape else _one_thing(m, arg, known)
        sorts, handed = [*sorts, sort], [*handed, given]
    return tuple(sorts), tuple(handed)


def _one_thing(m: Builder, arg: x.Expr, known: Known) -> tuple[Known, p.Expr]:
    low, high = known.reach
    printed = not known.cells and not known.maybe and 0 <= low <= high < m.setting.copy_base < len(m.setting.things)
    return evolve(known, value=HANDED, reach=(0, m.setting.copy_base - 1) if printed else ANY), m.value(arg)


def _a_set(m: Builder, arg: x.Expr, known: Known, changes: bool) -> tuple[Known, p.Expr]:
    got = p.Get(m.own(arg)) if changes and isinstance(arg, x.Stored) else m.list(arg)
    seats = range(m.setting.players)
    if isinstance(got, p.Row) and m.program.universes.get(got.table) == seats:
        bits = p.Row(got.table, HANDED)
        return Known(bits, 1, (0, seats[-1]), maybe=False, most=len(seats), distinct=True), got.at
    most = SMALL_SET if max_size(m, arg) <= SMALL_SET else limits.SET
    return evolve(known, value=HANDED, reach=ANY, most=most, distinct=distinct(m, arg)), got


def named_for(name: str, sorts: Sorts) -> str:
    """The name of the function of this name for arguments of these sorts."""
    return "_".join([name, *map(_letters, sorts)])


def _letters(sort: Known) -> str:
    if isinstance(sort.value, p.Const):
        return f"k{sort.value.value}"
    marks = {"b": isinstance(sort.value, p.Row), "o": sort.maybe, "c": sort.cells, "p": sort.reach != ANY}
    marks |= {"f": sort.most < limits.SET, "d": sort.distinct}
    return f"{sort.shape}{''.join(mark for mark, holds in marks.items() if holds)}"


def parameters(m: Builder, sorts: Sorts) -> tuple[tuple[str, str], ...]:
    """The parameters of a function for arguments of these sorts, which are bound to its first locals."""
    params: list[tuple[str, str]] = []
    for index, sort in enumerate(sorts):
        name = f"v{index}"
        value = p.Get(name) if sort.value == HANDED else sort.value
        if isinstance(value, p.Row):
            value = p.Row(value.table, p.Get(name))
        if not isinstance(value, p.Const):
            params.append((name, "list" if sort.shape and sort.value == HANDED else "int"))
        m.locals[index] = evolve(sort, value=value)
        m.lasting.add(name)
    return tuple(params)
