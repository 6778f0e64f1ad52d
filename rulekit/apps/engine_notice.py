"""Saying that the interpreter plays, where one would expect the faster engine."""

from __future__ import annotations

import sys

import click


def tell(why: str) -> None:
    """A line on standard error that says why the faster engine does not play; the same line once in a command."""
    command = click.get_current_context(silent=True)
    told: set[str] = set() if command is None else command.find_root().meta.setdefault(__name__, set())
    if why not in told:
        told.add(why)
        print(f"played in the interpreter, which is slower: {why}", file=sys.stderr)


def tell_without_webassembly() -> None:
    """The same where nothing runs WebAssembly: for commands whose matches or searches would run in it."""
    from rulekit.compiler.runtime import wasm_host

    try:
        wasm_host.host()
    except wasm_host.Missing as missing:
        tell(str(missing))
