"""Semantic actions of the parser: reduced rules to nodes, for expressions and statements; one method a grammar rule.

The children of a rule arrive in its order, absent ones as None; tokens are
texts.  `lalr_parser` calls these methods by the names of the grammar's rules,
each with the place of all that it was made from.
"""

from __future__ import annotations

from typing import Any

from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.indentation import Margins

Children = list[Any]


def only(children: Children, kind: Any) -> tuple[Any, ...]:
    """The children that are of one type."""
    return tuple(child for child in children if isinstance(child, kind))


def one(children: Children, kind: Any) -> Any:
    """The first child of a type; None if there is none."""
    return next((child for child in children if isinstance(child, kind)), None)


def said(token: Any) -> str | None:
    """The text of a token that may be absent."""
    return None if token is None else str(token)


def integer(token: Any) -> int:
    """The number that a token writes."""
    # A longer number has been reported; its first digits will do.
    return int(str(token)[:20])


def unquoted(token: Any) -> str:
    """The text of a token without the quotes around it."""
    return str(token)[1:-1]


class Expressions:
    """Also holds what every method needs: the source's name and the margins by place."""

    def __init__(self, source: str, margins: Margins) -> None:
        self._source = source
        self._margins = margins

    def line(self, at: Span) -> dict[str, Any]:
        """Span and margin of a node that begins a line; its span ends with its first logical line."""
        end = self._margins.ends.get(at.line, (at.line, at.column + 1))
        margin = self._margins.by_place.get((at.line, at.column), nodes.EMPTY)
        return {"span": Span(self._source, at.line, at.column, *end), "margin": margin}

    def start(self, at: Span, c: Children) -> nodes.File:
        return nodes.File(tuple(c), self._margins.tail, span=at)

    def name(self, at: Span, c: Children) -> nodes.Name:
        return nodes.Name(str(c[0]).strip("'"), at)

    def _filter(self, at: Span, c: Children, bare: bool) -> nodes.Filter:
        return nodes.Filter(c[0], c[1], bare, span=at)

    def where(self, at: Span, c: Children) -> nodes.Filter:
        return self._filter(at, c, False)

    def whose(self, at: Span, c: Children) -> nodes.Filter:
        return self._filter(at, c, True)

    def except_(self, at: Span, c: Children) -> nodes.Except:
        return nodes.Except(c[0], c[1], span=at)

    def naming(self, at: Span, c: Children) -> nodes.Naming:
        return nodes.Naming(c[0], c[1], span=at)

    def extreme(self, at: Span, c: Children) -> nodes.Extreme:
        return nodes.Extreme(c[0], str(c[1]) == "lowest", c[2], span=at)

    def ordered(self, at: Span, c: Children) -> nodes.Ordered:
        return nodes.Ordered(c[0], tuple(c[1:]), span=at)

    def order(self, at: Span, c: Children) -> nodes.Key:
        return nodes.Key(c[1], said(c[0]), span=at)

    def choice(self, at: Span, c: Children) -> nodes.Choice:
        return nodes.Choice(c[0], c[1], c[2], span=at)

    def _chain(self, at: Span, c: Children, op: str) -> Any:
        result = c[0]
        for part in c[1:]:
            result = nodes.Binary(op, result, part, span=at)
        return result

    def disjunction(self, at: Span, c: Children) -> Any:
        return self._chain(at, c, "or")

    def conjunction(self, at: Span, c: Children) -> Any:
        return self._chain(at, c, "and")

    def not_(self, at: Span, c: Children) -> nodes.Unary:
        return nodes.Unary("not", c[0], span=at)

    def comparison(self, at: Span, c: Children) -> nodes.Binary:
        op = " ".join(str(token) for token in c[1:-1])
        return nodes.Binary(op, c[0], c[-1], span=at)

    def span(self, at: Span, c: Children) -> nodes.Reach:
        return nodes.Reach(c[0], c[1], span=at)

    def bounds(self, at: Span, c: Children) -> nodes.Bounds:
        high = c[2] if len(c) > 2 else None
        is_open = c[1] is not None and high is None
        return nodes.Bounds(c[0], high, is_open, span=at)

    def _operators(self, at: Span, c: Children) -> Any:
        result = c[0]
        for op, part in zip(c[1::2], c[2::2], strict=True):
            result = nodes.Binary(str(op), result, part, span=at)
        return result

    sum = _operators
    product = _operators

    def minus(self, at: Span, c: Children) -> nodes.Unary:
        return nodes.Unary("-", c[0], span=at)

    def ask(self, at: Span, c: Children) -> nodes.Unary:
        return nodes.Unary(str(c[0]), c[1], span=at)

    def fold(self, at: Span, c: Children) -> nodes.Fold:
        return nodes.Fold(str(c[0]), c[1], c[2], span=at)

    def number(self, at: Span, c: Children) -> nodes.Number:
        return nodes.Number(integer(c[0]), span=at)

    def yes(self, at: Span, c: Children) -> nodes.Flag:
        return nodes.Flag(True, span=at)

    def no(self, at: Span, c: Children) -> nodes.Flag:
        return nodes.Flag(False, span=at)

    def none(self, at: Span, c: Children) -> nodes.Nothing:
        return nodes.Nothing(span=at)

    def word(self, at: Span, c: Children) -> nodes.Word:
        return nodes.Word(c[0], span=at)

    def attribute(self, at: Span, c: Children) -> nodes.Attribute:
        return nodes.Attribute(c[0], c[1], span=at)

    def call(self, at: Span, c: Children) -> nodes.Call:
        return nodes.Call(c[0], c[1] or (), span=at)

    def item(self, at: Span, c: Children) -> nodes.Item:
        return nodes.Item(c[0], c[1], span=at)

    def cell_at(self, at: Span, c: Children) -> nodes.CellAt:
        return nodes.CellAt(c[0], c[1], c[2], span=at)

    def listing(self, at: Span, c: Children) -> nodes.Listing:
        return nodes.Listing(c[0] or (), span=at)

    def args(self, at: Span, c: Children) -> tuple[Any, ...]:
        return tuple(c)


class Statements(Expressions):
    def body(self, at: Span, c: Children) -> nodes.Body:
        # An indented body begins with the layout after its head, so its first statement tells the form.
        inline = c[0].span.line == at.line
        return nodes.Body(tuple(c), inline, span=at)

    def if_(self, at: Span, c: Children) -> nodes.If:
        first = nodes.Arm(c[0], c[1], span=at)
        rest = only(c[2:], nodes.Arm)
        return nodes.If((first, *rest), **self.line(at))

    def else_if(self, at: Span, c: Children) -> nodes.Arm:
        return nodes.Arm(c[0], c[1], **self.line(at))

    def otherwise(self, at: Span, c: Children) -> nodes.Arm:
        return nodes.Arm(None, c[0], **self.line(at))

    def each(self, at: Span, c: Children) -> nodes.Each:
        return nodes.Each(c[1], c[2], c[3], c[0] is not None, **self.line(at))

    def while_(self, at: Span, c: Children) -> nodes.While:
        return nodes.While(c[0], c[1], **self.line(at))

    def repeat(self, at: Span, c: Children) -> nodes.Repeat:
        return nodes.Repeat(c[0], **self.line(at))

    def step(self, at: Span, c: Children) -> nodes.Step:
        return nodes.Step(c[0], c[1], **self.line(at))

    def ways(self, at: Span, c: Children) -> nodes.Ways:
        prompt = None if c[2] is None else unquoted(c[2])
        return nodes.Ways(c[1], tuple(c[3:]), c[0] is not None, prompt, **self.line(at))

    def way(self, at: Span, c: Children) -> nodes.Way:
        return nodes.Way(unquoted(c[0]), c[1], one(c[2:], nodes.Body), **self.line(at))

    def picture(self, at: Span, c: Children) -> nodes.Picture:
        return nodes.Picture(c[0], tuple(c[1:]), **self.line(at))

    def let(self, at: Span, c: Children) -> nodes.Let:
        return nodes.Let(c[0], c[1], **self.line(at))

    def set(self, at: Span, c: Children) -> nodes.Set:
        return nodes.Set(c[0], c[1], **self.line(at))

    def change_by(self, at: Span, c: Children) -> nodes.ChangeBy:
        return nodes.ChangeBy(str(c[0]), c[1], c[2], **self.line(at))

    def move_to(self, at: Span, c: Children) -> nodes.MoveTo:
        return nodes.MoveTo(c[0], c[1], **self.line(at))

    def travel(self, at: Span, c: Children) -> nodes.Travel:
        return nodes.Travel(c[0], c[1], c[2], **self.line(at))

    def go_home(self, at: Span, c: Children) -> nodes.GoHome:
        return nodes.GoHome(c[0], **self.line(at))

    def swap(self, at: Span, c: Children) -> nodes.Swap:
        return nodes.Swap(c[0], c[1], **self.line(at))

    def push(self, at: Span, c: Children) -> nodes.Push:
        return nodes.Push(str(c[0]), c[1], c[2], **self.line(at))

    def shift(self, at: Span, c: Children) -> nodes.Shift:
        toward = c[1] if len(c) == 3 else None
        return nodes.Shift(c[0], toward, c[-1], **self.line(at))

    def remove(self, at: Span, c: Children) -> nodes.Remove:
        return nodes.Remove(c[0], **self.line(at))

    def shuffle(self, at: Span, c: Children) -> nodes.Shuffle:
        return nodes.Shuffle(c[0], **self.line(at))

    def reveal(self, at: Span, c: Children) -> nodes.Reveal:
        return nodes.Reveal(c[0], **self.line(at))

    def announce(self, at: Span, c: Children) -> nodes.Announce:
        return nodes.Announce(c[0], c[1], **self.line(at))

    def deal(self, at: Span, c: Children) -> nodes.Deal:
        return nodes.Deal(c[0], c[1], c[2], **self.line(at))

    def chance(self, at: Span, c: Children) -> nodes.Chance:
        return nodes.Chance(str(c[0]), c[1], c[2], c[3], **self.line(at))

    def do(self, at: Span, c: Children) -> nodes.Do:
        return nodes.Do(c[0], c[1], c[2], **self.line(at))

    def skip(self, at: Span, c: Children) -> nodes.Skip:
        return nodes.Skip(c[0], **self.line(at))

    def stop(self, at: Span, c: Children) -> nodes.Stop:
        return nodes.Stop(c[0], **self.line(at))

    def next(self, at: Span, c: Children) -> nodes.Next:
        return nodes.Next(c[0], **self.line(at))

    def end(self, at: Span, c: Children) -> nodes.End:
        return nodes.End(**self.line(at))

    def rank(self, at: Span, c: Children) -> nodes.Rank:
        return nodes.Rank(c[0], **self.line(at))

    def defeat(self, at: Span, c: Children) -> nodes.Defeat:
        return nodes.Defeat(c[0], **self.line(at))

    def only_if(self, at: Span, c: Children) -> nodes.OnlyIf:
        return nodes.OnlyIf(c[0], **self.line(at))

    def choose(self, at: Span, c: Children) -> nodes.Choose:
        secretly, who, manner, amount, name, source, prompt = c
        text = None if prompt is None else unquoted(prompt)
        line = self.line(at)
        return nodes.Choose(who, name, source, amount, said(manner), secretly is not None, text, **line)

    def amount(self, at: Span, c: Children) -> nodes.Amount:
        if not isinstance(c[0], str):
            return nodes.Amount(c[0], span=at)
        high = None if c[1] is None else nodes.Number(integer(c[1]))
        return nodes.Amount(nodes.Number(integer(c[0])), high, span=at)
