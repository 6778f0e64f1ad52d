"""A match from its log, ready to go on: every decision is put to the rules again, and the log is written on."""

from __future__ import annotations

import os
from collections.abc import Callable

from rulekit import library
from rulekit.errors import BadInput
from rulekit.model.game import Game
from rulekit.play.machine.legality import LegalityOracle
from rulekit.play.state.errors import IllegalAction, RuleError
from rulekit.play.state.match_state import CHANCE, Action
from rulekit.record.log import HUMAN, Damaged, Log, parse
from rulekit.record.match import Match, started
from rulekit.record.ways import way_meant, ways_asked


class DoesNotHold(BadInput):
    """A decision of a log that these rules refuse.  number: of the decision, from 1; line: of the log; fault: why."""

    def __init__(self, number: int, line: int, fault: IllegalAction | RuleError) -> None:
        super().__init__(f"line {line}: decision {number} does not hold: {fault}")
        self.number, self.line, self.fault = number, line, fault


def played_again(
    log: Log, game: Game, paused: Callable[[], None] = lambda: None, oracle: LegalityOracle | None = None
) -> Match:
    """The match with all its decisions.  Errors: `BadSetup`, or `RuleError` of its beginning; `DoesNotHold`.

    paused:  called before each decision, so that whoever no longer wants the match can raise something.
    oracle:  as of `engine.start`.
    """
    header = log.header
    people = frozenset(seat for seat, kind in enumerate(header.players) if kind == HUMAN)
    match = started(
        game,
        header.options,
        header.seats,
        header.seed,
        at=header.begun,
        people=people,
        practice=header.practice,
        oracle=oracle,
    )
    for number, entry in enumerate(log.entries, 1):
        paused()
        seat = CHANCE if entry.seat is None else header.seats.index(entry.seat)
        try:
            match.act(Action(seat, way_meant(entry.answer, entry.ways, ways_asked(match.state, seat))))
        except (IllegalAction, RuleError) as fault:
            raise DoesNotHold(number, entry.line, fault) from None
    return match


def written_on(log: Log, file: str | os.PathLike[str]) -> library.LogFile:
    """The file of a log behind its last whole line.

    Errors: `library.Unreadable`; `ValueError` where the match has gone on since the log was read.
    """
    made = library.LogFile(file, "r+b")
    try:
        same = parse(made.written()).link == log.link
    except Damaged:
        same = False
    if not same:
        # Another process has gone on and left in between; what it wrote would be cut off.
        made.close()
        raise ValueError("this match has just gone on elsewhere; try again")
    made.keep(log.size)
    return made
