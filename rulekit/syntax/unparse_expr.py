"""The pretty-printer of nodes: by their forms, and of expressions, with brackets only where precedence needs them.

Knows no lines and no margins.  A text is built from the leaves up, so its
first word can still be quoted by the place where it is put.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from rulekit.syntax import nodes
from rulekit.values import frozen


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BEGINNERS = words("if not count any no first last possible sum least most yes none")
"""The words that may begin an expression: as names they always stand in quotes."""

QUANTIFIERS = words("all")
"""The words that begin an expression only where a value follows: as names they stand in quotes where one could.

Where only a thing that is named can stand, as behind `last` or `set`, they are names without quotes."""

_FOLLOWERS = BEGINNERS | words(
    "is in below above at mod and or where whose except as with by then else "
    "to toward for from hold over starts default until"
)
"""The words that may follow an expression, and so a `no` that stands for itself: after it they are quoted as names."""

QUERY, LOGIC, OR, AND, CITED, NOT, COMPARE, RANGE, SUM, PRODUCT, UNARY, POSTFIX = range(12)
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
    nodes.Cited: CITED,
    nodes.Reach: RANGE,
    nodes.Fold: UNARY,
    nodes.Number: UNARY,
    nodes.Flag: UNARY,
    nodes.Nothing: UNARY,
}
_PLACES = {
    "query": QUERY,
    "choice": LOGIC,
    "": OR,
    "logic": OR,
    "range": RANGE,
    "sum": SUM,
    "unary": UNARY,
    "postfix": POSTFIX,
}
"""How tightly that must bind which is written at a place in a form."""

BY_HAND: dict[type, Callable[[Any], str]] = {}
"""What writes the nodes whose class has no form; `unparse_line` enters the lines."""

CONFUSED: dict[str, frozenset[str]] = {}
"""By "Class.field": the keywords that its first word would be read as, so that as a name it stands in quotes."""

_SLOT = re.compile(r"\{(\w+):?(\w*) ?(\w*)\}")
_FIRST_WORD = re.compile(r"[a-z][a-z0-9_]*")


def at(node: nodes.Node, level: int) -> str:
    """The text of `node` where the grammar wants something that binds at least as tightly as `level`."""
    text = written(node)
    if _level(node) < level:
        return f"({text})"
    return text.replace("'all'", "all", 1) if level == POSTFIX and text.startswith("'all'") else text


def subject(node: nodes.Node) -> str:
    """What a query is about: a choice in brackets, since without them its `else` would seem to be asked alone."""
    return at(node, OR if isinstance(node, nodes.Choice) else QUERY)


def logic(node: nodes.Expr) -> str:
    """For a part of a line; a choice gets brackets here for the reader's sake, not the grammar's."""
    return at(node, OR)


def named(name: str, keywords: frozenset[str]) -> str:
    """`name`, in quotes when it would be read as one of `keywords`."""
    return f"'{name}'" if name in keywords else name


def guarded(text: str, keywords: frozenset[str]) -> str:
    """`text`, its first word in quotes when it would be read as one of `keywords`."""
    match = _FIRST_WORD.match(text)
    return text if match is None else named(match[0], keywords) + text[match.end() :]


def bounds(node: nodes.Bounds, low: frozenset[str] = frozenset(), high: frozenset[str] = frozenset()) -> str:
    """`1..4`; `low` and `high` are the keywords that may stand in the place of either end."""
    start = guarded(at(node.low, SUM), low)
    if node.high is None:
        return start + ".." * node.open
    return f"{start}..{guarded(at(node.high, SUM), high)}"


# ---------------------------------------------------------------- forms


@frozen
class Slot:
    """Where the value of a field stands in a form.

    `{field}` stands for an expression in a line, a text, or the name of a flag that is set; `{field:query}` says how
    tightly an expression must bind (`_PLACES`), `{field:query then}` what stands between those of a list, else a comma.
    """

    field: str
    level: int
    joint: str
    confused: frozenset[str]

    def written(self, value: Any) -> str:
        text = self._text(value)
        return guarded(text, self.confused) if self.confused else text

    def _text(self, value: Any) -> str:
        if isinstance(value, nodes.Node):
            return subject(value) if self.field == "of" and self.level == QUERY else at(value, self.level)
        if isinstance(value, tuple):
            return self.joint.join([self._text(one) for one in value])
        return self.field if value is True else str(value)


@frozen
class Part:
    """Words of a form, with `{}` for each slot; an optional one, in `[…]`, is left out with its value."""

    is_optional: bool
    words: str
    slots: tuple[Slot, ...]

    def written(self, node: nodes.Node) -> str:
        values = [getattr(node, slot.field) for slot in self.slots]
        if self.is_optional and any(value is None or value is False or value == () for value in values):
            return ""
        return self.words.format(*[slot.written(value) for slot, value in zip(self.slots, values, strict=True)])


@cache
def form(kind: Any) -> tuple[Part, ...]:
    """The parts of the form of a class; each second one is optional."""
    parts = enumerate(re.split(r"\[(.*?)\]", kind.form))
    return tuple(Part(number % 2 == 1, _SLOT.sub("{}", part), tuple(_slots(kind, part))) for number, part in parts)


def _slots(kind: Any, part: str) -> Iterator[Slot]:
    for field, place, joint in _SLOT.findall(part):
        confused = CONFUSED.get(f"{kind.__name__}.{field}", frozenset())
        yield Slot(field, _PLACES[place], f" {joint} " if joint else ", ", confused)


def written(node: nodes.Node) -> str:
    """The text of a node, as its form or a function of its own says; of a line without its block."""
    kind: Any = type(node)
    if kind in BY_HAND:
        return BY_HAND[kind](node)
    assert node.form, node
    return "".join([part.written(node) for part in form(kind)])


# ---------------------------------------------------------------- expressions


def _level(node: nodes.Node) -> int:
    if isinstance(node, nodes.Binary):
        return _BINARY.get(node.op, COMPARE)
    if isinstance(node, nodes.Unary):
        return NOT if node.op == "not" else UNARY
    return _LEVELS.get(type(node), POSTFIX)


def _unary(node: nodes.Unary) -> str:
    if node.op == "-":
        return f"-{at(node.of, UNARY)}"
    text = at(node.of, NOT if node.op == "not" else POSTFIX)
    followers = {"no": _FOLLOWERS, "all": _FOLLOWERS | {"of"}}.get(node.op)
    return f"{node.op} {guarded(text, followers) if followers else text}"


def _binary(node: nodes.Binary) -> str:
    own = _level(node)
    left = RANGE if own == COMPARE else own
    right = RANGE if own == COMPARE else own + 1
    if own == OR:
        # Readers took `a or b and c` both ways: an `and` inside an `or` stands in brackets.
        left, right = (OR if _is(node.left, "or") else CITED), CITED
    return f"{at(node.left, left)} {node.op} {at(node.right, right)}"


def _is(node: nodes.Expr, op: str) -> bool:
    return isinstance(node, nodes.Binary) and node.op == op


def ranked(node: nodes.Expr) -> str:
    """What is sorted or compared by: a sum in brackets, since `highest a - b` was read as (highest a) less b."""
    return at(node, UNARY if _level(node) in (SUM, PRODUCT) else OR)


def _filter(node: nodes.Filter) -> str:
    return f"{subject(node.of)} {'whose' if node.bare else 'where'} {logic(node.test)}"


def _chosen(node: nodes.Expr) -> str:
    """What is sorted or picked from: a filter in brackets, so that it is seen to come first."""
    return f"({at(node, QUERY)})" if isinstance(node, nodes.Filter) else subject(node)


def _extreme(node: nodes.Extreme) -> str:
    return f"{_chosen(node.of)} with {'lowest' if node.lowest else 'highest'} {ranked(node.key)}"


def _key(node: nodes.Key) -> str:
    if node.ranking is None:
        return guarded(ranked(node.value), words("lowest highest"))
    return f"{node.ranking} {ranked(node.value)}"


def _amount(node: nodes.Amount) -> str:
    """How many: as many as a number, a range of numbers, or an expression in brackets."""
    if node.high is not None:
        return f"{at(node.low, QUERY)}..{at(node.high, QUERY)}"
    return str(node.low.value) if isinstance(node.low, nodes.Number) else f"({at(node.low, RANGE)})"


def _cited(node: nodes.Cited) -> str:
    return f"{at(node.of, NOT)} {' '.join(f'@{cite.id}' for cite in node.cites)}"


BY_HAND |= {
    nodes.Flag: lambda n: "yes" if n.value else "no",
    nodes.Word: lambda n: named(n.name, BEGINNERS),
    nodes.Onward: lambda n: f"{guarded(at(n.of, POSTFIX), QUANTIFIERS)}[{at(n.low, SUM)}..]",
    nodes.Item: lambda n: f"{guarded(at(n.of, POSTFIX), QUANTIFIERS)}[{at(n.index, QUERY)}]",
    nodes.CellAt: lambda n: f"{guarded(at(n.of, POSTFIX), QUANTIFIERS)}[{at(n.column, QUERY)}, {at(n.row, QUERY)}]",
    nodes.Listing: lambda n: f"[{', '.join(at(item, QUERY) for item in n.items)}]",
    nodes.Unary: _unary,
    nodes.Binary: _binary,
    nodes.Cited: _cited,
    nodes.Filter: _filter,
    nodes.Extreme: _extreme,
    nodes.Key: _key,
    nodes.Bounds: bounds,
    nodes.Amount: _amount,
}
