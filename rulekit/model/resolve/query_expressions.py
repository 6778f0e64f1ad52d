"""Type inference of queries over sets (comprehensions): filters, exceptions, extremes, orders and folds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.model import expr as x
from rulekit.model.resolve import query_as_condition
from rulekit.model.resolve.symbol_table import Looked, Scope, Typed
from rulekit.model.resolve.type_inference import INFER, coerce, expect, expect_set, infer, unknown
from rulekit.model.types import (
    EMPTY,
    FLAG,
    NOTHING,
    NUMBER,
    UNKNOWN,
    Type,
    set_of,
)
from rulekit.syntax import nodes
from rulekit.syntax.unparse_expr import written
from rulekit.values import evolve

DEPTH = 16
"""Queries inside one another."""


def looking(scope: Scope, of: Typed, bare: bool, read: Callable[[], Any]) -> Any:
    """What `read` gives while an element of `of` is being looked at."""
    if len(scope.elements) >= DEPTH:
        scope.world.error("nesting", f"queries nested more than {DEPTH} deep", of.expr.span)
        return read()
    scope.elements.append(Looked(of.type.element, of.name, bare))
    try:
        return read()
    finally:
        scope.elements.pop()


_Query = nodes.Filter | nodes.Except | nodes.Naming | nodes.Extreme | nodes.Ordered


def _subject(scope: Scope, node: _Query, wanted: Type | None = None) -> Typed:
    """What a query is about; adds `bracket` if that is a choice without brackets, which has two readings."""
    choice = node.of
    if isinstance(choice, nodes.Choice) and _begin(node) == _begin(choice):
        whole, last = written(node), written(evolve(choice, other=evolve(node, of=choice.other)))
        hint = f"write `{whole}` if it is about both, or `{last}` if about the last alone"
        scope.world.error(
            "bracket", "this does not say whether the query is about both sides of `else`", node.span, hint
        )
    hint = ""
    if isinstance(choice, nodes.Fold) and choice.op != "all":
        inside = evolve(choice, over=evolve(node, of=choice.over))
        hint = f"put the set and what is asked of it into brackets: `{written(inside)}`"
    if isinstance(choice, nodes.Unary):
        hint = f"put the query into brackets: `{written(query_as_condition.with_query_inside(node, choice))}`"
    return expect_set(scope, choice, wanted.element if wanted and wanted.is_set else None, hint)


def _begin(node: nodes.Expr) -> tuple[int, int]:
    return node.span.line, node.span.column


def _filter(scope: Scope, node: nodes.Filter, wanted: Type | None) -> Typed:
    of = _subject(scope, node, wanted)
    slot = len(scope.elements)
    test = looking(scope, of, node.bare, lambda: expect(scope, node.test, FLAG))
    return Typed(x.Filter(of.expr, slot, test, span=node.span), of.type, of.name)


def _except(scope: Scope, node: nodes.Except, wanted: Type | None) -> Typed:
    of = _subject(scope, node, wanted)
    less = infer(scope, node.less, of.type.element)
    if not less.type.is_set:
        less = Typed(x.Listed((less.expr,), span=less.expr.span), set_of(less.type))
    if of.type == EMPTY:
        return of
    expr = coerce(scope, less, of.type)
    if expr is None:
        scope.world.error("wrong-type", f"{less.type.element} is never in {of.type}", node.less.span)
        return of
    how = "thing" if of.type.element.name == "thing" else "plain"
    return Typed(x.Without(of.expr, expr, how, span=node.span), of.type, of.name)


def _naming(scope: Scope, node: nodes.Naming, wanted: Type | None) -> Typed:
    of = _subject(scope, node)
    return Typed(of.expr, of.type, node.name)


def _extreme(scope: Scope, node: nodes.Extreme, wanted: Type | None) -> Typed:
    of = _subject(scope, node)
    slot = len(scope.elements)
    key = looking(scope, of, True, lambda: expect(scope, node.key, NUMBER))
    return Typed(x.Extreme(of.expr, slot, key, node.lowest, span=node.span), of.type, of.name)


def _ordered(scope: Scope, node: nodes.Ordered, wanted: Type | None) -> Typed:
    of = _subject(scope, node)
    slot = len(scope.elements)
    values = looking(scope, of, True, lambda: [expect(scope, key.value, NUMBER) for key in node.keys])
    keys = tuple((value, key.ranking != "highest") for value, key in zip(values, node.keys, strict=True))
    return Typed(x.Ordered(of.expr, slot, keys, span=node.span), of.type, of.name)


def _fold(scope: Scope, node: nodes.Fold, wanted: Type | None) -> Typed:
    if node.op == "all":
        return _gathered(scope, node, wanted)
    of = expect_set(scope, node.over)
    slot = len(scope.elements)
    value = looking(scope, of, True, lambda: expect(scope, node.value, NUMBER))
    return Typed(x.Fold(node.op, of.expr, slot, value, span=node.span), NUMBER)


def _gathered(scope: Scope, node: nodes.Fold, wanted: Type | None) -> Typed:
    """`all of E over S`: what E gives of each of S, each value once; sets are joined."""
    of = expect_set(scope, node.over)
    slot = len(scope.elements)
    value = looking(
        scope, of, True, lambda: infer(scope, node.value, wanted.element if wanted and wanted.is_set else None)
    )
    flat = value.type.is_set
    element = value.type.element if flat else value.type
    if element.is_set or value.type == NOTHING:
        scope.world.error("wrong-type", f"{value.type} of each cannot be put together", node.value.span)
        return Typed(unknown(node.span), set_of(UNKNOWN))
    kind = value.type if flat else set_of(element)
    return Typed(x.Mapped(of.expr, slot, value.expr, flat, distinct=True, span=node.span), kind)


_Read = Callable[[Scope, Any, Type | None], Typed]


def _no_condition(read: _Read) -> _Read:
    """The same, but where yes or no is wanted it is said what is missing there."""
    return lambda scope, node, wanted: (
        query_as_condition.reported(scope, node, read) if wanted == FLAG else read(scope, node, wanted)
    )


INFER.update(
    {
        nodes.Filter: _no_condition(_filter),
        nodes.Except: _no_condition(_except),
        nodes.Naming: _no_condition(_naming),
        nodes.Extreme: _no_condition(_extreme),
        nodes.Ordered: _no_condition(_ordered),
        nodes.Fold: _fold,
    }
)
