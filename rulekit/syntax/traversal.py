"""Traversal of a syntax tree: every node of it, in preorder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from rulekit.late_fields import Late, LateField
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.values import evolve, fields, has


@cache
def _parts(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    """Gives what may hold nodes in a node of this kind, the last first."""
    names = [a.name for a in fields(kind) if a.name not in ("span", "margin")]
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


def alike(one: object, other: object) -> bool:
    """Whether two nodes, or tuples of them, say the same, wherever they stand and whatever stands beside them."""
    if one is other:
        return True
    if one.__class__ is not other.__class__:
        return False
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, nodes.Node):
        kind: Any = type(one)
        return alike(_parts(kind)(one), _parts(kind)(other))
    return one == other


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
    names = [a.name for a in fields(kind) if a.name not in ("span", "margin")]
    return evolve(node, **{name: without_citations(getattr(node, name)) for name in names})


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
    if not margin.above and not margin.cites:
        return ()
    clauses = [one for one in margin.above if isinstance(one, nodes.Clause) and taken(one)]
    above = [one.id for one in clauses if one.id not in margin.parts]
    return tuple(dict.fromkeys([*above, *(cite.id for cite in margin.cites)]))


# ---------------------------------------------------------------- relocation

T = TypeVar("T")


def moved(value: T, by: int) -> T:
    """The same so many lines further down: nodes, findings, places, and tuples of them; other values as they are."""
    kind: Any = type(value)
    move = _MOVERS[kind]
    return value if move is None else move(value, by)


_Move = Callable[[Any, int], Any]


class _Movers(dict[Any, _Move | None]):
    """By class what moves its values; None if none of them stands anywhere."""

    def __missing__(self, kind: Any) -> _Move | None:
        made = self[kind] = _by_fields(kind) if has(kind) else None
        return made


def _moved_span(span: Span, by: int) -> Span:
    if not span.line:
        return span
    return Span(span.source, span.line + by, span.column, span.end_line + by, span.end_column)


def _moved_all(values: tuple[Any, ...], by: int) -> tuple[Any, ...]:
    return tuple([part if (move := _MOVERS[part.__class__]) is None else move(part, by) for part in values])


def _moved_name(name: nodes.Name, by: int) -> nodes.Name:
    return nodes.Name(name, _moved_span(name.span, by))


def _moved_margin(margin: nodes.Margin, by: int) -> nodes.Margin:
    """Most lines have nothing beside them."""
    if not margin.above and not margin.cites:
        return margin
    return evolve(margin, above=_moved_all(margin.above, by), cites=_moved_all(margin.cites, by))


_MOVERS = _Movers(
    {Span: _moved_span, tuple: _moved_all, nodes.Name: _moved_name, nodes.Margin: _moved_margin, nodes.Comment: None}
)


def _by_fields(kind: Any) -> _Move:
    """Moves a node as its fields are: those that are given by their place, then those by their name.

    What may be given late is moved when somebody asks for it.
    """
    plain = [a.name for a in fields(kind) if not a.kw_only]
    named = [a.name for a in fields(kind) if a.kw_only]
    at_once = [name for name in (*plain, *named) if not isinstance(getattr(kind, name), LateField)]
    late = [(name, getattr(kind, name)) for name in (*plain, *named) if name not in at_once]
    parts = attrgetter(*at_once, "__class__")
    count = len(plain)

    def move(value: Any, by: int) -> Any:
        *given, _ = _moved_all(parts(value), by)
        return kind(*given[:count], **dict(zip(named, given[count:], strict=True)))

    def move_later(value: Any, by: int) -> Any:
        *given, _ = _moved_all(parts(value), by)
        return kind(**dict(zip(at_once, given, strict=True)), **{name: _later(of.raw(value), by) for name, of in late})

    return move_later if late else move


def _later(value: Any, by: int) -> Late:
    """Nothing is moved twice before somebody asks for it."""
    return Late(moved, value.of, value.by + by) if value.__class__ is Late else Late(moved, value, by)
