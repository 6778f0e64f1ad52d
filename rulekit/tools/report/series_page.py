"""The report of a series as an HTML page: plots and tables of everything that was counted; it also prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from rulekit.tools.estimation import estimate_text as words_of
from rulekit.tools.estimation.aggregates import Measure, Tally
from rulekit.tools.estimation.confidence_intervals import share
from rulekit.tools.estimation.summary import KINDS, SeriesReport, decision_rows, significant
from rulekit.tools.language.lazy_message import in_words
from rulekit.tools.language.number_format import counted, grouped
from rulekit.tools.language.translation import SOURCE, Tongue, filled
from rulekit.tools.report import plots
from rulekit.tools.report.html_page import Section, document, table, tile
from rulekit.tools.report.plots import Bar
from rulekit.tools.series.unfinished_matches import UnfinishedMatch

SHOWN = 14
"""So many points in a plot of what goes with winning."""


def page(of: SeriesReport, unended: Iterable[UnfinishedMatch] = (), tongue: Tongue = SOURCE) -> str:
    """The whole page as HTML."""
    tally = of.tally
    sections = [*_unended(of, list(unended), tongue)]
    if tally.finished:
        sections += [
            *_winning(of, tongue),
            *_length(tally, tongue),
            *_close(tally, tongue),
            *_goes_with(of, tongue),
            *_never(of, tongue),
            *_numbers(of, tongue),
            *_questions(of, tongue),
        ]
    subtitle, tiles, footer = _subtitle(of, tongue), _tiles(of, tongue), _footer(of, tongue)
    return document(tongue.text("title", of.sheet.title), subtitle, tiles, sections, footer, tongue.language)


def _subtitle(of: SeriesReport, tongue: Tongue) -> str:
    matches = counted("some-matches", of.tally.games, tongue)
    told = [
        tongue.say("matches-stopped", matches=matches) if of.stopped else matches,
        tongue.count("some-players", of.players),
        tongue.say("with-bots", bots=", ".join(of.bots)) if of.bots else tongue.say("by-chance"),
        *(f"{name} = {value}" for name, value in of.options.items()),
    ]
    author = f"{tongue.say('by-author', author=of.sheet.author)} · " if of.sheet.author else ""
    return f"{author}{', '.join(told)}"


_TILES = ("rounds", "decisions", "lead changes")


def _tiles(of: SeriesReport, tongue: Tongue) -> str:
    tally = of.tally
    made = [tile(grouped(tally.finished, tongue), tongue.say("tile-finished"))]
    for name in _TILES:
        measure = tally.measure(name)
        if measure is not None and measure.count:
            value = plots.amount(round(measure.mean().value, 1), tongue)
            made.append(tile(value, tongue.say(f"tile-{name.replace(' ', '-')}")))
    if tally.finished:
        made.append(tile(f"{100 * share(tally.ties, tally.finished).value:.1f}%", tongue.say("tile-shared")))
        if tally.unfinished:
            made.append(tile(grouped(len(tally.unfinished), tongue), tongue.say("tile-endless")))
    return f'<div class="tiles">{"".join(made)}</div>'


def _winning(of: SeriesReport, tongue: Tongue) -> Iterator[Section]:
    tally, names, say = of.tally, of.sheet.seats, tongue.say
    bars = [Bar(name, tally.wins(seat)) for seat, name in enumerate(names)]
    fair = 1 / of.players if of.players > 1 else None
    drawn = plots.bar_chart(bars, say("plot-wins"), fair, tongue)
    yield Section(say("page-wins"), f"{say('page-wins-words')} {_apart(bars, tongue)}".strip(), drawn)
    if of.by_bot():
        yield _by_bot(of, tongue)
    if len(names) > 1:
        rows = [(name, _parts(tally, seat, tongue)) for seat, name in enumerate(names)]
        drawn = plots.stacked_bars(rows, say("plot-places"), tongue)
        yield Section(say("page-places"), say("page-places-words"), drawn)


def _apart(bars: list[Bar], tongue: Tongue) -> str:
    """Whether the seats differ; nothing of a single one."""
    if len(bars) < 2:
        return ""
    if not any(a.range.low > b.range.high for a in bars for b in bars):
        return tongue.say("seats-alike")
    spread = max(bar.range.value for bar in bars) - min(bar.range.value for bar in bars)
    return tongue.say("seats-differ", points=f"{100 * spread:.1f}")


def _by_bot(of: SeriesReport, tongue: Tongue) -> Section:
    rows = [Bar(name, found) for name, found in of.by_bot()]
    drawn = plots.bar_chart(rows, tongue.say("plot-bots"), 1 / of.players, tongue)
    return Section(tongue.say("page-bots"), tongue.say("page-bots-words"), drawn)


def _parts(tally: Tally, seat: int, tongue: Tongue) -> list[tuple[str, int]]:
    found = tally.places(seat)
    placed = [(str(place), count) for place, count in sorted((k, v) for k, v in found.items() if k is not None)]
    return [*placed, (tongue.say("lost-label"), found[None])] if None in found else placed


def _histogram(tally: Tally, name: str, tongue: Tongue) -> Iterator[Section]:
    """The section of what every game has, if there is anything to see."""
    measure, id_ = tally.measure(name), f"many-{name.replace(' ', '-')}"
    if measure is None or not measure.count or measure.least == measure.most:
        return
    title = tongue.say(id_)
    drawn = plots.histogram(list(measure.shown()), measure.most, title, measure.mean().value, tongue)
    yield Section(title, f"{tongue.say(f'{id_}-words')} {_spread(measure, tongue)}", drawn)


def _spread(measure: Measure, tongue: Tongue) -> str:
    low, middle, high = (quantile(measure, part) for part in (0.05, 0.5, 0.95))
    return tongue.say("half-and-most", middle=middle, low=low, high=high)


def quantile(measure: Measure, part: float) -> int:
    """The value that so large a part of the matches does not exceed; of larger numbers the least of its bin."""
    left = part * measure.count
    for edge, count in measure.shown():
        left -= count
        if left <= 0:
            return edge
    return measure.most


def _length(tally: Tally, tongue: Tongue) -> Iterator[Section]:
    yield from _histogram(tally, "rounds", tongue)
    yield from _histogram(tally, "decisions", tongue)


def _close(tally: Tally, tongue: Tongue) -> Iterator[Section]:
    yield from _histogram(tally, "spread", tongue)
    yield from _histogram(tally, "lead changes", tongue)


def _goes_with(of: SeriesReport, tongue: Tongue) -> Iterator[Section]:
    came = of.tally.occurrences()
    for kind in KINDS:
        clear = significant(one for one in came if one.kind == kind)[:SHOWN]
        bars = [
            Bar(words_of.occurrence(one, tongue), one.effect) for one in sorted(clear, key=lambda c: -c.effect.value)
        ]
        if bars:
            title, words = tongue.say(f"page-{kind}"), tongue.say(f"clear-{kind}")
            drawn = plots.forest_plot(bars, title, tongue)
            yield Section(title, tongue.say("in-points", words=_sentence(words)), drawn)


def _never(of: SeriesReport, tongue: Tongue) -> Iterator[Section]:
    never = of.tally.never_chosen()
    if never:
        items = "".join(f"<li>{escape(words_of.never_chosen(name, tongue))}</li>" for name in never)
        yield Section(tongue.say("page-never"), tongue.say("page-never-words"), f"<ul>{items}</ul>")


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


# ---------------------------------------------------------------- tables


def _numbers(of: SeriesReport, tongue: Tongue) -> Iterator[Section]:
    figures = of.tally.measures()[len(of.sheet.measures) - of.sheet.figures :]
    rows = [
        (
            words_of.figure(one.name, one.seat, of.sheet.seats, tongue),
            one.mean().value,
            one.deviation(),
            one.least,
            one.most,
        )
        for one in figures
        if one.count
    ]
    if rows:
        heading = [tongue.say(f"head-{name}") for name in ("number", "mean", "deviation", "least", "most")]
        body = table(heading, rows, tongue)
        yield Section(tongue.say("page-numbers"), tongue.say("page-numbers-words"), body)


def _questions(of: SeriesReport, tongue: Tongue) -> Iterator[Section]:
    games = max(1, of.tally.finished)
    rows = [
        (
            tongue.words("asked", name.replace("_", " ")) if not tongue.is_source else name,
            rule,
            line,
            times / games,
            mean,
            most,
        )
        for name, rule, line, times, mean, most in decision_rows(of)
    ]
    rows.sort(key=lambda row: -row[3])
    names = ("question", "rule", "line", "a-match", "mean-options", "most")
    body = table([tongue.say(f"head-{name}") for name in names], rows, tongue)
    yield Section(tongue.say("page-decisions"), tongue.say("page-decisions-words"), body)


def _unended(of: SeriesReport, found: list[UnfinishedMatch], tongue: Tongue) -> Iterator[Section]:
    if not of.tally.unfinished:
        return
    count = len(of.tally.unfinished)
    rows = [
        (one.index, in_words(one.why, tongue), one.where.line or None, of.replay_command(one.index)) for one in found
    ]
    words = tongue.say("page-endless-words", few=grouped(count, tongue), all=grouped(of.tally.games, tongue))
    heading = [tongue.say(f"head-{name}") for name in ("match", "what-happened", "line", "see-it-with")]
    yield Section(tongue.say("page-endless"), words, table(heading, rows, tongue))


def _footer(of: SeriesReport, tongue: Tongue) -> str:
    seen = {"seed": f"<code>{escape(of.seed)}</code>", "command": f"<code>{escape(of.replay_command(0))}</code>"}
    played = filled(escape(tongue.say("page-played")), {"engine": escape(of.engine), **seen})
    return f"<p>{escape(tongue.say('page-intervals'))}</p><p>{played}</p>"
