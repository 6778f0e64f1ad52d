"""Constants of expressions: the numbers in a condition or value, each with its bound and what it is about.

Turns an expression and the place where it stands into constants; some words of
the language stand for numbers too.  Never looks at lines: what those make of
their parts is told by `constant_extraction`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import attrs
from attrs import evolve, field, frozen

from rulekit.source import NOWHERE, Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import walk
from rulekit.syntax.unparse_expr import QUERY, at

EXACT, AT_MOST, AT_LEAST = "", "at most", "at least"
NUMBER = re.compile(r"-?\d{1,15}")
_BOUNDS = {"below": (AT_MOST, -1), "at most": (AT_MOST, 0), "above": (AT_LEAST, 1), "at least": (AT_LEAST, 0)}
_DENIED = {"below": "at least", "above": "at most", "at most": "above", "at least": "below"}
_OTHER_WAY = {"below": "above", "above": "below", "at most": "at least", "at least": "at most"}
_LABEL = 60


@frozen
class Constant:
    """One number of the rules.

    bound, limit:  as in `Numeral`: `below 1` is at most 0.
    end:           `at least` and `at most` for the two ends of a range, where no comparison stands beside it.
    homes:         names under which it is declared, outermost first: an action and its step, a deck and its card.
    label:         what it is compared with, added to or a column of.
    clauses:       those that its line carries out.
    unless:        the option on which it depends, if the default reading does not use it.
    sinks:         something is lowered by it.
    is_word:       the rules say it with a word of the language (`first`, `push`), which is its label.
    """

    value: int
    bound: str
    limit: int
    homes: tuple[str, ...]
    label: str
    clauses: tuple[str, ...]
    unless: str = ""
    is_example: bool = False
    is_word: bool = False
    end: str = EXACT
    sinks: bool = False
    span: Span = field(default=NOWHERE, eq=False, repr=False)


@frozen
class RuleDenial:
    """A word by which the rules deny, refuse or leave out, and the clauses cited nearest to it."""

    word: str
    clauses: tuple[str, ...]
    unless: str = ""
    is_example: bool = False
    span: Span = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Place:
    """Where the walk is: what a number found here would be called."""

    homes: tuple[str, ...] = ()
    label: str = ""
    near: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    far: tuple[str, ...] = ()
    unless: str = ""
    is_example: bool = False
    op: str = ""
    is_denied: bool = False
    end: str = EXACT
    sinks: bool = False
    line: Span = NOWHERE
    defaults: dict[str, str] = field(factory=dict, repr=False)

    @property
    def clauses(self) -> tuple[str, ...]:
        return self.near or self.far


Found = Iterator[Constant | RuleDenial]


# ---------------------------------------------------------------- words that deny

_WORDS: dict[type, str] = {
    nodes.OnlyIf: "only if",
    nodes.Skip: "skip",
    nodes.Stop: "stop",
    nodes.Next: "next",
}
"""Forms of the language by which something is left out or does not happen."""


def _denied(node: nodes.Node, place: Place) -> Found:
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
    yield from _denied(node, place)
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
    made = _constant(value, evolve(place, label=word, op=""), span)
    return evolve(made, bound=bound, is_word=True)


# ---------------------------------------------------------------- expressions


def expression(node: nodes.Node, place: Place) -> Found:
    if isinstance(node, nodes.Number):
        yield _constant(node.value, place, node.span)
    elif isinstance(node, nodes.Unary) and node.op == "-" and isinstance(node.of, nodes.Number):
        yield _constant(-node.of.value, place, node.of.span)
    elif isinstance(node, nodes.Binary) and node.op in _COMPARISONS:
        yield from _denied(node, place)
        yield from _value(node.left, evolve(place, label=said(node.right), op=_OTHER_WAY.get(node.op, "")))
        yield from _value(node.right, evolve(place, label=said(node.left), op=node.op))
    elif isinstance(node, nodes.Reach | nodes.Amount):
        yield from ends(place, node.low, node.high)
    elif isinstance(node, nodes.Choice):
        yield from _choice(node, place)
    elif isinstance(node, nodes.Call) and said(node.function) in _LIMITS:
        yield from _limited(node, place)
    elif isinstance(node, nodes.Cited):
        ids = tuple(cite.id for cite in node.cites)
        near = tuple(dict.fromkeys((*ids, *place.near)))
        yield from _value(node.of, evolve(place, near=near, nearest=ids))
    elif isinstance(node, nodes.Label):
        for part in NUMBER.findall(node.text):
            yield from written(part, place, node.span)
    elif isinstance(node, nodes.Binary) and node.op in ("and", "or"):
        yield from tested(node.left, place)
        yield from tested(node.right, place)
    elif isinstance(node, nodes.Unary) and node.op in ("no", "not"):
        yield from words(node, place)
        yield from _value(node.of, evolve(place, is_denied=not place.is_denied))
    else:
        yield from _parts(node, place)


def _parts(node: Any, place: Place) -> Found:
    """What an expression stands for as a word, and the numbers of its parts."""
    yield from words(node, place)
    for part in attrs.fields(type(node)):
        if part.name not in ("span", "margin"):
            yield from _value(getattr(node, part.name), place)


def _value(value: object, place: Place) -> Found:
    if isinstance(value, tuple):
        for item in value:
            yield from _value(item, place)
    elif isinstance(value, nodes.Node):
        yield from expression(value, place)


def ends(place: Place, low: object, high: object) -> Found:
    """The numbers at the two ends of a range; what is reckoned out there is no end itself."""
    for value, name in ((low, AT_LEAST if high is not None else EXACT), (high, AT_MOST)):
        yield from _value(value, evolve(place, end=name) if isinstance(value, nodes.Number) else place)


_LIMITS = {"min": AT_MOST, "max": AT_LEAST}
"""What a number is to the smaller or the larger of it and others."""


def _limited(node: nodes.Call, place: Place) -> Found:
    for part in node.args:
        is_limit = isinstance(part.of if isinstance(part, nodes.Cited) else part, nodes.Number)
        yield from _value(part, evolve(place, end=_LIMITS[said(node.function)]) if is_limit else place)


_COMPARISONS = frozenset(("is", "is not", "in", "not in", *_BOUNDS))


def _choice(node: nodes.Choice, place: Place) -> Found:
    yield from tested(node.test, evolve(place, op=""))
    yield from _value(node.then, under(node.test, True, place))
    yield from _value(node.other, under(node.test, False, place))


def _holds(test: nodes.Expr, defaults: dict[str, str]) -> bool | None:
    """Whether a condition holds under the default readings; None if they do not settle it."""
    test = test.of if isinstance(test, nodes.Cited) else test
    if isinstance(test, nodes.Word) and defaults.get(test.name) in ("yes", "no"):
        return defaults[test.name] == "yes"
    if isinstance(test, nodes.Unary) and test.op == "not":
        inner = _holds(test.of, defaults)
        return None if inner is None else not inner
    if isinstance(test, nodes.Binary) and test.op in ("is", "is not"):
        return _is_default(test, defaults)
    if isinstance(test, nodes.Binary) and test.op in ("and", "or"):
        sides = (_holds(test.left, defaults), _holds(test.right, defaults))
        decides = test.op == "or"
        return decides if decides in sides else (None if None in sides else not decides)
    return None


def _is_default(test: nodes.Binary, defaults: dict[str, str]) -> bool | None:
    left, right = test.left, test.right
    if not (isinstance(left, nodes.Word) and isinstance(right, nodes.Word) and left.name in defaults):
        return None
    return (defaults[left.name] == right.name) == (test.op == "is")


def said(node: object) -> str:
    """An expression as a short label: what a number beside it is about."""
    if isinstance(node, nodes.Number) or not isinstance(node, nodes.Node):
        return ""
    return at(cast(nodes.Expr, node), QUERY)[:_LABEL]


def written(text: str, place: Place, span: Span) -> Found:
    """The constant that letters stand for, if they are a number."""
    if NUMBER.fullmatch(str(text)):
        yield _constant(int(text), place, span)


def _constant(value: int, place: Place, span: Span) -> Constant:
    op = _DENIED.get(place.op, "") if place.is_denied else place.op
    bound, shift = _BOUNDS.get(op, (EXACT, 0))
    made = Constant(value, bound, value + shift, place.homes, place.label, place.clauses)
    told = evolve(made, unless=place.unless, is_example=place.is_example, end=place.end, sinks=place.sinks)
    return evolve(told, span=span if span.line else place.line)


# ---------------------------------------------------------------- what the default readings settle


def tested(test: nodes.Expr | None, place: Place) -> Found:
    """The numbers of a condition; none of them matters if the default readings settle it."""
    if test is not None:
        yield from _value(test, place if _holds(test, place.defaults) is None else _off(place, test))


def under(test: nodes.Expr | None, wanted: bool, place: Place) -> Place:
    """The place of what a condition must hold for (or must not), marked if the default readings settle it otherwise."""
    settled = None if test is None else _holds(test, place.defaults)
    return place if settled is None or settled is wanted else _off(place, test)


def _off(place: Place, test: nodes.Expr | None) -> Place:
    names = [part.name for part in walk(test) if isinstance(part, nodes.Word) and part.name in place.defaults]
    return place if place.unless else evolve(place, unless=str(names[0]) if names else "another reading")
