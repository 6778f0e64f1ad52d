"""Changes of texts: what replaces which stretch, in one or several files."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from rulekit.source import Source, Span


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


def _offset(starts: list[int], line: int, column: int, end: int) -> int:
    return min(starts[min(line, len(starts)) - 1] + column - 1, end)


def whole(source: Source) -> Span:
    """From the first character to behind the last."""
    lines = source.text.split("\n")
    return Span(source.name, 1, 1, len(lines), len(lines[-1]) + 1)
