"""Looks: columns and traits that say how a thing is drawn, and the text of rules without them.

No rule sees them.  What pins a text of rules, as a log does, goes by the text
without them, so a match goes on when a colour has changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.diagnostics import Problems
from rulekit.source import Source
from rulekit.syntax import nodes
from rulekit.syntax.parse import parse
from rulekit.syntax.traversal import walk

_BEGIN = "look_"
COLOUR, GLYPH, X, Y = "look_colour", "look_glyph", "look_x", "look_y"
LOOKS = (COLOUR, GLYPH, X, Y)


def is_look(name: str) -> bool:
    """Whether a column or trait of this name is about how things are drawn."""
    return name.startswith(_BEGIN)


def without_looks(text: str) -> str:
    """A text of rules in which no look stands: what it was before they were written."""
    if _BEGIN not in text:
        return text
    lines = text.split("\n")
    for line, start, stop in sorted(_parts(text), reverse=True):
        lines[line] = lines[line][:start] + lines[line][stop:]
    return "\n".join(lines)


def _parts(text: str) -> Iterator[tuple[int, int, int]]:
    """Where looks stand: the line from 0, and from which character to which."""
    lines = text.split("\n")
    for node in walk(parse(Source("rules", text), Problems()).file):
        if isinstance(node, nodes.Deck | nodes.Pieces):
            yield from _cells(node, lines)
        elif isinstance(node, nodes.Member):
            for trait in node.traits:
                if is_look(trait.name):
                    line = lines[trait.span.line - 1]
                    start = line.rfind(",", 0, trait.span.column)
                    yield trait.span.line - 1, len(line[:start].rstrip()), trait.span.end_column - 1


def _cells(node: nodes.Deck | nodes.Pieces, lines: list[str]) -> Iterator[tuple[int, int, int]]:
    rows = [row for row in node.rows if isinstance(row, nodes.Row)]
    looks = [index for index, name in enumerate(rows[0].cells) if is_look(name)] if rows else []
    for row in rows:
        for index in looks:
            if index < len(row.columns):
                line, at = lines[row.span.line - 1], row.columns[index] - 1
                yield row.span.line - 1, line.rfind("|", 0, at), line.index("|", at)
