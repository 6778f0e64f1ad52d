"""`rulekit replay`: a log played again, and whether the rules still say the same."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND, Failed
from rulekit.apps.language import remark, spoken
from rulekit.apps.play.log_file import open_log
from rulekit.apps.play.resuming import branched, new_log_name, playing
from rulekit.apps.play.screen import JsonLines, Screen, forgive_streams
from rulekit.apps.play.stepping import Stepping, said
from rulekit.compiler.legality.oracle import standard
from rulekit.play import engine
from rulekit.play.state.match_state import State
from rulekit.record.replay import LogReplay, Played
from rulekit.tools.language.display_names import Names, seat_words
from rulekit.tools.language.translation import Tongue
from rulekit.tools.tell import narration


@click.command("replay")
@o.LOG
@click.option("--to", type=click.IntRange(min=0), help="Stop after this many decisions and show the position.")
@click.option("--all", "whole", is_flag=True, help="Write all at once, on a terminal too.")
@o.takes(o.rules("Play it"), o.RENAMES, o.JSON_LINES, o.LANG)
def command(
    log_file: str, to: int | None, whole: bool, rules: str | None, renames: str | None, as_json: bool, lang: str
) -> int:
    """Play a recorded match again and check that it still holds.

    A log holds the secrets of its match, and so does what is shown here.

    On a terminal it is looked through step by step: Enter goes on, p back,
    a number to that decision, e to the end, q out; c plays on from there and
    begins a new log.  With --all, --to or --json all is written at once.

    \b
    rulekit replay my.log
    rulekit replay my.log --to 12
    rulekit replay my.log --rules edited.rules --renames edited.renames
    """
    forgive_streams()
    log, game = open_log(log_file, rules, to, renames=renames)
    replaying, tongue = LogReplay(log, game, to, oracle=standard()), spoken(lang, game)
    if log.torn:
        remark(tongue, "torn-line", file=log_file, line=log.torn)
    if not replaying.same_rules:
        remark(tongue, "other-rules")
    if not (as_json or whole or to is not None) and _is_at_terminal():
        return _stepped(log_file, rules, renames, replaying, tongue, lang)
    state = _as_json(replaying) if as_json else _as_sentences(replaying, tongue)
    return _verdict(replaying, state, as_json, tongue)


def _is_at_terminal() -> bool:
    """Whether somebody reads this and can type."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _stepped(
    log_file: str, rules: str | None, renames: str | None, replaying: LogReplay, tongue: Tongue, lang: str
) -> int:
    """Looked through by a person, who may go on from anywhere."""
    screen = Screen()
    _title(screen, replaying, tongue)
    at = Stepping(replaying, tongue, screen).looked_through()
    _tell_reworded(replaying, tongue)
    if at is None:
        return DONE if replaying.fault is None else FOUND
    if renames is not None:
        raise Failed("error: a match that is replayed by a list of renames is not played on: its chance has old names")
    record = new_log_name(log_file, at)
    kinds = playing(replaying.log.header)
    return branched(log_file, rules, at, kinds, record, lang, practice=False, as_json=False).run()


# ---------------------------------------------------------------- telling


def _title(screen: Screen, replaying: LogReplay, tongue: Tongue) -> None:
    header = replaying.log.header
    title, seats = tongue.text("title", header.title), ", ".join(seat_words(seat, tongue) for seat in header.seats)
    screen.say(tongue.say("title-line", title=title, seats=seats), style="bold")


def _with_failed(replaying: LogReplay) -> Iterator[Played]:
    """What holds, then the decision at which a rule failed, in whose position the match stays."""
    yield from replaying
    if replaying.failed is not None:
        yield replaying.failed


def _as_json(replaying: LogReplay) -> State | None:
    lines, state = JsonLines(None), None
    for played in _with_failed(replaying):
        if state is None:
            lines.start(replaying.log.header, seed=replaying.log.header.seed)
        elif played.action is not None:
            asked = next(each for each in engine.decisions(state) if each.seat == played.action.seat)
            lines.decision(state, asked, played.action.answer)
        lines.events(played.events)
        state = played.state
    return state


def _as_sentences(replaying: LogReplay, tongue: Tongue) -> State | None:
    screen, names, state = Screen(), None, None
    for played in _with_failed(replaying):
        if names is None:
            names = Names(played.state.setting, tongue)
            _title(screen, replaying, tongue)
        elif played.action is not None:
            screen.say(said(played, names), style="bold")
        screen.tell(played.events, names, None)
        state = played.state
    if state is not None and names is not None:
        screen.board(state, None, names)
    return state


def _verdict(replaying: LogReplay, state: State | None, as_json: bool, tongue: Tongue) -> int:
    """The last lines: the outcome, and whether everything holds."""
    screen = Screen(sys.stderr if as_json else sys.stdout)
    _tell_reworded(replaying, tongue)
    outcome = None if state is None else engine.outcome(state)
    if state is not None and outcome is not None:
        if as_json:
            JsonLines(None).outcome(
                state, outcome, seed=replaying.log.header.seed, decisions=len(replaying.log.entries)
            )
        else:
            for line in narration.result(outcome, Names(state.setting, tongue)):
                screen.say(line, style="bold")
    if replaying.fault is not None:
        sys.stdout.flush()
        click.echo(f"{tongue.say('level-error')}[{replaying.fault.code}]: {replaying.fault}", err=True)
        return FOUND
    screen.say(_all_holds(replaying, tongue, over=outcome is not None))
    return DONE


def _tell_reworded(replaying: LogReplay, tongue: Tongue) -> None:
    for then, now in replaying.reworded:
        remark(tongue, "reworded", then=repr(then), now=repr(now))


def _all_holds(replaying: LogReplay, tongue: Tongue, *, over: bool) -> str:
    count = len(replaying.log.entries)
    if replaying.to is not None and replaying.to < count:
        return tongue.say("first-hold", count=replaying.to, all=count)
    if replaying.log.end is not None:
        return tongue.say("all-hold", count=count)
    return tongue.say("all-hold-torn" if over else "all-hold-unfinished", count=count)
