"""A query where yes or no is wanted: what was meant, by the brackets or the word that are missing.

Queries bind loosest, so a comparison at the end of one belongs to its condition, and a word such as `count` before
it to its set alone.  Where a condition is needed neither can be right.  Adds one finding for all that is wrong there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulekit.diagnostics import Diagnostic, Problems
from rulekit.model.resolve.symbol_table import Scope, Typed
from rulekit.model.resolve.type_inference import infer, unknown
from rulekit.model.types import FLAG, Type
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.unparse_expr import written
from rulekit.values import evolve

_COMPARISONS = ("is", "is not", "in", "not in", "below", "above", "at least", "at most")
_LAST = {nodes.Filter: "test", nodes.Except: "less", nodes.Extreme: "key"}
"""The field with which each form of query ends."""


class _Trial(Problems):
    """What is wrong with what is only tried.  Nothing is tried inside, or nested queries would double the work each."""


def reported(scope: Scope, node: nodes.Expr, read: Callable[[Scope, Any, Type | None], Typed]) -> Typed:
    """Adds `bracket` if brackets somewhere else make it a condition, else `wrong-type`."""
    ways = () if isinstance(scope.world.problems, _Trial) else _with_brackets(node)
    meant = next((one for one in ways if _is_condition(scope, one, node.span)), None)
    if meant is not None:
        title = "yes or no is needed here, and without brackets all of this is one query"
        scope.world.error("bracket", title, node.span, f"write `{written(meant)}`")
        return Typed(unknown(node.span), FLAG)
    before = len(scope.world.problems.found)
    typed = read(scope, node, None)
    if typed.type.is_set and len(scope.world.problems.found) == before:
        hint = f"to ask whether there is one write `any ({written(node)})`"
        scope.world.error("wrong-type", f"a flag is needed here, but this is {typed.type}", node.span, hint)
    return Typed(unknown(node.span), FLAG)


def with_query_inside(node: Any, prefix: nodes.Unary) -> nodes.Unary:
    """`count S where C`, read as `(count S) where C`, as `count (S where C)`."""
    return evolve(prefix, of=evolve(node, of=prefix.of))


def _with_brackets(node: Any) -> Iterator[nodes.Expr]:
    """The same words with brackets around a part of them."""
    of = node.of
    if isinstance(of, nodes.Unary):
        yield with_query_inside(node, of)
    field = _LAST.get(type(node), "")
    split = _last_comparison(getattr(node, field)) if field else None
    if split is not None:
        query = evolve(node, **{field: split[0]})
        counted = with_query_inside(query, of) if isinstance(of, nodes.Unary) else nodes.Unary("count", query)
        yield from (nodes.Binary(split[1].op, side, split[1].right, span=node.span) for side in (query, counted))


def _last_comparison(node: nodes.Expr) -> tuple[nodes.Expr, nodes.Binary] | None:
    """What is left of a condition without the comparison at its end, and that one; None if it does not end in one."""
    if isinstance(node, nodes.Binary) and node.op in _COMPARISONS:
        return node.left, node
    if isinstance(node, nodes.Binary) and node.op in ("and", "or"):
        split = _last_comparison(node.right)
        return None if split is None else (evolve(node, right=split[0]), split[1])
    return None


def _is_condition(scope: Scope, node: nodes.Expr, place: Span) -> bool:
    """Whether this is yes or no, and nothing is wrong with it; tells only of what is wrong elsewhere."""
    world, told = scope.world, scope.world.problems
    world.problems = _Trial()
    try:
        typed = infer(scope, node)
        found = world.problems.found
    finally:
        world.problems = told
    for entry in found:
        if not _within(entry, place):  # a define that was looked at for the first time
            told.found.append(entry)
    return typed.type == FLAG and not any(_within(entry, place) for entry in found)


def _within(entry: Diagnostic, place: Span) -> bool:
    begins, ends = (place.line, place.column), (place.end_line, place.end_column)
    return entry.span.source == place.source and begins <= (entry.span.line, entry.span.column) <= ends
