"""Input files named on the command line: a log, the rules it was made with, rules to be changed; or a clear error."""

from __future__ import annotations

from pathlib import Path

from rulekit import library
from rulekit.apps.console import Failed
from rulekit.diagnostics import render
from rulekit.record.log import Damaged, Log
from rulekit.record.replay import read, rules_named
from rulekit.tools.examples.mutation_operators import Rules, rules_of


def open_log(log_file: str) -> Log:
    """Errors: `Failed` for a file that cannot be read, or is no log."""
    try:
        return read(log_file)
    except library.Unreadable as fault:
        raise Failed(render(fault.finding, {})) from None
    except Damaged as fault:
        raise Failed(f"error[damaged-log]: {log_file}: {fault}") from None


def rules_of_log(log: Log, log_file: str) -> str:
    """The file of the rules that a log names; errors: `Failed` where it is gone."""
    named = rules_named(log, log_file)
    if named is None:
        name = Path(log.header.file).name
        raise Failed(f"error: the rules {name!r} that the log names are not found; name them with --rules FILE")
    return named


def open_rules(file: str) -> Rules:
    """Rules that can be changed and looked into; errors: `Failed` for a file that cannot be read."""
    try:
        return rules_of(library.read(file))
    except library.Unreadable as fault:
        raise Failed(render(fault.finding, {})) from None
