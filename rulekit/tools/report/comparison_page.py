"""A paired comparison as an HTML page that stands alone."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from rulekit.tools.compare.comparison_text import verdict
from rulekit.tools.compare.paired_comparison import PairedComparison, PairedFigure
from rulekit.tools.estimation import estimate_text as words_of
from rulekit.tools.language.number_format import grouped
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.report import plots
from rulekit.tools.report.html_page import Section, document, table, tile
from rulekit.tools.report.plots import Bar


def page(of: PairedComparison, titles: tuple[str, ...], seed: str, tongue: Tongue = SOURCE) -> str:
    """The whole page as HTML.  titles: of both versions."""
    say, same = tongue.say, of.games - of.differing
    subtitle = say("page-versions", a=titles[0], b=titles[1])
    tiles = [
        tile(grouped(of.games, tongue), say("tile-pairs")),
        tile(f"{100 * same / max(1, of.games):.1f}%", say("tile-same")),
    ]
    bounds = say("page-bounds-looks" if of.look else "page-bounds")
    footer = f"<p>{escape(bounds)}</p><p>{escape(say('page-seed', seed=seed))}</p>"
    body = f'<div class="tiles">{"".join(tiles)}</div>'
    return document(say("page-change"), subtitle, body, _sections(of, tongue), footer, tongue.language)


def _sections(of: PairedComparison, tongue: Tongue) -> Iterator[Section]:
    say = tongue.say
    named = [(words_of.display_name(line.name, of.seats, tongue), line) for line in of.lines]
    bars = [Bar(name, of.interval(line)) for name, line in named[: len(of.wins)] if of.interval(line).known]
    if bars:
        yield Section(say("page-gain"), say("page-gain-words"), plots.forest_plot(bars, say("plot-gain"), tongue))
    rows = [(name, *_values(line), verdict(of, line, tongue)) for name, line in named if line.count]
    heading = (say("head-figure"), "A", "B", say("head-difference"))
    yield Section(say("page-figures"), say("page-figures-words"), table(heading, rows), wide=True)


def _values(line: PairedFigure) -> tuple[float, float]:
    a, b = line.means
    return (100 * a, 100 * b) if line.percent else (a, b)
