"""A log that the command line names, with the rules it was made with; or a clear error."""

from __future__ import annotations

from pathlib import Path

from rulekit import library
from rulekit.apps.console import Failed
from rulekit.loading import load
from rulekit.model.game import Game
from rulekit.record.log import Damaged, Log
from rulekit.record.renames import BadRenames, applied, parse
from rulekit.record.replay import read, rules_named


def open_log(
    log_file: str, rules: str | None, number: int | None, way: str = "with --rules FILE", renames: str | None = None
) -> tuple[Log, Game]:
    """rules: other rules than those that the log names, and in what way a command takes them.

    number:   of a decision that it must have.
    renames:  a list of what its names are called in these rules; the log comes back with those.

    Errors: `library.Unreadable`; `Failed` for a file that is no log, or whose rules or decision are not there.
    """
    try:
        log = read(log_file)
    except Damaged as fault:
        raise Failed(f"error[damaged-log]: {log_file}: {fault}") from None
    if number is not None and number > len(log.entries):
        raise Failed(f"error: {log_file}: the log has only {len(log.entries)} decisions")
    named = rules or rules_named(log.header.file, log_file)
    if named is None:
        name = Path(log.header.file).name
        where = "in this folder, beside the log or among the games that ship"
        raise Failed(f"error: the rules {name!r} that the log names are not {where}; name them {way}")
    game = load(named)
    return (log, game) if renames is None else _renamed(log, game, renames)


def _renamed(log: Log, game: Game, path: str) -> tuple[Log, Game]:
    try:
        return applied(log, game, parse(library.read(path)))
    except BadRenames as fault:
        raise Failed(f"error[renames]: {path}: {fault}") from None
