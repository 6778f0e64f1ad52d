"""Traversal of a syntax tree: every node of it, in preorder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter
from typing import Any

import attrs

from rulekit.syntax import nodes


@cache
def _parts(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    """Gives what may hold nodes in a node of this kind, the last first."""
    names = [a.name for a in attrs.fields(kind) if a.name not in ("span", "margin")]
    if len(names) > 1:
        return attrgetter(*reversed(names))
    return lambda node: tuple(getattr(node, name) for name in names)


def walk(node: object) -> Iterator[nodes.Node]:
    """`node` and all nodes in it; tuples are gone through, other values passed over."""
    waiting = [node]
    while waiting:
        this = waiting.pop()
        if isinstance(this, tuple):
            waiting.extend(reversed(this))
        elif isinstance(this, nodes.Node):
            yield this
            kind: Any = type(this)
            waiting += _parts(kind)(this)


def cites_inside(node: object) -> Iterator[nodes.Citation]:
    """The citations that belong to parts of lines."""
    for part in walk(node):
        if isinstance(part, nodes.Cited):
            yield from part.cites


def without_citations(node: Any) -> Any:
    """The node, in which no part of a line cites anything."""
    if isinstance(node, tuple):
        return tuple([without_citations(part) for part in node])
    if not isinstance(node, nodes.Node) or not any(cites_inside(node)):
        return node
    if isinstance(node, nodes.Cited):
        return without_citations(node.of)
    kind: Any = type(node)
    names = [a.name for a in attrs.fields(kind) if a.name not in ("span", "margin")]
    return attrs.evolve(node, **{name: without_citations(getattr(node, name)) for name in names})


def all_cites(node: nodes.Line) -> tuple[str, ...]:
    """The clauses that a line or a part of it carries out, and those above it that need no rule."""
    return tuple(dict.fromkeys([*_cites(node, lambda clause: True), *sorted(node.margin.parts)]))


def cites(node: nodes.Line) -> tuple[str, ...]:
    """The clauses that a line carries out: those above it, but for what a part of it cites, and those behind it.

    What needs no rule is carried out only where it is cited.
    """
    return _cites(node, attrgetter("needs_rule"))


def _cites(node: nodes.Line, taken: Callable[[nodes.Clause], bool]) -> tuple[str, ...]:
    margin = node.margin
    clauses = [one for one in margin.above if isinstance(one, nodes.Clause) and taken(one)]
    above = [one.id for one in clauses if one.id not in margin.parts]
    return tuple(dict.fromkeys([*above, *(cite.id for cite in margin.cites)]))
