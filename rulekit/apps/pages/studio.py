"""`rulekit studio`: edit rules, and see at once what they do, on one page in the browser."""

from __future__ import annotations

import secrets
import time
from contextlib import closing

import click

from rulekit.apps import options as o
from rulekit.apps.console import Failed
from rulekit.apps.listening import address, listening
from rulekit.distribution import install_hint


@click.command("studio")
@click.argument("file", type=o.RULES_FILE, metavar="FILE")
@click.option(
    "--port", default=8010, show_default=True, type=click.IntRange(0, 65535), help="Where the browser calls it."
)
def command(file: str, port: int) -> None:
    """Edit rules and see at once what they do: the match, the examples, who wins how often.

    \b
    rulekit studio mine.rules

    The address that is printed opens a page with three parts: the rules, a match that goes on under them, and figures
    of thousands of matches before and after each change. It is for one person on this machine.
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

    with (
        listening(LOCAL[0], port) as heard,
        responsive() as looked,
        closing(Studio(RulesFile(file), looked, time.monotonic, lambda: time.strftime("%H:%M"))) as studio,
    ):
        key = secrets.token_urlsafe(16)
        click.echo(f"Open {address(LOCAL[0], heard)}/{key}/")
        click.echo("Ctrl-C ends it.")
        Running(StudioServer(studio, key), LOCAL, log_level="warning").run([heard])
