"""Mutation operators of statements: left out, exchanged with the next one, done the other way round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit.syntax import nodes
from rulekit.syntax.traversal import walk
from rulekit.syntax.unparse_expr import written
from rulekit.syntax.unparse_line import inside
from rulekit.tools.examples.expression_mutations import CONSTANT, chosen, forced, given_value, inserted
from rulekit.tools.examples.mutation_variant import Constants, Operator, Variant, swapped, without
from rulekit.values import evolve

DELETION = "statement deletion"
EXCHANGE = "statement swap"
ASSIGNMENT = "assignment operator replacement"
OFFER = "offer replacement"

_BINDING = (nodes.Let, nodes.Declassify, nodes.Choose, nodes.Chance, nodes.Dice, nodes.Different)
"""What gives a name to something: without it what follows is no longer correct."""
_PURE = (nodes.Let, nodes.Set, nodes.ChangeBy)
"""What neither moves anything nor calls or asks; only names tell whether the order counts."""


def body(node: nodes.Body, _: Constants) -> Iterator[Variant]:
    for index, line in enumerate(node.statements):
        if not isinstance(line, (*_BINDING, nodes.OnlyIf)) and not _is_empty_without_its_line(line):
            rest = without(node.statements, index)
            yield Variant(DELETION, as_text(line), "", rest, line.span, ("statements",), (line,))
    for index, lines in swapped(node.statements):
        first, second = node.statements[index : index + 2]
        if not _may_be_swapped(first, second):
            continue
        old, new = f"{as_text(first)} / {as_text(second)}", f"{as_text(second)} / {as_text(first)}"
        yield Variant(EXCHANGE, old, new, lines, first.span, ("statements",), (first, second))


def as_text(line: nodes.Line) -> str:
    """A line as it is written, with what stands behind its colon; of a block below it a mark."""
    block = inside(line)
    if not block:
        return written(line)
    if isinstance(block, nodes.Body) and block.inline:
        return f"{written(line)}: {as_text(block.statements[0])}"
    return f"{written(line)} …"


def _is_empty_without_its_line(line: nodes.Statement) -> bool:
    """Whether leaving out the only line inside comes to the same."""
    if isinstance(line, nodes.If):
        return len(line.arms) == 1 and _is_lone(line.arms[0].body)
    return isinstance(line, nodes.Each | nodes.Step) and _is_lone(line.body)


def _is_lone(inside: nodes.Body) -> bool:
    return len(inside.statements) == 1 and not isinstance(inside.statements[0], (*_BINDING, nodes.OnlyIf))


def _may_be_swapped(first: nodes.Statement, second: nodes.Statement) -> bool:
    """Whether two lines can stand in the other order, and whether that may change anything."""
    if isinstance(first, _BINDING) and first.name in _names(second):
        return False
    if first == second:
        return False
    if isinstance(first, _PURE) and isinstance(second, _PURE):
        return bool(_written(first) & _names(second) or _written(second) & _names(first))
    return True


def _names(line: nodes.Statement) -> set[str]:
    """Every name that a line reads or writes."""
    words = {str(node.name) for node in walk(line) if isinstance(node, nodes.Word | nodes.Attribute)}
    return words | ({str(line.name)} if isinstance(line, nodes.Let) else set())


def _written(line: nodes.Let | nodes.Set | nodes.ChangeBy) -> set[str]:
    if isinstance(line, nodes.Let):
        return {str(line.name)}
    target: Any = line.target
    while isinstance(target, nodes.Item | nodes.CellAt | nodes.Call):
        target = target.of if not isinstance(target, nodes.Call) else target.function
    return {str(target.name)} if isinstance(target, nodes.Word | nodes.Attribute) else _names(line)


def arms(node: nodes.If, _: Constants) -> Iterator[Variant]:
    """A further arm left out."""
    for index, arm in enumerate(node.arms):
        if index and not _is_lone(arm.body):
            rest = without(node.arms, index)
            yield Variant(DELETION, as_text(arm), "", rest, arm.span, ("arms",), (arm,))


def ways(node: nodes.Ways, _: Constants) -> Iterator[Variant]:
    """One of several answers no longer offered."""
    for index, way in enumerate(node.ways):
        if len(node.ways) > 1:
            rest = without(node.ways, index)
            yield Variant(DELETION, as_text(way), "", rest, way.span, ("ways",), (way,))


def choose(node: nodes.Choose, _: Constants) -> Iterator[Variant]:
    """A duty that may be declined, an offer that has to be taken."""
    if node.manner not in (None, "may"):
        return
    old, new = ("chooses", "may chooses")[:: 1 if node.manner is None else -1]
    turned = evolve(node, manner="may" if node.manner is None else None)
    yield Variant(OFFER, old, new, turned, node.span)


def change_by(node: nodes.ChangeBy, _: Constants) -> Iterator[Variant]:
    other = "lower" if node.verb == "raise" else "raise"
    yield Variant(ASSIGNMENT, node.verb, other, evolve(node, verb=other), node.span)
    yield from inserted(node.amount, "amount")


def travel(node: nodes.Travel, constants: Constants) -> Iterator[Variant]:
    other = constants.beside(node.heading)
    if other is not None:
        yield Variant(CONSTANT, node.heading, other, evolve(node, heading=other), node.span)
    yield from inserted(node.amount, "amount")


def assigned(node: nodes.Set, _: Constants) -> Iterator[Variant]:
    yield from inserted(node.value, "value")


def loop(node: nodes.While, constants: Constants) -> Iterator[Variant]:
    """A loop that ends after one round; one that never ends would only meet a limit."""
    arm = nodes.Arm(node.test, node.body, span=node.span)
    once = nodes.If((arm,), margin=node.margin, span=node.span)
    yield Variant("loop run once", as_text(node), as_text(once), once, node.span)


STATEMENTS: dict[type, tuple[Operator, ...]] = {
    nodes.Body: (body,),
    nodes.If: (arms,),
    nodes.Arm: (chosen,),
    nodes.Ways: (ways,),
    nodes.Way: (forced,),
    nodes.OnlyIf: (forced,),
    nodes.Choose: (choose,),
    nodes.ChangeBy: (change_by,),
    nodes.Travel: (travel,),
    nodes.Set: (assigned,),
    nodes.Let: (given_value,),
    nodes.Define: (given_value,),
    nodes.While: (loop,),
}
