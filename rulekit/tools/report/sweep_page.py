"""A parameter sweep as an HTML page: each figure over the option values, as line chart and table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from rulekit.tools.estimation.metrics import Figure
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.report import plots
from rulekit.tools.report.html_page import Section, document, table

Row = tuple[dict[str, str], dict[str, Figure]]
"""A combination of options as they are written, and what it came to."""


def page(title: str, subtitle: str, rows: Sequence[Row], names: Mapping[str, str], tongue: Tongue = SOURCE) -> str:
    """The whole page as HTML.  names: of the figures to show, as they are called in the language."""
    footer = f"<p>{escape(tongue.say('page-bounds-value'))}</p>"
    sections = _sections(rows, names, tongue)
    return document(title, subtitle, '<div class="tiles"></div>', sections, footer, tongue.language)


def _sections(rows: Sequence[Row], names: Mapping[str, str], tongue: Tongue) -> Iterator[Section]:
    changing = [name for name in (rows[0][0] if rows else ()) if len({options[name] for options, _ in rows}) > 1]
    words = tongue.say("page-by", names=" / ".join(changing)) if changing else ""
    for name, called in names.items():
        points = [
            (" / ".join(options[one] for one in changing), found[name].range)
            for options, found in rows
            if name in found and found[name].range.known
        ]
        if points:
            drawn = plots.line_chart(points, called, rows[0][1][name].percent, tongue)
            yield Section(_title(called), words, drawn)
    heading = [*changing, *names.values()]
    body = [[*(options[one] for one in changing), *_values(found, names, tongue)] for options, found in rows]
    yield Section(tongue.say("page-all"), tongue.say("page-all-words"), table(heading, body), wide=True)


def _values(found: dict[str, Figure], names: Iterable[str], tongue: Tongue) -> list[str]:
    return [found[name].told(tongue) if name in found else "" for name in names]


def _title(name: str) -> str:
    return name[:1].upper() + name[1:]
