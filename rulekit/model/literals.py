"""What must be known before any game starts: names declared once, written numbers, constant values."""

from __future__ import annotations

from rulekit import limits
from rulekit.diagnostics import Label
from rulekit.model import expr as x
from rulekit.model import words
from rulekit.model.world import World
from rulekit.source import Span
from rulekit.syntax import nodes


def claim(world: World, name: str, span: Span) -> None:
    """Note that `name` is declared here; adds `duplicate` or `reserved-name`."""
    if name in words.RESERVED:
        world.error("reserved-name", f"`{name}` always means something else", span, "give it another name")
    if name in world.spans:
        label = Label(world.spans[name], "declared here first")
        world.problems.add("duplicate", f"there are two things called `{name}`", span, labels=(label,))
    world.spans.setdefault(name, span)


def literal(world: World, node: nodes.Expr, what: str) -> int:
    """A number that must be known before any game starts."""
    if isinstance(node, nodes.Number):
        return node.value
    if isinstance(node, nodes.Unary) and node.op == "-" and isinstance(node.of, nodes.Number):
        return -node.of.value
    world.error("not-a-literal", f"{what} must be written as a number", node.span)
    return 0


def bounds(world: World, node: nodes.Bounds, what: str) -> tuple[int, int | None]:
    low = literal(world, node.low, what)
    if node.open:
        return low, None
    high = low if node.high is None else literal(world, node.high, what)
    if high < low:
        world.error("empty-range", f"{what} go from {low} up to {high}: there are none", node.span)
    return low, high


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
