"""Help speaks to designers: first what a game needs, in words of games; what concerns machines and formats last."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from rulekit.apps.commands import cli

TECHNICAL = ("gettext", "dask", "parquet", "cluster", "engine", "backend", "scheduler", "json")
"""Words that nobody needs who makes a game."""
MACHINES = ["--jobs", "--engine", "--backend", "--scheduler"]


def commands(group: click.Group, above: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Every command by all its words."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*above, name))
        else:
            yield " ".join((*above, name)), command


COMMANDS = dict(commands(cli))


def help_of(command: click.Command, name: str) -> str:
    return command.get_help(click.Context(command, info_name=f"rulekit {name}"))


def test_the_map_of_commands_has_no_word_of_machines_or_formats() -> None:
    groups = [cli, cli.get_command(click.Context(cli), "text")]
    for told in [help_of(group, "") for group in groups if group is not None]:
        assert not [word for word in TECHNICAL if word in told.lower()]


def test_no_command_stands_in_two_places() -> None:
    modules = [command.callback.__module__ for command in COMMANDS.values() if command.callback is not None]
    assert len(modules) == len(set(modules))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_first_what_it_is_for(name: str) -> None:
    first = (COMMANDS[name].help or "").partition("\n\n")[0].lower()
    assert first
    assert not [word for word in TECHNICAL if word in first]


@pytest.mark.parametrize("name", COMMANDS)
def test_options_about_machines_stand_last(name: str) -> None:
    options = [one.opts[0] for one in COMMANDS[name].params if isinstance(one, click.Option)]
    machines = [word for word in options if word in MACHINES]
    if "--engine" in options and "text" not in name:
        assert machines == MACHINES
        assert set(options[options.index("--jobs") :]) <= {*MACHINES, "--parquet"}


def test_every_option_says_what_it_does() -> None:
    for name, command in COMMANDS.items():
        said = {one.opts[0]: one.help or "" for one in command.params if isinstance(one, click.Option)}
        assert not [option for option, words in said.items() if len(words.split()) < 3 and '"' not in words], name
