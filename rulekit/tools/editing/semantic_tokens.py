"""Semantic highlighting: the stretches of a text that have a colour, by what stands there.

Words by the role that the parser gives them, names by what they mean; margins
as they stand beside the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.source import Span
from rulekit.syntax.parse_tables import tables
from rulekit.tools.editing.document import Document
from rulekit.values import frozen

SORTS = (
    "keyword", "option", "reading", "kind", "member", "trait", "set", "place", "variable", "define", "action", "step",
    "heading", "die", "local", "clause", "builtin", "name", "number", "string", "operator", "comment", "margin",
)  # fmt: skip
"""Everything that can have a colour."""

_MARGIN = re.compile(
    r'"[^"\n]*"|(?P<comment>#.*)|(?P<cite>@[A-Z][\w-]*)|^\s*(?P<margin>>-?)(?P<id> +[A-Z][\w-]*)?(?P<words>.*)'
)


@frozen
class Coloured:
    """A stretch of one line.  declares: what has this name is made known here."""

    span: Span
    sort: str
    declares: bool = False


def semantic_tokens(document: Document) -> tuple[Coloured, ...]:
    """All stretches with a colour, in order; none lies over another."""
    named = {one.span: one for one in document.index.all if one.span.source == document.source.name}
    found = {one.span: Coloured(one.span, one.symbol.sort, one.declares) for one in named.values()}
    for role, token in document.tokens:
        span = Span(document.source.name, token.line, token.column, token.end_line, token.end_column)
        sort = _sort(role, token.text)
        if sort and span not in found:
            found[span] = Coloured(span, sort)
    for each in _margins(document):
        found.setdefault(each.span, each)
    return tuple(_apart(sorted(found.values(), key=lambda one: (one.span.line, one.span.column, -one.span.end_column))))


def _sort(role: str, text: str) -> str:
    if role in tables().words.values():
        return "keyword"
    return {"NAME": "builtin", "INT": "number", "STRING": "string"}.get(role, "operator" if role in _MARKS else "")


_MARKS = frozenset({"PLUS", "MINUS", "STAR", "SLASH", "UPTO"})


def _margins(document: Document) -> Iterator[Coloured]:
    """Comments, citations and clauses; of a clause its mark and words, its id is a name."""
    for number, line in enumerate(document.source.text.split("\n"), 1):
        for match in _MARGIN.finditer(line):
            for group, sort in (("comment", "comment"), ("cite", "clause"), ("margin", "margin"), ("words", "margin")):
                if match[group]:
                    start, end = match.span(group)
                    yield Coloured(Span(document.source.name, number, start + 1, number, end + 1), sort)


def _apart(ordered: list[Coloured]) -> Iterator[Coloured]:
    """Without what begins inside another one: around a name in a text stays the text, in two parts."""
    line, done = 0, 0
    for at, one in enumerate(ordered):
        if one.span.line == line and one.span.column < done:
            continue
        inner = [x for x in ordered[at + 1 : at + 40] if _is_in(x.span, one.span)]
        yield from _split(one, inner) if one.sort in ("string", "margin") and inner else (one,)
        line, done = one.span.end_line, one.span.end_column


def _is_in(inner: Span, outer: Span) -> bool:
    return inner.line == outer.line and outer.column <= inner.column and inner.end_column <= outer.end_column


def _split(outer: Coloured, inner: list[Coloured]) -> Iterator[Coloured]:
    start, line = outer.span.column, outer.span.line
    for each in inner:
        if each.span.column > start:
            yield Coloured(Span(outer.span.source, line, start, line, each.span.column), outer.sort)
        if each.span.column >= start:
            yield each
            start = each.span.end_column
    if start < outer.span.end_column:
        yield Coloured(Span(outer.span.source, line, start, line, outer.span.end_column), outer.sort)
