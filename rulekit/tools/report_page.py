"""A series as one page that stands alone: no network, no script, plots that print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from attrs import frozen

from rulekit.tools import plots
from rulekit.tools.page_style import STYLE
from rulekit.tools.plots import Bar
from rulekit.tools.summary import KINDS, Told, called, clearest, decision_rows
from rulekit.tools.tally import Measure, Tally, share
from rulekit.tools.translate import SOURCE
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


def page(of: Told, unended: Iterable[Unended] = ()) -> str:
    """The whole page as HTML."""
    tally = of.tally
    sections = [*_unended(of, list(unended))]
    if tally.finished:
        sections += [
            *_winning(of),
            *_length(tally),
            *_close(tally),
            *_goes_with(of),
            *_never(of),
            *_numbers(of),
            *_questions(of),
        ]
    return document(of.sheet.title, _subtitle(of), _tiles(of), sections, _footer(of))


def document(title: str, subtitle: str, tiles: str, sections: Iterable[Section], footer: str) -> str:
    parts = "\n".join(_section(one) for one in sections)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
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


def _subtitle(of: Told) -> str:
    stopped = " (stopped)" if of.stopped else ""
    bots = f"bots {', '.join(of.bots)}" if of.bots else "answers by chance"
    chosen = "".join(f", {name} = {value}" for name, value in of.options.items())
    author = f"by {of.sheet.author} · " if of.sheet.author else ""
    return f"{author}{of.tally.games:,} matches{stopped}, {of.players} players, {bots}{chosen}"


def tile(value: str, words: str) -> str:
    return f'<div class="tile"><b>{escape(value)}</b><span>{escape(words)}</span></div>'


_TILES = (("rounds", "rounds a match"), ("decisions", "decisions a match"), ("lead changes", "changes of lead"))


def _tiles(of: Told) -> str:
    tally = of.tally
    made = [tile(f"{tally.finished:,}", "matches played to the end")]
    for name, words in _TILES:
        measure = tally.measure(name)
        if measure is not None and measure.count:
            made.append(tile(plots.amount(round(measure.mean().value, 1)), words))
    if tally.finished:
        made.append(tile(f"{100 * share(tally.ties, tally.finished).value:.1f}%", "shared wins"))
        if tally.unfinished:
            made.append(tile(f"{len(tally.unfinished):,}", "matches without an end"))
    return f'<div class="tiles">{"".join(made)}</div>'


def _winning(of: Told) -> Iterator[Section]:
    tally, names = of.tally, of.sheet.seats
    bars = [Bar(name, tally.wins(seat)) for seat, name in enumerate(names)]
    spread = max(bar.range.value for bar in bars) - min(bar.range.value for bar in bars)
    apart = any(a.range.low > b.range.high for a in bars for b in bars)
    words = "A win together with others counts for each of them. "
    if len(bars) > 1:
        words += f"The seats surely differ, by {100 * spread:.1f} points." if apart else "No seat is surely better."
    fair = 1 / of.players if of.players > 1 else None
    yield Section("Who wins", words, plots.shares(bars, "Share of wins by seat", fair))
    if of.by_bot():
        yield _by_bot(of)
    if len(names) > 1:
        rows = [(name, _parts(tally, seat)) for seat, name in enumerate(names)]
        yield Section(
            "Who comes where", "How often each seat came to each place.", plots.places(rows, "Places by seat")
        )


def _by_bot(of: Told) -> Section:
    rows = [Bar(name, found) for name, found in of.by_bot()]
    words = "Each bot sits one seat further on in every match, so that seats favour none."
    return Section("Which bot wins", words, plots.shares(rows, "Share of wins by bot", 1 / of.players))


def _parts(tally: Tally, seat: int) -> list[tuple[str, int]]:
    found = tally.places(seat)
    placed = [(str(place), count) for place, count in sorted((k, v) for k, v in found.items() if k is not None)]
    return [*placed, ("defeated", found[None])] if None in found else placed


def _histogram(measure: Measure | None, title: str, words: str) -> Iterator[Section]:
    if measure is None or not measure.count or measure.least == measure.most:
        return
    drawn = plots.histogram(list(measure.shown()), measure.most, title, measure.mean().value)
    yield Section(title, f"{words} {_spread(measure)}", drawn)


def _spread(measure: Measure) -> str:
    low, middle, high = (quantile(measure, part) for part in (0.05, 0.5, 0.95))
    return f"Half of the matches have at most {middle}; nine in ten lie between {low} and {high}."


def quantile(measure: Measure, part: float) -> int:
    """The value that so large a part of the matches does not exceed; of larger numbers the least of its bin."""
    left = part * measure.count
    for edge, count in measure.shown():
        left -= count
        if left <= 0:
            return edge
    return measure.most


def _length(tally: Tally) -> Iterator[Section]:
    yield from _histogram(tally.measure("rounds"), "How many rounds", "Matches by the number of rounds.")
    yield from _histogram(tally.measure("decisions"), "How many decisions", "Matches by the decisions of all players.")


def _close(tally: Tally) -> Iterator[Section]:
    words = "From the first to the last, in what the players are ranked by."
    yield from _histogram(tally.measure("spread"), "How close it is at the end", words)
    words = "How often another player took the lead, looked at in every round."
    yield from _histogram(tally.measure("lead changes"), "How often the lead changes", words)


_CAME = {
    "answer": "Choices that go with winning",
    "space": "Spaces that go with winning",
    "rule": "What cards do for winning",
}


def _goes_with(of: Told) -> Iterator[Section]:
    came = of.tally.came()
    for kind in KINDS:
        words = SOURCE.say(f"clear-{kind}")
        clear = clearest(one for one in came if one.kind == kind)[:SHOWN]
        bars = [Bar(one.name, one.effect) for one in sorted(clear, key=lambda c: -c.effect.value)]
        if bars:
            yield Section(_CAME[kind], f"{_sentence(words)}, in points.", plots.effects(bars, _CAME[kind]))


def _never(of: Told) -> Iterator[Section]:
    never = of.tally.never()
    if never:
        items = "".join(f"<li>{escape(name)}</li>" for name in never)
        yield Section("Never chosen", "In no match, by nobody.", f"<ul>{items}</ul>")


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


# ---------------------------------------------------------------- tables


def table(heading: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Numbers stand right."""
    whole = [tuple(row) for row in rows]
    numbers = [isinstance(cell, int | float) for cell in (whole[0] if whole else ())]
    kinds = [' class="number"' if number else "" for number in numbers]
    head = "".join(f"<th{kind}>{escape(str(cell))}</th>" for cell, kind in zip(heading, kinds, strict=True))
    body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in whole)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cell(cell: Any) -> str:
    if isinstance(cell, int | float):
        text = f"{cell:,.2f}" if isinstance(cell, float) else f"{cell:,}"
        return f'<td class="number">{text}</td>'
    text = "" if cell is None else str(cell)
    kind = ' class="code"' if text.startswith("rulekit ") else ""
    return f"<td{kind}>{escape(text)}</td>"


def _numbers(of: Told) -> Iterator[Section]:
    figures = of.tally.measures()[len(of.sheet.measures) - of.sheet.figures :]
    rows = [
        (called(one.name, one.seat, of.sheet.seats), one.mean().value, one.deviation(), one.least, one.most)
        for one in figures
        if one.count
    ]
    if rows:
        heading = ("number", "mean", "deviation", "least", "most")
        yield Section("Numbers at the end", "Counters and places on tracks.", table(heading, rows))


def _questions(of: Told) -> Iterator[Section]:
    games = max(1, of.tally.finished)
    rows = [(name, rule, line, times / games, mean, most) for name, rule, line, times, mean, most in decision_rows(of)]
    rows.sort(key=lambda row: -row[3])
    heading = ("question", "rule", "line", "a match", "mean options", "most")
    yield Section("Decisions", "How often each is met, and how much there is to choose from.", table(heading, rows))


def _unended(of: Told, found: list[Unended]) -> Iterator[Section]:
    if not of.tally.unfinished:
        return
    count = len(of.tally.unfinished)
    rows = [(one.index, one.why, one.where.line or None, of.again(one.index)) for one in found]
    words = f"{count:,} of {of.tally.games:,} matches; they count nowhere else on this page."
    yield Section("Matches without an end", words, table(("match", "what happened", "line", "see it with"), rows))


def _footer(of: Told) -> str:
    return (
        "<p>Lines across bars and points show where the true value lies with 95 % confidence; of twenty things that "
        "make no difference, one looks as if it did. Bots are not people: what goes with their winning need not go "
        "with yours.</p>"
        f"<p>Played with {escape(of.engine)} from the seed <code>{escape(of.seed)}</code>; "
        f"any match can be seen again: <code>{escape(of.again(0))}</code></p>"
    )
