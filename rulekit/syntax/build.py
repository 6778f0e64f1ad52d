"""A parse tree's rules to nodes: expressions and statements, one method a grammar rule.

The children of a rule arrive in its order, absent ones as None; tokens are
texts.  `parse` calls these methods by the names of the grammar's rules.
"""

from __future__ import annotations

from typing import Any

from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.layout import Margins

Children = list[Any]


def only(children: Children, kind: Any) -> tuple[Any, ...]:
    return tuple(child for child in children if isinstance(child, kind))


def one(children: Children, kind: Any) -> Any:
    return next((child for child in children if isinstance(child, kind)), None)


def said(token: Any) -> str | None:
    return None if token is None else str(token)


def integer(token: Any) -> int:
    # A longer number has been reported; its first digits will do.
    return int(str(token)[:20])


def unquoted(token: Any) -> str:
    return str(token)[1:-1]


class Expressions:
    """Also holds what every method needs: the source's name and the margins by place."""

    def __init__(self, source: str, margins: Margins) -> None:
        self._source = source
        self._margins = margins

    def span_of(self, meta: Any) -> Span:
        if getattr(meta, "empty", True):
            return Span(self._source, 1, 1, 1, 1)
        return Span(self._source, meta.line, meta.column, meta.end_line, meta.end_column)

    def line(self, meta: Any) -> dict[str, Any]:
        """Span and margin of a node that begins a line; its span ends with its first logical line."""
        end = self._margins.ends.get(meta.line, (meta.line, meta.column + 1))
        margin = self._margins.by_place.get((meta.line, meta.column), nodes.EMPTY)
        return {"span": Span(self._source, meta.line, meta.column, *end), "margin": margin}

    def start(self, meta: Any, c: Children) -> nodes.File:
        return nodes.File(tuple(c), self._margins.tail, span=self.span_of(meta))

    def name(self, meta: Any, c: Children) -> nodes.Name:
        return nodes.Name(str(c[0]).strip("'"), self.span_of(meta))

    def _filter(self, meta: Any, c: Children, bare: bool) -> nodes.Filter:
        return nodes.Filter(c[0], c[1], bare, span=self.span_of(meta))

    def where(self, meta: Any, c: Children) -> nodes.Filter:
        return self._filter(meta, c, False)

    def whose(self, meta: Any, c: Children) -> nodes.Filter:
        return self._filter(meta, c, True)

    def except_(self, meta: Any, c: Children) -> nodes.Except:
        return nodes.Except(c[0], c[1], span=self.span_of(meta))

    def naming(self, meta: Any, c: Children) -> nodes.Naming:
        return nodes.Naming(c[0], c[1], span=self.span_of(meta))

    def extreme(self, meta: Any, c: Children) -> nodes.Extreme:
        return nodes.Extreme(c[0], str(c[1]) == "lowest", c[2], span=self.span_of(meta))

    def ordered(self, meta: Any, c: Children) -> nodes.Ordered:
        return nodes.Ordered(c[0], tuple(c[1:]), span=self.span_of(meta))

    def order(self, meta: Any, c: Children) -> nodes.Key:
        return nodes.Key(c[1], said(c[0]), span=self.span_of(meta))

    def choice(self, meta: Any, c: Children) -> nodes.Choice:
        return nodes.Choice(c[0], c[1], c[2], span=self.span_of(meta))

    def _chain(self, meta: Any, c: Children, op: str) -> Any:
        result = c[0]
        for part in c[1:]:
            result = nodes.Binary(op, result, part, span=self.span_of(meta))
        return result

    def disjunction(self, meta: Any, c: Children) -> Any:
        return self._chain(meta, c, "or")

    def conjunction(self, meta: Any, c: Children) -> Any:
        return self._chain(meta, c, "and")

    def not_(self, meta: Any, c: Children) -> nodes.Unary:
        return nodes.Unary("not", c[0], span=self.span_of(meta))

    def comparison(self, meta: Any, c: Children) -> nodes.Binary:
        op = " ".join(str(token) for token in c[1:-1])
        return nodes.Binary(op, c[0], c[-1], span=self.span_of(meta))

    def span(self, meta: Any, c: Children) -> nodes.Reach:
        return nodes.Reach(c[0], c[1], span=self.span_of(meta))

    def bounds(self, meta: Any, c: Children) -> nodes.Bounds:
        high = c[2] if len(c) > 2 else None
        is_open = c[1] is not None and high is None
        return nodes.Bounds(c[0], high, is_open, span=self.span_of(meta))

    def _operators(self, meta: Any, c: Children) -> Any:
        result = c[0]
        for op, part in zip(c[1::2], c[2::2], strict=True):
            result = nodes.Binary(str(op), result, part, span=self.span_of(meta))
        return result

    sum = _operators
    product = _operators

    def minus(self, meta: Any, c: Children) -> nodes.Unary:
        return nodes.Unary("-", c[0], span=self.span_of(meta))

    def ask(self, meta: Any, c: Children) -> nodes.Unary:
        return nodes.Unary(str(c[0]), c[1], span=self.span_of(meta))

    def fold(self, meta: Any, c: Children) -> nodes.Fold:
        return nodes.Fold(str(c[0]), c[1], c[2], span=self.span_of(meta))

    def number(self, meta: Any, c: Children) -> nodes.Number:
        return nodes.Number(integer(c[0]), span=self.span_of(meta))

    def yes(self, meta: Any, c: Children) -> nodes.Flag:
        return nodes.Flag(True, span=self.span_of(meta))

    def no(self, meta: Any, c: Children) -> nodes.Flag:
        return nodes.Flag(False, span=self.span_of(meta))

    def none(self, meta: Any, c: Children) -> nodes.Nothing:
        return nodes.Nothing(span=self.span_of(meta))

    def word(self, meta: Any, c: Children) -> nodes.Word:
        return nodes.Word(c[0], span=self.span_of(meta))

    def attribute(self, meta: Any, c: Children) -> nodes.Attribute:
        return nodes.Attribute(c[0], c[1], span=self.span_of(meta))

    def call(self, meta: Any, c: Children) -> nodes.Call:
        return nodes.Call(c[0], c[1] or (), span=self.span_of(meta))

    def item(self, meta: Any, c: Children) -> nodes.Item:
        return nodes.Item(c[0], c[1], span=self.span_of(meta))

    def cell_at(self, meta: Any, c: Children) -> nodes.CellAt:
        return nodes.CellAt(c[0], c[1], c[2], span=self.span_of(meta))

    def listing(self, meta: Any, c: Children) -> nodes.Listing:
        return nodes.Listing(c[0] or (), span=self.span_of(meta))

    def args(self, meta: Any, c: Children) -> tuple[Any, ...]:
        return tuple(c)


class Statements(Expressions):
    def body(self, meta: Any, c: Children) -> nodes.Body:
        # An indented body begins with the layout after its head, so its first statement tells the form.
        inline = c[0].span.line == meta.line
        return nodes.Body(tuple(c), inline, span=self.span_of(meta))

    def if_(self, meta: Any, c: Children) -> nodes.If:
        first = nodes.Arm(c[0], c[1], span=self.span_of(meta))
        rest = only(c[2:], nodes.Arm)
        return nodes.If((first, *rest), **self.line(meta))

    def else_if(self, meta: Any, c: Children) -> nodes.Arm:
        return nodes.Arm(c[0], c[1], **self.line(meta))

    def otherwise(self, meta: Any, c: Children) -> nodes.Arm:
        return nodes.Arm(None, c[0], **self.line(meta))

    def each(self, meta: Any, c: Children) -> nodes.Each:
        return nodes.Each(c[1], c[2], c[3], c[0] is not None, **self.line(meta))

    def while_(self, meta: Any, c: Children) -> nodes.While:
        return nodes.While(c[0], c[1], **self.line(meta))

    def repeat(self, meta: Any, c: Children) -> nodes.Repeat:
        return nodes.Repeat(c[0], **self.line(meta))

    def step(self, meta: Any, c: Children) -> nodes.Step:
        return nodes.Step(c[0], c[1], **self.line(meta))

    def ways(self, meta: Any, c: Children) -> nodes.Ways:
        prompt = None if c[2] is None else unquoted(c[2])
        return nodes.Ways(c[1], tuple(c[3:]), c[0] is not None, prompt, **self.line(meta))

    def way(self, meta: Any, c: Children) -> nodes.Way:
        return nodes.Way(unquoted(c[0]), c[1], one(c[2:], nodes.Body), **self.line(meta))

    def picture(self, meta: Any, c: Children) -> nodes.Picture:
        return nodes.Picture(c[0], tuple(c[1:]), **self.line(meta))

    def let(self, meta: Any, c: Children) -> nodes.Let:
        return nodes.Let(c[0], c[1], **self.line(meta))

    def set(self, meta: Any, c: Children) -> nodes.Set:
        return nodes.Set(c[0], c[1], **self.line(meta))

    def change_by(self, meta: Any, c: Children) -> nodes.ChangeBy:
        return nodes.ChangeBy(str(c[0]), c[1], c[2], **self.line(meta))

    def move_to(self, meta: Any, c: Children) -> nodes.MoveTo:
        return nodes.MoveTo(c[0], c[1], **self.line(meta))

    def travel(self, meta: Any, c: Children) -> nodes.Travel:
        return nodes.Travel(c[0], c[1], c[2], **self.line(meta))

    def go_home(self, meta: Any, c: Children) -> nodes.GoHome:
        return nodes.GoHome(c[0], **self.line(meta))

    def swap(self, meta: Any, c: Children) -> nodes.Swap:
        return nodes.Swap(c[0], c[1], **self.line(meta))

    def push(self, meta: Any, c: Children) -> nodes.Push:
        return nodes.Push(str(c[0]), c[1], c[2], **self.line(meta))

    def shift(self, meta: Any, c: Children) -> nodes.Shift:
        toward = c[1] if len(c) == 3 else None
        return nodes.Shift(c[0], toward, c[-1], **self.line(meta))

    def remove(self, meta: Any, c: Children) -> nodes.Remove:
        return nodes.Remove(c[0], **self.line(meta))

    def shuffle(self, meta: Any, c: Children) -> nodes.Shuffle:
        return nodes.Shuffle(c[0], **self.line(meta))

    def reveal(self, meta: Any, c: Children) -> nodes.Reveal:
        return nodes.Reveal(c[0], **self.line(meta))

    def announce(self, meta: Any, c: Children) -> nodes.Announce:
        return nodes.Announce(c[0], c[1], **self.line(meta))

    def deal(self, meta: Any, c: Children) -> nodes.Deal:
        return nodes.Deal(c[0], c[1], c[2], **self.line(meta))

    def chance(self, meta: Any, c: Children) -> nodes.Chance:
        return nodes.Chance(str(c[0]), c[1], c[2], c[3], **self.line(meta))

    def do(self, meta: Any, c: Children) -> nodes.Do:
        return nodes.Do(c[0], c[1], c[2], **self.line(meta))

    def skip(self, meta: Any, c: Children) -> nodes.Skip:
        return nodes.Skip(c[0], **self.line(meta))

    def stop(self, meta: Any, c: Children) -> nodes.Stop:
        return nodes.Stop(c[0], **self.line(meta))

    def next(self, meta: Any, c: Children) -> nodes.Next:
        return nodes.Next(c[0], **self.line(meta))

    def end(self, meta: Any, c: Children) -> nodes.End:
        return nodes.End(**self.line(meta))

    def rank(self, meta: Any, c: Children) -> nodes.Rank:
        return nodes.Rank(c[0], **self.line(meta))

    def defeat(self, meta: Any, c: Children) -> nodes.Defeat:
        return nodes.Defeat(c[0], **self.line(meta))

    def only_if(self, meta: Any, c: Children) -> nodes.OnlyIf:
        return nodes.OnlyIf(c[0], **self.line(meta))

    def choose(self, meta: Any, c: Children) -> nodes.Choose:
        secretly, who, manner, amount, name, source, prompt = c
        text = None if prompt is None else unquoted(prompt)
        line = self.line(meta)
        return nodes.Choose(who, name, source, amount, said(manner), secretly is not None, text, **line)

    def amount(self, meta: Any, c: Children) -> nodes.Amount:
        if not isinstance(c[0], str):
            return nodes.Amount(c[0], span=self.span_of(meta))
        high = None if c[1] is None else nodes.Number(integer(c[1]))
        return nodes.Amount(nodes.Number(integer(c[0])), high, span=self.span_of(meta))
