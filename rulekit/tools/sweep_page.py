"""Figures over the values of options, as a page that stands alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.tools import plots
from rulekit.tools.figures import Figure
from rulekit.tools.report_page import Section, document, table
from rulekit.tools.tally import Range

Row = tuple[str, dict[str, Figure]]
"""A combination of options in words, and what it came to."""


def page(title: str, subtitle: str, rows: Sequence[Row], names: Sequence[str]) -> str:
    footer = "<p>Lines across points show where the true value lies with 95 % confidence.</p>"
    return document(title, subtitle, '<div class="tiles"></div>', _sections(rows, names), footer)


def _sections(rows: Sequence[Row], names: Sequence[str]) -> Iterator[Section]:
    for name in names:
        points = [(words, found[name].range) for words, found in rows if name in found and found[name].range.known]
        if points:
            percent = rows[0][1][name].percent
            yield Section(_title(name), "", plots.course(_short(points), name, percent))
    body = [[words, *(str(found[name]) if name in found else "" for name in names)] for words, found in rows]
    yield Section("All of them", "Each with its interval.", table(["", *names], body))


def _title(name: str) -> str:
    return name[:1].upper() + name[1:]


def _short(points: list[tuple[str, Range]]) -> list[tuple[str, Range]]:
    """Only the value, where only one option changes."""
    if any("," in words for words, _ in points):
        return points
    return [(words.partition(" = ")[2], found) for words, found in points]
