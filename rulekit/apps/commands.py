"""The commands of `rulekit`: which sub-commands there are and where each lives.

A sub-command's module is imported when it is run, not before.
"""

from __future__ import annotations

import difflib
import os
import sys
from importlib import import_module

import click

from rulekit.apps.console import guarded

_COMPLETION = "_RULEKIT_COMPLETE"
"""Set by a shell that asks for completions."""
_SHOWN = 40
"""How much of an unknown command a message shows."""
_COMMANDS = {
    "run": ("rulekit.apps.running", "Play one game, narrated; people choose from menus."),
    "simulate": ("rulekit.apps.simulating", "Play thousands of matches and report who wins, how long, how far."),
    "replay": ("rulekit.apps.replaying", "Play a recorded game again and check that it still holds."),
    "check": ("rulekit.apps.checking", "Find what is wrong in rules files."),
    "test": ("rulekit.apps.testing", "Run the scenarios in rules files."),
    "fmt": ("rulekit.apps.formatting", "Put rules files into the one layout."),
}


class _Lazy(click.Group):
    """Sub-commands by name; help is printed without importing any."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        module, _ = _COMMANDS[name]
        command: click.Command = import_module(module).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-"):
            near = difflib.get_close_matches(name, _COMMANDS, n=1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise click.UsageError(f"there is no command {name[:_SHOWN]!a}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
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
