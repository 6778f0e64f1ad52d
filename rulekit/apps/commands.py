"""The commands of `rulekit`: which sub-commands there are and where each lives.

A sub-command's module is imported when it is run, not before.
"""

from __future__ import annotations

import os
import sys

import click

from rulekit.apps.console import guarded
from rulekit.apps.lazy import LazyGroup

_COMPLETION = "_RULEKIT_COMPLETE"
"""Set by a shell that asks for completions."""
_COMMANDS = {
    "run": ("rulekit.apps.running", "Play one game, narrated; people choose from menus."),
    "simulate": ("rulekit.apps.simulating", "Play thousands of matches and report who wins, how long, how far."),
    "compare": ("rulekit.apps.comparing", "Say what differs between two versions of a game, over pairs of matches."),
    "sweep": ("rulekit.apps.sweeping", "Tell how the figures of a game change with its options."),
    "tune": ("rulekit.apps.tuning", "Search options with which a game does what it should."),
    "replay": ("rulekit.apps.replaying", "Play a recorded game again and check that it still holds."),
    "explain": ("rulekit.apps.explaining", "Why everything in a recorded game happened, and why not something else."),
    "diff": ("rulekit.apps.differing", "Where two games, options or readings part, as a scenario."),
    "check": ("rulekit.apps.checking", "Find what is wrong in rules files."),
    "test": ("rulekit.apps.testing", "Run the scenarios in rules files."),
    "rulebook": ("rulekit.apps.rulebook", "Print the rules of a game as a rulebook: HTML, Markdown or PDF."),
    "text": ("rulekit.apps.text", "Rule text: its translations, and whether it says what the game does."),
    "fmt": ("rulekit.apps.formatting", "Put rules files into the one layout."),
}


@click.group(cls=LazyGroup, modules=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show a traceback when rulekit itself fails.")
@click.version_option(package_name="rulekit")
def cli(debug: bool) -> None:
    """Board and card games as data: play, check and test rules files.

    \b
    rulekit run games/NAME.rules                watch a game
    rulekit run games/NAME.rules --seats human  join it
    rulekit check my_variant.rules               what is wrong in it
    """


def ended() -> int:
    """Run what the command line says: the exit code."""
    if _COMPLETION in os.environ:
        cli.main(prog_name="rulekit")
    return guarded(_run, debug="--debug" in sys.argv[1:])


def _run() -> object:
    # Not `cli.main`: it would end a closed pipe with its own exit code.
    with cli.make_context("rulekit", sys.argv[1:]) as context:
        return cli.invoke(context)
