"""The tutorial as it is read: files to be saved, changes to be tried, commands with what they show.

A block ```` ```rules NAME ```` is a file to be saved under that name.  A block
```` ```diff ```` changes it for the next console only.  In a ```` ```console ````
lines that begin with `$` are commands; the others are what is shown, in which
`…` stands for lines that are left out and `> 2` for a person who types 2.
"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

from tests.paths import DOCS

PAGE = DOCS / "tutorial.md"
LEFT_OUT = "…"
_WORDS = "\n## Words for the next game\n"
_BLOCK = re.compile(r"^```(?P<kind>[a-z]+)(?: (?P<name>\S+))?\n(?P<text>.*?)^```$", re.M | re.S)


@frozen
class Command:
    """words: behind `rulekit`.  files: what the reader has saved, by name."""

    words: tuple[str, ...]
    typed: tuple[str, ...]
    shown: tuple[str, ...]
    files: dict[str, str]
    line: int


@frozen
class Step:
    """files: as they are at the end of the step; written: those that it says to save."""

    number: int
    title: str
    text: str
    written: dict[str, str]
    files: dict[str, str]
    commands: tuple[Command, ...]


def steps(page: Path = PAGE) -> tuple[Step, ...]:
    """The steps of the page, each with the files of those before it."""
    text = page.read_text(encoding="utf-8")
    heads = list(re.finditer(r"^## Step (\d+): (.*)$", text, re.M))
    ends = [*(head.start() for head in heads[1:]), text.index(_WORDS)]
    files: dict[str, str] = {}
    found = []
    for head, end in zip(heads, ends, strict=True):
        step = _step(int(head[1]), head[2], text[: head.end()].count("\n"), text[head.end() : end], files)
        files = step.files
        found.append(step)
    return tuple(found)


def words(page: Path = PAGE) -> tuple[Step, ...]:
    """The games behind the steps, about words that the game of the steps does not need: one below each head."""
    text = page.read_text(encoding="utf-8")
    start = text.index(_WORDS)
    end = text.index("\n## ", start + 1)
    heads = list(re.finditer(r"^### (.*)$", text[start:end], re.M))
    ends = [*(head.start() for head in heads[1:]), end - start]
    return tuple(
        _step(number, head[1], text[: start + head.end()].count("\n"), text[start + head.end() : start + stop], {})
        for number, (head, stop) in enumerate(zip(heads, ends, strict=True), 11)
    )


def _step(number: int, title: str, first_line: int, text: str, before: dict[str, str]) -> Step:
    files, written, changed = dict(before), dict[str, str](), dict[str, str]()
    commands: list[Command] = []
    for block in _BLOCK.finditer(text):
        line = first_line + text[: block.start("text")].count("\n") + 1
        if block["kind"] == "rules":
            files[block["name"]] = written[block["name"]] = block["text"]
        elif block["kind"] == "diff":
            changed = _changed(files, list(written)[-1], block["text"])
        else:
            assert block["kind"] == "console", block[0]
            commands += _commands(block["text"], {**files, **changed}, line)
            changed = {}
    return Step(number, title, text, written, files, tuple(commands))


def _changed(files: dict[str, str], name: str, diff: str) -> dict[str, str]:
    """The file with the lines marked `-` replaced by those marked `+`."""
    old = "".join(f"{line[1:]}\n" for line in diff.splitlines() if line.startswith("-"))
    new = "".join(f"{line[1:]}\n" for line in diff.splitlines() if line.startswith("+"))
    assert files[name].count(old) == 1, f"{old!r} does not stand once in {name}"
    return {name: files[name].replace(old, new)}


def _commands(text: str, files: dict[str, str], line: int) -> list[Command]:
    found: list[Command] = []
    for part in re.split(r"^(?=\$ )", text, flags=re.M)[1:]:
        first, *rest = part.splitlines()
        program, *words = first.removeprefix("$ ").split()
        assert program == "rulekit", first
        typed = tuple(row.removeprefix("> ") for row in rest if row.startswith("> "))
        shown = tuple(">" if row.startswith("> ") else row for row in rest)
        found.append(Command(tuple(words), typed, shown, files, line))
    return found


def difference(shown: tuple[str, ...], found: str) -> str:
    """What of the shown lines is not found in order, or what is found and not shown; "" if all is well."""
    parts = "\n".join(shown).split(LEFT_OUT)
    pattern = ".*".join(re.escape(part) for part in parts)
    if re.fullmatch(pattern.strip("\n"), "\n".join(line.rstrip() for line in found.strip("\n").splitlines()), re.S):
        return ""
    return f"shown:\n{chr(10).join(shown)}\n\nfound:\n{found}"
