"""Failed matches: how many of a series did not come to an end, and where their rules failed.

Input are causes that were found by playing failed matches again; output are
lines for a terminal and plain values.  Plays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rulekit.source import NOWHERE, Span
from rulekit.tools.language.lazy_message import Text, in_words
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.values import frozen

MAX_LISTED = 5
"""Causes that are listed at most, those of most matches first."""


@frozen
class FailureCause:
    """A line of the rules at which matches failed.

    why:    the fault, as it is in the first of these matches.
    count:  failed matches with this cause, of those that were examined.
    first:  the number of the first of them.
    seats:  how many played, where series with several numbers of players are reported together; else 0.
    """

    why: Text
    count: int
    first: int
    where: Span = NOWHERE
    seats: int = 0


@frozen
class Failures:
    """The failed matches of one series, or of several that are reported together.

    games:     matches played.  failed: those that did not come to an end.
    examined:  failed matches that were played again to see why.
    """

    games: int = 0
    failed: int = 0
    examined: int = 0
    causes: tuple[FailureCause, ...] = ()

    def __bool__(self) -> bool:
        return self.failed > 0

    def lines(self, tongue: Tongue = SOURCE, command: Callable[[FailureCause], str] | None = None) -> Iterator[str]:
        """Lines for a terminal, none if all matches ended.  command: shows the first match of a cause."""
        if not self.failed:
            return
        yield tongue.counted("matches-failed", self.failed, games=tongue.grouped(self.games))
        for cause in self.causes[:MAX_LISTED]:
            yield f"  {self._told(cause, tongue)}"
            if command is not None:
                yield f"    {tongue.say('see-match', command=command(cause))}"
        if len(self.causes) > MAX_LISTED:
            yield f"  {tongue.counted('more-causes', len(self.causes) - MAX_LISTED)}"

    def _told(self, cause: FailureCause, tongue: Tongue) -> str:
        matches = tongue.counted("some-matches", cause.count)
        if self.examined < self.failed:
            matches = tongue.say("of-those-examined", matches=matches, examined=tongue.grouped(self.examined))
        values: dict[str, Any] = {"why": in_words(cause.why, tongue), "matches": matches, "match": cause.first}
        told = tongue.say("failed-at-line", line=cause.where.line, **values) if cause.where.line else ""
        told = told or tongue.say("failed-somewhere", **values)
        return f"{told} ({tongue.count('some-players', cause.seats)})" if cause.seats else told

    def data(self) -> dict[str, Any]:
        """Plain values for scripts, in every language the same."""
        return {
            "games": self.games,
            "failed": self.failed,
            "examined": self.examined,
            "causes": [
                {"line": one.where.line or None, "why": str(one.why), "games": one.count, "first": one.first}
                for one in self.causes
            ],
        }


def merge_failures(several: Iterable[Failures]) -> Failures:
    """The failures of several series together; equal causes are added up."""
    games = failed = examined = 0
    causes = dict[tuple[Span, str, int], FailureCause]()
    for one in several:
        games, failed, examined = games + one.games, failed + one.failed, examined + one.examined
        for cause in one.causes:
            key = (cause.where, str(cause.why), cause.seats)
            known = causes.get(key)
            count = cause.count + (0 if known is None else known.count)
            first = cause if known is None else known
            causes[key] = FailureCause(first.why, count, first.first, first.where, first.seats)
    return Failures(games, failed, examined, tuple(sorted(causes.values(), key=lambda cause: -cause.count)))
