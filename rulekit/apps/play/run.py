"""`rulekit run`: one match at this terminal, with people, bots or both: the command line, and faults in words."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Mapping

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.apps.console import FOUND, LIMIT, Failed
from rulekit.apps.engine_notice import tell_without_webassembly
from rulekit.apps.language import spoken
from rulekit.apps.play.resuming import branched, resumed
from rulekit.apps.play.scenario import check_unsearching, completed, position_of, scenario_named
from rulekit.apps.play.screen import Screen, forgive_streams
from rulekit.apps.play.session import Session, Setup
from rulekit.bots.players import registry
from rulekit.compiler.legality.oracle import standard
from rulekit.diagnostics import Diagnostic, nearest, render
from rulekit.loading import load
from rulekit.model.game import Game
from rulekit.play.engine import prepared
from rulekit.play.seat_names import is_seat_name
from rulekit.play.state.errors import BadSetup, LimitError, RuleError
from rulekit.play.state.value import Value
from rulekit.play.view import SPECTATOR
from rulekit.record.log import HUMAN
from rulekit.record.match import Match, started
from rulekit.source import Source
from rulekit.tools.language.display_names import Names
from rulekit.tools.series.option_values import chosen

_LONGEST_NAME = 64
_LONGEST_SEED = 1000
"""Longer than those of series: a match of one is named `SEED#NUMBER`."""


@click.command("run")
@click.argument("file", type=o.RULES_FILE, required=False)
@o.takes(o.players("all named seats, or the fewest"))
@click.option(
    "--seats",
    help="Who sits where: human or a bot (random, greedy, mcts:200), with commas between; the rest are random.",
)
@click.option("--names", help="Names for the seats, with commas between.")
@o.takes(o.seed(words="Any text; the same seed and answers give the same match."), o.CHOICES)
@click.option(
    "--scenario", metavar="NAME", shell_complete=completed, help="Begin in the position of this scenario of the file."
)
@click.option("--record", metavar="LOG", help="Write a log to this new file; it holds all secrets.")
@click.option("--resume", metavar="LOG", help="Go on with the match in this log, which is written on.")
@click.option(
    "--at", type=click.IntRange(min=0), metavar="N", help="With --resume: from after N decisions, in a new log."
)
@o.JSON_LINES
@click.option("--practice", is_flag=True, help="Let people take back anything.")
@o.LANG
def command(
    file: str | None,
    players: int | None,
    seats: str | None,
    names: str | None,
    seed: str | None,
    options: tuple[str, ...],
    ruleset: str | None,
    scenario: str | None,
    record: str | None,
    resume: str | None,
    at: int | None,
    as_json: bool,
    practice: bool,
    lang: str,
) -> int:
    """Play one match of the game in FILE, told in sentences.

    People choose from numbered menus: u takes back, b shows the board,
    ? explains, q quits.  Without --seats all seats are bots.

    With --scenario the match begins in a position that the file gives: its
    seats, options and what is `given`.  Where it has a `do`, only that runs.

    \b
    rulekit run NAME --seats human,random --record my.log
    rulekit run NAME --seats human --scenario "a long walk"
    rulekit run --resume my.log       go on, after q, Ctrl-C or a closed window
    rulekit run --resume my.log --at 12 --seats human --record other.log
    """
    forgive_streams()
    if resume is not None:
        given = [players, names, seed, ruleset, scenario, *options]
        if at is None and (practice or any(one is not None for one in (*given, seats, record))):
            raise click.UsageError(
                "--resume goes on as it was: only FILE, --lang and --json may stand beside it; --at N lets others play"
            )
        if any(one is not None for one in given):
            also = "FILE, --seats, --record, --practice, --lang and --json"
            raise click.UsageError(f"--resume with --at goes on as it was: only {also} may stand beside them")
        return _going_on(_taken_up(resume, file, at, seats, record, lang, practice=practice, as_json=as_json))
    if at is not None:
        raise click.UsageError("--at stands beside --resume LOG")
    if file is None:
        raise click.UsageError("Missing argument 'FILE'.")
    game = load(file)
    if scenario is None:
        kinds, called = _seating(game, players, seats, names)
        begun, values = None, chosen(game, ruleset, options)
    else:
        if ruleset is not None or options or players is not None or names is not None:
            raise click.UsageError("--scenario says who plays and by which options; --seats says who sits there")
        found = scenario_named(game, scenario)
        kinds, called = _seating(game, len(found.seats), seats, None)[0], found.seats
        check_unsearching(kinds)
        begun, values = position_of(game, found)
    effective = o.seed_of(seed, _LONGEST_SEED)
    is_open = seed is not None or HUMAN not in kinds
    setup = Setup(file, called, kinds, effective, is_open, ruleset, practice, spoken(lang, game), begun)
    return _begun(game, values, setup, record, as_json)


def _begun(game: Game, values: Mapping[str, Value], setup: Setup, record: str | None, as_json: bool) -> int:
    if any(map(registry.is_searching, setup.kinds)):
        tell_without_webassembly()
    try:
        match = _started(game, values, setup, as_json)
        return Session(match, setup, as_json, library.LogFile(record) if record is not None else None).run()
    except RuleError as fault:
        raise _in_words(fault, setup, game) from None


def _taken_up(
    log: str, rules: str | None, at: int | None, seats: str | None, record: str | None, lang: str,
    *, practice: bool, as_json: bool,
) -> Session:  # fmt: skip
    if at is None:
        return resumed(log, rules, lang, as_json)
    return branched(
        log, rules, at, None if seats is None else _kinds(seats), record, lang, practice=practice, as_json=as_json
    )


def _going_on(session: Session) -> int:
    try:
        return session.run()
    except RuleError as fault:
        raise _in_words(fault, session.setup, session.match.state.setting.game) from None


def _in_words(fault: RuleError, setup: Setup, game: Game) -> Failed:
    words = _public(fault) if setup.people else _shown(fault, game)
    return Failed(words, LIMIT if isinstance(fault, LimitError) else FOUND)


def _started(game: Game, values: Mapping[str, Value], setup: Setup, as_json: bool) -> Match:
    """The match; where its setup fails what happened before is told first.  Errors: as of `started`."""
    try:
        return started(
            game,
            values,
            setup.names,
            setup.seed,
            at=setup.begun,
            people=setup.people,
            practice=setup.practice,
            oracle=standard(),
        )
    except RuleError as fault:
        if fault.events and not as_json:
            names = Names(prepared(game, values, setup.names, setup.seed, checked=False).setting, setup.tongue)
            Screen(sys.stdout).tell(fault.events, names, SPECTATOR if setup.people else None)
        raise


def _shown(fault: RuleError, game: Game) -> str:
    """A fault as a finding at the line that could not be carried out."""
    clauses = "".join(f" @{clause}" for clause in fault.cites)
    note = f"in `{fault.rule}`{clauses}" if fault.rule else clauses.strip()
    entry = Diagnostic(fault.code, fault.title, fault.span, note=note)
    return render(entry, {name: Source(name, text) for name, text in game.sources})


def _public(fault: RuleError) -> str:
    """What people who play may read of a fault: its own words can tell what is hidden from them."""
    if fault.code == "too-long":
        # Said of the whole match, not by one of its rules.
        return f"error: {fault}"
    if fault.code == "invariant":
        return f"error[invariant]: {fault.title} ({fault.span})"
    rule = f"the rule `{fault.rule}`" if fault.rule else "a rule"
    where = f" ({fault.span})" if fault.span.line else ""
    return f"error[{fault.code}]: {rule} cannot be carried out{where}"


# ---------------------------------------------------------------- the command line


def _seating(
    game: Game, players: int | None, seats: str | None, names: str | None
) -> tuple[tuple[str, ...], tuple[str, ...] | int]:
    """Who sits where, and what the seats are called or how many they are."""
    kinds = _kinds(seats)
    called = _names(names)
    count = players if players is not None else max(game.least, len(kinds), len(called))
    if not game.least <= count <= game.most:
        span = f"{game.least}" if game.least == game.most else f"{game.least} to {game.most}"
        raise BadSetup(f"{game.title} is for {span} players, not {count}")
    if len(kinds) > count:
        raise click.UsageError(f"--seats names {len(kinds)} seats, but {count} play")
    if called and len(called) != count:
        raise click.UsageError(f"--names has {len(called)} names, but {count} play")
    return (*kinds, *[registry.RANDOM] * (count - len(kinds))), called or count


def _kinds(seats: str | None) -> tuple[str, ...]:
    kinds = tuple(word.strip() for word in seats.split(",")) if seats is not None else ()
    for bot in [kind for kind in kinds if kind != HUMAN]:
        try:
            registry.maker(bot)
        except registry.UnknownBot as unknown:
            raise click.UsageError(f"--seats: {nearest(bot, (HUMAN,)) or f'{unknown}, or {HUMAN}'}") from None
    return kinds


def _names(names: str | None) -> tuple[str, ...]:
    called = tuple(unicodedata.normalize("NFC", word.strip()) for word in names.split(",")) if names is not None else ()
    for name in called:
        if not name or len(name) > _LONGEST_NAME or not is_seat_name(name) or set(name) & set(".[]"):
            raise click.UsageError(f"--names: {name!a} cannot be a seat's name")
    return called
