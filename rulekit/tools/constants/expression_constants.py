"""Constants of expressions: the numbers in a condition or value, each with its bound and what it is about.

Turns an expression and the place where it stands into constants and denials.
Never looks at lines: what those make of their parts is told by
`constant_extraction`.
"""

from __future__ import annotations

import re
from typing import Any, cast

from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites, walk
from rulekit.syntax.unparse_expr import QUERY, at
from rulekit.tools.constants.constant_values import AT_LEAST, AT_MOST, BOUNDS, EXACT, Found, Place, constant_of
from rulekit.tools.constants.word_constants import denied, words
from rulekit.values import evolve, fields

NUMBER = re.compile(r"-?\d{1,15}")
_OTHER_WAY = {"below": "above", "above": "below", "at most": "at least", "at least": "at most"}
_LABEL = 60


def expression(node: nodes.Node, place: Place) -> Found:
    if isinstance(node, nodes.Number):
        yield constant_of(node.value, place, node.span)
    elif isinstance(node, nodes.Unary) and node.op == "-" and isinstance(node.of, nodes.Number):
        yield constant_of(-node.of.value, place, node.of.span)
    elif isinstance(node, nodes.Binary) and node.op in _COMPARISONS:
        yield from denied(node, place)
        yield from _value(node.left, evolve(place, label=said(node.right), op=_OTHER_WAY.get(node.op, "")))
        yield from _value(node.right, evolve(place, label=said(node.left), op=node.op))
    elif isinstance(node, nodes.Reach | nodes.Amount):
        yield from ends(place, node.low, node.high)
    elif isinstance(node, nodes.Choice):
        yield from _choice(node, place)
    elif isinstance(node, nodes.Cases):
        yield from _cases(node, place)
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
    for part in fields(type(node)):
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


_COMPARISONS = frozenset(("is", "is not", "in", "not in", *BOUNDS))


def _choice(node: nodes.Choice, place: Place) -> Found:
    yield from tested(node.test, evolve(place, op=""))
    yield from _value(node.then, under(node.test, True, place))
    yield from _value(node.other, under(node.test, False, place))


def _cases(node: nodes.Cases, place: Place) -> Found:
    """A case is met where none before it holds."""
    for case in node.cases:
        ids = cites(case)
        own = evolve(place, near=tuple(dict.fromkeys((*ids, *place.near))), nearest=ids) if ids else place
        if case.test is None:
            yield from _value(case.value, own)
        else:
            yield from tested(case.test, evolve(own, op=""))
            yield from _value(case.value, under(case.test, True, own))
            place = under(case.test, False, place)


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
        yield constant_of(int(text), place, span)


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
