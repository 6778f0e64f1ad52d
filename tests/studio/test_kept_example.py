"""Positions and stretches of play become examples that hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulekit.hosting.table import Table
from rulekit.studio import actions
from rulekit.studio.kept_example import position_text, stretch
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
    news = made.parts.newest("findings") or {}
    assert (news["number"], news["found"]) == (made.text.number, []), text
    assert made.game is not None
    assert len(made.game.scenarios) == count + 1
    assert runner.run(made.game, made.game.scenarios[-1]).passed, text


@pytest.mark.parametrize("file", some(FILES, 2), ids=lambda file: file.stem)
def test_a_stretch_of_play_becomes_an_example_that_holds_and_says_what_came(file: Path, tmp_path: Path) -> None:
    with studio(tmp_path, file) as made:
        played(made, 4)
        found = stretch(table_of(made), 4, 2)
        assert found is not None
        text = found.text()
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
        assert stretch(table_of(made), 4, 2) is None


POSITION = """
scenario "two on a slant" @TT-1
    players red, blue
    given red.marks is [board[1, 1], board[2, 2]]
# behind it
"""


def test_an_example_that_checks_nothing_yet_becomes_the_one_that_says_what_came_of_it(tmp_path: Path) -> None:
    """Under another name, since it says another thing; one that checks something stays, and so do names."""
    with studio(tmp_path, EXAMPLES / "tic_tac_toe.rules") as made:
        text = made.text.text.rstrip("\n") + "\n" + POSITION
        made.put(type(made.text)(text, 1))
        settled(made)
        assert made.begin_at("two on a slant") is None
        played(made, 2)
        told = actions.stretch_said(made, {"at": 2, "count": 2, "text": text})
        lines = text.split("\n")
        first, last = told["lines"]
        assert lines[first - 1].startswith('scenario "two on a slant"')
        assert lines[last] == "# behind it"
        head, *rest = told["text"].split("\n")
        assert head == lines[first - 1].replace("slant", "slant, decisions 1 to 2")
        assert sum(line.startswith("    when ") for line in rest) == 2
        whole = "\n".join([*lines[: first - 1], *told["text"].rstrip("\n").split("\n"), *lines[last:]])
        again = actions.stretch_said(made, {"at": 2, "count": 2, "text": whole})
        assert "lines" not in again
        assert again["text"].startswith('scenario "two on a slant, decisions 1 to 2 (2)"')
        made.put(type(made.text)(whole, 2))
        settled(made)
        news: Any = made.parts.newest("examples")
        name = "two on a slant, decisions 1 to 2"
        assert news["examples"][-1] == {"name": name, "line": first, "passed": True, "checks": True}
