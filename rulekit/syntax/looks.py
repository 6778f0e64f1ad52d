"""Looks: columns and traits that say how a thing is drawn, and the text of rules without them.

No rule sees them.  What pins a text of rules, as a log does, goes by the text
without them, so a match goes on when a colour has changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache

from rulekit.diagnostics import Problems
from rulekit.source import Source
from rulekit.syntax import nodes
from rulekit.syntax.parse import parse
from rulekit.syntax.traversal import walk
from rulekit.values import evolve

_BEGIN = "look_"
COLOUR, GLYPH, NAME, X, Y = "look_colour", "look_glyph", "look_name", "look_x", "look_y"
LOOKS = (COLOUR, GLYPH, NAME, X, Y)


def is_look(name: str) -> bool:
    """Whether a column or trait of this name is about how things are drawn."""
    return name.startswith(_BEGIN)


# A game that is loaded again, or comes from another process, has the same texts.
@lru_cache(maxsize=32)
def without_looks(text: str) -> str:
    """A text of rules in which no look stands: what it was before they were written."""
    if _BEGIN not in text:
        return text
    lines, tree = text.split("\n"), parse(Source("rules", text), Problems()).file
    for line, start, stop in sorted(_parts(tree, lines), reverse=True):
        lines[line] = lines[line][:start] + lines[line][stop:]
    whole = set(_whole(tree))
    return "\n".join(line for number, line in enumerate(lines, 1) if number not in whole)


def without_look_columns(node: nodes.Line) -> nodes.Line:
    """A table of cards, rows or pieces as it was before looks were written into it; any other line as it is."""
    if not isinstance(node, nodes.Deck | nodes.Pieces) or not node.rows or not isinstance(node.rows[0], nodes.Row):
        return node
    looks = {index for index, name in enumerate(node.rows[0].cells) if is_look(name)}
    rows = tuple(
        evolve(row, cells=_others(row.cells, looks)) if isinstance(row, nodes.Row) else row for row in node.rows
    )
    return evolve(node, rows=rows) if looks else node  # type: ignore[arg-type]


def _others(cells: tuple[str, ...], looks: Collection[int]) -> tuple[str, ...]:
    return tuple(cell for index, cell in enumerate(cells) if index not in looks)


def _whole(tree: nodes.Node) -> Iterator[int]:
    """Which lines, from 1, are looks and nothing else: those about spaces of a track."""
    for node in walk(tree):
        if isinstance(node, nodes.SpaceColour | nodes.SpaceGlyph):
            yield from range(node.span.line, node.span.end_line + 1)


def _parts(tree: nodes.Node, lines: list[str]) -> Iterator[tuple[int, int, int]]:
    """Where looks stand in a line: the line from 0, and from which character to which."""
    for node in walk(tree):
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
