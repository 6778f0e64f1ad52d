"""A line whose indentation was lost: where one depth makes sense of it, one click gives the text back."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.diagnostics import ERROR
from rulekit.source import Source
from rulekit.studio import actions
from rulekit.studio.rules_file import RulesFile
from rulekit.studio.studio import Studio
from rulekit.tools.editing.corrections.corrections import Correction, corrections
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import applied
from tests.paths import GAMES
from tests.studio.studios import MAGPIES

TEXT = MAGPIES.read_text("utf-8")
LINES = TEXT.split("\n")
BOTH_FIT = ("    remove players.shown",)
"""Behind the lines of a block, and as its last."""
ARE_GAMES = ("    pile shown of feather", "    pile nest of find")
"""Without their indentation they say something else, which is no fault of theirs."""


def at_depth(number: int, depth: int, count: int = 1) -> str:
    moved = [" " * depth + line.lstrip() for line in LINES[number - 1 : number - 1 + count]]
    return "\n".join([*LINES[: number - 1], *moved, *LINES[number - 1 + count :]])


def offered(text: str) -> list[Correction]:
    """What is offered for the first fault."""
    of = Document(Source("magpies.rules", text))
    fault = next(one for one in of.loaded.findings if one.level == ERROR)
    return list(corrections(of, fault))


def after(text: str) -> list[str]:
    return [applied(Source("magpies.rules", text), one.edits).text for one in offered(text)]


def number_of(begin: str) -> int:
    return next(at for at, line in enumerate(LINES, 1) if line.startswith(begin))


INDENTED = [number for number, line in enumerate(LINES, 1) if line.startswith("    ") and line.strip()[0] not in "#>"]


@pytest.mark.parametrize(
    "number", [one for one in INDENTED[::3] if not LINES[one - 1].startswith((*BOTH_FIT, *ARE_GAMES))]
)
def test_a_line_that_lost_its_indentation_gets_it_back(number: int) -> None:
    assert after(at_depth(number, 0))[0] == TEXT


@pytest.mark.parametrize(("begin", "count"), [("    when ann chooses", 3), ("    find button", 4)])
def test_so_do_several_lines_together(begin: str, count: int) -> None:
    assert TEXT in after(at_depth(number_of(begin), 0, count))


@pytest.mark.parametrize("begin", ["    | feather", "    move first bush"])
def test_a_line_that_came_to_stand_deeper_goes_back(begin: str) -> None:
    assert after(at_depth(number_of(begin), 8))[0] == TEXT


def test_nothing_is_offered_where_two_depths_make_sense() -> None:
    assert not offered(at_depth(number_of(BOTH_FIT[0]), 0))


def test_a_line_deeper_than_one_that_goes_on_above_it_is_no_fault_of_ours() -> None:
    """There is nothing to take away there; that was an error of the program."""
    whole = (GAMES / "foxy.rules").read_text("utf-8").split("\n")
    number = next(at for at, line in enumerate(whole) if line.startswith("        rabbit_bear, ")) + 1
    text = "\n".join([*whole[:number], f"    {whole[number]}", *whole[number + 1 :]])
    of = Document(Source("foxy.rules", text))
    for fault in of.loaded.findings:
        corrections(of, fault)


def test_mend_in_the_studio_is_one_click(tmp_path: Path) -> None:
    (file := tmp_path / "magpies.rules").write_text(TEXT)
    made = Studio(RulesFile(str(file)))
    try:
        number = number_of("    when ann chooses")
        sent = {"text": at_depth(number, 0), "line": number, "code": "syntax"}
        (way,) = actions.correct(made, sent)["corrections"]
        assert way["edits"] == [{"from": [number, 1], "to": [number, 1], "text": "    "}]
        assert way["title"] == f"indent line {number} by 4 blanks"
    finally:
        made.close()
