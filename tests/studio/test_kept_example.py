"""Positions and stretches of play become examples that hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.hosting.table import Table
from rulekit.studio.kept_example import position_text, stretch_text
from rulekit.studio.studio import Studio
from rulekit.tools.examples import runner
from tests.paths import EXAMPLES, GAMES
from tests.sizes import some
from tests.studio.studios import MAGPIES, played, settled, studio

FILES = (MAGPIES, GAMES / "fuzzy_tiger.rules", EXAMPLES / "tic_tac_toe.rules")


def table_of(made: Studio) -> Table:
    assert made.match.table is not None
    return made.match.table


def with_text(made: Studio, text: str) -> None:
    """Put an example behind the text, and see that it is one and holds."""
    count = len(made.game.scenarios) if made.game else 0
    made.put(type(made.text)(made.text.text + "\n" + text, made.text.number + 1))
    settled(made)
    assert made.parts.newest("findings") == {"number": made.text.number, "found": []}, text
    assert made.game is not None
    assert len(made.game.scenarios) == count + 1
    assert runner.run(made.game, made.game.scenarios[-1]).passed, text


@pytest.mark.parametrize("file", some(FILES, 2), ids=lambda file: file.stem)
def test_a_stretch_of_play_becomes_an_example_that_holds_and_says_what_came(file: Path, tmp_path: Path) -> None:
    with studio(tmp_path, file) as made:
        played(made, 4)
        text = stretch_text(table_of(made), 4, 2)
        assert text.count("\n    when ") >= 2
        assert "\n    expect " in text
        with_text(made, text)


@pytest.mark.parametrize("file", [GAMES / "fuzzy_tiger.rules", GAMES / "foxy.rules"], ids=lambda file: file.stem)
def test_a_position_becomes_an_example_from_which_a_match_can_begin(file: Path, tmp_path: Path) -> None:
    with studio(tmp_path, file) as made:
        played(made, 3)
        text = position_text(table_of(made), 3)
        assert text.startswith("scenario ")
        with_text(made, text)


def test_a_position_that_no_example_can_say_is_not_said(tmp_path: Path) -> None:
    with studio(tmp_path) as made:
        played(made, 3)
        # A feather that is out of the game lies nowhere, which no `given` says.
        assert position_text(table_of(made), 3) == ""


def test_a_stretch_in_which_an_unknown_order_showed_is_not_said(tmp_path: Path) -> None:
    with studio(tmp_path, GAMES / "foxy.rules") as made:
        played(made, 4)
        assert stretch_text(table_of(made), 4, 2) == ""
