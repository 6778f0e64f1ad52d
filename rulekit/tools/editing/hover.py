"""Hover: what stands under the cursor, in a few lines of Markdown: what it is, how it is declared, what the rules say.

Of a clause its words; of a keyword or built-in word the sentence of the
language reference.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.model.builtin_signatures import CONTEXT, WORDS
from rulekit.source import Span
from rulekit.syntax.parse_tables import tables
from rulekit.tools.editing import reference
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.name_roles import LOCAL
from rulekit.tools.editing.occurrences import CLAUSE, Occurrence, Symbol
from rulekit.values import frozen


@frozen
class Hover:
    """Markdown, and the stretch that it is about."""

    text: str
    span: Span


def hover(document: Document, line: int, column: int, held: Callable[[Symbol], str] | None = None) -> Hover | None:
    """What to say about the place under the cursor; None if nothing.

    held:  says of a name what it held in a match; "" if nothing.
    """
    here = document.index.at(document.source.name, line, column)
    if here is not None:
        parts = _named(document, here), held(here.symbol) if held is not None else ""
        return Hover("\n\n".join(part for part in parts if part), here.span)
    return _word(document, line, column)


def _named(document: Document, here: Occurrence) -> str:
    if here.symbol.sort == CLAUSE:
        return _clause(document, here.symbol.name)
    place = document.declared.get(here.symbol)
    written = _line(document, place) if place is not None else ""
    parts = [f"**{here.symbol.name}** — {sort_of(here.symbol)}", *([f"```rules\n{written}\n```"] if written else [])]
    if document.loaded.game is not None and place is not None:
        parts += [_clause(document, id_) for id_ in _cited(document, place)]
    return "\n\n".join(parts)


def sort_of(symbol: Symbol) -> str:
    """The sort of a symbol, with whose it is."""
    return f"{symbol.sort} of {symbol.owner}" if symbol.owner and symbol.sort != LOCAL else symbol.sort


def _clause(document: Document, id_: str) -> str:
    place = document.declared.get(Symbol(CLAUSE, id_))
    if place is None:
        return f"**{id_}** — no clause of this game"
    words = _line(document, place).lstrip(">- ").removeprefix(id_).strip()
    return f"**{id_}** {words}"


def _cited(document: Document, place: Span) -> list[str]:
    """The clauses that the line of a declaration cites."""
    return [
        one.symbol.name
        for one in document.index.all
        if (one.span.source, one.span.line) == (place.source, place.line) and one.symbol.sort == CLAUSE
    ]


def _line(document: Document, place: Span) -> str:
    source = document.loaded.sources.get(place.source)
    return source.line(place.line).strip() if source is not None else ""


def _word(document: Document, line: int, column: int) -> Hover | None:
    """Of a keyword or a built-in word."""
    for role, token in document.tokens:
        if token.line != line or not token.column <= column <= token.end_column:
            continue
        span = Span(document.source.name, line, token.column, line, token.end_column)
        if role in tables().words.values() or role == "NAME":
            text = _said(token.text, document.source.line(line), role == "NAME")
            return Hover(text, span) if text else None
    return None


def _said(word: str, line: str, is_name: bool) -> str:
    if is_name and word in CONTEXT:
        return f"**{word}** — {CONTEXT[word]}"
    if is_name and word in WORDS:
        row = WORDS[word]
        takes = f"({', '.join(row.takes)})" if row.takes else ""
        return f"**{word}{takes}** — {row.meaning}"
    entry = reference.said(word, line)
    return f"`{entry.form}` — {entry.sentence}" if entry else ""
