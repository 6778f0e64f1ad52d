"""What a person has to see for an answer fits on the terminal: what happened since the last one, board and question."""

from __future__ import annotations

import io
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import cast
from unittest import mock

import pytest
from rich.console import ConsoleDimensions

from rulekit.apps.play.fitting import Part, fitted
from rulekit.apps.play.screen import Screen, Situation
from rulekit.apps.play.session import HUMAN, Session, Setup
from rulekit.bots.players.random_bot import RandomBot
from rulekit.bots.players.registry import RANDOM
from rulekit.record.match import started
from rulekit.tools.drawing.board_changes import marked
from rulekit.tools.drawing.text_board import Board, Grid, Space, Table, Track
from rulekit.tools.language.display_names import Names
from rulekit.tools.tell.menu import Menu
from tests.cli.golden import loaded
from tests.paths import ROOT
from tests.sizes import IS_LONG, some, some_of_each

SIZES = ((80, 24), (120, 40))
QUESTIONS = 10**6 if IS_LONG else 4
SEEDS = ("a", "b", "c") if IS_LONG else ("a",)
FILES = [*sorted(ROOT.glob("games/*.rules")), *some(sorted(ROOT.glob("examples/*.rules")), 5)]


class Enough(Exception):
    """So many questions were asked."""


class Paper(io.StringIO):
    def isatty(self) -> bool:
        return True


class Reader(Screen):
    """Somebody at a terminal who answers by chance, and keeps what stood there each time."""

    def __init__(self, width: int, height: int, questions: int = QUESTIONS) -> None:
        with mock.patch.dict(os.environ, TERM="xterm"):
            super().__init__(Paper())
        assert self.console is not None
        self.console.size = ConsoleDimensions(width, height)
        self.height, self.left = height, questions
        self.asked: tuple[Situation, Menu] | None = None
        self.shown, self.is_new = list[str](), True

    def situation(self, seen: Situation, shown: Menu, names: Names) -> None:
        super().situation(seen, shown, names)
        self.asked, self.is_new = (seen, shown), True

    def ask(self, prompt: str) -> str:
        """What the terminal shows now; all of what was written since the last answer has to be on it.

        Only why it was refused stands below a page where an answer was; another one is given then.
        """
        paper = cast("Paper", self.stream)
        if self.is_new:
            self.shown.append(re.sub("\x1b\\[[0-9;]*m", "", paper.getvalue()))
        paper.seek(0)
        paper.truncate()
        self.left, self.is_new = self.left - 1, False
        if not self.left:
            raise Enough
        return self.answer()

    def answer(self) -> str:
        assert self.asked is not None
        seen, menu = self.asked
        value = RandomBot("reader", str(self.left)).answer(seen.decision, 0)
        left, typed = list(menu.entries), ""
        for one in value if seen.decision.several else (value,):
            entry = next(entry for entry in left if entry.value == one)
            left.remove(entry)
            typed += f"{entry.key} "
        return typed


def read(path: Path, seed: str, width: int, height: int) -> list[tuple[str, bool]]:
    game = loaded(path)
    seats = max(2, game.least)
    match = started(game, {}, seats, seed, people=frozenset([0]))
    setup = Setup(path.name, match.state.setting.seats, (HUMAN, *[RANDOM] * (seats - 1)), seed, False, None, False)
    session = Session(match, setup, as_json=False, log=None)
    session.screen = reader = Reader(width, height)
    with suppress(Enough):
        session.run()
    return reader.shown


def since_answer(shown: str) -> list[str]:
    """The lines that have to be there: what a page tells again need not be, where it stood before."""
    _, told, again = shown.rpartition("ince your last answer")
    return (told + again).splitlines()


@pytest.mark.parametrize(("path", "size"), some_of_each(FILES, SIZES), ids=lambda one: getattr(one, "stem", one))
def test_every_question_fits_with_all_that_belongs_to_it(path: Path, size: tuple[int, int]) -> None:
    width, height = size
    for seed in SEEDS:
        for shown in read(path, seed, width, height):
            lines = since_answer(shown)
            assert len(lines) < height, shown
            assert any(line.startswith("Red: ") for line in lines), shown


# ---------------------------------------------------------------- the parts


def got(room: int, *parts: Part) -> list[str]:
    return ["".join(part.lines) + ("" if part.whole else "~") for part in fitted(parts, room)]


def test_the_first_parts_get_room_first() -> None:
    assert got(9, Part((tuple("abc"),)), Part((tuple("def"),)), Part((tuple("ghi"),))) == ["abc", "def", "ghi"]
    assert got(5, Part((tuple("abc"),)), Part((tuple("def"),)), Part((tuple("ghi"),))) == ["abc", "de~", "~"]


def test_each_keeps_its_least_before_another_is_told_whole() -> None:
    assert got(4, Part((tuple("abc"),), least=1, from_end=True), Part((tuple("def"),), least=3)) == ["c~", "def"]
    assert got(2, Part((tuple("abc"),), least=3), Part((tuple("def"),), least=3)) == ["ab~", "~"]


def test_a_longer_form_comes_when_all_are_whole() -> None:
    menu = Part((("a b",), ("a", "b")))
    assert got(2, menu, Part((("news",),))) == ["a b", "news"]
    assert got(3, menu, Part((("news",),))) == ["ab", "news"]


def a_board(space: str, cell: str, score: str, hand: str, deck: str) -> Board:
    return Board(
        tracks=(Track("road", (Space("1", ("ann",) if space == "1" else ()), Space("2", ("ann",)[: space == "2"]))),),
        grids=(Grid("field", 1, 1, ((cell, ""),)),),
        tables=(Table("players", ("score", "hand"), (("ann", score, hand),), of_players=True),),
        shared=(("deck", deck),),
        off=(),
    )


def test_what_changed_has_a_mark() -> None:
    before = a_board("1", "x", "0", "3, 5, 5", "9 cards")
    assert marked(before, before) == before
    after = marked(a_board("2", "", "2", "5, 5, 5, 7", "8 cards"), before)
    assert after.tracks[0].spaces == (Space("1"), Space("2", ("ann*",)))
    assert after.grids[0].rows == (("*", ""),)
    assert after.tables[0].rows == (("ann", "2*", "5, 5, 5*, 7*"),)
    assert after.shared == (("deck", "8 cards*"),)
    assert marked(a_board("1", "x", "0", "5, 5", "9 cards"), before).tables[0].rows == (("ann", "0", "5, 5 *"),)
