"""`rulekit serve`: a table in the browser, on this machine unless told otherwise."""

from __future__ import annotations

import secrets
from contextlib import ExitStack
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from rulekit.apps import options as o
from rulekit.apps.console import Failed
from rulekit.apps.listening import address, called, listening
from rulekit.compiler.legality.oracle import standard
from rulekit.distribution import install_hint

if TYPE_CHECKING:
    from rulekit.web.addresses import PublicUrl


@click.command("serve")
@click.argument("files", nargs=-1, required=True, type=o.RULES_FILE, metavar="FILE...")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Where browsers call it.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address it listens on.")
@click.option(
    "--public-url", metavar="URL", help="The address of a proxy before it, such as https://example.org/games."
)
@click.option("--store", type=click.Path(dir_okay=False), help="Keep matches in this file and take them up from it.")
@click.option("--limited", is_flag=True, help="Refuse this machine's own browsers too when they ask without end.")
def command(
    files: tuple[str, ...], port: int, host: str, public_url: str | None, store: str | None, limited: bool
) -> None:
    """Play at a table in the browser: each seat has a link of its own and sees what it may see.

    \b
    rulekit serve NAME
    rulekit serve mine.rules NAME --store matches.db

    The address that is printed opens the page on which matches are begun; keep it to yourself. Without --store, matches
    are gone when the command ends. With --port 0 any port that is free is taken.

    Behind a proxy (nginx, Caddy), --public-url is what browsers call: name, port and path.
    """
    try:
        from rulekit.web.guarding import LOCAL
        from rulekit.web.rate_limits import Limits
        from rulekit.web.rules_watch import RulesWatch
        from rulekit.web.running import Running
        from rulekit.web.server import Server
    except ImportError as missing:
        raise Failed(f"a table in the browser needs {missing.name}; install it with\n  {install_hint('web')}") from None
    public = None if public_url is None else _public(public_url)
    from rulekit.hosting.host import Host
    from rulekit.hosting.store import Store

    with ExitStack() as ending:
        heard = ending.enter_context(listening(host, port))
        path = store or f"{ending.enter_context(TemporaryDirectory())}/matches.db"
        matches = ending.enter_context(Host(ending.enter_context(Store(path)), files, oracle=standard()))
        for file in files:
            matches.game(file)
        watch = ending.enter_context(RulesWatch(matches))
        key = secrets.token_urlsafe(16)
        own = address(host, heard)
        click.echo(f"Begin matches at {own if public is None else public.address}/host/{key}")
        if public is not None:
            click.echo(f"The proxy calls {own}")
        click.echo("Ctrl-C ends it.")
        server = Server(matches, key, watch.told, limits=Limits(own=limited), public=public)
        Running(server, (*LOCAL, called(host)), log_level="warning").run([heard])


def _public(text: str) -> PublicUrl:
    """The address of a proxy.  Errors: `Failed`."""
    from rulekit.web.addresses import PublicUrl

    try:
        return PublicUrl.parse(text)
    except ValueError as fault:
        raise Failed(
            f"error: --public-url {text}: {fault}\n  hint: write it as browsers do: https://example.org/games"
        ) from None
