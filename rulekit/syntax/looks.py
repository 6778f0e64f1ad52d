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
from rulekit.syntax.blocks import blocks
from rulekit.syntax.parse import parse
from rulekit.syntax.traversal import walk
from rulekit.values import evolve, frozen

_BEGIN = "look_"
COLOUR, GLYPH, NAME, X, Y = "look_colour", "look_glyph", "look_name", "look_x", "look_y"
LOOKS = (COLOUR, GLYPH, NAME, X, Y)


def is_look(name: str) -> bool:
    """Whether a column or trait of this name is about how things are drawn."""
    return name.startswith(_BEGIN)


def without_looks(text: str) -> str:
    """A text of rules in which no look stands: what it was before they were written."""
    if _BEGIN not in text:
        return text
    lines, parts = text.split("\n"), blocks(Source("rules", text))[0]
    found = [(part.first - 1, _looks_in(part.text)) for part in parts if _BEGIN in part.text]
    if any(looks is None for _, looks in found):
        found = [(0, _looks_of(parse(Source("rules", text), Problems()).file, lines))]
    whole = set[int]()
    for above, looks in found:
        assert looks is not None
        whole.update(above + line for line in looks.lines)
        for line, start, stop in looks.parts:
            lines[above + line] = lines[above + line][:start] + lines[above + line][stop:]
    return "\n".join(line for number, line in enumerate(lines) if number not in whole)


@frozen
class _Looks:
    """Where looks stand, by line from 0.

    lines:  those that are looks and nothing else.
    parts:  pieces of others, the last first: the line, and from which character to which.
    """

    lines: tuple[int, ...]
    parts: tuple[tuple[int, int, int], ...]


# A text that is edited or loaded again has most blocks in common with the one before.
@lru_cache(maxsize=256)
def _looks_in(block: str) -> _Looks | None:
    """Those of a block; None where it cannot be read without the others."""
    problems = Problems()
    tree = parse(Source("rules", block), problems).file
    return None if problems.found else _looks_of(tree, block.split("\n"))


def _looks_of(tree: nodes.Node, lines: list[str]) -> _Looks:
    return _Looks(tuple(_whole(tree)), tuple(sorted(_parts(tree, lines), reverse=True)))


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
    """Which lines are looks and nothing else: those about spaces of a track."""
    for node in walk(tree):
        if isinstance(node, nodes.SpaceColour | nodes.SpaceGlyph):
            yield from range(node.span.line - 1, node.span.end_line)


def _parts(tree: nodes.Node, lines: list[str]) -> Iterator[tuple[int, int, int]]:
    """Where looks stand in lines with more than that."""
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
