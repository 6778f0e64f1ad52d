"""Statistical plots as shapes: bar charts with error bars, forest plots, histograms, stacked bars, line charts.

Works on numbers and labels alone; a template writes the shapes as SVG, and the style sheet of the page has the colours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from rulekit.tools.estimation.confidence_intervals import Estimate
from rulekit.tools.estimation.histogram import HistogramBin
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.values import define, evolve, field, frozen

TEXT = 13
"""Height of letters, in units of the drawing."""
LETTER = 7.2
"""Their usual width."""


@frozen
class Bar:
    label: str
    range: Estimate


def amount(value: float, tongue: Tongue = SOURCE) -> str:
    """A number as short as it can be read."""
    if value == int(value) and abs(value) < 1e15:
        return tongue.grouped(int(value))
    return tongue.with_separators(f"{value:,.0f}") if abs(value) >= 1000 else f"{value:.3g}"


@frozen
class Shape:
    """One shape, in units of the drawing.

    kind:    text, line, box, dot or course, which is a broken line through points.
    style:   its class in the style sheet of the page.
    x, y:    where it begins, or its middle; x2, y2: where a line ends.
    text:    what is written, or a tip where a mouse points; anchor: which end of it stands at x.
    """

    kind: str
    style: str
    x: float = 0
    y: float = 0
    x2: float = 0
    y2: float = 0
    width: float = 0
    height: float = 0
    text: str = ""
    anchor: str = ""
    points: tuple[tuple[float, float], ...] = ()


@define
class Plot:
    """Shapes with the size of the whole, for a template to write as SVG."""

    width: float
    height: float
    title: str
    shapes: list[Shape] = field(factory=list)

    def text(self, x: float, y: float, said: str, style: str = "label", anchor: str = "start") -> None:
        self.shapes.append(Shape("text", style, x, y, text=said, anchor=anchor))

    def line(self, x: float, y: float, x2: float, y2: float, style: str) -> None:
        self.shapes.append(Shape("line", style, x, y, x2, y2))

    def box(self, x: float, y: float, width: float, height: float, style: str, tip: str) -> None:
        self.shapes.append(Shape("box", style, x, y, width=max(width, 0), height=max(height, 0), text=tip))

    def dot(self, x: float, y: float, style: str, tip: str) -> None:
        self.shapes.append(Shape("dot", style, x, y, text=tip))

    def course(self, points: Iterable[tuple[float, float]]) -> None:
        self.shapes.append(Shape("course", "course", points=tuple(points)))


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers from low to high."""
    if not high > low:
        return [low]
    raw = (high - low) / wanted
    step = 10.0 ** math.floor(math.log10(raw))
    step *= next(factor for factor in (1, 2, 5, 10) if step * factor >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(number * step, 12) for number in range(first, math.floor(high / step + 1e-9) + 1)]


LABEL = 24
"""So many letters of a label are shown; the whole is told where a mouse points."""


def _margin(labels: Iterable[str]) -> float:
    return min(max((len(label) for label in labels), default=0), LABEL) * LETTER + 12


def _cut(label: str) -> str:
    return label if len(label) <= LABEL else label[: LABEL - 1] + "…"


# ---------------------------------------------------------------- shares and effects


def bar_chart(bars: Sequence[Bar], title: str, fair: float | None = None, tongue: Tongue = SOURCE) -> Plot:
    """Shares as bars with error bars.  fair: a share to compare with."""
    left, row, width = _margin(bar.label for bar in bars), 34, 480.0
    most = min(1.0, 1.08 * max([fair or 0.0, 0.01, *(bar.range.high for bar in bars)]))
    drawing = Plot(width, row * len(bars) + 30, title)
    scale = (width - left - 80) / most
    for tick in ticks(0, most):
        drawing.line(left + tick * scale, 4, left + tick * scale, row * len(bars) + 4, "grid")
        drawing.text(left + tick * scale, row * len(bars) + 22, f"{100 * tick:.3g}%", "tick", "middle")
    if fair is not None:
        drawing.line(left + fair * scale, 0, left + fair * scale, row * len(bars) + 6, "fair")
    for place, bar in enumerate(bars):
        _share(drawing, bar, left, row * place + 6, scale, tongue)
    return drawing


def _share(drawing: Plot, bar: Bar, left: float, y: float, scale: float, tongue: Tongue) -> None:
    told = f"{100 * bar.range.value:.1f}%"
    ends = {"low": f"{100 * bar.range.low:.1f}", "high": f"{100 * bar.range.high:.1f}"}
    about = tongue.say("surely", what=bar.label, value=told, **ends)
    drawing.text(left - 8, y + 16, _cut(bar.label), "label", "end")
    drawing.box(left, y, bar.range.value * scale, 22, "bar", about)
    middle = y + 11
    drawing.line(left + bar.range.low * scale, middle, left + bar.range.high * scale, middle, "interval")
    for end in (bar.range.low, bar.range.high):
        drawing.line(left + end * scale, middle - 4, left + end * scale, middle + 4, "interval")
    drawing.text(left + bar.range.high * scale + 8, y + 16, told, "value")


def forest_plot(bars: Sequence[Bar], title: str, tongue: Tongue = SOURCE) -> Plot:
    """A forest plot: effects as points with their intervals about a line at zero, in percentage points."""
    left, row, width = _margin(bar.label for bar in bars), 26, 480.0
    reach = 1.1 * max([0.001, *(max(abs(bar.range.low), abs(bar.range.high)) for bar in bars)])
    drawing = Plot(width, row * len(bars) + 30, title)
    scale = (width - left - 30) / (2 * reach)
    zero = left + reach * scale
    for tick in ticks(-100 * reach, 100 * reach):
        x = zero + tick / 100 * scale
        drawing.line(x, 4, x, row * len(bars) + 4, "fair" if tick == 0 else "grid")
        drawing.text(x, row * len(bars) + 22, f"{tick:+.3g}" if tick else "0", "tick", "middle")
    for place, bar in enumerate(bars):
        y, of = row * place + 17, bar.range
        kind = "good" if of.low > 0 else "bad" if of.high < 0 else "even"
        value, least, most = (f"{100 * number:+.2f}" for number in (of.value, of.low, of.high))
        about = tongue.say("surely", what=bar.label, value=value, low=least, high=most)
        drawing.text(left - 8, y + 5, _cut(bar.label), "label", "end")
        drawing.line(zero + of.low * scale, y, zero + of.high * scale, y, f"interval {kind}")
        drawing.dot(zero + of.value * scale, y, kind, about)
    return drawing


# ---------------------------------------------------------------- histograms


def histogram(bins: Sequence[HistogramBin], title: str, middle: float | None = None, tongue: Tongue = SOURCE) -> Plot:
    """Draw a histogram.  bins: one at least, in order; middle: a mean to mark."""
    width, height, base = 480.0, 200.0, 168.0
    bar_width, bars = _merged(bins)
    low, high = min(bars), bins[-1].high + 1
    scale = (width - 20) / (high - low)
    ends = {start: min(start + bar_width, high) for start in bars}
    most = max(bar.count / (ends[start] - start) for start, bar in bars.items())
    total = sum(one.count for one in bins)
    drawing = Plot(width, height, title)
    for start, bar in bars.items():
        wide = (ends[start] - start) * scale
        tall = bar.count / (ends[start] - start) / most * (base - 16)
        span = f"{bar.low}" if bar.is_exact else tongue.say("from-to", low=bar.low, high=bar.high)
        about = f"{span}: {tongue.grouped(bar.count)} ({100 * bar.count / total:.2g}%)"
        gap = 1 if wide > 4 else 0
        drawing.box(10 + (start - low) * scale, base - tall, wide - gap, tall, "bar", about)
    drawing.line(10, base, width - 10, base, "axis")
    for tick in ticks(low, high - 1, 7):
        if tick == int(tick):
            drawing.text(10 + (tick + 0.5 - low) * scale, base + 20, amount(tick, tongue), "tick", "middle")
    if middle is not None:
        x = 10 + (middle + 0.5 - low) * scale
        drawing.line(x, 6, x, base, "middle")
        drawing.text(
            x + 5,
            14,
            tongue.say("mean", value=amount(round(middle, 2), tongue)),
            "value",
            "start" if x < width - 100 else "end",
        )
    return drawing


def _anchor(x: float, width: float, wide: float) -> str:
    """So that no label leaves the drawing."""
    return "end" if x + wide / 2 > width else "middle"


MOST_BARS = 50


def _merged(bins: Sequence[HistogramBin]) -> tuple[int, dict[int, HistogramBin]]:
    """The width of the bars, of which there are few, and each bar by the number at which it starts."""
    widest = max(one.high + 1 - one.low for one in bins)
    width = widest * max(1, -(-(bins[-1].high + 1 - bins[0].low) // (MOST_BARS * widest)))
    bars: dict[int, HistogramBin] = {}
    for one in bins:
        start = one.low // width * width
        bar = bars.get(start, evolve(one, count=0))
        bars[start] = HistogramBin(bar.low, one.high, bar.count + one.count)
    return width, bars


# ---------------------------------------------------------------- places


def stacked_bars(rows: Sequence[tuple[str, Sequence[tuple[str, int]]]], title: str, tongue: Tongue = SOURCE) -> Plot:
    """For each seat how often it came to each place, as one bar of parts."""
    left, row, width = _margin(name for name, _ in rows), 30, 480.0
    drawing = Plot(width, row * len(rows) + 4, title)
    for line, (name, parts) in enumerate(rows):
        total, x, y = max(1, sum(count for _, count in parts)), left, row * line + 4
        drawing.text(left - 8, y + 16, _cut(name), "label", "end")
        for number, (label, count) in enumerate(parts):
            wide = count / total * (width - left - 10)
            kind = "lost" if label == tongue.say("lost-label") else f"part p{min(number, 7)}"
            drawing.box(
                x, y, wide - 1, 22, kind, f"{name}, {label}: {tongue.grouped(count)} ({100 * count / total:.1f}%)"
            )
            if wide > len(label) * LETTER + 8:
                drawing.text(x + wide / 2, y + 16, label, "on", "middle")
            x += wide
    return drawing


# ---------------------------------------------------------------- lines


def line_chart(points: Sequence[tuple[str, Estimate]], title: str, percent: bool, tongue: Tongue = SOURCE) -> Plot:
    """A line over labelled points, with an error bar at each.  percent: the numbers are shares."""
    width, height, base, left = 480.0, 240.0, 200.0, 64.0
    low = min(of.low for _, of in points)
    high = max(of.high for _, of in points)
    gap = (high - low) * 0.08 or max(abs(high), 1.0) * 0.05
    low, high = low - gap, high + gap
    drawing = Plot(width, height, title)
    factor = 100 if percent else 1
    up = (base - 12) / (high - low)
    for tick in ticks(factor * low, factor * high):
        y = base - (tick / factor - low) * up
        drawing.line(left, y, width - 10, y, "grid")
        drawing.text(left - 8, y + 4, f"{tick:.4g}{'%' if percent else ''}", "tick", "end")
    step = (width - left - 30) / max(1, len(points) - 1)
    at = [left + 10 + place * step for place in range(len(points))]
    drawing.course((x, base - (of.value - low) * up) for x, (_, of) in zip(at, points, strict=True))
    widest = max(len(_cut(label)) for label, _ in points) * LETTER + 10
    every = max(1, math.ceil(len(points) * widest / (width - left)))
    for place, (x, (label, of)) in enumerate(zip(at, points, strict=True)):
        drawing.line(x, base - (of.low - low) * up, x, base - (of.high - low) * up, "interval")
        value, least, most = (f"{factor * number:.4g}" for number in (of.value, of.low, of.high))
        about = tongue.say("surely", what=label, value=value, low=least, high=most)
        drawing.dot(x, base - (of.value - low) * up, "even", about)
        if place % every == 0:
            drawing.text(x, base + 22, _cut(label), "tick", _anchor(x, width, widest))
    return drawing
