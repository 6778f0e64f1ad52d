"""`diff` from Python: where two games part in what they do, as a scenario."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulekit.model.game import Game
from rulekit.play.match_arguments import seed_text
from rulekit.play.state.errors import BadSetup
from rulekit.source import Source
from rulekit.table import Table
from rulekit.tools.compare.clause_attribution import Change, changes_behind, named_first
from rulekit.tools.compare.differential_testing import Search
from rulekit.tools.compare.scenario_reduction import reduced
from rulekit.tools.compare.shrinking import Difference, Version
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.examples.mutation_operators import rules_of
from rulekit.tools.language.translation import SOURCE
from rulekit.tools.studies.playing import FAILURES, Progress, Rules, agreed, failure_rows, game_of, notice_html
from rulekit.values import evolve, field, frozen

_MOST_SEATS = 6
_TRIES, _PROOFS = 400, 40
"""So often something is left out of an example, and so many changes are taken back, to see what that does."""


@frozen
class Parting:
    """Where two games part, or that they did not in all the matches that were compared.

    what:      that in which they differ; first, second: what it is in each of the two, as text.
    clauses:   those of the first game behind it, what makes them part before what only acted.
    decisions: how many it takes.  seats, seed, options: the match in which it was found.
    scenario:  the shortest way found to it: it holds in the first game and fails in the second; None if there is none.
    changes:   a row for each change of the rules that makes them part.
    failed:    where the two are equal, how many matches failed, in the same way in both: they were not compared.
    failures:  a row for each line of the rules at which they did.
    """

    equal: bool
    games: int
    what: str = ""
    first: str = ""
    second: str = ""
    clauses: tuple[str, ...] = ()
    decisions: int = 0
    seats: int = 0
    seed: str = ""
    options: Mapping[str, Any] = field(factory=dict)
    scenario: str | None = None
    changes: Table = field(default=Table(("clauses", "first line", "second line"), ()), repr=False)
    causes: Failures = field(default=Failures(), repr=False)

    @property
    def failed(self) -> int:
        return self.causes.failed

    @property
    def failures(self) -> Table:
        return Table(FAILURES, failure_rows(self.causes))

    def __str__(self) -> str:
        if self.equal:
            return "\n".join([f"equal in {self.games} matches", *self.causes.lines()])
        return f"after {self.decisions} decisions they differ in {self.what}: {self.first}; {self.second}"

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        rows = [(self.what, self.first, self.second, ", ".join(self.clauses))]
        table = Table(("what", "first", "second", "clauses"), [] if self.equal else rows)
        return notice_html(self.causes) + table._repr_html_()


def diff(
    a: Rules,
    b: Rules,
    games: int = 1000,
    *,
    a_options: Mapping[str, Any] | None = None,
    b_options: Mapping[str, Any] | None = None,
    players: int | None = None,
    seed: str | int = "diff",
    progress: Progress | None = None,
) -> Parting:
    """Where two games, or one with two options, part in what they do; the search of `rulekit diff`.

    players:   how many; every number in turn if None.
    progress:  told how many matches are compared and how many were asked for; False ends the search.
    Errors:    `RulesError`, `BadSetup`.
    """
    text = seed_text(seed)
    if text is None:
        raise BadSetup("a search needs a seed")
    versions = _version(game_of(a), a_options or {}), _version(game_of(b), b_options or {})
    search = Search(*versions, _seats(versions, players), games, text)
    for compared in search.run():
        if progress is not None and progress(compared, games) is False:
            break
    if search.best is None:
        return Parting(equal=True, games=search.compared, causes=search.find_failures())
    return _parting(search, reduced(search.a, search.b, search.best, _times(_TRIES)))


def _version(game: Game, options: Mapping[str, Any]) -> Version:
    rules = rules_of(Source(*game.sources[0]))
    return Version(rules, agreed(rules.game, options), rules.game)


def _seats(versions: tuple[Version, Version], players: int | None) -> tuple[int, ...]:
    if players is not None:
        return (players,)
    least = max(version.game.least for version in versions)
    most = min(*(version.game.most for version in versions), _MOST_SEATS)
    return tuple(range(least, max(least, most) + 1))


def _times(most: int) -> Callable[[], bool]:
    """True so many times."""
    left = iter(range(most))
    return lambda: next(left, None) is not None


def _parting(search: Search, found: Difference) -> Parting:
    seed = f"{search.seed}#{found.number}"
    changes = changes_behind(search.a, search.b, found, seed, _times(_PROOFS))
    games = (search.a.game, search.b.game)
    named = [named_first(changes, game, acted) for game, acted in zip(games, found.clauses, strict=True)]
    found = evolve(found, find=lambda: (named[0], named[1]))
    cited = named_first(changes, search.a.game, ()) or found.clauses[0]
    example = found.example
    return Parting(
        equal=False,
        games=search.compared,
        what=str(found.divergence.what),
        first=str(found.divergence.here),
        second=str(found.divergence.there),
        clauses=found.clauses[0],
        decisions=found.decisions,
        seats=found.seats,
        seed=seed,
        options=dict(found.options),
        scenario=None if example is None else example.text(SOURCE.say("example-parts"), cited),
        changes=Table(("clauses", "first line", "second line"), [_change(change) for change in changes]),
    )


def _change(change: Change) -> tuple[Any, ...]:
    lines = [None if span is None else span.line for span in (change.here, change.there)]
    return (", ".join(change.clauses), *lines)
