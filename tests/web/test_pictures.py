"""The pictures of a seat's pages: what changed since it last answered is marked, and nothing of what is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.hosting.table import Table
from rulekit.tools.language.display_names import Names
from rulekit.web import seat_content
from rulekit.web.translations import Translations
from tests.generators.random_matches import Answers
from tests.hosting.tables import answer, hosting, people
from tests.paths import GAMES

_NEW = 'token new"'


def pictures(table: Table, seat: int) -> str:
    found = seat_content.content(table, table.page(seat), Names(table.state.setting))["pictures"]
    return "".join(svg for _, svg in found)


def test_a_picture_marks_what_moved_since_the_seat_last_answered(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        _, table = people(host, GAMES / "fuzzy_tiger.rules")
        assert _NEW not in pictures(table, 0)
        answers = Answers("marked")
        for seat in (0, 1):
            answer(host, table, seat, answers)
        while table.match.decisions()[0].seat == 1:
            answer(host, table, 1, answers)
        assert _NEW in pictures(table, 0)


def test_an_earlier_picture_marks_what_moved_since_the_one_before(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        _, table = people(host, GAMES / "shear_panic.rules")
        answers = Answers("earlier")
        for _ in range(12):
            answer(host, table, table.match.decisions()[0].seat, answers)
        moment, state = table.history(0, 0), table.earlier(0, 0)
        assert moment is not None
        assert state is not None
        shown = [
            _NEW in str(seat_content.of_moment(moment, state, since, 0, Names(state.setting))["pictures"])
            for since in (None, state, table.state)
        ]
        assert shown == [False, False, True]


@pytest.mark.parametrize("game", ["fuzzy_tiger", "china_moon", "shear_panic"])
def test_what_is_kept_of_a_picture_makes_the_same_as_nothing_kept(game: str, tmp_path: Path) -> None:
    """After every answer, of who answered and of who looks on; and no seat is given what is kept of another."""
    translations, answers = Translations(), Answers("kept")
    with hosting(tmp_path) as host:
        _, table = people(host, GAMES / f"{game}.rules")
        for _ in range(12):
            answer(host, table, table.match.decisions()[0].seat, answers)
            kept = [translations.names(table, seat, "de") for seat in (0, 1)]
            for seat, names in enumerate(kept):
                page = table.page(seat)
                fresh = seat_content.content(table, page, Names(names.setting, names.tongue))
                assert seat_content.content(table, page, names) == fresh
            assert kept[0] is not kept[1]
            assert kept[0] is translations.names(table, 0, "de")
