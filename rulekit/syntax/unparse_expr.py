"""The pretty-printer of expressions: one blank between words, brackets only where precedence needs them.

Knows no lines and no margins.  A text is built from the leaves up, so its
first word can still be quoted by the place where it is put.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from rulekit.syntax import nodes


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BEGINNERS = words("if not count any no first last possible sum least most yes none")
"""The words that may begin an expression: as names they always stand in quotes."""

_FOLLOWERS = BEGINNERS | words(
    "is in below above at mod and or where whose except as with by then else "
    "to toward for from hold over starts default"
)
"""The words that may follow an expression, and so a `no` that stands for itself: after it they are quoted as names."""

QUERY, LOGIC, OR, AND, NOT, COMPARE, RANGE, SUM, PRODUCT, UNARY, POSTFIX = range(11)
"""How tightly the rules of the grammar bind, loosest first."""

_BINARY = {"or": OR, "and": AND, "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "mod": PRODUCT}
"""The operators that may be chained, leftmost first; every other one compares."""

_LEVELS: dict[type, int] = {
    nodes.Filter: QUERY,
    nodes.Except: QUERY,
    nodes.Naming: QUERY,
    nodes.Extreme: QUERY,
    nodes.Ordered: QUERY,
    nodes.Choice: LOGIC,
    nodes.Reach: RANGE,
    nodes.Fold: UNARY,
    nodes.Number: UNARY,
    nodes.Flag: UNARY,
    nodes.Nothing: UNARY,
}
_FIRST_WORD = re.compile(r"[a-z][a-z0-9_]*")


def query(node: nodes.Expr) -> str:
    return at(node, QUERY)


def logic(node: nodes.Expr) -> str:
    """For a part of a line; a choice gets brackets here for the reader's sake, not the grammar's."""
    return at(node, OR)


def sum_of(node: nodes.Expr) -> str:
    return at(node, SUM)


def postfix(node: nodes.Expr) -> str:
    return at(node, POSTFIX)


def at(node: nodes.Expr, level: int) -> str:
    """The text of `node` where the grammar wants something that binds at least as tightly as `level`."""
    text = _TEXTS[type(node)](node)
    return text if _level(node) >= level else f"({text})"


def queries(items: Iterable[nodes.Expr]) -> str:
    return ", ".join(query(item) for item in items)


def named(name: str, keywords: frozenset[str]) -> str:
    """`name`, in quotes when it would be read as one of `keywords`."""
    return f"'{name}'" if name in keywords else name


def guarded(text: str, keywords: frozenset[str]) -> str:
    """`text`, its first word in quotes when it would be read as one of `keywords`."""
    match = _FIRST_WORD.match(text)
    return text if match is None else named(match[0], keywords) + text[match.end() :]


def bounds(node: nodes.Bounds, low: frozenset[str] = frozenset(), high: frozenset[str] = frozenset()) -> str:
    """`1..4`; `low` and `high` are the keywords that may stand in the place of either end."""
    start = guarded(sum_of(node.low), low)
    if node.high is None:
        return start + ".." * node.open
    return f"{start}..{guarded(sum_of(node.high), high)}"


def amount(node: nodes.Amount | None) -> str:
    """How many, with the blank that follows it; "" for one."""
    if node is None:
        return ""
    if node.high is not None:
        return f"{query(node.low)}..{query(node.high)} "
    return f"{node.low.value} " if isinstance(node.low, nodes.Number) else f"({at(node.low, RANGE)}) "


def _level(node: nodes.Expr) -> int:
    if isinstance(node, nodes.Binary):
        return _BINARY.get(node.op, COMPARE)
    if isinstance(node, nodes.Unary):
        return NOT if node.op == "not" else UNARY
    return _LEVELS.get(type(node), POSTFIX)


def _unary(node: nodes.Unary) -> str:
    if node.op == "-":
        return f"-{at(node.of, UNARY)}"
    text = at(node.of, NOT if node.op == "not" else POSTFIX)
    return f"{node.op} {guarded(text, _FOLLOWERS) if node.op == 'no' else text}"


def _binary(node: nodes.Binary) -> str:
    own = _level(node)
    left = RANGE if own == COMPARE else own
    right = RANGE if own == COMPARE else own + 1
    if own == OR:
        # Readers took `a or b and c` both ways: an `and` inside an `or` stands in brackets.
        left, right = (OR if _is(node.left, "or") else NOT), NOT
    return f"{at(node.left, left)} {node.op} {at(node.right, right)}"


def _is(node: nodes.Expr, op: str) -> bool:
    return isinstance(node, nodes.Binary) and node.op == op


def ranked(node: nodes.Expr) -> str:
    """What is sorted or compared by: a sum in brackets, since `highest a - b` was read as (highest a) less b."""
    return at(node, UNARY if _level(node) in (SUM, PRODUCT) else OR)


def _filter(node: nodes.Filter) -> str:
    return f"{query(node.of)} {'whose' if node.bare else 'where'} {logic(node.test)}"


def _chosen(node: nodes.Expr) -> str:
    """What is sorted or picked from: a filter in brackets, so that it is seen to come first."""
    return f"({query(node)})" if isinstance(node, nodes.Filter) else query(node)


def _extreme(node: nodes.Extreme) -> str:
    return f"{_chosen(node.of)} with {'lowest' if node.lowest else 'highest'} {ranked(node.key)}"


def _ordered(node: nodes.Ordered) -> str:
    return f"{query(node.of)} by {' then '.join(_key(key) for key in node.keys)}"


def _key(node: nodes.Key) -> str:
    if node.ranking is None:
        return guarded(ranked(node.value), words("lowest highest"))
    return f"{node.ranking} {ranked(node.value)}"


_TEXTS: dict[type, Callable[[Any], str]] = {
    nodes.Number: lambda n: str(n.value),
    nodes.Flag: lambda n: "yes" if n.value else "no",
    nodes.Nothing: lambda n: "none",
    nodes.Word: lambda n: named(n.name, BEGINNERS),
    nodes.Attribute: lambda n: f"{postfix(n.of)}.{n.name}",
    nodes.Call: lambda n: f"{postfix(n.function)}({queries(n.args)})",
    nodes.Item: lambda n: f"{postfix(n.of)}[{query(n.index)}]",
    nodes.CellAt: lambda n: f"{postfix(n.of)}[{query(n.column)}, {query(n.row)}]",
    nodes.Listing: lambda n: f"[{queries(n.items)}]",
    nodes.Reach: lambda n: f"{sum_of(n.low)}..{sum_of(n.high)}",
    nodes.Unary: _unary,
    nodes.Fold: lambda n: f"{n.op} of {sum_of(n.value)} over {postfix(n.over)}",
    nodes.Binary: _binary,
    nodes.Choice: lambda n: f"if {logic(n.test)} then {logic(n.then)} else {at(n.other, LOGIC)}",
    nodes.Filter: _filter,
    nodes.Except: lambda n: f"{query(n.of)} except {logic(n.less)}",
    nodes.Naming: lambda n: f"{query(n.of)} as {n.name}",
    nodes.Extreme: _extreme,
    nodes.Ordered: _ordered,
}
