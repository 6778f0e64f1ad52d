"""Changes of texts: what replaces which stretch, in one or several files."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.source import Source, Span
from rulekit.values import frozen


@frozen
class Edit:
    """`text` in place of what stands there; the span names the file.  Line and column may lie just behind the end."""

    span: Span
    text: str


def applied(source: Source, edits: Iterable[Edit]) -> Source:
    """The text with all changes of it; they do not overlap.  Those of other files are left out."""
    starts = [0]
    for line in source.text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    text = source.text
    own = (edit for edit in edits if edit.span.source == source.name)
    for edit in sorted(own, key=lambda one: (one.span.line, one.span.column), reverse=True):
        start = _offset(starts, edit.span.line, edit.span.column, len(source.text))
        end = _offset(starts, edit.span.end_line, edit.span.end_column, len(source.text))
        text = text[:start] + edit.text + text[end:]
    return Source(source.name, text)


def written(source: Source, edits: Iterable[Edit]) -> tuple[Span, ...]:
    """Where the new stretches stand in the changed text, in their order."""
    lines = source.text.split("\n")
    found: list[Span] = []
    more, line, shift = 0, 0, 0
    for edit in sorted(edits, key=lambda one: (one.span.line, one.span.column)):
        old, parts = edit.span, edit.text.split("\n")
        shift = shift if old.line == line else 0
        start = old.line + more, min(old.column, len(lines[old.line - 1]) + 1 if old.line <= len(lines) else 1) + shift
        end_column = len(parts[-1]) + (start[1] if len(parts) == 1 else 1)
        end = start[0] + len(parts) - 1, end_column
        found.append(Span(old.source, *start, *end))
        more, line, shift = end[0] - old.end_line, old.end_line, end_column - old.end_column
    return tuple(found)


def _offset(starts: list[int], line: int, column: int, end: int) -> int:
    return min(starts[min(line, len(starts)) - 1] + column - 1, end)


def whole(source: Source) -> Span:
    """From the first character to behind the last."""
    lines = source.text.split("\n")
    return Span(source.name, 1, 1, len(lines), len(lines[-1]) + 1)
