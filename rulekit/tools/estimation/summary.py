"""The summary of a series: lines for a terminal, plain values for scripts (JSON), rows for tables (CSV).

What goes with winning is listed only where its effect is significant: its
95 % interval does not hold zero.  No correction is made for looking at many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulekit.compiler.lower.counting.schema import Schema
from rulekit.tools.estimation import estimate_text as words
from rulekit.tools.estimation.aggregates import Measure, Occurrence, Tally
from rulekit.tools.estimation.confidence_intervals import Estimate, share
from rulekit.tools.estimation.failures import FailureCause, Failures
from rulekit.tools.language.lazy_message import Message
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.values import evolve, frozen

SHOWN = 8
"""So many lines about each kind of what came up, those with the clearest effects first."""
ENOUGH = 30
"""Of what came up in fewer matches nothing is said."""


@frozen
class SeriesReport:
    """What a report is about.

    options:  chosen ones, as they are written.
    engine:   what played.
    bots:     who answers; none: everybody by chance.
    stopped:  whether it was stopped before all matches were played.
    search:   the engine in which bots search, "" if none does.
    failures: the matches that failed, with the lines at which they did, where somebody has looked for them.
    """

    file: str
    options: Mapping[str, str]
    seed: str
    engine: str
    tally: Tally
    bots: tuple[str, ...] = ()
    stopped: bool = False
    failures: Failures | None = None
    search: str = ""

    @property
    def sheet(self) -> Schema:
        return self.tally.sheet

    @property
    def players(self) -> int:
        return self.sheet.players

    def by_bot(self) -> list[tuple[str, Estimate]]:
        """The share of wins of each bot, of all the seats that it held."""
        held = Counter(self.bots) if len(set(self.bots)) > 1 else {}
        wins, matches = self.tally.bot_wins, self.tally.finished
        return [(name, share(wins[name], seats * matches)) for name, seats in held.items()]

    def replay_command(self, index: int) -> str:
        """The command that shows a match."""
        options = "".join(f" --option {name}={value}" for name, value in self.options.items())
        seats = f" --seats {','.join(bots_by_seat(self.bots, self.players, index))}" if self.bots else ""
        return f"rulekit run {self.file} --players {self.players}{options}{seats} --seed {self.seed}#{index}"


def bots_by_seat(bots: tuple[str, ...], players: int, index: int) -> list[str]:
    """The bots of a match by seat."""
    return [bots[(seat - index) % players] for seat in range(players)]


def status(number: int) -> str:
    """What a `Status` of a plan means for a match."""
    # By number: a report of a module from the cache is printed without loading the compiler.
    return {0: "done", 3: "endless"}.get(number, "failed")


def figure_name(name: str, seat: int | None, seats: tuple[str, ...]) -> str:
    return name if seat is None else f"{seats[seat]}.{name}"


# ---------------------------------------------------------------- lines


def lines(of: SeriesReport, tongue: Tongue = SOURCE) -> Iterator[str]:
    """The report for a terminal."""
    tally, say = of.tally, tongue.say
    head = "series-stopped" if of.stopped else "series"
    matches = tongue.counted("some-matches", tally.games)
    yield say(head, matches=matches, seats=of.players, seed=of.seed, engine=of.engine)
    if of.search:
        yield say("searched-in", engine=of.search)
    yield from failures_of(of).lines(tongue, lambda cause: of.replay_command(cause.first))
    if not tally.finished:
        return
    asked = tally.measure("decisions")
    if asked is not None and not asked.most:
        yield say("nobody-asked")
    yield from _general(of, tongue)
    yield ""
    if of.sheet.together is None:
        yield from words.aligned(_seats(of, tongue))
        yield from words.aligned((name, _wins(wins, tongue)) for name, wins in of.by_bot())
    else:
        yield from words.aligned(_reached(of, of.sheet.together, tongue))
    yield ""
    named = ((words.figure(one.name, one.seat, of.sheet.seats, tongue), one) for one in tally.own())
    yield from words.aligned((name, words.mean(measure, tongue)) for name, measure in named)
    found = tally.occurrences()
    for kind in KINDS:
        yield from _of_kind(kind, significant(one for one in found if one.kind == kind), tongue)
    if never := [words.never_chosen(name, tongue) for name in tally.never_chosen()]:
        yield ""
        yield say("never-chosen", names=f"{', '.join(never[:SHOWN])}{' …' if len(never) > SHOWN else ''}")


def failures_of(of: SeriesReport) -> Failures:
    """The failed matches of a report; without the lines at which they failed, if nobody has looked for these."""
    if of.failures is not None:
        return of.failures
    failed = sorted(of.tally.unfinished)
    causes = dict[int, FailureCause]()
    for index, number in failed:
        known = causes.get(number)
        why = Message(words.unfinished_id(status(number)))
        causes[number] = FailureCause(why, 1, index) if known is None else evolve(known, count=known.count + 1)
    return Failures(of.tally.games, len(failed), len(failed), tuple(causes.values()))


def _general(of: SeriesReport, tongue: Tongue) -> Iterator[str]:
    """What is told of every game, one under the other."""
    tally = of.tally
    told = [(tongue.say(words.phrase_id("measure", one.name)), words.mean(one, tongue)) for one in tally.general()]
    if of.sheet.together is None:
        told.append((tongue.say("ties"), words.percent(share(tally.ties, tally.finished), tongue, 5)))
    if tally.nobody:
        told.append((tongue.say("nobody-won"), words.percent(share(tally.nobody, tally.finished), tongue, 5)))
    yield from words.aligned(told)


def _reached(of: SeriesReport, together: tuple[str, int], tongue: Tongue) -> Iterator[tuple[str, str]]:
    """How often all players reached how much, the most last."""
    name, most = together
    measure = next(one for one in of.tally.own() if (one.name, one.seat) == (name, None))
    for one in of.tally.histogram(measure):
        value = str(one.low) if one.is_exact else tongue.say("from-to", low=one.low, high=one.high)
        shown = words.percent(share(one.count, of.tally.finished), tongue, 5)
        yield tongue.say("reached-of", value=value, most=most), shown


def _wins(part: Estimate, tongue: Tongue) -> str:
    return tongue.say("wins-share", share=words.percent(part, tongue, 5))


def _seats(of: SeriesReport, tongue: Tongue) -> Iterator[tuple[str, str]]:
    for name, seat in of.sheet.sides:
        places = of.tally.places(seat)
        placed = sorted((place, count) for place, count in places.items() if place is not None)
        told = [f"{place}: {tongue.grouped(count)}" for place, count in placed]
        told += [tongue.say("defeated-times", times=tongue.grouped(places[None]))] if None in places else []
        came_to = tongue.say("came-to-places", places=", ".join(told))
        yield name, f"{_wins(of.tally.wins(seat), tongue)}{_part(of, seat, tongue)}  {came_to}"
    if of.sheet.begins:
        yield tongue.say("who-begins"), _wins(of.tally.beginner_wins(), tongue)


def _part(of: SeriesReport, seat: int, tongue: Tongue) -> str:
    """Where wins are shared, what part of all wins is the seat's, so that the parts of all add up."""
    if not of.tally.ties:
        return ""
    wins = of.tally.finished - of.tally.nobody
    return "  " + tongue.say("win-part", share=f"{100 * of.tally.parts(seat) / wins:.1f}%")


KINDS = ("answer", "space", "rule")
"""The kinds of what can go with winning; the phrases are called after them."""


def _of_kind(kind: str, clear: list[Occurrence], tongue: Tongue) -> Iterator[str]:
    if not clear:
        return
    yield ""
    yield tongue.say(f"clear-{kind}s", words=tongue.say(f"clear-{kind}"))
    told = ((one, tongue.counted("so-many-times", one.times)) for one in clear[:SHOWN])
    yield from words.aligned(
        (words.occurrence(one, tongue), f"{words.points(one.effect, tongue)}  {times}") for one, times in told
    )
    if len(clear) > SHOWN:
        yield tongue.say("more-in-out", count=len(clear) - SHOWN)


def significant(found: Iterable[Occurrence]) -> list[Occurrence]:
    """Those whose effect is significant (its interval does not hold 0), the clearest first; rare ones left out."""
    clear = [one for one in found if one.matches >= ENOUGH and one.effect.known]
    clear = [one for one in clear if one.effect.low > 0 or one.effect.high < 0]
    return sorted(clear, key=lambda one: -abs(one.effect.value) / max(one.effect.high - one.effect.low, 1e-12))


# ---------------------------------------------------------------- plain values


def plain(of: SeriesReport) -> dict[str, Any]:
    """The report for scripts; every sum exact."""
    tally = of.tally
    named = [(figure_name(one.name, one.seat, of.sheet.seats), _plain(tally, one)) for one in tally.measures()]
    began = tally.beginner_wins()
    return {
        "file": of.file,
        "options": dict(of.options),
        "seed": of.seed,
        "engine": of.engine,
        "search": of.search or None,
        "bots": list(of.bots),
        "stopped": of.stopped,
        "games": tally.games,
        "unfinished": [{"game": index, "why": status(why)} for index, why in sorted(tally.unfinished)],
        "failures": failures_of(of).data(),
        "teams": [[of.sheet.seats[seat] for seat in team] for team in of.sheet.teams],
        "together": None if of.sheet.together is None else list(of.sheet.together),
        "ties": tally.ties,
        "nobody": tally.nobody,
        "beginner": [began.low, began.value, began.high] if of.sheet.begins else None,
        "by_bot": {name: [wins.low, wins.value, wins.high] for name, wins in of.by_bot()},
        "seats": [_seat(of, seat, name) for seat, name in enumerate(of.sheet.seats)],
        "figures": dict(named),
        "questions": [_row(DECISIONS, row) for row in decision_rows(of)],
        "never": tally.never_chosen(),
        "came": [_row(OCCURRENCES, row) for row in occurrence_rows(of)],
    }


def _row(heading: tuple[str, ...], row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(heading, row, strict=True))


def _seat(of: SeriesReport, seat: int, name: str) -> dict[str, Any]:
    wins = of.tally.wins(seat)
    places = {"defeated" if place is None else str(place): n for place, n in of.tally.places(seat).items()}
    return {
        "name": name,
        "won": of.tally.won(seat),
        "shared": of.tally.shared(seat),
        "parts": of.tally.parts(seat),
        "wins": [wins.low, wins.value, wins.high] if of.tally.finished else None,
        "places": dict(sorted(places.items())),
    }


def _plain(tally: Tally, one: Measure) -> dict[str, Any]:
    ends = (one.least, one.most) if one.count else (None, None)
    made = {"count": one.count, "sum": one.total, "squares": one.squares, "least": ends[0], "most": ends[1]}
    histogram = [{"low": each.low, "high": each.high, "count": each.count} for each in tally.histogram(one)]
    return {**made, "histogram": histogram, "bins": [[edge, count] for edge, count in one.shown()]}


# ---------------------------------------------------------------- tables

DECISIONS = ("question", "rule", "line", "times", "mean options", "most options")
OCCURRENCES = (
    *("kind", "what", "which", "line", "times", "matches", "seats", "wins of these"),
    *("effect", "effect from", "effect to"),
)


def game_heading(of: Schema) -> tuple[str, ...]:
    """The column heads of the table with a row for each match."""
    figures = (figure_name(name, seat, of.seats) for name, seat in of.own)
    return ("game", "status", "decisions", *(f"place of {seat}" for seat in of.seats), *figures)


def decision_rows(of: SeriesReport) -> Iterator[tuple[Any, ...]]:
    """A row for each question that was asked."""
    for one in of.tally.questions():
        if one.times:
            asked = one.question
            yield (asked.name, asked.rule, asked.line, one.times, round(one.options / one.times, 4), one.most)


def occurrence_rows(of: SeriesReport) -> Iterator[tuple[Any, ...]]:
    """A row for each answer, space and rule that came up."""
    for one in of.tally.occurrences():
        effect = [round(x, 6) for x in (one.effect.value, one.effect.low, one.effect.high)]
        told = effect if one.effect.known else [None] * 3
        seats = (one.seats, one.wins) if one.owned else (None, None)
        yield (one.kind, one.group, one.label, one.line or None, one.times, one.matches, *seats, *told)
