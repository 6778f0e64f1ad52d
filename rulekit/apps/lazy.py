"""A group of commands by name; a command's module is imported when it is run, not before."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

_SHOWN = 40
"""How much of an unknown command a message shows."""


class LazyGroup(click.Group):
    """commands: by name the module whose `command` it is, and what its help says in a line."""

    def __init__(self, *args: Any, modules: Mapping[str, tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.modules:
            return None
        module, _ = self.modules[name]
        command: click.Command = import_module(module).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self.modules and not name.startswith("-"):
            near = difflib.get_close_matches(name, self.modules, n=1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise click.UsageError(f"there is no command {name[:_SHOWN]!a}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.modules.items()])
