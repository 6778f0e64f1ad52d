"""Small edits of the games that ship, planted by hand: whoever compares the games should name the clauses listed.

Fault seeding.

    python -m tests.soak.planted_edits --list tests/differential/planted_edits.txt

Applies every edit to the text of its game, and says what does not apply
exactly once, names a clause that is not there or leaves a file in which
`rulekit check` finds an error.  Failing scenarios do not count: that a rule was
changed is what they are there to notice.  What a block of the list says stands at its head.
Ends with 1 if anything was said, and prints how many there are of each kind.
With `--diff` it also asks `rulekit diff` for each, and counts how often a clause
of the list is among the first two that it names.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from attrs import field, frozen

from rulekit.diagnostics import ERROR
from rulekit.loading import examine_text
from rulekit.source import Source
from rulekit.tools.analysis import setup_check
from tests.paths import GAMES, ROOT

LIST = ROOT / "tests" / "differential" / "planted_edits.txt"
KINDS = ("condition", "define", "table", "order", "tie", "number", "option", "filter", "result")
FIELDS = ("game", "kind", "clauses", "means", "needs", "within", "in", "old", "new", "move", "before", "behind")
_CITATION = re.compile(r"@[A-Z][\w-]*")
_MARGIN = re.compile(r"\s*[>#]")


class NotOnce(ValueError):
    """A piece of an edit that fits no line, or several."""


@frozen
class Edit:
    """One change of one game.

    clauses:  ids, of which naming any one is right.
    facts:    all that the block says, by its words.
    """

    game: str
    kind: str
    clauses: tuple[str, ...]
    facts: dict[str, str] = field(repr=False)

    def __str__(self) -> str:
        return f"{self.game} {'/'.join(self.clauses)} ({self.kind}): {self.facts['means']}"


def edits(text: str) -> list[Edit]:
    """The edits of a list, in its order."""
    bare = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    return [_edit(block) for block in re.split(r"\n{2,}", bare.strip("\n"))]


def _edit(block: str) -> Edit:
    facts = dict(line.partition(":")[::2] for line in block.split("\n"))
    facts = {word: said.strip() for word, said in facts.items()}
    assert set(facts) <= set(FIELDS), facts
    assert facts["kind"] in KINDS, facts
    return Edit(facts["game"], facts["kind"], tuple(facts["clauses"].split()), facts)


def applied(edit: Edit, text: str) -> str:
    """The text of the game with the change; raises `NotOnce`."""
    lines = text.split("\n")
    return "\n".join(_moved(lines, edit.facts) if "move" in edit.facts else _replaced(lines, edit.facts))


def _replaced(lines: list[str], facts: dict[str, str]) -> list[str]:
    block = _block(lines, facts)
    near = _pattern(facts.get("in", facts["old"]))
    old = _pattern(facts["old"])
    found = [
        (number, match.span())
        for number in block
        if near.search(_rule(lines[number]))
        for match in old.finditer(_rule(lines[number]))
    ]
    if len(found) != 1:
        raise NotOnce(f"{len(found)} times: {facts.get('in', '')} {facts['old']}")
    number, (start, end) = found[0]
    line = lines[number]
    # Citations inside the piece stay: they are the words of what stands there now.
    new = " ".join([facts["new"], *_CITATION.findall(line[start:end])])
    return [*lines[:number], line[:start] + new + line[end:], *lines[number + 1 :]]


def _moved(lines: list[str], facts: dict[str, str]) -> list[str]:
    unit = _unit(lines, facts["move"], _block(lines, facts))
    rest = lines[: unit.start] + lines[unit.stop :]
    goal = _unit(rest, facts.get("before") or facts["behind"], range(len(rest)))
    place = goal.start if "before" in facts else goal.stop
    return rest[:place] + lines[unit.start : unit.stop] + rest[place:]


def _block(lines: list[str], facts: dict[str, str]) -> range:
    """Where the edit is made."""
    everywhere = range(len(lines))
    return _unit(lines, facts["within"], everywhere) if "within" in facts else everywhere


def _unit(lines: list[str], piece: str, block: range) -> range:
    """A line of a block with the margins right above it and the block under it."""
    if piece.startswith(">"):
        found = [number for number in block if f"{lines[number].strip()} ".startswith(f"{piece} ")]
    else:
        found = [number for number in block if _pattern(piece).search(_rule(lines[number]))]
    if len(found) != 1:
        raise NotOnce(f"{len(found)} times: {piece}")
    start = end = found[0]
    while _MARGIN.match(lines[end]):
        end += 1
    depth = _depth(lines[end])
    while start and _MARGIN.match(lines[start - 1]) and _depth(lines[start - 1]) == depth:
        start -= 1
    end += 1
    while end < len(lines) and lines[end].strip() and _depth(lines[end]) > depth:
        end += 1
    return range(start, end)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _rule(line: str) -> str:
    """The line with blanks in place of its margins, so that columns stay."""
    if _MARGIN.match(line):
        return ""
    return re.sub(rf"{_CITATION.pattern}|\s#.*", lambda margin: " " * len(margin[0]), line)


def _pattern(piece: str) -> re.Pattern[str]:
    words = re.findall(r"\w+|[^\w\s]", piece)
    return re.compile(r"\s*".join(rf"\b{word}\b" if word[0].isalnum() else re.escape(word) for word in words))


def faults(edit: Edit, text: str) -> Iterator[str]:
    """What is wrong with an edit of a game with this text."""
    for clause in edit.clauses:
        if not re.search(rf"^\s*>-? {re.escape(clause)} ", text, re.MULTILINE):
            yield f"there is no clause {clause}"
    try:
        changed = applied(edit, text)
    except NotOnce as fault:
        yield str(fault)
        return
    loaded = examine_text(Source(edit.game, changed))
    found = [*loaded.findings, *(setup_check.findings(loaded.game) if loaded.game else ())]
    for entry in found:
        if entry.level == ERROR:
            yield f"{entry.code} {entry.title} ({entry.span})"


def named(edit: Edit, game: Path) -> tuple[str, ...]:
    """The clauses that `rulekit diff` names between a game and the game with the edit, in its order."""
    said = [fact.split("=") for fact in edit.facts.get("needs", "").split()]
    chosen = [part for name, value in said for part in _arguments(name, value)]
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "edited.rules"
        other.write_text(applied(edit, game.read_text(encoding="utf-8")), encoding="utf-8")
        command = [sys.executable, "-m", "rulekit", "diff", str(game), str(other), "--json", *chosen]
        found = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    return tuple(found.get("clauses", ()))


def _arguments(name: str, value: str) -> list[str]:
    return ["--players", value] if name == "players" else ["--a", f"{name}={value}", "--b", f"{name}={value}"]


def count_named(listed: list[Edit], games: Path) -> None:
    """Print for each edit what is named first, and in the end how often it was a clause of the list."""
    hits = 0
    for edit in listed:
        clauses = named(edit, games / f"{edit.game}.rules")
        hit = bool(set(edit.clauses) & set(clauses[:2]))
        hits += hit
        print(f"{'named ' if hit else 'MISSED'} {edit}: {', '.join(clauses[:4]) or 'nothing'}", flush=True)
    print(f"{hits} of {len(listed)} among the first two")


def main() -> int:
    """Look through the list."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--list", type=Path, default=LIST, help="the file with the edits")
    options.add_argument("--games", type=Path, default=GAMES, help="the folder with the games")
    options.add_argument("--diff", action="store_true", help="count what `rulekit diff` names")
    given = options.parse_args()
    listed = edits(given.list.read_text(encoding="utf-8"))
    wrong = 0
    for edit in listed:
        text = (given.games / f"{edit.game}.rules").read_text(encoding="utf-8")
        for fault in faults(edit, text):
            wrong += 1
            print(f"{edit}: {fault}")
    print(json.dumps({"edits": len(listed), "faults": wrong, "kinds": Counter(edit.kind for edit in listed)}))
    if given.diff:
        count_named(listed, given.games)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
