"""The pretty-printer of single lines: those that their form does not tell, without their margins; blocks below lines.

Names stand bare wherever the grammar cannot take them as a keyword; the few
places where it could are below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from rulekit import limits
from rulekit.syntax import nodes
from rulekit.syntax.indentation import Mark
from rulekit.syntax.lalr_parser import LalrParser
from rulekit.syntax.parse_tables import tables
from rulekit.syntax.unparse_expr import (
    BY_HAND,
    CONFUSED,
    POSTFIX,
    QUANTIFIERS,
    QUERY,
    RANGE,
    SUM,
    at,
    bounds,
    form,
    guarded,
    logic,
    named,
    words,
    written,
)
from rulekit.values import evolve, fields

_A_STATEMENT = "PLAY _NL _INDENT IF NAME _NL _INDENT SKIP NAME _NL _DEDENT"
"""Terminals of the grammar, behind which a statement begins, or `else`."""
_TYPES = words("flag set")

CONFUSED |= {
    "Reveal.what": words("whether"),
    "Declassify.what": words("whether"),
    "MoveTo.to": words("the"),
    "Deal.source": words("the"),
    "Attribute.of": QUANTIFIERS,
    "Call.function": QUANTIFIERS,
    "Travel.piece": QUANTIFIERS,
    "GoHome.piece": QUANTIFIERS,
    "Travel.heading": words("to home is not in below above at and or mod"),
    "Full.heading": words("if"),
    "Headings.words": words("spaces full edge steps halts look_colour look_glyph"),
    "Reading.name": words("requires conflicts"),
    "Given.facts": words("picture"),
    "Expect.facts": words("picture"),
}

_ENDS_WITH: dict[type, str] = {
    nodes.Define: "value",
    nodes.Case: "value",
    nodes.Let: "value",
    nodes.Set: "value",
    nodes.OnlyIf: "test",
    nodes.Rank: "players",
    nodes.Invariant: "test",
    nodes.Chance: "source",
    nodes.Dice: "source",
    nodes.Different: "source",
    nodes.Until: "test",
}
"""The lines that end with an expression, and its field."""
_IN_PARTS = (nodes.Choice, nodes.Filter, nodes.Except, nodes.Extreme, nodes.Ordered)
_PIECES = re.compile(r"[a-z0-9_]+|[-+*/.(\[]")
_PIECES_AT_MOST = limits.CHAIN - 20
"""With more words and marks than these, one more pair of brackets might be one too many for the limits."""

Inside = nodes.Body | Sequence[nodes.Line] | None
"""What hangs on a line: a body of statements, a block of lines, or nothing."""


def bracketed_head(node: nodes.Line) -> str:
    """`written`, with brackets around the value at its end if that is of several parts: to break a long line in."""
    text = written(node)
    slot = _ENDS_WITH.get(type(node), "")
    value: nodes.Expr | None = getattr(node, slot, None)
    if not _is_in_parts(value) or len(_PIECES.findall(text)) > _PIECES_AT_MOST:
        return text
    empty: dict[str, Any] = {slot: nodes.Nothing()}
    before = written(evolve(node, **empty)).removesuffix("none")
    is_bracketed = isinstance(value, nodes.Choice) and text.startswith("(", len(before))
    return text if is_bracketed else f"{before}({text.removeprefix(before)})"


def _is_in_parts(value: nodes.Expr | None) -> bool:
    return isinstance(value, _IN_PARTS) or (isinstance(value, nodes.Binary) and value.op in ("and", "or"))


def inside(node: nodes.Line) -> Inside:
    """What hangs on a line: its last field, if that is a body or a list that its form does not tell."""
    kind: Any = type(node)
    if kind in _INSIDES:
        return _INSIDES[kind](node)
    block = getattr(node, _last(kind))
    return block if isinstance(block, nodes.Body | tuple) else None


@cache
def _last(kind: Any) -> str:
    """The last field of a class; where its form tells it, some other one."""
    last = str(fields(kind)[-1].name)
    told = {slot.field for part in form(kind) for slot in part.slots}
    return "span" if last in told else last


@cache
def _keywords(terminals: str) -> frozenset[str]:
    """The keywords that the parser takes as such behind these terminals."""
    parser = LalrParser(tables())
    for name in terminals.split():
        is_taken = parser.feed(name, Mark(name, "", 1, 1, 1, 1))
        assert is_taken, (name, terminals)
    expected = parser.expected()
    return frozenset(word for word, name in tables().words.items() if name in expected)


# ---------------------------------------------------------------- lines with choices in them


def _maybe(before: str, node: nodes.Expr | None) -> str:
    return "" if node is None else f"{before}{logic(node)}"


def _option_type(node: nodes.OptionType) -> str:
    if node.range is None:
        return "flag"
    text = at(node.range, RANGE)
    return f"set of {text}" if node.kind == "set" else guarded(text, _TYPES)


def _deck(node: nodes.Deck) -> str:
    return f"{node.word} {node.name} of {node.kind}{', each its own' * node.own}"


def _grid(node: nodes.Grid) -> str:
    form = " hexagonal" if node.hexagonal else ""
    if node.width is None or node.height is None:
        return f"grid {node.name} unbounded{form}"
    size = f"{guarded(at(node.width, SUM), words('unbounded'))} by {at(node.height, SUM)}"
    return f"grid {node.name} {size}{form}" + _maybe(" if ", node.test)


def _counter(node: nodes.Counter) -> str:
    starts = words("starts")
    within = "" if node.bounds is None else f" {bounds(node.bounds, starts, starts)}"
    begun = "" if node.starts is None else f" starts {at(node.starts, SUM)}"
    title = "" if node.title is None else f' "{node.title}"'
    return f"counter {node.name}{title}{within}{begun}" + ("" if node.seen is None else f", {written(node.seen)}")


def _change(node: nodes.Change) -> str:
    word = "instead of" if node.word == "instead" else node.word
    return f"{word} {node.target}{_maybe(' if ', node.test)}"


def _when(node: nodes.When) -> str:
    on = " on" if node.word == "lands" and node.spaces else ""
    return f"when {node.piece} {node.word}{on}" + ("" if node.spaces is None else f" {bounds(node.spaces)}")


def _replace(node: nodes.Replace) -> str:
    text = written(node.declaration)
    return f"replace {guarded(text, _keywords('REPLACE')) if isinstance(node.declaration, nodes.Member) else text}"


def _who(node: nodes.Choose | nodes.Ways) -> str:
    """The one who chooses, and in which manner, as the beginning of a statement."""
    manner = "" if node.manner is None else f" {node.manner}"
    if node.secretly:
        return f"secretly {guarded(at(node.who, POSTFIX), words('each'))}{manner}"
    return guarded(at(node.who, POSTFIX), _keywords(_A_STATEMENT)) + manner


def _choose(node: nodes.Choose) -> str:
    amount = "" if node.amount is None else f"{written(node.amount)} "
    return f"{_who(node)} chooses {amount}{node.name} from {at(node.source, QUERY)}{_prompt(node)}"


def _chance(node: nodes.Chance) -> str:
    # Behind a number of dice these two words are keywords.
    amount = "" if node.amount is None else f"{written(node.amount)} "
    name = named(node.name, words("dice different")) if amount and node.verb == "roll" else node.name
    return f"{node.verb} {amount}{name} from {at(node.source, QUERY)}"


def _prompt(node: nodes.Choose | nodes.Ways) -> str:
    return "" if node.prompt is None else f' "{node.prompt}"'


def _define(node: nodes.Define) -> str:
    head = f"define {node.name}"
    if node.parameters:
        head += f"({', '.join(map(written, node.parameters))})"
    return head if isinstance(node.value, nodes.Cases) else f"{head} is {at(node.value, QUERY)}"


def _case(node: nodes.Case) -> str:
    test = "" if node.test is None else f" {at(node.test, QUERY)}"
    return f"{node.word}{test}: {logic(node.value)}"


def _if(node: nodes.If) -> str:
    test = node.arms[0].test
    assert test is not None, node
    return f"if {at(test, QUERY)}"


def _set(node: nodes.Set) -> str:
    value = logic(node.value) if isinstance(node.value, nodes.Choice) else at(node.value, QUERY)
    return f"set {at(node.target, POSTFIX)} to {value}"


def _written_order(node: nodes.Option) -> Sequence[nodes.Line]:
    """Readings and guards in the order of the file they came from, readings first when they came from none."""
    lines: list[nodes.Line] = [*node.readings, *node.guards]
    return sorted(lines, key=lambda line: line.span.line)


BY_HAND |= {
    nodes.OptionType: _option_type,
    nodes.Capacity: lambda n: f"spaces {bounds(n.spaces, high=words('hold'))} hold {at(n.hold, SUM)}",
    nodes.Deck: _deck,
    nodes.Grid: _grid,
    nodes.Counter: _counter,
    nodes.Change: _change,
    nodes.When: _when,
    nodes.Replace: _replace,
    nodes.Define: _define,
    nodes.Case: _case,
    nodes.If: _if,
    nodes.Ways: lambda n: f"{_who(n)} chooses{_prompt(n)}",
    nodes.Set: _set,
    nodes.Choose: _choose,
    nodes.Chance: _chance,
}

_INSIDES: dict[type, Callable[[Any], Inside]] = {
    nodes.Option: _written_order,
    nodes.Deck: lambda n: n.rows or n.members,
    nodes.Replace: lambda n: inside(n.declaration),
    nodes.Add: lambda n: inside(n.member),
    nodes.Define: lambda n: n.value.cases if isinstance(n.value, nodes.Cases) else None,
    nodes.If: lambda n: n.arms[0].body,
}
