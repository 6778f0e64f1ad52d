"""Compile-time constants: numbers and values that must be known before any game starts; names declared once."""

from __future__ import annotations

import operator

from rulekit import limits
from rulekit.diagnostics import Label, nearest
from rulekit.model import builtin_signatures
from rulekit.model import expr as x
from rulekit.model.resolve.symbol_table import World
from rulekit.source import Span
from rulekit.syntax import nodes


def claim(world: World, name: str, span: Span) -> None:
    """Note that `name` is declared here; adds `duplicate` or `reserved-name`."""
    if name in builtin_signatures.RESERVED:
        row = builtin_signatures.WORDS.get(name)
        meaning = f"it is {row.meaning}; " if row is not None else ""
        world.error("reserved-name", f"`{name}` always means something else", span, f"{meaning}give it another name")
    if name in world.spans:
        label = Label(world.spans[name], "declared here first")
        is_base = world.spans[name].source != span.source
        hint = "write `replace` before it to change what the game that is extended says" if is_base else ""
        world.problems.add("duplicate", f"there are two things called `{name}`", span, hint=hint, labels=(label,))
    world.spans.setdefault(name, span)


def literal(world: World, node: nodes.Expr, what: str) -> int:
    """A number that must be known before any game starts: written here, or under a name by `define`."""
    return _literal(world, node, what) or 0


def _literal(world: World, node: nodes.Expr, what: str) -> int | None:
    value = _worked_out(world, node, {})
    if value is None:
        hint = nearest(node.name, _names(world)) if isinstance(node, nodes.Word) else ""
        world.error("not-a-literal", f"{what} must be written as a number", node.span, hint)
    return value


def _names(world: World) -> list[str]:
    """The names that stand for a number."""
    return [name for name in world.defines if _named(world, name, {}) is not None]


def _worked_out(world: World, node: nodes.Expr, known: dict[str, int | None]) -> int | None:
    """A number made of numbers, their names, `+`, `-` and `*`; None for anything else.

    known: the values of names evaluated so far.  A name is None here while it is being evaluated, so that a define
           that refers to itself has no value.
    """
    if isinstance(node, nodes.Number):
        return node.value
    if isinstance(node, nodes.Word):
        return _named(world, node.name, known)
    if isinstance(node, nodes.Unary) and node.op == "-":
        value = _worked_out(world, node.of, known)
        return None if value is None else -value
    if isinstance(node, nodes.Binary) and node.op in _ARITHMETIC:
        left, right = _worked_out(world, node.left, known), _worked_out(world, node.right, known)
        value = None if left is None or right is None else _ARITHMETIC[node.op](left, right)
        return value if value is not None and abs(value) <= limits.INTEGER else None
    return None


def _named(world: World, name: str, known: dict[str, int | None]) -> int | None:
    if name not in known and len(known) < limits.CALLS:
        known[name] = None
        define = world.defines.get(name)
        if define is not None and not define.parameters:
            known[name] = _worked_out(world, define.value, known)
    return known.get(name)


_ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def bounds(world: World, node: nodes.Bounds, what: str) -> tuple[int, int | None]:
    """The ends of a written range; None for no upper end.  Adds `empty-range`."""
    low = _literal(world, node.low, what)
    if node.open:
        return low or 0, None
    high = low if node.high is None else _literal(world, node.high, what)
    if low is not None and high is not None and high < low:
        world.error("empty-range", f"{what} go from {low} up to {high}: there are none", node.span)
    return low or 0, high or 0


def constant(world: World, expr: x.Expr, span: Span) -> x.Value:
    """The value of an expression made of literals only."""
    if isinstance(expr, x.Const):
        return expr.value
    if isinstance(expr, x.Negative) and isinstance(expr.of, x.Const) and isinstance(expr.of.value, int):
        return -expr.of.value
    if isinstance(expr, x.Listed):
        return tuple(constant(world, item, span) for item in expr.items)
    if isinstance(expr, x.Interval):
        low, high = constant(world, expr.low, span), constant(world, expr.high, span)
        if isinstance(low, int) and isinstance(high, int) and high - low < limits.SET:
            return tuple(range(low, high + 1))
    world.error("not-a-literal", "this must be known before any game starts", span)
    return None
