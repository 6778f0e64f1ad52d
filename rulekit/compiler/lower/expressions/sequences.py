"""Materialization of sets that must be stored: constant rows, piles and lists, and sets built in a local sequence.

`sets` lowers those that are only iterated.
"""

from __future__ import annotations

from typing import Any

from rulekit.compiler.lower.analysis.abstract_interpretation import shape
from rulekit.compiler.lower.builder.ir_builder import LISTS, Builder
from rulekit.compiler.lower.expressions.interned_sets import interned, members
from rulekit.compiler.lower.expressions.scalars import not_nothing, note_unclear, owner_index, row_of
from rulekit.compiler.lower.storage.layout import encoded
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ZERO, add, binary, same
from rulekit.model import expr as x
from rulekit.model import ops


def listed_list(m: Builder, e: x.Listed) -> p.Expr:
    values = [as_element(m, item) for item in e.items]
    if all(isinstance(value, p.Const) for value in values):
        return m.program.row((tuple(value.value for value in values if isinstance(value, p.Const)),), ZERO)
    name = m.new()
    m.emit(*(p.Push(name, value) for value in values))
    return p.Get(name)


def as_element(m: Builder, e: x.Expr) -> p.Expr:
    """A value as an element of a set; an element that is a set itself is the number under which it is interned."""
    return interned(m, m.list(e)) if shape(m, e) else m.value(e)


def _one_of_sets(m: Builder, e: x.End | x.ItemOf) -> p.Expr:
    """A set out of a set of sets."""
    return members(m, not_nothing(m, e))


def _const_list(m: Builder, e: x.Const) -> p.Expr:
    assert isinstance(e.value, tuple)
    return m.program.row((tuple(encoded(item) for item in e.value),), ZERO)


def _option_list(m: Builder, e: x.OptionValue) -> p.Expr:
    note_unclear(m, e)
    values: Any = m.setting.options[e.index]
    return m.program.row((tuple(encoded(item) for item in values),), ZERO)


def list_number(m: Builder, variable: int, of: x.Expr | None) -> p.Expr:
    """The number of the stored list that holds a variable of this owner."""
    owner = owner_index(m, m.setting.game.variables[variable], of)
    return add(owner, p.Const(m.storage.list_base[variable]))


def target_list(m: Builder, of: ops.Target) -> p.Expr:
    """The number of the stored list that an operation changes."""
    return m.atom(list_number(m, of.variable, of.of))


def _trait_list(m: Builder, e: x.Trait) -> p.Expr:
    thing = not_nothing(m, e.thing)
    at = binary("-", row_of(m, e.kind, thing), p.Const(m.setting.kind_base[e.kind]))
    rows: Any = e.values
    return m.program.row(tuple(tuple(encoded(item) for item in row or ()) for row in rows), at)


def _local_list(m: Builder, e: x.Local) -> p.Expr:
    known = m.locals[e.index]
    got = known.value
    if isinstance(got, p.Get) and m.types.get(got.local) == "int":
        # A set out of a set of sets, as one number.
        if known.maybe:
            m.fault(same(got, NOTHING), "of-nothing")
        return members(m, got)
    return got


def _under_condition(m: Builder, e: x.Expr) -> p.Expr:
    m.spend_deferred(e)
    return m.list(e)


def choice_list(m: Builder, e: x.Choice, test: p.Expr) -> p.Expr:
    """One of two sets: a copy of it, unless both are constant rows."""
    made: list[p.Expr] = []
    then = m.collect(lambda: made.append(_under_condition(m, e.then)))
    other = m.collect(lambda: made.append(_under_condition(m, e.other)))
    if not then and not other and all(isinstance(one, p.Row) for one in made):
        return p.Pick(m.atom(test), *made)
    name = m.temp("list", "s")
    m.emit(p.If(test, (*then, p.Copy(name, made[0])), (*other, p.Copy(name, made[1]))))
    return p.Get(name)


def _choice_list(m: Builder, e: x.Choice) -> p.Expr:
    test = m.value(e.test)
    if isinstance(test, p.Const):
        return _under_condition(m, e.then if test.value else e.other)
    return choice_list(m, e, test)


LISTS.update(
    {
        x.Listed: listed_list,
        x.Const: _const_list,
        x.OptionValue: _option_list,
        x.Stored: lambda m, e: p.Stored(list_number(m, e.variable, e.of)),
        x.Trait: _trait_list,
        x.Local: _local_list,
        x.Element: lambda m, e: m.elements[e.index].value,
        x.Choice: _choice_list,
        x.End: _one_of_sets,
        x.ItemOf: _one_of_sets,
    }
)
