"""Figures over the values of options, as a page that stands alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.tools import plots
from rulekit.tools.figures import Figure
from rulekit.tools.report_page import Section, document, table

Row = tuple[dict[str, str], dict[str, Figure]]
"""A combination of options as they are written, and what it came to."""


def page(title: str, subtitle: str, rows: Sequence[Row], names: Sequence[str]) -> str:
    footer = "<p>Lines across points show where the true value lies with 95 % confidence.</p>"
    return document(title, subtitle, '<div class="tiles"></div>', _sections(rows, names), footer)


def _sections(rows: Sequence[Row], names: Sequence[str]) -> Iterator[Section]:
    changing = [name for name in (rows[0][0] if rows else ()) if len({options[name] for options, _ in rows}) > 1]
    words = f"By {' / '.join(changing)}." if changing else ""
    for name in names:
        points = [
            (" / ".join(options[one] for one in changing), found[name].range)
            for options, found in rows
            if name in found and found[name].range.known
        ]
        if points:
            yield Section(_title(name), words, plots.course(points, name, rows[0][1][name].percent))
    heading = [*changing, *names]
    body = [[*(options[one] for one in changing), *_values(found, names)] for options, found in rows]
    yield Section("All of them", "Each with its interval.", table(heading, body), wide=True)


def _values(found: dict[str, Figure], names: Sequence[str]) -> list[str]:
    return [str(found[name]) if name in found else "" for name in names]


def _title(name: str) -> str:
    return name[:1].upper() + name[1:]
