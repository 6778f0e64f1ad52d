"""Two versions compared, as a page that stands alone."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from rulekit.tools import plots
from rulekit.tools.contrast import Contrast, Line, verdict
from rulekit.tools.plots import Bar
from rulekit.tools.report_page import Section, document, table, tile


def page(of: Contrast, titles: tuple[str, ...], seed: str) -> str:
    subtitle = f"A is {titles[0]}; B is {titles[1]}"
    same = of.games - of.differing
    tiles = [
        tile(f"{of.games:,}", "pairs of matches from the same seeds"),
        tile(f"{100 * same / max(1, of.games):.1f}%", "came to the same end in both"),
    ]
    footer = (
        "<p>Lines across points show where the true difference lies with 95 % confidence"
        f"{', under all looks together' if of.look else ''}.</p><p>Seed <code>{escape(seed)}</code></p>"
    )
    body = f'<div class="tiles">{"".join(tiles)}</div>'
    return document("What the change does", subtitle, body, _sections(of), footer)


def _sections(of: Contrast) -> Iterator[Section]:
    bars = [Bar(line.name, of.interval(line)) for line in of.wins if of.interval(line).known]
    if bars:
        words = "B less A, in points: right of the line B has more."
        yield Section("Who wins more", words, plots.effects(bars, "Difference in shares of wins"))
    rows = [(line.name, *_values(line), verdict(of, line)) for line in of.lines if line.count]
    yield Section("All figures", "Means of both, and what is known of the difference.", _table(rows), wide=True)


def _values(line: Line) -> tuple[float, float]:
    a, b = line.means
    return (100 * a, 100 * b) if line.percent else (a, b)


def _table(rows: list[tuple[str, float, float, str]]) -> str:
    return table(("figure", "A", "B", "B less A"), rows)
