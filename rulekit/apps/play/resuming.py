"""Taking up a match that was stopped: its log is played again, and written on where it ends."""

from __future__ import annotations

from rulekit import library
from rulekit.apps.console import Failed
from rulekit.apps.language import spoken
from rulekit.apps.play.log_file import open_log
from rulekit.apps.play.session import HUMAN, Session, Setup
from rulekit.bots.players import registry
from rulekit.model.game import Game
from rulekit.play.state.errors import BadSetup, IllegalAction, RuleError
from rulekit.play.state.match_state import CHANCE, Action
from rulekit.record.json_values import rules_digest
from rulekit.record.log import Damaged, Header, Log, parse
from rulekit.record.match import Match, started


def resumed(log_file: str, rules: str | None, language: str, as_json: bool) -> Session:
    """The match in a log, ready to go on under its rules, or under `rules` if these are the same.

    Errors: `Failed` where there is nothing to go on with; `library.Unreadable`.
    """
    log, game = open_log(log_file, rules, None)
    _check(log, game, log_file)
    header = log.header
    tongue = spoken(language, game)
    setup = Setup(
        header.file, header.seats, header.players, header.seed or "", HUMAN not in header.players,
        header.ruleset or None, header.practice, tongue, header.begun,
    )  # fmt: skip
    match = _played(log, game, setup, log_file)
    return Session(match, setup, as_json, _written_on(log, log_file), link=log.link)


def _written_on(log: Log, log_file: str) -> library.LogFile:
    """The file behind its last whole line, if it is still as it was read.  Errors: `Failed`; `library.Unreadable`."""
    file = library.LogFile(log_file, "r+b")
    try:
        same = parse(file.written()).link == log.link
    except Damaged:
        same = False
    if not same:
        # Another process has gone on and left in between; what it wrote would be cut off.
        file.close()
        raise Failed(f"error: {log_file}: this match has just gone on elsewhere; try again")
    file.keep(log.size)
    return file


def _check(log: Log, game: Game, log_file: str) -> None:
    header: Header = log.header
    if log.end is not None:
        raise Failed(f"error: {log_file}: this match is over; `rulekit replay {log_file}` shows it")
    if header.seed is None:
        raise Failed(f"error: {log_file}: its chance came from outside, so only the program that made it can go on")
    _check_players(header, log_file)
    if header.rules != rules_digest(game):
        hint = f"`rulekit replay {log_file}` says whether it still holds under these"
        raise Failed(f"error: {log_file}: the rules are others than those it was played by; {hint}")


def _check_players(header: Header, log_file: str) -> None:
    """At each seat sits a person or a bot: other programs write logs too, in which something else may sit there."""
    if len(header.players) != len(header.seats):
        told = f"its header has {len(header.seats)} seats and {len(header.players)} players"
        raise Failed(f"error: {log_file}: {told}")
    try:
        for kind in set(header.players) - {HUMAN}:
            registry.maker(kind)
    except registry.UnknownBot as unknown:
        raise Failed(f"error: {log_file}: its header names who nobody here can play: {unknown}") from None


def _played(log: Log, game: Game, setup: Setup, log_file: str) -> Match:
    """The match with all its decisions.  Errors: `Failed` at the first that does not hold."""
    header = log.header
    try:
        match = started(
            game,
            header.options,
            header.seats,
            header.seed,
            at=header.begun,
            people=setup.people,
            practice=header.practice,
        )
    except BadSetup as fault:
        raise Failed(f"error: {log_file}: {fault}") from None
    except RuleError as fault:
        raise Failed(f"error: {log_file}: its setup does not hold{_why(fault, setup, log_file)}") from None
    for number, entry in enumerate(log.entries, 1):
        seat = CHANCE if entry.seat is None else header.seats.index(entry.seat)
        try:
            match.act(Action(seat, entry.answer))
        except (IllegalAction, RuleError) as fault:
            told = f"line {entry.line}: decision {number} does not hold{_why(fault, setup, log_file)}"
            raise Failed(f"error: {log_file}: {told}") from None
    return match


def _why(fault: Exception, setup: Setup, log_file: str) -> str:
    """People who play may not read the words of a fault, which can tell what is hidden from them."""
    return f"; `rulekit replay {log_file}` says why" if setup.people else f": {fault}"
