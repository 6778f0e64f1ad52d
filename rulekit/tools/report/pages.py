"""Reports as HTML pages: of a series, of a paired comparison, of a parameter sweep; each stands alone and prints.

Here is decided what a page says; how it looks is in `rulekit/templates/`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulekit.source import PLACEHOLDER
from rulekit.tools.compare.comparison_text import verdict
from rulekit.tools.compare.paired_comparison import PairedComparison, PairedFigure
from rulekit.tools.estimation import estimate_text as words_of
from rulekit.tools.estimation.aggregates import Tally
from rulekit.tools.estimation.confidence_intervals import share
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.estimation.histogram import HistogramBin, quantile_bounds
from rulekit.tools.estimation.metrics import Figure
from rulekit.tools.estimation.summary import ENOUGH, KINDS, SeriesReport, decision_rows, significant
from rulekit.tools.language.lazy_message import in_words
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.report import plots
from rulekit.tools.report.plots import Bar, Plot
from rulekit.tools.report.templates import rendered
from rulekit.tools.series.unfinished_matches import UnfinishedMatch

SHOWN = 14
"""So many points in a plot of what goes with winning."""

Section = tuple[str, str, Plot]
"""A heading, what it says in a sentence, and a plot."""
Point = tuple[dict[str, str], dict[str, Figure]]
"""A combination of options as they are written, and what it came to."""


# ---------------------------------------------------------------- a series


def series_page(
    of: SeriesReport, unended: Iterable[UnfinishedMatch] = (), tongue: Tongue = SOURCE, beginning: str = ""
) -> str:
    """The report of a series: plots and tables of everything that was counted.

    beginning: the position in which its first match begins, as SVG; "" for none.
    """
    tally, say = of.tally, tongue.say
    few, every = tongue.grouped(len(tally.unfinished)), tongue.grouped(tally.games)
    is_told = bool(tally.finished)
    return rendered(
        "series.html.j2",
        tongue,
        title=tongue.text("title", of.sheet.title),
        subtitle=_subtitle(of, tongue),
        tiles=list(_tiles(of, tongue)),
        beginning=beginning,
        endless=[_unended(of, one, tongue) for one in unended],
        endless_words=say("page-failed-words", few=few, all=every),
        plots=list(_plots(of, tongue)) if is_told else [],
        never=[words_of.never_chosen(name, tongue) for name in tally.never_chosen()] if is_told else [],
        numbers=_numbers(of, tongue) if is_told else [],
        questions=_questions(of, tongue) if is_told else [],
        played=PLACEHOLDER.split(say("page-played")),
        engine=of.engine,
        seed=of.seed,
        command=of.replay_command(0),
    )


def _subtitle(of: SeriesReport, tongue: Tongue) -> str:
    matches = tongue.counted("some-matches", of.tally.games)
    told = [
        tongue.say("matches-stopped", matches=matches) if of.stopped else matches,
        tongue.count("some-players", of.players),
        tongue.say("with-bots", bots=", ".join(of.bots)) if of.bots else tongue.say("by-chance"),
        *(f"{name} = {value}" for name, value in of.options.items()),
    ]
    author = f"{tongue.say('by-author', author=of.sheet.author)} · " if of.sheet.author else ""
    return f"{author}{', '.join(told)}"


_TILES = ("rounds", "decisions", "lead changes")


def _tiles(of: SeriesReport, tongue: Tongue) -> Iterator[tuple[str, str]]:
    """Large numbers, each with the words under it."""
    tally = of.tally
    yield tongue.grouped(tally.finished), tongue.say("tile-finished")
    for name in _TILES:
        measure = tally.measure(name)
        if measure is not None and measure.count:
            value = plots.amount(round(measure.mean().value, 1), tongue)
            yield value, tongue.say(words_of.phrase_id("tile", name))
    if tally.finished and of.sheet.together is None:
        yield f"{100 * share(tally.ties, tally.finished).value:.1f}%", tongue.say("tile-shared")
    if tally.finished and tally.unfinished:
        yield tongue.grouped(len(tally.unfinished)), tongue.say("tile-failed")


def _plots(of: SeriesReport, tongue: Tongue) -> Iterator[Section]:
    yield from _winning(of, tongue) if of.sheet.together is None else _together(of, of.sheet.together, tongue)
    for name in ("rounds", "decisions", "spread", "lead changes"):
        yield from _histogram(of.tally, name, tongue)
    yield from _goes_with(of, tongue)


def _winning(of: SeriesReport, tongue: Tongue) -> Iterator[Section]:
    tally, names, say = of.tally, of.sheet.seats, tongue.say
    bars = [Bar(name, tally.wins(seat)) for name, seat in of.sheet.sides]
    fair = 1 / len(of.sheet.teams or names[: of.players]) if of.players > 1 else None
    drawn = plots.bar_chart(bars, say("plot-wins"), fair, tongue)
    yield say("page-wins"), f"{say('page-wins-words')} {_apart(bars, tally.finished, tongue)}".strip(), drawn
    if bots := [Bar(name, found) for name, found in of.by_bot()]:
        drawn = plots.bar_chart(bots, say("plot-bots"), 1 / of.players, tongue)
        yield say("page-bots"), say("page-bots-words"), drawn
    if len(names) > 1:
        rows = [(name, _parts(tally, seat, tongue)) for name, seat in of.sheet.sides]
        drawn = plots.stacked_bars(rows, say("plot-places"), tongue)
        yield say("page-places"), say("page-places-words"), drawn


def _together(of: SeriesReport, together: tuple[str, int], tongue: Tongue) -> Iterator[Section]:
    """How often all players reached how much."""
    name, most = together
    measure = next(one for one in of.tally.own() if (one.name, one.seat) == (name, None))
    title = tongue.say("page-together", name=words_of.figure(name, None, of.sheet.seats, tongue))
    bins = of.tally.histogram(measure)
    drawn = plots.histogram(bins, title, measure.mean().value, tongue)
    yield title, f"{tongue.say('page-together-words', most=most)} {_spread(bins, tongue)}", drawn


def _apart(bars: list[Bar], matches: int, tongue: Tongue) -> str:
    """Whether the seats differ; nothing of a single one."""
    if len(bars) < 2:
        return ""
    if matches < ENOUGH:
        return tongue.say("seats-too-few")
    if not any(a.range.low > b.range.high for a in bars for b in bars):
        return tongue.say("seats-alike")
    spread = max(bar.range.value for bar in bars) - min(bar.range.value for bar in bars)
    return tongue.say("seats-differ", points=f"{100 * spread:.1f}")


def _parts(tally: Tally, seat: int, tongue: Tongue) -> list[tuple[str, int]]:
    found = tally.places(seat)
    placed = [(str(place), count) for place, count in sorted((k, v) for k, v in found.items() if k is not None)]
    return [*placed, (tongue.say("lost-label"), found[None])] if None in found else placed


def _histogram(tally: Tally, name: str, tongue: Tongue) -> Iterator[Section]:
    """The section of what every game has, if there is anything to see."""
    measure, id_ = tally.measure(name), words_of.phrase_id("many", name)
    if measure is None or not measure.count or measure.least == measure.most:
        return
    title = tongue.say(id_)
    bins = tally.histogram(measure)
    drawn = plots.histogram(bins, title, measure.mean().value, tongue)
    yield title, f"{tongue.say(f'{id_}-words')} {_spread(bins, tongue)}", drawn


def _spread(bins: Sequence[HistogramBin], tongue: Tongue) -> str:
    """The median and the middle 90 %, widened to the bounds of their bins so that the sentence holds."""
    low, middle, high = (quantile_bounds(bins, part) for part in (0.05, 0.5, 0.95))
    return tongue.say("half-and-most", middle=middle[1], low=low[0], high=high[1])


def _goes_with(of: SeriesReport, tongue: Tongue) -> Iterator[Section]:
    came = of.tally.occurrences()
    for kind in KINDS:
        clear = significant(one for one in came if one.kind == kind)[:SHOWN]
        clear.sort(key=lambda one: -one.effect.value)
        if bars := [Bar(words_of.occurrence(one, tongue), one.effect) for one in clear]:
            title, words = tongue.say(f"page-{kind}"), tongue.say(f"clear-{kind}")
            yield title, tongue.say("in-points", words=_sentence(words)), plots.forest_plot(bars, title, tongue)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _numbers(of: SeriesReport, tongue: Tongue) -> list[tuple[object, ...]]:
    return [
        (
            words_of.figure(one.name, one.seat, of.sheet.seats, tongue),
            one.mean().value,
            one.deviation(),
            one.least,
            one.most,
        )
        for one in of.tally.own()
        if one.count
    ]


def _questions(of: SeriesReport, tongue: Tongue) -> list[tuple[object, ...]]:
    games = max(1, of.tally.finished)
    rows = sorted(decision_rows(of), key=lambda row: -row[3])
    return [
        (
            tongue.words("asked", name.replace("_", " ")) if not tongue.is_source else name,
            rule,
            line,
            times / games,
            mean,
            most,
        )
        for name, rule, line, times, mean, most in rows
    ]


def _unended(of: SeriesReport, one: UnfinishedMatch, tongue: Tongue) -> tuple[object, ...]:
    return one.index, in_words(one.why, tongue), one.where.line or None, of.replay_command(one.index)


# ---------------------------------------------------------------- two versions


def comparison_page(
    of: PairedComparison,
    titles: tuple[str, ...],
    seed: str,
    tongue: Tongue = SOURCE,
    failures: tuple[Failures, Failures] = (Failures(), Failures()),
) -> str:
    """A paired comparison.  titles: of both versions; failures: likewise, their failed matches."""
    say = tongue.say
    named = [(words_of.display_name(line.name, of.seats, tongue), line) for line in of.lines]
    bars = [Bar(name, of.interval(line)) for name, line in named[: len(of.wins)] if of.interval(line).known]
    return rendered(
        "comparison.html.j2",
        tongue,
        title=say("page-change"),
        subtitle=say("page-versions", a=titles[0], b=titles[1]),
        tiles=[
            (tongue.grouped(of.finished), say("tile-pairs")),
            *([(f"{100 * of.same / of.finished:.1f}%", say("tile-same"))] if of.finished else []),
        ],
        failed=[f"{name}: {line}" for name, found in zip("AB", failures, strict=True) for line in found.lines(tongue)],
        gain=plots.forest_plot(bars, say("plot-gain"), tongue) if bars else None,
        figures=[(name, *_values(line), verdict(of, line, tongue)) for name, line in named if line.count],
        bounds=say("page-bounds-looks" if of.look else "page-bounds"),
        seed=seed,
    )


def _values(line: PairedFigure) -> tuple[float, float]:
    a, b = line.means
    return (100 * a, 100 * b) if line.percent else (a, b)


# ---------------------------------------------------------------- combinations of options


def sweep_page(
    title: str,
    subtitle: str,
    points: Sequence[Point],
    names: Mapping[str, str],
    tongue: Tongue = SOURCE,
    failed: Sequence[str] = (),
) -> str:
    """A parameter sweep.

    names:   of the figures to show, as they are called in the language.
    failed:  lines about matches that failed.
    """
    changing = [name for name in (points[0][0] if points else ()) if len({options[name] for options, _ in points}) > 1]
    return rendered(
        "sweep.html.j2",
        tongue,
        title=title,
        subtitle=subtitle,
        tiles=(),
        failed=failed,
        words=tongue.say("page-by", names=" / ".join(changing)) if changing else "",
        plots=list(_courses(points, names, changing, tongue)),
        heads=[*changing, *names.values()],
        rows=[
            [
                *(options[one] for one in changing),
                *(found[name].told(tongue) if name in found else "" for name in names),
            ]
            for options, found in points
        ],
    )


def _courses(points: Sequence[Point], names: Mapping[str, str], changing: list[str], tongue: Tongue) -> Iterator[Plot]:
    """How each figure goes with the options that change."""
    for name, called in names.items():
        known = [
            (" / ".join(options[one] for one in changing), found[name].range)
            for options, found in points
            if name in found and found[name].range.known
        ]
        if known:
            yield plots.line_chart(known, called, points[0][1][name].percent, tongue)
