"""What a notebook shows of games, states, views, steps, outcomes and studies: a table, and no secret of a state."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from rulekit import REFEREE, Recorder, drawing, load_text, outcome, simulate, start, view
from tests.generators.random_matches import GAMES, game, steps
from tests.sizes import quick


class Read(HTMLParser):
    """The texts of the cells, and whether all that was opened is closed."""

    def __init__(self, shown: Any) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.feed(shown._repr_html_())
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "td" in self.open:
            self.cells[-1] += data


@pytest.mark.parametrize("path", quick(GAMES), ids=lambda path: path.stem)
def test_everything_shows_itself_as_a_table(path: Path) -> None:
    rules, last = game(path), None
    assert [option.name for option in rules.options] == Read(rules).cells[::3]
    for _, _, last in steps(rules, rules.least, "notebook"):
        pass
    assert last is not None
    seen = view(last.state, REFEREE)
    assert [value.path for value in seen.values] == Read(seen).cells[::3]
    assert Read(last).cells == Read(last.state).cells == Read(view(last.state, -2)).cells
    end = outcome(last.state)
    assert end is not None
    assert sorted(Read(end).cells[1::4]) == [str(seat) for seat in range(len(last.state.setting.seats))]
    assert [*simulate(rules, 5).figures["figure"]] == Read(simulate(rules, 5)).cells[::5][:50]


def test_a_state_shows_no_secret_and_a_view_what_it_may() -> None:
    rules = load_text(HIDDEN)
    state = start(rules).state
    assert "hidden" in Read(state).cells
    assert "[1, 2, 3]" not in Read(state).cells
    assert "[1, 2, 3]" in Read(view(state, 0)).cells
    assert Read(Recorder(rules).state).cells == Read(state).cells
    assert drawing(state).svg in state._repr_html_()


HIDDEN = """game "<b>Hidden</b>"
    players 2
cards deck of card
    | card |
    | 1..3 |
each player has
    pile hand of card starts deck, seen by owner
play
    each player: player always chooses kept from player.hand
    end game
result: rank players
"""


def test_a_title_is_shown_as_it_is_written() -> None:
    assert "&lt;b&gt;Hidden&lt;/b&gt;" in load_text(HIDDEN)._repr_html_()
