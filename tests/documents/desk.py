"""An editor's folder, in which a small book goes out with its findings and comes back with answers."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen
from click.testing import CliRunner

from rulekit.apps.commands import cli
from tests.paths import BOOKS, EXAMPLES

GOATS = str(EXAMPLES / "goat_path.rules")
BOOK, ANCHORS = BOOKS / "goat_path.it.md", str(BOOKS / "goat_path.it.anchors")
DIGEST = "e5a55fb49b"
"""Of the one finding about the book."""


@frozen
class Told:
    code: int
    out: str
    err: str


@frozen
class Desk:
    """An editor's folder: a book that goes out with findings and comes back with answers."""

    folder: Path

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def run(self, *words: str) -> Told:
        run = CliRunner().invoke(cli, ["text", *words], standalone_mode=False)
        if isinstance(run.exception, Exception):
            raise run.exception
        return Told(run.return_value, run.stdout, run.stderr)

    def audit(self, book: str, out: str, *more: str) -> Told:
        accepted = self.folder / "goats.accepted"
        accepted.touch()
        named = ("--book", self.path(book), "--anchors", ANCHORS, "--accepted", str(accepted))
        return self.run("audit", GOATS, *named, "--comments", self.path(out), *more)

    def answers(self, book: str, *more: str) -> Told:
        accepted = self.folder / "goats.accepted"
        named = ("--book", self.path(book), "--anchors", ANCHORS, "--accepted", str(accepted))
        told = self.run("answers", GOATS, *named, *more)
        with accepted.open("a") as kept:
            kept.write(told.out)
        return told
