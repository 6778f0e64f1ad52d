"""Semantic actions of the parser: reduced rules to nodes.

A rule makes the node of its name, `move_to` a `MoveTo`, of its children in
their order: one for each field, and all that are left for a last field that is
a tuple.  Absent children arrive as None; tokens are texts.  Only the rules that
need more than this have a method here.  `lalr_parser` gives the place of all
that a node is made from.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import accumulate
from typing import Any

from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.indentation import Margins
from rulekit.values import evolve, fields

Children = list[Any]


def _only(children: Children, kind: Any) -> tuple[Any, ...]:
    """The children that are of one type."""
    return tuple(child for child in children if isinstance(child, kind))


def _one(children: Children, kind: Any) -> Any:
    """The first child of a type; None if there is none."""
    return next((child for child in children if isinstance(child, kind)), None)


def _integer(token: str) -> int:
    """The number that a token writes."""
    # A longer number has been reported; its first digits will do.
    return int(token[:20])


class AstBuilder:
    """Makes the nodes of a block, or of several of one file.

    source:   its name.
    margins:  what stands beside its lines, by place.
    """

    def __init__(self, source: str, margins: Margins) -> None:
        self._source = source
        self._margins = margins
        self._inner: set[Span] = set()

    def make(self, rule: str, at: Span, children: Children) -> Any:
        """What a rule of the grammar makes of its children; `at` is where they stand."""
        return _action(rule)(self, at, children)

    def line(self, at: Span) -> dict[str, Any]:
        """Span and margin of a node that begins a line; its span ends with its first logical line.

        By now all that stands in the line is made, so what cites a part of it is known.
        """
        end = self._margins.ends.get(at.line, (at.line, at.column + 1))
        margin = self._margins.by_place.get((at.line, at.column), nodes.EMPTY)
        if self._inner and any(cite.span in self._inner for cite in margin.cites):
            own = tuple(cite for cite in margin.cites if cite.span not in self._inner)
            parts = frozenset(cite.id for cite in margin.cites if cite.span in self._inner)
            margin = evolve(margin, cites=own, parts=parts)
        return {"span": Span(self._source, at.line, at.column, *end), "margin": margin}

    def start(self, at: Span, c: Children) -> nodes.File:
        return nodes.File(tuple(c), span=at)

    def name(self, at: Span, c: Children) -> nodes.Name:
        return nodes.Name(c[0].strip("'"), at)

    def text(self, at: Span, c: Children) -> str:
        return str(c[0][1:-1])

    # ------------------------------------------------------------ expressions

    def where(self, at: Span, c: Children) -> nodes.Filter:
        return nodes.Filter(c[0], c[1], False, span=at)

    def whose(self, at: Span, c: Children) -> nodes.Filter:
        return nodes.Filter(c[0], c[1], True, span=at)

    def extreme(self, at: Span, c: Children) -> nodes.Extreme:
        return nodes.Extreme(c[0], c[1] == "lowest", c[2], span=at)

    def _chain(self, at: Span, c: Children, op: str) -> Any:
        result = c[0]
        for part in c[1:]:
            result = nodes.Binary(op, result, part, span=at)
        return result

    def disjunction(self, at: Span, c: Children) -> Any:
        return self._chain(at, c, "or")

    def conjunction(self, at: Span, c: Children) -> Any:
        return self._chain(at, c, "and")

    def comparison(self, at: Span, c: Children) -> nodes.Binary:
        return nodes.Binary(" ".join(c[1:-1]), c[0], c[-1], span=at)

    def bounds(self, at: Span, c: Children) -> nodes.Bounds:
        high = c[2] if len(c) > 2 else None
        is_open = c[1] is not None and high is None
        return nodes.Bounds(c[0], high, is_open, span=at)

    def cited(self, at: Span, c: Children) -> nodes.Cited:
        of, word = c
        place = evolve(at, line=at.end_line, column=at.end_column - len(word))
        self._inner.add(place)
        cite = nodes.Citation(word[1:], place)
        if isinstance(of, nodes.Cited):
            return nodes.Cited(of.of, (*of.cites, cite), span=at)
        return nodes.Cited(of, (cite,), span=at)

    def _operators(self, at: Span, c: Children) -> Any:
        result = c[0]
        for op, part in zip(c[1::2], c[2::2], strict=True):
            result = nodes.Binary(op, result, part, span=at)
        return result

    sum = _operators
    product = _operators

    def yes(self, at: Span, c: Children) -> nodes.Flag:
        return nodes.Flag(True, span=at)

    def no(self, at: Span, c: Children) -> nodes.Flag:
        return nodes.Flag(False, span=at)

    def plain_name(self, at: Span, c: Children) -> nodes.Word:
        """A word that begins a value where one follows, and else is a name like any other."""
        return nodes.Word(str(c[0]), span=at)

    # ------------------------------------------------------------ statements

    def body(self, at: Span, c: Children) -> nodes.Body:
        # An indented body begins with the layout after its head, so its first statement tells the form.
        inline = c[0].span.line == at.line
        return nodes.Body(tuple(c), inline, span=at)

    def if_(self, at: Span, c: Children) -> nodes.If:
        first = nodes.Arm(c[0], c[1], span=at)
        rest = _only(c[2:], nodes.Arm)
        return nodes.If((first, *rest), **self.line(at))

    def else_if(self, at: Span, c: Children) -> nodes.Arm:
        return nodes.Arm(c[0], c[1], **self.line(at))

    def otherwise(self, at: Span, c: Children) -> nodes.Arm:
        return nodes.Arm(None, c[0], **self.line(at))

    def if_case(self, at: Span, c: Children) -> nodes.Case:
        return nodes.Case("if", c[0], c[1], **self.line(at))

    def else_if_case(self, at: Span, c: Children) -> nodes.Case:
        return nodes.Case("else if", c[0], c[1], **self.line(at))

    def else_case(self, at: Span, c: Children) -> nodes.Case:
        return nodes.Case("else", None, c[0], **self.line(at))

    def amount(self, at: Span, c: Children) -> nodes.Amount:
        if not isinstance(c[0], str):
            return nodes.Amount(c[0], span=at)
        high = None if c[1] is None else nodes.Number(_integer(c[1]))
        return nodes.Amount(nodes.Number(_integer(c[0])), high, span=at)

    # ------------------------------------------------------------ declarations

    def option(self, at: Span, c: Children) -> nodes.Option:
        word, name, text, *rest = c
        kind = _one(rest, nodes.OptionType)
        default = rest[rest.index(kind) + 1] if kind else None
        readings, guards = _only(rest, nodes.Reading), _only(rest, nodes.Guard)
        return nodes.Option(word, name, text, kind, default, readings, guards, **self.line(at))

    def flag_type(self, at: Span, c: Children) -> nodes.OptionType:
        return nodes.OptionType("flag", span=at)

    def number_type(self, at: Span, c: Children) -> nodes.OptionType:
        return nodes.OptionType("number", c[0], span=at)

    def set_type(self, at: Span, c: Children) -> nodes.OptionType:
        return nodes.OptionType("set", c[0], span=at)

    def deck(self, at: Span, c: Children) -> nodes.Deck:
        rows, members = _only(c, nodes.Row), _only(c, nodes.Member)
        return nodes.Deck(c[0], c[1], c[2], rows, members, c[3] is not None, **self.line(at))

    def own(self, at: Span, c: Children) -> str:
        return "own"

    def member(self, at: Span, c: Children) -> nodes.Member:
        kind, key, title, *rest = c
        return nodes.Member(kind, key, title, _only(rest, nodes.Trait), _one(rest, nodes.Body), **self.line(at))

    def row(self, at: Span, c: Children) -> nodes.Row:
        cells = c[0][1:-1].split("|")
        starts = accumulate((len(cell) + 1 for cell in cells), initial=at.column + 1)
        columns = tuple(start + len(cell) - len(cell.lstrip()) for start, cell in zip(starts, cells, strict=False))
        return nodes.Row(tuple(cell.strip() for cell in cells), columns, **self.line(at))

    def grid(self, at: Span, c: Children) -> nodes.Grid:
        size = [x for x in c[1:] if isinstance(x, nodes.Expr)]
        width, height, test = (*size, None, None, None)[:3]
        hexagonal = "hexagonal" in c[1:]
        return nodes.Grid(c[0], width, height, test, hexagonal, _only(c[1:], nodes.Line), **self.line(at))

    def history(self, at: Span, c: Children) -> nodes.History:
        name, title, *parts, places = c
        return nodes.History(name, title, tuple(parts), places, **self.line(at))

    def parameters(self, at: Span, c: Children) -> tuple[nodes.Parameter, ...]:
        return tuple(c)


# ---------------------------------------------------------------- nodes by their fields

_Action = Callable[[AstBuilder, Span, Children], Any]
_FROM_CHILD: dict[str, Callable[[Any], Any]] = {
    "bool": lambda child: child is not None,
    "int": _integer,
    "tuple": lambda child: child or (),
}
"""By the type of a field what it is made of its child, where that is not the child itself."""


@cache
def _action(rule: str) -> _Action:
    made: _Action | None = getattr(AstBuilder, rule, None)
    return made or _by_fields(getattr(nodes, rule.title().replace("_", "")))


def _by_fields(kind: Any) -> _Action:
    """Makes a node of this kind, one child for a field in their order."""
    types = [str(a.type).partition("[")[0] for a in fields(kind) if a.name not in ("span", "margin")]
    rest = len(types) - 1 if types[-1:] == ["tuple"] else None
    changes = [(number, _FROM_CHILD[name]) for number, name in enumerate(types[:rest]) if name in _FROM_CHILD]
    is_line = issubclass(kind, nodes.Line)

    def made(builder: AstBuilder, at: Span, c: Children) -> Any:
        for number, changed in changes:
            c[number] = changed(c[number])
        if rest is not None:
            c[rest:] = [tuple([child for child in c[rest:] if child is not None])]
        return kind(*c, **builder.line(at)) if is_line else kind(*c, span=at)

    return made
