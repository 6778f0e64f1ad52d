"""A series as one page that stands alone: no network, no script, plots that print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from attrs import frozen

from rulekit.tools import plots
from rulekit.tools import series_words as words_of
from rulekit.tools.page_style import STYLE
from rulekit.tools.plots import Bar
from rulekit.tools.saying import in_words
from rulekit.tools.summary import KINDS, Told, clearest, decision_rows
from rulekit.tools.tally import Measure, Tally, share
from rulekit.tools.translate import SOURCE, Tongue, filled
from rulekit.tools.unended import Unended

SHOWN = 14
"""So many points in a plot of what goes with winning."""


@frozen
class Section:
    """A heading, what it says in a sentence, and its body.  wide: whether it takes the whole width."""

    title: str
    words: str
    body: str
    wide: bool = False


def page(of: Told, unended: Iterable[Unended] = (), tongue: Tongue = SOURCE) -> str:
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


def document(
    title: str, subtitle: str, tiles: str, sections: Iterable[Section], footer: str, language: str = SOURCE.language
) -> str:
    parts = "\n".join(_section(one) for one in sections)
    return f"""<!doctype html>
<html lang="{escape(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title><style>{STYLE}</style></head>
<body><header><h1>{escape(title)}</h1><p class="sub">{escape(subtitle)}</p></header>
<main>{tiles}
<div class="sections">{parts}</div></main>
<footer>{footer}</footer></body></html>
"""


def _section(of: Section) -> str:
    words = f"<p>{escape(of.words)}</p>" if of.words else ""
    kind = ' class="whole"' if of.wide else ""
    return f"<section{kind}><h2>{escape(of.title)}</h2>{words}{of.body}</section>"


def _subtitle(of: Told, tongue: Tongue) -> str:
    matches = words_of.counted("some-matches", of.tally.games, tongue)
    told = [
        tongue.say("matches-stopped", matches=matches) if of.stopped else matches,
        tongue.count("some-players", of.players),
        tongue.say("with-bots", bots=", ".join(of.bots)) if of.bots else tongue.say("by-chance"),
        *(f"{name} = {value}" for name, value in of.options.items()),
    ]
    author = f"{tongue.say('by-author', author=of.sheet.author)} · " if of.sheet.author else ""
    return f"{author}{', '.join(told)}"


def tile(value: str, words: str) -> str:
    return f'<div class="tile"><b>{escape(value)}</b><span>{escape(words)}</span></div>'


_TILES = ("rounds", "decisions", "lead changes")


def _tiles(of: Told, tongue: Tongue) -> str:
    tally = of.tally
    made = [tile(words_of.whole(tally.finished, tongue), tongue.say("tile-finished"))]
    for name in _TILES:
        measure = tally.measure(name)
        if measure is not None and measure.count:
            value = plots.amount(round(measure.mean().value, 1), tongue)
            made.append(tile(value, tongue.say(f"tile-{name.replace(' ', '-')}")))
    if tally.finished:
        made.append(tile(f"{100 * share(tally.ties, tally.finished).value:.1f}%", tongue.say("tile-shared")))
        if tally.unfinished:
            made.append(tile(words_of.whole(len(tally.unfinished), tongue), tongue.say("tile-endless")))
    return f'<div class="tiles">{"".join(made)}</div>'


def _winning(of: Told, tongue: Tongue) -> Iterator[Section]:
    tally, names, say = of.tally, of.sheet.seats, tongue.say
    bars = [Bar(name, tally.wins(seat)) for seat, name in enumerate(names)]
    fair = 1 / of.players if of.players > 1 else None
    drawn = plots.shares(bars, say("plot-wins"), fair, tongue)
    yield Section(say("page-wins"), f"{say('page-wins-words')} {_apart(bars, tongue)}".strip(), drawn)
    if of.by_bot():
        yield _by_bot(of, tongue)
    if len(names) > 1:
        rows = [(name, _parts(tally, seat, tongue)) for seat, name in enumerate(names)]
        drawn = plots.places(rows, say("plot-places"), tongue)
        yield Section(say("page-places"), say("page-places-words"), drawn)


def _apart(bars: list[Bar], tongue: Tongue) -> str:
    """Whether the seats differ; nothing of a single one."""
    if len(bars) < 2:
        return ""
    if not any(a.range.low > b.range.high for a in bars for b in bars):
        return tongue.say("seats-alike")
    spread = max(bar.range.value for bar in bars) - min(bar.range.value for bar in bars)
    return tongue.say("seats-differ", points=f"{100 * spread:.1f}")


def _by_bot(of: Told, tongue: Tongue) -> Section:
    rows = [Bar(name, found) for name, found in of.by_bot()]
    drawn = plots.shares(rows, tongue.say("plot-bots"), 1 / of.players, tongue)
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


def _goes_with(of: Told, tongue: Tongue) -> Iterator[Section]:
    came = of.tally.came()
    for kind in KINDS:
        clear = clearest(one for one in came if one.kind == kind)[:SHOWN]
        bars = [Bar(words_of.came(one, tongue), one.effect) for one in sorted(clear, key=lambda c: -c.effect.value)]
        if bars:
            title, words = tongue.say(f"page-{kind}"), tongue.say(f"clear-{kind}")
            drawn = plots.effects(bars, title, tongue)
            yield Section(title, tongue.say("in-points", words=_sentence(words)), drawn)


def _never(of: Told, tongue: Tongue) -> Iterator[Section]:
    never = of.tally.never()
    if never:
        items = "".join(f"<li>{escape(words_of.never(name, tongue))}</li>" for name in never)
        yield Section(tongue.say("page-never"), tongue.say("page-never-words"), f"<ul>{items}</ul>")


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


# ---------------------------------------------------------------- tables


def table(heading: Iterable[str], rows: Iterable[Iterable[Any]], tongue: Tongue = SOURCE) -> str:
    """Numbers stand right."""
    whole = [tuple(row) for row in rows]
    numbers = [isinstance(cell, int | float) for cell in (whole[0] if whole else ())]
    kinds = [' class="number"' if number else "" for number in numbers]
    head = "".join(f"<th{kind}>{escape(str(cell))}</th>" for cell, kind in zip(heading, kinds, strict=True))
    body = "".join(f"<tr>{''.join(_cell(cell, tongue) for cell in row)}</tr>" for row in whole)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cell(cell: Any, tongue: Tongue) -> str:
    if isinstance(cell, int | float):
        text = words_of.apart(f"{cell:,.2f}" if isinstance(cell, float) else f"{cell:,}", tongue)
        return f'<td class="number">{text}</td>'
    text = "" if cell is None else str(cell)
    kind = ' class="code"' if text.startswith("rulekit ") else ""
    return f"<td{kind}>{escape(text)}</td>"


def _numbers(of: Told, tongue: Tongue) -> Iterator[Section]:
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


def _questions(of: Told, tongue: Tongue) -> Iterator[Section]:
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


def _unended(of: Told, found: list[Unended], tongue: Tongue) -> Iterator[Section]:
    if not of.tally.unfinished:
        return
    count = len(of.tally.unfinished)
    rows = [(one.index, in_words(one.why, tongue), one.where.line or None, of.again(one.index)) for one in found]
    words = tongue.say(
        "page-endless-words", few=words_of.whole(count, tongue), all=words_of.whole(of.tally.games, tongue)
    )
    heading = [tongue.say(f"head-{name}") for name in ("match", "what-happened", "line", "see-it-with")]
    yield Section(tongue.say("page-endless"), words, table(heading, rows, tongue))


def _footer(of: Told, tongue: Tongue) -> str:
    seen = {"seed": f"<code>{escape(of.seed)}</code>", "command": f"<code>{escape(of.again(0))}</code>"}
    played = filled(escape(tongue.say("page-played")), {"engine": escape(of.engine), **seen})
    return f"<p>{escape(tongue.say('page-intervals'))}</p><p>{played}</p>"
