"""Positions and ranges: the protocol counts from 0 in UTF-16 units, rules texts from 1 in code points.

Nothing else of the house knows of UTF-16.
"""

from __future__ import annotations

from lsprotocol import types

from rulekit.source import Source, Span


def column_in(line: str, units: int) -> int:
    """The column, from 1, of so many UTF-16 units; inside a character that takes two it is that character's."""
    column = 1
    for char in line:
        units -= 1 + (ord(char) > 0xFFFF)
        if units < 0:
            break
        column += 1
    return column


def units_before(line: str, column: int) -> int:
    """How many UTF-16 units stand before a column."""
    before = line[: column - 1]
    return len(before) + sum(ord(char) > 0xFFFF for char in before)


def place(source: Source, position: types.Position) -> tuple[int, int]:
    """Return line and column of a position; one past the end of the text is its end."""
    last = source.text.count("\n") + 1
    if position.line >= last:
        return last, len(source.line(last)) + 1
    return position.line + 1, column_in(source.line(position.line + 1), position.character)


def position(source: Source, line: int, column: int) -> types.Position:
    return types.Position(max(line, 1) - 1, units_before(source.line(line), max(column, 1)))


def range_of(source: Source, span: Span) -> types.Range:
    """A span of this text; one that says no place is its first character."""
    return types.Range(position(source, span.line, span.column), position(source, span.end_line, span.end_column))
