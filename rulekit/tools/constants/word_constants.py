"""Constants of words: the numbers that words of the language stand for, and the words by which rules deny.

Turns one node and its place into what the reference says of its word; the
numbers of its parts are found elsewhere.
"""

from __future__ import annotations

from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import walk
from rulekit.tools.constants.constant_values import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    Constant,
    Found,
    Place,
    RuleDenial,
    constant_of,
)
from rulekit.values import evolve

# ---------------------------------------------------------------- words that deny

_WORDS: dict[type, str] = {
    nodes.OnlyIf: "only if",
    nodes.Skip: "skip",
    nodes.Stop: "stop",
    nodes.Next: "next",
}
"""Forms of the language by which something is left out or does not happen."""


def denied(node: nodes.Node, place: Place) -> Found:
    """What a line or expression denies, refuses or leaves out."""
    word = _WORDS.get(type(node), "")
    if isinstance(node, nodes.Unary | nodes.Binary) and node.op in ("no", "not", "is not", "not in"):
        word = node.op
    elif isinstance(node, nodes.Do) and node.may_stop is not None:
        word = "may stop"
    elif isinstance(node, nodes.Edge) and node.word == "stops":
        word = "edge stops"
    elif isinstance(node, nodes.Choose) and any(isinstance(part, nodes.Except) for part in walk(node.source)):
        word = "except"
    if word:
        span = node.span if node.span.line else place.line
        yield RuleDenial(word, place.nearest, place.unless, place.is_example, span)


# ---------------------------------------------------------------- words that are numbers

_QUARTER = 90
_UNARY = {"first": (1, EXACT), "last": (1, EXACT), "any": (1, AT_LEAST), "no": (0, AT_MOST), "not": (0, EXACT)}
_FIRSTS = ("first_free", "first_gap")
_WAYS = {"orthogonals": 4, "diagonals": 4, "directions": 8}
"""How many a set of ways holds, where a line means all of them."""
_NAMED = {"left": _QUARTER, "right": _QUARTER, "opposite": 2 * _QUARTER}


def words(node: nodes.Node, place: Place) -> Found:
    """What a word of the language denies, or the number that it stands for, by what the reference says of it."""
    yield from denied(node, place)
    if isinstance(node, nodes.Unary) and node.op in _UNARY:
        value, bound = _UNARY[node.op]
        yield _spoken(node.op, value, place, node.span, bound)
    elif isinstance(node, nodes.Push) and node.verb == "push":
        yield _spoken("push", 1, place, node.span)
    elif isinstance(node, nodes.Choose) and node.amount is None:
        yield _spoken("chooses", 1, place, node.span)
    elif isinstance(node, nodes.Full) and node.word in ("goes_on", "pushes"):
        yield _spoken(node.word, 1, place, node.span)
    elif isinstance(node, nodes.Action) and any(isinstance(part, nodes.Step) for part in node.body.statements):
        yield _spoken("step", sum(isinstance(part, nodes.Step) for part in node.body.statements), place, node.span)
    elif isinstance(node, nodes.Picture):
        yield _spoken("rows", len(node.rows), place, node.span)
        yield _spoken(
            "columns", max((len(" ".join(row.cells).split()) for row in node.rows), default=0), place, node.span
        )
    elif isinstance(node, nodes.Attribute) and node.name in _NAMED:
        yield _spoken(node.name, _NAMED[node.name], place, node.span)
    elif isinstance(node, nodes.Ordered):
        yield _spoken("by", 1, place, node.keys[0].value.span)
        yield _spoken("keys", len(node.keys), place, node.keys[0].value.span)
    elif isinstance(node, nodes.Extreme):
        yield _spoken("lowest" if node.lowest else "highest", 1, place, node.span)
    elif isinstance(node, nodes.Word) and node.name in _WAYS:
        yield _spoken(str(node.name), _WAYS[node.name], place, node.span)
    elif isinstance(node, nodes.Word) and node.name in _FIRSTS:
        yield _spoken(str(node.name), 1, place, node.span)


def _spoken(word: str, value: int, place: Place, span: Span, bound: str = EXACT) -> Constant:
    made = constant_of(value, evolve(place, label=word, op=""), span)
    return evolve(made, bound=bound, is_word=True)
