"""The log of a match as rows of the store: headers, decisions and what was taken back, as lines linked to one another.

Also called: an append-only log with a hash chain.  A match that goes on under other rules begins a new edition of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import rulekit
from rulekit.hosting.store import Row
from rulekit.play.beginning import Beginning
from rulekit.play.state.match_state import CHANCE
from rulekit.record import strict_json
from rulekit.record.json_values import chosen_options, rules_digest
from rulekit.record.log import Header, Writer, parse
from rulekit.record.match import Match, Past


def header_of(rows: Sequence[Row]) -> Header:
    """How the last edition was set up.  Errors: `Damaged`."""
    last = max(row.edition for row in rows)
    return parse(next(row.line for row in rows if row.edition == last)).header


def log_of(rows: Sequence[Row]) -> bytes:
    """The log in the lines of the last edition."""
    last = max(row.edition for row in rows)
    return b"".join(row.line for row in rows if row.edition == last)


def first_rows(header: Header, match: Match, rows: Sequence[Row] = ()) -> list[Row]:
    """The lines of a new edition, with all that has been decided.  rows: of those before."""
    lines = Lines(rows)
    lines.header(header)
    for past in match.history:
        lines.decision("again", past, apart=False)
    lines.end_of(match)
    return lines.new


def new_header(file: str, match: Match, players: Sequence[str], seed: str, begun: Beginning | None = None) -> Header:
    """Of a match that has just begun.  begun: the position in which it did, if not with its setup."""
    setting = match.state.setting
    return Header(
        rulekit=rulekit.__version__,
        file=file.encode("utf-8", "backslashreplace").decode(),
        rules=rules_digest(setting.game),
        title=setting.game.title,
        options=dict(chosen_options(setting)),
        ruleset="",
        seats=setting.seats[: setting.players],
        players=tuple(players),
        seed=seed,
        practice=match.practice,
        begun=begun,
    )


class Lines:
    """Further lines of a log, as rows."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.new: list[Row] = []
        self.edition = rows[-1].edition if rows else -1
        self.number = rows[-1].number + 1 if rows else 0
        self._made = b""
        self._writer = Writer(self._put, _link(rows[-1].line) if rows else "")

    def _put(self, line: bytes) -> None:
        self._made = line

    def header(self, header: Header) -> None:
        self.edition, self.number = self.edition + 1, 0
        self._writer = Writer(self._put)
        self._writer.header(header)
        self._add("rules", None, apart=False)

    def decision(self, kind: str, past: Past, *, apart: bool) -> None:
        seat = past.action.seat
        self._writer.decision(past.state.setting.seats, past.action, past.what, past.ways)
        self._add(kind, None if seat == CHANCE else seat, apart=apart)

    def back(self, count: int, seat: int, *, apart: bool) -> None:
        self._writer.back(count)
        self._add("undo", seat, apart=apart)

    def end_of(self, match: Match) -> None:
        outcome = match.outcome()
        if outcome is not None:
            self._writer.end(match.state, outcome)
            self._add("end", None, apart=False)

    def _add(self, kind: str, seat: int | None, *, apart: bool) -> None:
        self.new.append(Row(self.edition, self.number, kind, seat, apart, self._made))
        self.number += 1


def _link(line: bytes) -> str:
    return str(strict_json.loads(line)["link"])
