"""The pretty-printer of single lines: each kind of line without its margins, and the block below it.

Names stand bare wherever the grammar cannot take them as a keyword; the few
places where it could are the sets of words below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve

from rulekit import limits
from rulekit.syntax import nodes
from rulekit.syntax.unparse_expr import (
    LOGIC,
    RANGE,
    UNARY,
    amount,
    at,
    bounds,
    guarded,
    logic,
    named,
    postfix,
    queries,
    query,
    sum_of,
    words,
)

_DECLARATIONS = words(
    "game option unclear ruleset assume kind cards table pieces track course grid die each counter flag value "
    "piece pile snapshot list define action before after instead when invariant setup play result scenario show "
    "replace add"
)
_STATEMENTS = words(
    "if each while repeat step secretly picture let set raise lower move swap push compact shift remove shuffle "
    "reveal announce deal draw roll do skip stop next end rank defeat only else"
)
_AFTER_POSTFIX = words("to home is not in below above at and or mod")
_ARRIVALS = words("spaces full edge steps halts")
_GUARDS = words("requires conflicts")
_TYPES = words("flag set")

_ENDS_WITH: dict[type, str] = {
    nodes.Define: "value",
    nodes.Let: "value",
    nodes.Set: "value",
    nodes.OnlyIf: "test",
    nodes.Rank: "players",
    nodes.Invariant: "test",
    nodes.Chance: "source",
}
"""The lines that end with an expression, and its field."""
_IN_PARTS = (nodes.Choice, nodes.Filter, nodes.Except, nodes.Extreme, nodes.Ordered)
_PIECES = re.compile(r"[a-z0-9_]+|[-+*/.(\[]")
_PIECES_AT_MOST = limits.CHAIN - 20
"""With more words and marks than these, one more pair of brackets might be one too many for the limits."""

Inside = nodes.Body | Sequence[nodes.Line] | None
"""What hangs on a line: a body of statements, a block of lines, or nothing."""


def head(node: nodes.Line) -> str:
    """The text of the line itself; an `if` is its first arm."""
    return _HEADS[type(node)](node)


def bracketed_head(node: nodes.Line) -> str:
    """`head`, with brackets around the value at its end if that is of several parts: to break a long line in."""
    text = head(node)
    slot = _ENDS_WITH.get(type(node), "")
    value: nodes.Expr | None = getattr(node, slot, None)
    if not _is_in_parts(value) or len(_PIECES.findall(text)) > _PIECES_AT_MOST:
        return text
    empty: dict[str, Any] = {slot: nodes.Nothing()}
    before = head(evolve(node, **empty)).removesuffix("none")
    is_bracketed = isinstance(value, nodes.Choice) and text.startswith("(", len(before))
    return text if is_bracketed else f"{before}({text.removeprefix(before)})"


def _is_in_parts(value: nodes.Expr | None) -> bool:
    return isinstance(value, _IN_PARTS) or (isinstance(value, nodes.Binary) and value.op in ("and", "or"))


def inside(node: nodes.Line) -> Inside:
    find = _INSIDES.get(type(node))
    return None if find is None else find(node)


def reading_name(node: nodes.Reading) -> str:
    return named(node.name, _GUARDS)


def reading_rest(node: nodes.Reading) -> str:
    return f'"{node.text}"' + " default" * node.default


# ---------------------------------------------------------------- small parts


def _maybe(before: str, text: str | None, after: str = "") -> str:
    """`before text after`, or "" when there is no text."""
    return "" if text is None else f"{before}{text}{after}"


def _maybe_logic(before: str, node: nodes.Expr | None) -> str:
    return "" if node is None else f"{before}{logic(node)}"


def _maybe_sum(before: str, node: nodes.Expr | None) -> str:
    return "" if node is None else f"{before}{sum_of(node)}"


def _secretly(is_secret: bool) -> str:
    return "secretly " if is_secret else ""


def _parameters(parameters: Sequence[nodes.Parameter]) -> str:
    return f"({', '.join(x.name + _maybe(' of ', x.of) for x in parameters)})" if parameters else ""


def _seen(node: nodes.Variable) -> str:
    return "" if node.seen is None else f", seen {node.seen.word} {node.seen.whom}"


def _who(node: nodes.Choose | nodes.Ways) -> str:
    """The one who chooses, as the beginning of a statement."""
    keywords = words("each") if node.secretly else _STATEMENTS
    return _secretly(node.secretly) + guarded(postfix(node.who), keywords)


def _reply(node: nodes.Expr | nodes.Label) -> str:
    return f'"{node.text}"' if isinstance(node, nodes.Label) else logic(node)


def _to(node: nodes.Expr) -> str:
    return logic(node) if isinstance(node, nodes.Choice) else query(node)


def _facts(facts: Sequence[nodes.Expr]) -> str:
    return guarded(queries(facts), words("picture"))


# ---------------------------------------------------------------- lines with choices in them


def _option(node: nodes.Option) -> str:
    text = f'{node.word} {node.name} "{node.text}"'
    if node.type is None or node.default is None:
        return text
    return f"{text} {_option_type(node.type)} default {logic(node.default)}"


def _option_type(node: nodes.OptionType) -> str:
    if node.range is None:
        return "flag"
    text = at(node.range, RANGE)
    return f"set of {text}" if node.kind == "set" else guarded(text, _TYPES)


def _kind(node: nodes.Kind) -> str:
    faces = (face.name + _maybe(' as "', face.glyph, '"') for face in node.faces)
    return f"kind {node.name}: {', '.join(faces)}"


def _member(node: nodes.Member) -> str:
    traits = (f", {x.name}" + ("" if x.value is None else f" {at(x.value, UNARY)}") for x in node.traits)
    return f"{node.kind} {node.key}" + _maybe(' "', node.title, '"') + "".join(traits)


def _grid(node: nodes.Grid) -> str:
    if node.width is None or node.height is None:
        return f"grid {node.name} unbounded"
    size = f"{guarded(sum_of(node.width), words('unbounded'))} by {sum_of(node.height)}"
    return f"grid {node.name} {size}" + _maybe_logic(" if ", node.test)


def _counter(node: nodes.Counter) -> str:
    starts = words("starts")
    within = "" if node.bounds is None else f" {bounds(node.bounds, starts, starts)}"
    return f"counter {node.name}{within}{_maybe_sum(' starts ', node.starts)}{_seen(node)}"


def _piece_group(node: nodes.PieceGroup) -> str:
    text = f"pieces {node.count} {node.name} of {node.kind} on {node.place}"
    return f"{text}{_maybe_sum(' at ', node.at)}{_seen(node)}"


def _change(node: nodes.Change) -> str:
    word = "instead of" if node.word == "instead" else node.word
    return f"{word} {node.target}{_maybe_logic(' if ', node.test)}"


def _when(node: nodes.When) -> str:
    on = " on" if node.word == "lands" and node.spaces else ""
    return f"when {node.piece} {node.word}{on}" + ("" if node.spaces is None else f" {bounds(node.spaces)}")


def _replace(node: nodes.Replace) -> str:
    text = head(node.declaration)
    return f"replace {guarded(text, _DECLARATIONS) if isinstance(node.declaration, nodes.Member) else text}"


def _headings(node: nodes.Headings) -> str:
    return guarded(", ".join(f"{x.name} is {x.means}" for x in node.words), _ARRIVALS)


def _full(node: nodes.Full) -> str:
    heading = "" if node.heading is None else " " + named(node.heading, words("if"))
    return f"full {node.word}{heading}{_maybe_logic(' if ', node.test)}"


def _choose(node: nodes.Choose) -> str:
    text = f"{_who(node)}{_maybe(' ', node.manner)} chooses {amount(node.amount)}{node.name}"
    return f"{text} from {query(node.source)}" + _maybe(' "', node.prompt, '"')


def _arm(node: nodes.Arm) -> str:
    return "else" if node.test is None else f"else if {query(node.test)}"


def _if(node: nodes.If) -> str:
    test = node.arms[0].test
    assert test is not None, node
    return f"if {query(test)}"


def _do(node: nodes.Do) -> str:
    return f"do {postfix(node.call)}{_maybe_logic(' for ', node.owner)}{_maybe(', may stop ', node.may_stop)}"


def _shift(node: nodes.Shift) -> str:
    return f"shift {logic(node.things)}{_maybe_logic(' toward ', node.toward)} by {logic(node.by)}"


def _written_order(node: nodes.Option) -> Sequence[nodes.Line]:
    """Readings and guards in the order of the file they came from, readings first when they came from none."""
    lines: list[nodes.Line] = [*node.readings, *node.guards]
    return sorted(lines, key=lambda line: line.span.line)


_HEADS: dict[type, Callable[[Any], str]] = {
    # declarations
    nodes.GameHead: lambda n: f'game "{n.title}"',
    nodes.By: lambda n: f'by "{n.author}"',
    nodes.Extends: lambda n: f'extends "{n.base}"',
    nodes.Players: lambda n: f"players {bounds(n.bounds)}",
    nodes.Neutrals: lambda n: f"neutrals {at(n.count, LOGIC)}",
    nodes.Option: _option,
    nodes.Reading: lambda n: f"{reading_name(n)} {reading_rest(n)}",
    nodes.Guard: lambda n: f"{n.word} {logic(n.test)}",
    nodes.Ruleset: lambda n: f'ruleset "{n.name}"',
    nodes.Use: lambda n: f"use {n.option} is {at(n.value, LOGIC)}",
    nodes.Assume: lambda n: f'assume "{n.text}"',
    nodes.Kind: _kind,
    nodes.KindBlock: lambda n: f"kind {n.name}",
    nodes.Member: _member,
    nodes.Deck: lambda n: f"{n.word} {n.name} of {n.kind}",
    nodes.Pieces: lambda n: f"pieces {n.name} of {n.kind}{_maybe(' on ', n.place)}",
    nodes.Track: lambda n: f"track {n.name} {bounds(n.bounds)}",
    nodes.Course: lambda n: f"course {n.name} of {n.kind}",
    nodes.Grid: _grid,
    nodes.Capacity: lambda n: f"spaces {bounds(n.spaces, high=words('hold'))} hold {sum_of(n.hold)}",
    nodes.Full: _full,
    nodes.Edge: lambda n: f"edge {n.word}",
    nodes.Steps: lambda n: f"steps {n.word}",
    nodes.Halts: lambda n: f"halts at {logic(n.at)}",
    nodes.Headings: _headings,
    nodes.Die: lambda n: f"die {n.name}: {queries(n.faces)}",
    nodes.Has: lambda n: f"each {n.kind} has",
    nodes.Counter: _counter,
    nodes.FlagVariable: lambda n: f"flag {n.name}{_maybe_logic(' starts ', n.starts)}{_seen(n)}",
    nodes.Value: lambda n: f"value {n.name} of {n.of}{_maybe_sum(' starts ', n.starts)}{_seen(n)}",
    nodes.Piece: lambda n: f"piece {n.name} on {n.place}{_maybe_sum(' at ', n.at)}{_seen(n)}",
    nodes.PieceGroup: _piece_group,
    nodes.Pile: lambda n: f"pile {n.name} of {n.of}{_maybe_sum(' starts ', n.starts)}{_seen(n)}",
    nodes.Snapshot: lambda n: f"snapshot {n.name} of {n.of}{_seen(n)}",
    nodes.ListVariable: lambda n: f"list {n.name} of {at(n.of, RANGE)} for {at(n.index, RANGE)}{_seen(n)}",
    nodes.Define: lambda n: f"define {n.name}{_parameters(n.parameters)} is {query(n.value)}",
    nodes.Action: lambda n: f"action {n.name}{_parameters(n.parameters)}",
    nodes.Change: _change,
    nodes.When: _when,
    nodes.Invariant: lambda n: f'invariant "{n.text}": {logic(n.test)}',
    nodes.Part: lambda n: n.word,
    nodes.Show: lambda n: f'show {n.name} as "{n.text}"',
    nodes.Replace: _replace,
    nodes.Add: lambda n: f"add {head(n.member)}",
    # scenarios
    nodes.Scenario: lambda n: f'scenario "{n.name}"',
    nodes.Seats: lambda n: f"players {', '.join(n.names)}",
    nodes.Given: lambda n: f"given {_facts(n.facts)}",
    nodes.GivenPicture: lambda n: f"given picture {n.place}",
    nodes.Answer: lambda n: f"when {postfix(n.who)} chooses {' then '.join(_reply(x) for x in n.replies)}",
    nodes.Run: lambda n: f"do {postfix(n.call)}{_maybe_logic(' for ', n.owner)}",
    nodes.Expect: lambda n: f"expect {_facts(n.facts)}",
    nodes.ExpectPicture: lambda n: f"expect picture {n.place}",
    nodes.Refuse: lambda n: f"refuse {postfix(n.who)} chooses {_reply(n.reply)}",
    nodes.Fails: lambda n: f"fails at {logic(n.fact)}",
    # statements
    nodes.If: _if,
    nodes.Arm: _arm,
    nodes.Each: lambda n: f"{_secretly(n.secretly)}each {n.name}" + ("" if n.over is None else f" in {query(n.over)}"),
    nodes.While: lambda n: f"while {logic(n.test)}",
    nodes.Repeat: lambda n: "repeat",
    nodes.Step: lambda n: f"step {n.name}",
    nodes.Ways: lambda n: f"{_who(n)} chooses" + _maybe(' "', n.prompt, '"'),
    nodes.Way: lambda n: f'"{n.label}"' + _maybe_logic(" if ", n.test),
    nodes.Picture: lambda n: f"picture {n.place}",
    nodes.Let: lambda n: f"let {n.name} be {query(n.value)}",
    nodes.Set: lambda n: f"set {postfix(n.target)} to {_to(n.value)}",
    nodes.ChangeBy: lambda n: f"{n.verb} {postfix(n.target)} by {logic(n.amount)}",
    nodes.MoveTo: lambda n: f"move {logic(n.thing)} to {logic(n.to)}",
    nodes.Travel: lambda n: f"move {postfix(n.piece)} {named(n.heading, _AFTER_POSTFIX)} by {logic(n.amount)}",
    nodes.GoHome: lambda n: f"move {postfix(n.piece)} home",
    nodes.Swap: lambda n: f"swap {logic(n.left)} for {logic(n.right)}",
    nodes.Push: lambda n: f"{n.verb} {logic(n.thing)} toward {logic(n.toward)}",
    nodes.Shift: _shift,
    nodes.Remove: lambda n: f"remove {logic(n.thing)}",
    nodes.Shuffle: lambda n: f"shuffle {postfix(n.pile)}",
    nodes.Reveal: lambda n: f"reveal {logic(n.what)}",
    nodes.Announce: lambda n: f"announce {logic(n.what)} to {logic(n.to)}",
    nodes.Deal: lambda n: f"deal {sum_of(n.amount)} from {logic(n.source)} to {logic(n.to)}",
    nodes.Chance: lambda n: f"{n.verb} {amount(n.amount)}{n.name} from {query(n.source)}",
    nodes.Do: _do,
    nodes.Skip: lambda n: f"skip {n.step}",
    nodes.Stop: lambda n: f"stop {n.what}",
    nodes.Next: lambda n: f"next {n.what}",
    nodes.End: lambda n: "end game",
    nodes.Rank: lambda n: f"rank {query(n.players)}",
    nodes.Defeat: lambda n: f"defeat {query(n.players)}",
    nodes.OnlyIf: lambda n: f"only if {logic(n.test)}",
    nodes.Choose: _choose,
}

_INSIDES: dict[type, Callable[[Any], Inside]] = {
    nodes.GameHead: lambda n: n.facts,
    nodes.Option: _written_order,
    nodes.Ruleset: lambda n: n.uses,
    nodes.Assume: lambda n: n.declarations,
    nodes.KindBlock: lambda n: n.members,
    nodes.Member: lambda n: n.body,
    nodes.Deck: lambda n: n.rows or n.members,
    nodes.Replace: lambda n: inside(n.declaration),
    nodes.Add: lambda n: inside(n.member),
    nodes.Has: lambda n: n.variables,
    nodes.Scenario: lambda n: n.scenes,
    nodes.Ways: lambda n: n.ways,
    nodes.If: lambda n: n.arms[0].body,
}
_INSIDES |= {kind: lambda n: n.arrivals for kind in (nodes.Track, nodes.Course, nodes.Grid)}
_INSIDES |= {kind: lambda n: n.rows for kind in (nodes.Pieces, nodes.Picture, nodes.GivenPicture, nodes.ExpectPicture)}
_INSIDES |= {
    kind: lambda n: n.body
    for kind in (
        nodes.Action, nodes.Change, nodes.When, nodes.Part, nodes.Arm, nodes.Each, nodes.While, nodes.Repeat,
        nodes.Step, nodes.Way,
    )
}  # fmt: skip
