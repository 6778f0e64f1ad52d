"""The command table of `rulekit`: every sub-command with its module and its line of help.

Also called: lazy loading.  A sub-command's module is imported when it is run, not before; the tables below are the only
place that names these modules.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from rulekit.apps.console import guarded
from rulekit.distribution import NAME, stranger

_COMPLETION = "_RULEKIT_COMPLETE"
"""Set by a shell that asks for completions."""
_SHOWN = 40
"""How much of an unknown command a message shows."""

Entry = tuple[str, str]
"""The module whose `command` it is, and what its help says in a line."""

_COMMANDS: dict[str, Entry] = {
    "games": ("rulekit.apps.games", "List the games that ship; every command takes their names."),
    "new": ("rulekit.apps.new", "Begin a rules file: a small game, or a variant of one."),
    "run": ("rulekit.apps.play.run", "Play one game, narrated; people choose from menus."),
    "serve": ("rulekit.apps.pages.serve", "Play at a table in the browser, each seat by a link of its own."),
    "studio": ("rulekit.apps.pages.studio", "Edit rules in the browser and see at once what they do."),
    "export": ("rulekit.apps.pages.export", "Write a game as one page that plays in a browser, without a server."),
    "simulate": ("rulekit.apps.series.simulate", "Play thousands of matches and report who wins, how long, how far."),
    "compare": (
        "rulekit.apps.series.compare",
        "Say what differs between two versions of a game, over pairs of matches.",
    ),
    "sweep": ("rulekit.apps.series.sweep", "Tell how the figures of a game change with its options."),
    "tune": ("rulekit.apps.series.tune", "Search options with which a game does what it should."),
    "replay": ("rulekit.apps.play.replay", "Play a recorded game again and check that it still holds."),
    "explain": ("rulekit.apps.play.explain", "Why everything in a recorded game happened, and why not something else."),
    "diff": ("rulekit.apps.diff", "Where two games, options or readings part, as a scenario."),
    "check": ("rulekit.apps.check", "Find what is wrong in rules files."),
    "test": ("rulekit.apps.test", "Run the scenarios in rules files."),
    "rulebook": ("rulekit.apps.pages.rulebook", "Print the rules of a game as a rulebook: HTML, Markdown or PDF."),
    "text": ("", "Rule text: its translations, and whether it says what the game does."),
    "lsp": ("rulekit.apps.editor.lsp", "Serve an editor: the language server, which it starts by itself."),
    "fmt": ("rulekit.apps.format", "Put rules files into the one layout."),
}
"""The order is that of the help.  `text` is a group that stands in this module."""
_TEXT_COMMANDS: dict[str, Entry] = {
    "extract": ("rulekit.apps.text.extract", "Write all texts of a game into a file for translators."),
    "check": ("rulekit.apps.text.check", "What is missing, fuzzy or broken in the translations of a game."),
    "merge": ("rulekit.apps.text.merge", "Bring a translation in step with its game."),
    "send": ("rulekit.apps.text.send", "Write a translation as XLIFF or as a spreadsheet, for a translator."),
    "anchor": ("rulekit.apps.text.anchor", "Propose which passages of a rulebook belong to which clauses."),
    "audit": ("rulekit.apps.text.audit", "Compare a rulebook's numbers and words with what the rules do."),
    "answers": ("rulekit.apps.text.answers", "Read what people made of the comments in a book."),
    "compare": ("rulekit.apps.text.compare", "Hold two editions of a game's rules against each other."),
    "review": ("rulekit.apps.text.review", "Look through a rulebook beside its rules, in the browser."),
    "coverage": ("rulekit.apps.text.coverage", "What the examples and random matches exercise, and what never."),
    "witness": ("rulekit.apps.text.witness", "The shortest game or position found in which a clause is carried out."),
    "unclear": ("rulekit.apps.text.unclear", "How much each reading of an unclear passage matters."),
    "gaps": ("rulekit.apps.text.gaps", "What the rules had to assume, as questions to the publisher."),
    "pin": ("rulekit.apps.text.pin", "Which changes of the rules the examples would not notice, with new examples."),
}


class LazyGroup(click.Group):
    """A group of commands from a table; a command's module is imported when the command is run or its help shown."""

    def __init__(self, *args: Any, table: Mapping[str, Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in self.commands or name not in self.table:
            return self.commands.get(name)
        module, _ = self.table[name]
        command: click.Command = import_module(module).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self.table and not name.startswith("-"):
            from rulekit.diagnostics import closest  # Seldom needed.

            near = closest(name, self.table)
            hint = f"; did you mean `{near}`?" if near else ""
            raise click.UsageError(f"there is no command {name[:_SHOWN]!a}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.table.items()])


@click.group(cls=LazyGroup, table=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show a traceback when rulekit itself fails.")
@click.version_option(package_name=NAME)
def cli(debug: bool) -> None:
    """Board and card games as data: play, check and test rules files.

    \b
    rulekit games                            what there is to play
    rulekit run NAME                         watch one
    rulekit run NAME --seats human           join it
    rulekit new my_game                      begin one of your own
    rulekit check my_game.rules              what is wrong in it
    """


@cli.group("text", cls=LazyGroup, table=_TEXT_COMMANDS)
def text_commands() -> None:
    """Rule text, its translations, and whether it says what the game does.

    \b
    rulekit text extract games/NAME.rules -o games/text/NAME.pot
    """


def ended() -> int:
    """Run what the command line says: the exit code."""
    if _COMPLETION in os.environ:
        cli.main(prog_name="rulekit")
    return guarded(_run, debug="--debug" in sys.argv[1:])


def _run() -> object:
    if mixed := stranger():
        click.echo(f"warning: {mixed}", err=True)
    # Not `cli.main`: it would end a closed pipe with its own exit code.
    with cli.make_context("rulekit", sys.argv[1:]) as context:
        return cli.invoke(context)
