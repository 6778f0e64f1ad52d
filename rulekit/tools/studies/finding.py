"""`text coverage` and `text audit` from Python: what is exercised, and where a text and the rules disagree."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from rulekit import library
from rulekit.diagnostics import as_data
from rulekit.play.match_arguments import seat_names, seed_text
from rulekit.play.state.errors import BadSetup
from rulekit.table import Table
from rulekit.tools.coverage.clause_coverage import Agreed, Coverage
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.studies.playing import FAILURES, Progress, Rules, agreed, failure_rows, game_of, notice_html
from rulekit.values import field, frozen

_CLOSE = 20
"""So many matches are looked at closely, for conditions."""
_MORE_SEATS = 4
"""So many numbers of players above the least are played, if none is named."""
FINDINGS = ("code", "level", "title", "file", "line", "hint", "clauses", "rule", "digest", "accepted")


@frozen(eq=False)
class Covered:
    """What the examples and the matches exercise.

    lines:       a row for each clause, rule, card and reading: by which examples, in how many matches, why never.
    conditions:  a row for each condition that went one way only.
    games:       how many matches came to their end: all numbers are of these.
    failed:      how many matches failed, which count nowhere.
    failures:    a row for each line of the rules at which matches failed.
    """

    games: int
    lines: Table = field(repr=False)
    conditions: Table = field(repr=False)
    causes: Failures = field(default=Failures(), repr=False)

    @property
    def failed(self) -> int:
        return self.causes.failed

    @property
    def failures(self) -> Table:
        return Table(FAILURES, failure_rows(self.causes))

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        return notice_html(self.causes) + self.lines._repr_html_()


def coverage(
    rules: Rules,
    games: int = 1000,
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: str | int = "coverage",
    progress: Progress | None = None,
) -> Covered:
    """Which clauses, cards and readings the examples of a game and random matches exercise.

    players:   how many; the least and up to four more in turn if None.
    progress:  told how many matches are done and how many were asked for; False ends it.
    Errors:    `RulesError`, `BadSetup`.
    """
    game, text = game_of(rules), seed_text(seed)
    if text is None:
        raise BadSetup("random matches need a seed")
    seats = (len(seat_names(game, players)),) if players is not None else _every_number(game.least, game.most)
    made, chosen = Coverage(game), agreed(game, options or {})
    for _ in made.look_at_examples():
        pass
    _play(made, [Agreed(count, chosen) for count in seats], games, text, progress)
    for _ in made.look_closely(Agreed(seats[0], chosen), min(_CLOSE, games), text):
        pass
    lines = [
        (line.kind, line.name, line.span.line or None, line.text, ", ".join(line.examples), line.games, _why(line.why))
        for line in made.lines()
    ]
    ways = [(way.text, way.span.line, ", ".join(way.clauses), way.missing, way.games) for way in made.ways()]
    return Covered(
        made.games,
        Table(("kind", "name", "line", "text", "examples", "games", "why"), lines),
        Table(("condition", "line", "clauses", "never", "games"), ways),
        made.find_failures(),
    )


def _every_number(least: int, most: int) -> tuple[int, ...]:
    return tuple(range(least, min(most, least + _MORE_SEATS) + 1))


def _play(made: Coverage, agreements: list[Agreed], games: int, seed: str, progress: Progress | None) -> None:
    each, more = divmod(games, len(agreements))
    for index, one in enumerate(agreements):
        for _ in made.play(one, each + (index < more), seed):
            if progress is not None and progress(made.started, games) is False:
                return


def _why(message: object) -> str:
    return "" if message is None else str(message)


def audit(
    rules: str | os.PathLike[str],
    *,
    lang: str | None = None,
    book: str | os.PathLike[str] | None = None,
    anchors: str | os.PathLike[str] | None = None,
    accepted: str | os.PathLike[str] | None = None,
) -> Table:
    """Where numbers and words of a text are not what the rules do: a row for each finding, accepted ones too.

    rules:    the path of the rules file; its own clauses are read if nothing else is named.
    lang:     a translation; book, anchors: a rulebook, and which passages of it are which clauses.
    Errors:   `RulesError`; `ValueError` for what does not go together or is not there.
    """
    if (book is None) != (anchors is None) or (book is not None and lang is not None):
        raise ValueError("give book together with anchors, or lang alone")
    report = _report(os.fspath(rules), lang, _path(book), _path(anchors), _path(accepted))
    rows = [(finding, False) for finding in report.open] + [(finding, True) for finding in report.settled]
    told = [_finding(as_data(one.diagnostic), ", ".join(one.clauses), one.rule, one.digest, is_) for one, is_ in rows]
    return Table(FINDINGS, [*told, *(_finding(as_data(fault), "", "", "", False) for fault in report.faults)])


def _path(of: str | os.PathLike[str] | None) -> str | None:
    return None if of is None else os.fspath(of)


def _report(file: str, lang: str | None, book: str | None, anchors: str | None, accepted: str | None) -> Any:
    from rulekit.tools.audit.numeral_tables import LANGUAGES
    from rulekit.tools.audit.reports import of_book, of_catalogue, of_clauses

    if book is not None and anchors is not None:
        return of_book(file, book, anchors, accepted)
    if lang is None or lang == "en":
        return of_clauses(file, accepted)
    if lang not in LANGUAGES:
        raise ValueError(f"there is no table of numerals for `{lang}`; there are {', '.join(sorted(LANGUAGES))}")
    catalogue = library.catalogue(file, lang)
    if catalogue is None:
        raise ValueError(f"{file} has no translation into `{lang}`")
    return of_catalogue(file, str(catalogue), lang, accepted)


def _finding(told: Mapping[str, object], *more: object) -> tuple[object, ...]:
    return (*(told[name] for name in FINDINGS[:6]), *more)
