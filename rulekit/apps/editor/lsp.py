"""`rulekit lsp`: the language server, which an editor starts and speaks to."""

from __future__ import annotations

import click

from rulekit.apps.console import Failed
from rulekit.distribution import install_hint


@click.command("lsp")
def command() -> int:
    """Serve an editor with the Language Server Protocol, over standard input and output.

    An editor starts this command; docs/editors.md says how to tell yours.
    """
    try:
        from rulekit.apps.editor.server import server
    except ImportError as missing:
        raise Failed(f"the language server needs {missing.name}; install it with\n  {install_hint('lsp')}") from None
    language_server = server()
    language_server.start_io()
    return language_server.exit_code
