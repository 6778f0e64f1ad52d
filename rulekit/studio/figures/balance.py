"""What a change of the rules does, over pairs of matches from the same seeds, shown while they are played.

A paired comparison with common random numbers (`paired_comparison`), cut into batches that double, so that a first
interval comes soon and a newer text is heard of between two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import partial
from typing import Any

from rulekit.errors import Interrupted
from rulekit.model.game import Game
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Value, notation
from rulekit.studio.figures.changed_things import changed_things
from rulekit.studio.figures.line_counts import LineCounts, line_counts
from rulekit.tools.analysis.execution_counts import ExecutionCounts
from rulekit.tools.compare.paired_comparison import PairedComparison, paired
from rulekit.tools.estimation.aggregates import Tally
from rulekit.tools.estimation.summary import SeriesReport
from rulekit.tools.series import simulation
from rulekit.tools.series.reference_series import Interpreted
from rulekit.tools.series.simulation import MatchResult, Series
from rulekit.tools.series.unfinished_matches import UnfinishedMatch, diagnosed
from rulekit.tools.studies.batches import doubling
from rulekit.tools.studies.comparing import contrast, words_of
from rulekit.tools.studies.playing import every_option, made_series, seated_bots
from rulekit.values import define, evolve, field, frozen

MOST_AT_ONCE = {"wasm": 64, "interpreter": 1}
"""Matches of one batch, at most, by engine: a fifth of a second of the slowest game that ships; each of slow bots."""
GAMES, THINKING = 4000, 400
"""Pairs that are played: by chance, and by bots that need time."""
FEW = 30
"""From so many matches on it is told what parts of a hundred they are, and why one does not end."""
KEPT = 4
"""So many versions stay compiled, since who moves a number or takes something back comes to one again."""
SEED = "studio"
IsStale = Callable[[], bool]


@frozen
class Since:
    """Which rules figures compare with.  at: the time of day from which the text stood so; is_opened: as opened."""

    at: str = ""
    is_opened: bool = True


@frozen(eq=False)
class Versions:
    """before, now: the two games.  bots: who plays, at every seat; "" by chance.  number: of the text that is `now`.

    since:  what `before` is.
    """

    before: Game
    now: Game
    number: int
    options: Mapping[str, Value]
    players: int
    bots: str
    games: int
    since: Since = Since()


@frozen(eq=False)
class Progress:
    """How far the pairs have been played: of a series that begins, none.

    reports:  of the matches so far, before and now.  problem: why they cannot be played, for a person.
    seconds:  since the first match began.
    changed:  as of `changed_things`.
    setting:  of the rules as they are, by which their numbers have names; None before the first match.
    unended:  why the first match of the rules as they are does not end, once it is known; None if all end.
    counting: whether all are played, and it is counted how often lines run; stopped: whether somebody stopped it.
    since:    as of `Versions`.
    """

    number: int
    done: int
    of: int
    pairs: PairedComparison | None = None
    reports: tuple[SeriesReport, SeriesReport] | None = None
    problem: str = ""
    seconds: float = 0.0
    changed: frozenset[str] = frozenset()
    setting: Setting | None = None
    unended: UnfinishedMatch | None = None
    counting: bool = False
    stopped: bool = False
    since: Since = Since()


@define(eq=False)
class Balance:
    """told: is given every look at the figures; counted: how often lines run, with the number of the text.

    clock:  the time in seconds, from whenever.
    """

    told: Callable[[Progress], None]
    counted: Callable[[int, LineCounts], None]
    clock: Callable[[], float] = lambda: 0.0
    _series: dict[tuple[Any, ...], Series] = field(init=False, factory=dict)
    _at_work: tuple[Series, ...] = field(init=False, default=())
    _so_far: Progress = field(init=False, default=Progress(0, 0, 0))

    def play(self, job: Versions, is_stale: IsStale) -> None:
        """Play the pairs until all are played or something newer waits."""
        self._so_far = Progress(job.number, 0, job.games, since=job.since)
        self.told(self._so_far)
        try:
            self._pairs(job, is_stale)
            self._lines(job, is_stale)
        except (BadSetup, RuleError) as fault:
            self.told(evolve(self._so_far, problem=str(fault)))
        except Interrupted:
            self.told(evolve(self._so_far, stopped=True))

    def interrupt(self) -> None:
        """From any thread, once the job is stale: break off the match that is played."""
        for one in self._at_work:
            one.interrupt()

    def _begin(self, *series: Series) -> None:
        """An interrupt from before is forgotten: whoever asks now whether the job is stale hears of it."""
        self._at_work = series
        for one in series:
            one.go_on()

    def _pairs(self, job: Versions, is_stale: IsStale) -> None:
        before, now = (self._made(game, job, is_stale) for game in (job.before, job.now))
        if before.seats != now.seats:
            raise BadSetup("the two versions do not have the same seats")
        made = contrast(before, now)
        tallies = [Tally(one.counters.sheet) for one in (before, now)]
        self._begin(before, now)
        self._so_far = evolve(self._so_far, changed=changed_things(job.before, job.now), setting=_setting(now))
        begun = self.clock()
        for first, size in doubling(job.games, MOST_AT_ONCE[now.engine]):
            go_on_unless(is_stale)
            _play(made, (before, now), tallies, first, size)
            reports = _report(before, tallies[0], job), _report(now, tallies[1], job)
            so_far: Any = {"done": made.games, "pairs": deepcopy(made), "reports": reports}
            self._so_far = evolve(self._so_far, **so_far, seconds=self.clock() - begun)
            self.told(self._so_far)
            if made.games >= min(FEW, job.games):
                self._diagnose(job, tallies[1], is_stale)

    def _diagnose(self, job: Versions, tally: Tally, is_stale: IsStale) -> None:
        """Find out why the first match that does not end does not, once."""
        if not tally.unfinished or self._so_far.unended is not None:
            return
        bots = seated_bots(job.bots or (), tally.sheet.players)
        again, index = Interpreted(job.now, job.options, job.players, SEED, "", bots), min(tally.unfinished)[0]
        found = diagnosed(again, index, job.now.sources[0][0], partial(go_on_unless, is_stale))
        self._so_far = evolve(self._so_far, unended=found)
        self.told(self._so_far)

    def _lines(self, job: Versions, is_stale: IsStale) -> None:
        """How often the lines run, once the pairs are played."""
        self.told(evolve(self._so_far, counting=True))
        counter = ExecutionCounts(job.now)
        one = _series_of(counter.counted, job, None, is_stale)
        self._begin(one)
        go_on_unless(is_stale)
        found = line_counts(counter, one, is_stale)
        if found is not None:
            self.counted(job.number, found)
        self.told(evolve(self._so_far, stopped=found is None))

    def _made(self, game: Game, job: Versions, is_stale: IsStale) -> Series:
        """The series of a version.  Errors: as of `_series_of`."""
        key = (game.sources, tuple(sorted(job.options.items())), job.players, job.bots)
        like = next(reversed(self._series.values()), None)
        found = self._series.pop(key, None) or _series_of(game, job, like, is_stale)
        self._series[key] = found  # The newest stands last.
        while len(self._series) > KEPT:
            del self._series[next(iter(self._series))]
        # What was counted for somebody who no longer waits is forgotten.
        found.sums()
        return found


def _setting(of: Series) -> Setting:
    return of.counters.storage.setting


def _series_of(game: Game, job: Versions, like: Series | None, is_stale: IsStale) -> Series:
    """Errors: `BadSetup`; `Interrupted` if something newer comes while it is made."""
    given: Any = {"like": like, "paused": partial(go_on_unless, is_stale)}
    return made_series(game, job.options, job.players, job.bots or (), SEED, **given)


def go_on_unless(is_stale: IsStale) -> None:
    """Errors: `Interrupted` if something newer waits."""
    if is_stale():
        raise Interrupted


def _play(made: PairedComparison, both: tuple[Series, Series], tallies: list[Tally], first: int, size: int) -> None:
    """One batch in both versions; in one alone where they are the same."""
    different = tuple(dict.fromkeys(both))
    compared = {one: words_of(one, made) for one in different}
    words = {one: (*compared[one], *one.counters.sheet.row_words) for one in different}
    rows = {one: one.rows(first, size, words[one]) for one in different}
    sums = {one: one.sums() for one in different}
    for tally, one in zip(tallies, both, strict=True):
        tally.add(first, rows[one], sums[one], words[one])
    a, b = (_matches(one, first, [row[: 2 + len(compared[one])] for row in rows[one]]) for one in both)
    for pair in paired(a, b):
        made.add(pair)


def _matches(one: Series, first: int, rows: list[tuple[int, ...]]) -> Iterator[MatchResult]:
    return (simulation.decoded(one, index, row) for index, row in enumerate(rows, first))


def _report(one: Series, tally: Tally, job: Versions) -> SeriesReport:
    """What is known by now, which does not change any more."""
    told = {name: notation(value) for name, value in every_option(one).items()}
    bots = seated_bots(job.bots or (), one.counters.sheet.players)
    return SeriesReport(job.now.sources[0][0], told, SEED, one.engine, _copied(tally), bots, tally.games < job.games)


def _copied(tally: Tally) -> Tally:
    made = Tally(tally.sheet, tally.games, list(tally.unfinished))
    made.cells = list(tally.cells)
    made.reached = tally.reached.copy()
    return made
