"""`compare` and `diff` from Python: what a change does over pairs of matches, and where two games part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from rulekit.play.state.errors import BadSetup
from rulekit.table import Table
from rulekit.tools.compare import comparison_text, paired_comparison
from rulekit.tools.compare.paired_comparison import PairedComparison
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.series import simulation
from rulekit.tools.series.simulation import MatchResult, Series
from rulekit.tools.studies.batches import batches
from rulekit.tools.studies.playing import (
    FAILURES,
    Bots,
    Progress,
    Rules,
    failure_rows,
    find_failures,
    game_of,
    made_series,
    notice_html,
    seated_bots,
)
from rulekit.values import field, frozen

FIGURES = ("figure", "a", "b", "pairs", "difference", "from", "to", "verdict")


@frozen(eq=False)
class Comparison:
    """What differs between two versions.  `print` tells it as the command does; a notebook shows the figures.

    figures:  a row for each: its mean in both, B less A with its interval, and what that says.
    games:    how many pairs were played; differing: how many of them did not come to the same end.
    failed:   how many pairs are left out everywhere, since a match of them failed.
    failures: a row for each line of a version (`a` or `b`) at which matches failed.
    """

    result: PairedComparison = field(repr=False)
    causes: tuple[Failures, Failures] = field(default=(Failures(), Failures()), repr=False)

    @property
    def games(self) -> int:
        return self.result.games

    @property
    def differing(self) -> int:
        return self.result.differing

    @property
    def failed(self) -> int:
        return self.result.unended

    @property
    def failures(self) -> Table:
        both = zip("ab", self.causes, strict=True)
        return Table(("version", *FAILURES), [(name, *row) for name, found in both for row in failure_rows(found)])

    @property
    def figures(self) -> Table:
        return Table(FIGURES, _rows(self.result))

    def data(self) -> dict[str, object]:
        """All of it as plain values, as `rulekit compare --json` has it."""
        return comparison_text.plain(self.result, self.causes)

    def __str__(self) -> str:
        return "\n".join(comparison_text.lines(self.result, failures=self.causes))

    def _repr_html_(self) -> str:
        return "".join(map(notice_html, self.causes)) + self.figures._repr_html_()


def _rows(of: PairedComparison) -> Iterator[tuple[Any, ...]]:
    for line in of.lines:
        if line.count:
            (a, b), found = line.means, of.interval(line)
            ends = (found.low, found.high) if found.known else (None, None)
            yield (line.name, a, b, line.count, b - a, *ends, comparison_text.verdict(of, line))


def compare(
    a: Rules,
    b: Rules,
    games: int = 1000,
    *,
    options: Mapping[str, Any] | None = None,
    a_options: Mapping[str, Any] | None = None,
    b_options: Mapping[str, Any] | None = None,
    players: int | None = None,
    bots: Bots = (),
    seed: str | int = "0",
    until: float | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Comparison:
    """What a change does: pairs of matches from the same seeds, one in each version.

    options:   of both; a_options, b_options: of one of the two, so that `a` and `b` may be the same game.
    until:     stop when all wins differ clearly or by no more than this part (0.005); intervals stay valid.
    jobs:      how many batches of matches are played at once, in each version.
    progress:  told how many pairs are done and how many were asked for; False stops.
    Errors:    `RulesError`; `BadSetup`, also where the two do not have the same seats.
    """
    agreed = ({**(options or {}), **(a_options or {})}, {**(options or {}), **(b_options or {})})
    games_of = (game_of(a), game_of(b))
    sides = [made_series(game, own, players, bots, seed) for game, own in zip(games_of, agreed, strict=True)]
    if sides[0].seats != sides[1].seats:
        raise BadSetup("the two versions do not have the same seats")
    if until is not None and not 0 < until < 1:
        raise BadSetup("`until` is a part between 0 and 1, such as 0.005")
    made = contrast(sides[0], sides[1])
    _fill(made, sides, games, until, progress, jobs)
    first, second = (
        find_failures(game, own, side, seed, seated_bots(bots, side.counters.sheet.players), failed, made.games)
        for game, own, side, failed in zip(games_of, agreed, sides, made.failed, strict=True)
    )
    return Comparison(made, (first, second))


def contrast(a: Series, b: Series) -> PairedComparison:
    """Of the figures that both versions have."""
    return PairedComparison(a.seats, tuple(one for one in a.counters.words if one in b.counters.words))


def _fill(
    made: PairedComparison,
    sides: list[Series],
    games: int,
    until: float | None,
    progress: Progress | None,
    jobs: int,
) -> None:
    stopped = False

    def told(done: int, every: int) -> object:
        nonlocal stopped
        stopped = progress is not None and progress(done, every) is False
        return not stopped

    a, b = _matches(sides[0], games, made, None, jobs), _matches(sides[1], games, made, told, jobs)
    pairs = paired_comparison.paired(a, b)
    for look in paired_comparison.looks(games):
        for pair in islice(pairs, look - made.games):
            made.add(pair)
        if stopped or (until is not None and made.is_clear(until)):
            return


def _matches(
    one: Series, games: int, made: PairedComparison, progress: Progress | None, jobs: int
) -> Iterator[MatchResult]:
    for batch in batches(one, games, words_of(one, made), progress, jobs):
        for index, row in enumerate(batch.rows, batch.first):
            yield simulation.decoded(one, index, row)


def words_of(one: Series, made: PairedComparison) -> tuple[int, ...]:
    """The words at the end of a match of one version that a comparison reads: for `Series.rows` and `decoded`."""
    return simulation.result_words(one, tuple(one.counters.words[name] for name in made.figures))
