"""`rulekit studio`: edit rules, and see at once what they do, on one page in the browser."""

from __future__ import annotations

import os
import time
from contextlib import closing
from pathlib import Path

import click

from rulekit import library
from rulekit.apps.console import Failed
from rulekit.apps.listening import address, listening, page_key
from rulekit.diagnostics import render
from rulekit.distribution import install_hint
from rulekit.values import evolve


@click.command("studio")
@click.argument("file", metavar="FILE")
@click.option(
    "--port", default=8010, show_default=True, type=click.IntRange(0, 65535), help="Where the browser calls it."
)
def command(file: str, port: int) -> None:
    """Edit rules and see at once what they do: the match, the examples, who wins how often.

    \b
    rulekit studio mine.rules

    The address that is printed opens a page with three parts: the rules, a match that goes on under them, and figures
    of thousands of matches before and after each change. It is for one person on this machine.

    A game that ships is opened as a copy in this folder, NAME.rules, or goes on as that file if it is there already.
    """
    try:
        from rulekit.studio.editor import editor_folder
        from rulekit.studio.server import StudioServer
        from rulekit.web.guarding import LOCAL
        from rulekit.web.running import Running

        editor_folder()
    except ImportError as missing:
        raise Failed(f"the studio needs {missing.name}; install it with\n  {install_hint('studio')}") from None
    from rulekit.studio.responsive_process import responsive
    from rulekit.studio.rules_file import RulesFile
    from rulekit.studio.studio import Studio

    with listening(LOCAL[0], port) as heard:
        path, is_copy = _editable(file)
        with (
            responsive() as looked,
            closing(Studio(RulesFile(path), looked, time.monotonic, lambda: time.strftime("%H:%M"))) as studio,
        ):
            key = page_key("studio", path)
            click.echo(f"Open {address(LOCAL[0], heard)}/{key}/")
            click.echo("Ctrl-C ends it.")
            Running(StudioServer(studio, key, is_copy=is_copy), LOCAL, log_level="warning").run([heard])


def _editable(file: str) -> tuple[str, bool]:
    """The path of a file to edit, and whether it stands in place of a game that ships, which is never written.

    Errors: `Failed` if there is no such file; `Unreadable`.
    """
    is_there = os.path.lexists(file)
    if is_there and not library.is_installed(file):
        return file, False
    shipped = Path(os.path.realpath(file)) if is_there else library.shipped(file)
    if shipped is None:
        raise Failed(_missing(file))
    copy, stays = shipped.name, f"{shipped.stem} ships with rulekit and stays as it is"
    if library.is_installed(copy):
        raise Failed(f"error: {stays}\n  hint: call the studio in another folder, where it can copy it")
    if os.path.lexists(copy):
        click.echo(f"{stays}: going on with {copy} in this folder", err=True)
    else:
        library.write_new(copy, shipped.read_bytes())
        click.echo(f"{stays}: copied to {copy} in this folder", err=True)
    return copy, True


def _missing(file: str) -> str:
    """There is no such file, and how to begin one."""
    try:
        library.read(file)
    except library.Unreadable as fault:
        stem = file.removesuffix(".rules")
        name = stem if library.GAME_NAME.fullmatch(stem) else "my_game"
        hint = fault.finding.hint or f"`rulekit new {name}` begins a small game that plays"
        return render(evolve(fault.finding, hint=hint), {})
    raise AssertionError(file)
