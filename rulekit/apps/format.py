"""`rulekit fmt`: the formatter (pretty-printer); puts rules files into the one layout.

A file is replaced as a whole or not at all, and only by a text that was read
again and means the same.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import click

from rulekit import library
from rulekit.apps.console import DONE, FOUND, Failed
from rulekit.diagnostics import Diagnostic, Problems, render_all
from rulekit.source import Source
from rulekit.values import frozen


@frozen
class _Text:
    """A file before and after; `findings`: why it cannot be formatted."""

    path: str
    before: bytes = b""
    after: bytes = b""
    findings: tuple[Diagnostic, ...] = ()
    source: Source | None = None


@click.command("fmt")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--check", is_flag=True, help="Change nothing; end with 1 if a file would change.")
@click.option("--diff", is_flag=True, help="The same, and show what would change.")
def command(files: tuple[str, ...], check: bool, diff: bool) -> int:
    """Put rules files into the one layout.

    Spaces, indentation and columns change; words, comments, clauses and
    citations stay.  A file with faults in its grammar is left alone.

    \b
    rulekit fmt my_game.rules           rewrite it
    rulekit fmt games/*.rules --diff    only show what would change

    \b
    before:  move marker  up by   2 @A-1
    after:   move marker up by 2                                @A-1

    Ends with 0; with 1 if a file cannot be formatted, or with `--check` or
    `--diff` if one would change.
    """
    if check and diff:
        raise click.UsageError("`--check` and `--diff` exclude each other: `--diff` checks too")
    texts = [_formatted(path) for path in files]
    _tell_faults(texts)
    changed = [text for text in texts if text.before != text.after]
    for text in changed:
        if diff:
            click.echo(_difference(text), nl=False)
        elif check:
            click.echo(f"{text.path} would change")
        else:
            _put(text)
            click.echo(f"formatted {text.path}", err=True)
    faulty = any(text.findings for text in texts)
    return FOUND if faulty or (changed and (check or diff)) else DONE


def _formatted(path: str) -> _Text:
    from rulekit.syntax.parse import parse
    from rulekit.syntax.unparse import unparse

    try:
        source = library.read(path)
    except library.Unreadable as fault:
        return _Text(path, findings=(fault.finding,))
    problems = Problems()
    file = parse(source, problems).file
    if problems.has_errors:
        return _Text(path, findings=tuple(problems.found), source=source)
    text = unparse(file)
    again = parse(Source(path, text), Problems()).file
    if again != file:
        raise RuntimeError(f"the formatted text of {path} would not mean the same")
    before = Path(path).read_bytes()
    after = text.replace("\n", "\r\n") if library.ends_in_crlf(path) else text
    return _Text(path, before, after.encode("utf-8"), source=source)


def _tell_faults(texts: list[_Text]) -> None:
    findings = [entry for text in texts for entry in text.findings]
    sources = {text.source.name: text.source for text in texts if text.source is not None}
    if findings:
        click.echo(render_all(findings, sources), err=True)


def _difference(text: _Text) -> str:
    before, after = (part.decode("utf-8-sig").splitlines(keepends=True) for part in (text.before, text.after))
    lines = difflib.unified_diff(before, after, text.path, f"{text.path} (formatted)")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ no end of line\n" for line in lines)


def _put(text: _Text) -> None:
    """Write the new text; raises `Failed` or `OSError`, and then the file is as it was."""
    if not os.access(text.path, os.W_OK):
        raise Failed(f"error: {text.path} was left as it was: it is write-protected")
    try:
        library.replace(text.path, text.after)
    except OSError as fault:
        if fault.filename == text.path:
            # About the file itself, such as that it is gone by now.
            raise
        reason = (fault.strerror or "it cannot be written").lower()
        raise Failed(f"error: {text.path} was left as it was: {reason}") from None
