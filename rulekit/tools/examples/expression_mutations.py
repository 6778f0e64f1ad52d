"""Mutation operators of expressions: constants, comparisons, conditions, and what picks and sorts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulekit.syntax import nodes
from rulekit.syntax.unparse_expr import logic, ranked, written
from rulekit.tools.examples.mutation_variant import (
    Constants,
    Operator,
    Variant,
    beside,
    swapped,
    without,
    yes_or_no,
)
from rulekit.values import evolve

CONSTANT = "constant replacement"
RELATION = "relational operator replacement"
CONNECTOR = "logical connector replacement"
ARITHMETIC = "arithmetic operator replacement"
QUANTIFIER = "quantifier replacement"
FORCED = "condition forced"
NEGATION = "negation deletion"
INSERTION = "unary operator insertion"
QUERY = "query clause deletion"
ORDER = "order replacement"
ELEMENT = "element deletion"

_RELATIONS = {
    "at least": "above",
    "above": "at least",
    "at most": "below",
    "below": "at most",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
}
_CONNECTORS = {"and": "or", "or": "and"}
_SIGNS = {"+": "-", "-": "+"}
_QUANTIFIERS = {"any": "no", "no": "any", "all": "any", "first": "last", "last": "first"}
_FOLDS = {"least": "most", "most": "least"}
_TRUTHS = {*_RELATIONS, *_CONNECTORS}


# ---------------------------------------------------------------- constants


def number(node: nodes.Number, _: Constants) -> Iterator[Variant]:
    for value in beside(node.value):
        yield Variant(CONSTANT, str(node.value), str(value), evolve(node, value=value), node.span)


def flag(node: nodes.Flag, _: Constants) -> Iterator[Variant]:
    turned = evolve(node, value=not node.value)
    yield Variant(CONSTANT, yes_or_no(node.value), yes_or_no(turned.value), turned, node.span)


def word(node: nodes.Word, constants: Constants) -> Iterator[Variant]:
    other = constants.beside(node.name)
    if other is not None:
        yield Variant(CONSTANT, str(node.name), other, evolve(node, name=other), node.span)


def listing(node: nodes.Listing, _: Constants) -> Iterator[Variant]:
    for index, item in enumerate(node.items):
        yield Variant(ELEMENT, written(item), "", evolve(node, items=without(node.items, index)), item.span)


# ---------------------------------------------------------------- conditions


def binary(node: nodes.Binary, _: Constants) -> Iterator[Variant]:
    for name, table in ((RELATION, _RELATIONS), (CONNECTOR, _CONNECTORS), (ARITHMETIC, _SIGNS)):
        if node.op in table:
            yield Variant(name, node.op, table[node.op], evolve(node, op=table[node.op]), node.span)


def unary(node: nodes.Unary, _: Constants) -> Iterator[Variant]:
    if node.op == "not":
        yield Variant(NEGATION, "not", "", node.of, node.span)
    elif node.op in _QUANTIFIERS:
        other = _QUANTIFIERS[node.op]
        yield Variant(QUANTIFIER, node.op, other, evolve(node, op=other), node.span)


def fold(node: nodes.Fold, _: Constants) -> Iterator[Variant]:
    if node.op in _FOLDS:
        other = _FOLDS[node.op]
        yield Variant(QUANTIFIER, node.op, other, evolve(node, op=other), node.span)


def forced(node: Any, _: Constants) -> Iterator[Variant]:
    """The test of a node as always true; `where yes` lets everything in."""
    if node.test is not None and not isinstance(node.test, nodes.Flag):
        yield _forced(node, is_true=True)


def chosen(node: nodes.Choice | nodes.Case | nodes.Arm, constants: Constants) -> Iterator[Variant]:
    """Either branch as the only one."""
    yield from forced(node, constants)
    if node.test is not None and not isinstance(node.test, nodes.Flag):
        yield _forced(node, is_true=False)


def _forced(node: Any, *, is_true: bool) -> Variant:
    test = nodes.Flag(is_true, span=node.test.span)
    return Variant(FORCED, logic(node.test), yes_or_no(is_true), evolve(node, test=test), node.test.span)


# ---------------------------------------------------------------- what picks and sorts


def excluded(node: nodes.Except, _: Constants) -> Iterator[Variant]:
    yield Variant(QUERY, f"except {logic(node.less)}", "", node.of, node.span)


def extreme(node: nodes.Extreme, _: Constants) -> Iterator[Variant]:
    rank, other = ("lowest", "highest") if node.lowest else ("highest", "lowest")
    yield Variant(ORDER, rank, other, evolve(node, lowest=not node.lowest), node.span)
    yield Variant(QUERY, f"with {rank} {ranked(node.key)}", "", node.of, node.span)


def key(node: nodes.Key, _: Constants) -> Iterator[Variant]:
    other = "lowest" if node.ranking == "highest" else "highest"
    turned = evolve(node, ranking=other)
    yield Variant(ORDER, node.ranking or written(node), other if node.ranking else written(turned), turned, node.span)


def ordered(node: nodes.Ordered, _: Constants) -> Iterator[Variant]:
    if len(node.keys) == 1:
        yield Variant(QUERY, f"by {written(node.keys[0])}", "", node.of, node.keys[0].span)
        return
    for index, each in enumerate(node.keys):
        yield Variant(QUERY, written(each), "", evolve(node, keys=without(node.keys, index)), each.span)
    for index, keys in swapped(node.keys):
        old, new = (" then ".join(map(written, two)) for two in (node.keys[index : index + 2], keys[index : index + 2]))
        yield Variant(ORDER, old, new, evolve(node, keys=keys), node.keys[index].span)


# ---------------------------------------------------------------- values as wholes


def inserted(value: nodes.Expr, path: str) -> Iterator[Variant]:
    """A value of which no part need be a constant: one more, the contrary, or an empty set.

    path: the field of the node in which the value stands.
    """
    inner = _bare(value)
    if isinstance(inner, nodes.Number | nodes.Flag | nodes.Nothing | nodes.Listing):
        return
    for new in _contraries(inner):
        yield Variant(INSERTION, logic(inner), written(new), new, inner.span, (path,))


def _bare(value: nodes.Expr) -> nodes.Expr:
    return _bare(value.of) if isinstance(value, nodes.Cited) else value


def _contraries(value: nodes.Expr) -> Iterable[nodes.Expr]:
    """By what its outermost part gives; of a name, which gives anything, all that may be correct."""
    if isinstance(value, nodes.Choice | nodes.Cases):
        return ()  # Its branches have their own.
    if isinstance(value, nodes.Binary):
        return [_not(value)] if value.op in _TRUTHS else [_one_more(value)]
    if isinstance(value, nodes.Unary):
        return [] if value.op in _QUANTIFIERS else [_not(value)] if value.op == "possible" else [_one_more(value)]
    if isinstance(value, nodes.Fold):
        return [_one_more(value)]
    if isinstance(value, nodes.Filter | nodes.Except | nodes.Extreme | nodes.Ordered | nodes.Naming | nodes.Reach):
        return [nodes.Listing((), span=value.span)]
    return [_one_more(value), _not(value), nodes.Listing((), span=value.span)]


def _one_more(value: nodes.Expr) -> nodes.Expr:
    return nodes.Binary("+", value, nodes.Number(1, span=value.span), span=value.span)


def _not(value: nodes.Expr) -> nodes.Expr:
    return nodes.Unary("not", value, span=value.span)


def cited(node: nodes.Cited, _: Constants) -> Iterator[Variant]:
    """What carries out a clause of its own, whatever it is."""
    yield from inserted(node.of, "of")


def branches(node: nodes.Choice, constants: Constants) -> Iterator[Variant]:
    yield from chosen(node, constants)
    for name in ("then", "other"):
        value = getattr(node, name)
        if not isinstance(value, nodes.Cited):
            yield from inserted(value, name)


def given_value(node: nodes.Define | nodes.Let, _: Constants) -> Iterator[Variant]:
    if not isinstance(node.value, nodes.Cited):
        yield from inserted(node.value, "value")


def case(node: nodes.Case, constants: Constants) -> Iterator[Variant]:
    if node.test is not None:
        yield from chosen(node, constants)
    if not isinstance(node.value, nodes.Cited):
        yield from inserted(node.value, "value")


EXPRESSIONS: dict[type, tuple[Operator, ...]] = {
    nodes.Number: (number,),
    nodes.Flag: (flag,),
    nodes.Word: (word,),
    nodes.Listing: (listing,),
    nodes.Binary: (binary,),
    nodes.Unary: (unary,),
    nodes.Fold: (fold,),
    nodes.Choice: (branches,),
    nodes.Cited: (cited,),
    nodes.Case: (case,),
    nodes.Filter: (forced,),
    nodes.Except: (excluded,),
    nodes.Extreme: (extreme,),
    nodes.Key: (key,),
    nodes.Ordered: (ordered,),
}
