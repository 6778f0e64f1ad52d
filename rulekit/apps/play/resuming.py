"""Taking up a match that was stopped: its log is played again, and written on where it ends."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import chain, count
from pathlib import Path

import click

from rulekit import library
from rulekit.apps.console import Failed
from rulekit.apps.language import spoken
from rulekit.apps.play.log_file import open_log
from rulekit.apps.play.scenario import check_unsearching
from rulekit.apps.play.session import Session, Setup
from rulekit.bots.players import registry
from rulekit.compiler.legality.oracle import standard
from rulekit.model.game import Game
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.record import resumption
from rulekit.record.json_values import rules_digest
from rulekit.record.log import HUMAN, Header, Log
from rulekit.record.match import Match
from rulekit.tools.language.translation import Tongue
from rulekit.values import evolve

_NAMED = "before --resume: rulekit run FILE --resume LOG"


def resumed(log_file: str, rules: str | None, language: str, as_json: bool) -> Session:
    """The match in a log, ready to go on under its rules, or under `rules` if these are the same.

    Errors: `Failed` where there is nothing to go on with; `library.Unreadable`.
    """
    log, game = open_log(log_file, rules, None, _NAMED)
    _check(log, game, log_file)
    setup = _setup(log.header, spoken(language, game))
    match = _played(log, game, setup, log_file)
    return Session(match, setup, as_json, _written_on(log, log_file), link=log.link)


def branched(
    log_file: str, rules: str | None, at: int, kinds: tuple[str, ...] | None, record: str | None, language: str,
    *, practice: bool, as_json: bool,
) -> Session:  # fmt: skip
    """The match in a log after `at` decisions, to go on from there otherwise; that log stays as it is.

    kinds:   who plays on, in place of those who played before.  record: the new log, which holds what was before too.
    rules:   what is played on by; where they are others than those of the log, all that was decided must hold there.
    Errors:  `Failed` where there is nothing to go on with; `library.Unreadable`.
    """
    log, game = open_log(log_file, rules, at, _NAMED)
    _check_seed(log.header, log_file)
    players = log.header.players if kinds is None else _filled(kinds, len(log.header.seats))
    file = rules or log.header.file
    header = evolve(log.header, players=players, file=file, practice=practice or log.header.practice)
    _check_players(header, log_file)
    if header.begun is not None:
        check_unsearching(players)
    setup = _setup(header, spoken(language, game))
    match = _played(evolve(log, header=header, entries=log.entries[:at]), game, setup, log_file)
    return Session(match, setup, as_json, None if record is None else library.LogFile(record))


def playing(header: Header) -> tuple[str, ...]:
    """Who plays on from a log that somebody looks through: its people, or the first seat where it had none."""
    known = tuple(kind if _is_known(kind) else registry.RANDOM for kind in header.players)
    return known if HUMAN in known else (HUMAN, *known[1:])


def _is_known(kind: str) -> bool:
    with suppress(registry.UnknownBot):
        return kind == HUMAN or bool(registry.maker(kind))
    return False


def new_log_name(log_file: str, at: int) -> str:
    """A name that no file has yet, for a log that goes on after so many decisions of another one."""
    begun = Path(log_file)
    names = (
        begun.with_name(f"{begun.stem}-{at}{more}{begun.suffix}") for more in chain([""], map("-{}".format, count(2)))
    )
    return str(next(name for name in names if not os.path.lexists(name)))


def _filled(kinds: tuple[str, ...], seats: int) -> tuple[str, ...]:
    """Who sits where; at seats that nobody is named for, bots that answer by chance."""
    if len(kinds) > seats:
        raise click.UsageError(f"--seats names {len(kinds)} seats, but {seats} play")
    return (*kinds, *[registry.RANDOM] * (seats - len(kinds)))


def _setup(header: Header, tongue: Tongue) -> Setup:
    return Setup(
        header.file, header.seats, header.players, header.seed or "", HUMAN not in header.players,
        header.ruleset or None, header.practice, tongue, header.begun,
    )  # fmt: skip


def _written_on(log: Log, log_file: str) -> library.LogFile:
    try:
        return resumption.written_on(log, log_file)
    except ValueError as fault:
        raise Failed(f"error: {log_file}: {fault}") from None


def _check(log: Log, game: Game, log_file: str) -> None:
    header: Header = log.header
    if log.end is not None:
        raise Failed(f"error: {log_file}: this match is over; `rulekit replay {log_file}` shows it")
    _check_seed(header, log_file)
    _check_players(header, log_file)
    if header.rules != rules_digest(game):
        hint = f"`rulekit replay {log_file}` says whether it still holds under these"
        raise Failed(f"error: {log_file}: the rules are others than those it was played by; {hint}")


def _check_seed(header: Header, log_file: str) -> None:
    if header.seed is None:
        raise Failed(f"error: {log_file}: its chance came from outside, so only the program that made it can go on")


def _check_players(header: Header, log_file: str) -> None:
    """At each seat sits a person or a bot: other programs write logs too, in which something else may sit there."""
    if len(header.players) != len(header.seats):
        told = f"its header has {len(header.seats)} seats and {len(header.players)} players"
        raise Failed(f"error: {log_file}: {told}")
    try:
        for kind in set(header.players) - {HUMAN}:
            registry.maker(kind)
    except registry.UnknownBot as unknown:
        told = f"its header names who nobody here can play: {unknown}"
        hint = "--at N --seats human,… --record NEW goes on with others, in a new log"
        raise Failed(f"error: {log_file}: {told}\n  hint: {hint}") from None


def _played(log: Log, game: Game, setup: Setup, log_file: str) -> Match:
    """The match with all its decisions.  Errors: `Failed` at the first that does not hold."""
    try:
        return resumption.played_again(log, game, oracle=standard())
    except BadSetup as fault:
        raise Failed(f"error: {log_file}: {fault}") from None
    except RuleError as fault:
        raise Failed(f"error: {log_file}: its setup does not hold{_why(fault, setup, log_file)}") from None
    except resumption.DoesNotHold as found:
        told = f"line {found.line}: decision {found.number} does not hold{_why(found.fault, setup, log_file)}"
        raise Failed(f"error: {log_file}: {told}") from None


def _why(fault: Exception, setup: Setup, log_file: str) -> str:
    """People who play may not read the words of a fault, which can tell what is hidden from them."""
    return f"; `rulekit replay {log_file}` says why" if setup.people else f": {fault}"
