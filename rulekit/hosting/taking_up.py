"""A log that somebody brings, played again until the match can go on at a table; or why it cannot."""

from __future__ import annotations

from collections.abc import Mapping

from rulekit import limits
from rulekit.bots.players import registry
from rulekit.diagnostics import printable
from rulekit.hosting.seat_page import Refused
from rulekit.model.game import Game
from rulekit.play.machine.legality import LegalityOracle
from rulekit.play.seat_names import is_seat_name
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.record.json_values import rules_digest
from rulekit.record.log import HUMAN, Damaged, Header, parse
from rulekit.record.match import Match
from rulekit.record.resumption import DoesNotHold, played_again
from rulekit.tools.language.lazy_message import Message, Text
from rulekit.values import evolve, frozen


@frozen
class TakenUp:
    """file: of its rules, as the host calls it."""

    file: str
    game: Game
    match: Match
    header: Header


def taken_up(data: bytes, games: Mapping[str, Game], oracle: LegalityOracle | None = None) -> TakenUp | Refused:
    """The match in the bytes of a log.  games: those of the host, by rules file."""
    try:
        log = parse(data)
    except Damaged as fault:
        return _refused(str(fault))  # In English: who writes logs reads it, as other faults in files.
    file = next((file for file, game in games.items() if rules_digest(game) == log.header.rules), None)
    reason = _torn(log.torn) or _other_rules(file, log.header) or _strange_seats(log.header)
    if reason is not None or file is None:
        return _refused(reason or "")
    try:
        match = played_again(log, games[file], oracle=oracle)
    except DoesNotHold as fault:
        # Its words could tell the host, who may play too, what is hidden.
        return _refused(Message("log-decision", line=fault.line, decision=fault.number))
    except (BadSetup, RuleError):
        return _refused(Message("log-setup"))
    return TakenUp(file, games[file], match, evolve(log.header, file=printable(file)))


def _refused(reason: Text) -> Refused:
    return Refused("no-log", Message("log-refused", reason=reason))


def _torn(line: int) -> Message | None:
    return Message("log-torn", line=line) if line else None


def _other_rules(file: str | None, header: Header) -> Message | None:
    title = printable(header.title[: limits.NAME])
    return None if file is not None else Message("log-other-rules", title=title)


def _strange_seats(header: Header) -> Message | None:
    """Other programs write logs too, in which anything may sit anywhere."""
    if header.seed is None:
        return Message("log-chance")
    if header.begun is not None:
        return Message("log-position")
    if len(header.players) != len(header.seats):
        return Message("log-seats", seats=len(header.seats), players=len(header.players))
    if not all(is_seat_name(name) and len(name) <= limits.NAME for name in header.seats):
        return Message("log-names", most=limits.NAME)
    try:
        for kind in set(header.players) - {HUMAN}:
            registry.maker(kind)
    except registry.UnknownBot as unknown:
        return Message("log-no-bot", reason=printable(str(unknown)))
    return None
