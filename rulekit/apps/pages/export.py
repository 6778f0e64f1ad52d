"""`rulekit export`: a game as one page that plays in a browser, without a server."""

from __future__ import annotations

from pathlib import Path

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.apps.console import DONE, Failed
from rulekit.apps.language import spoken
from rulekit.distribution import install_hint
from rulekit.loading import load


@click.command("export")
@o.takes(o.FILE, o.PAGE_LANG, o.output("PAGE"))
@click.option(
    "--pyodide",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Put the Python in this folder into the page, so that it needs no network.",
)
def command(file: str, lang: str, output: str | None, pyodide: Path | None) -> int:
    """Write the game in FILE as one page, to play alone against bots or with several at one screen.

    \b
    npm install --prefix py pyodide@314.0.7
    rulekit export NAME --pyodide py -o game.html

    The page needs no server: open it by a double click, or put it on any web space. Without --pyodide it is small,
    takes its Python from the network when it is opened, and says so.
    """
    try:
        from rulekit.export.browser_python import NoPython, from_folder, from_network
        from rulekit.export.page import page
    except ImportError as missing:
        raise Failed(f"a page for browsers needs {missing.name}; install it with\n  {install_hint('web')}") from None
    if output is None:
        raise click.UsageError("name the page with -o, as game.html")
    game = load(file)
    tongue = spoken(lang, game)
    try:
        python = from_network() if pyodide is None else from_folder(pyodide)
    except NoPython as fault:
        raise Failed(str(fault)) from None
    made = page(game, python, tongue).encode()
    library.write_whole(output, made)
    click.echo(f"{output}: {len(made) / 1e6:.1f} MB, {_reaches(pyodide)}")
    return DONE


def _reaches(pyodide: Path | None) -> str:
    return "takes Python from the network when it is opened" if pyodide is None else "needs nothing else"
