"""Every page: its links lead somewhere, the commands and files that it names exist, and the list of pages has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from click import Context, Option

from rulekit.apps.commands import cli
from tests.paths import DOCS, ROOT

PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
OTHERS = {"--files", "--hungry", "--wire"}
"""Options of programs of the tests that stand alone in a page."""
every_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)


def prose(path: Path) -> str:
    """The text without blocks of code."""
    return re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(path: Path) -> set[str]:
    """What a link may name behind `#`: headings, small, without marks, with hyphens for blanks."""
    headings = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(path: Path) -> list[str]:
    found = re.findall(r"\]\(\s*([^)\s]+)\s*\)", prose(path))
    return [link for link in found if not re.match(r"[a-z]+:", link)]


@every_page
def test_every_link_leads_somewhere(path: Path) -> None:
    for link in links(path):
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_the_list_of_pages_has_every_page() -> None:
    listed = {(DOCS / link.partition("#")[0]).resolve() for link in links(DOCS / "README.md")}
    assert listed >= {path.resolve() for path in PAGES} - {DOCS / "README.md"}


@every_page
def test_files_and_programs_that_are_named_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"`((?:benchmarks|docs|examples|games|grammar|rulekit|tests)/[^` ]*)`", text)
    assert not [name for name in named if "NAME" not in name and not list(ROOT.glob(name.rstrip("/")))]
    programs = re.findall(r"-m ((?:benchmarks|tests)\.[\w.]*\w)", text)
    assert not [program for program in programs if find_spec(program) is None]


def test_programs_that_make_runs_exist() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    programs = re.findall(r"-m ((?:benchmarks|tests)\.[\w.]*\w)", text)
    assert programs
    assert not [program for program in programs if find_spec(program) is None]


def commands(group: click.Group) -> Iterator[click.Command]:
    """All that can be typed below a group."""
    for name in group.list_commands(Context(group)):
        command = group.get_command(Context(group), name)
        assert command is not None
        yield from commands(command) if isinstance(command, click.Group) else [command]


def options(command: click.Command) -> set[str]:
    return {word for one in command.params if isinstance(one, Option) for word in one.opts}


def command_of(words: list[str]) -> click.Command | None:
    """The command that words behind `rulekit` call; None if there is none of that name."""
    command: click.Command | None = cli
    while isinstance(command, click.Group):
        command = command.get_command(Context(command), words.pop(0)) if words else None
    return command


@every_page
def test_every_command_and_option_can_be_typed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for line in re.findall(r"(?:^|[`(] ?|\$ |-m |bin/)rulekit ((?!-)[a-z][^`\n|#]*)", text, re.MULTILINE):
        command = command_of(line.split())
        assert command is not None, line
        assert set(re.findall(r"(?<!\S)--[a-z-]+", line)) <= options(command) | {"--help"}, line
    known = set().union(options(cli), *map(options, commands(cli)), {"--help"})
    assert set(re.findall(r"`(--[a-z-]+)", text)) <= known | OTHERS
