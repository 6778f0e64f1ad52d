"""The pictures of a seat's pages: what changed since it last answered is marked, and nothing of what is hidden."""

from __future__ import annotations

from pathlib import Path

from rulekit.hosting.table import Table
from rulekit.tools.language.translation import SOURCE
from rulekit.web import seat_content
from tests.generators.random_matches import Answers
from tests.hosting.tables import answer, hosting, people
from tests.paths import GAMES

_NEW = 'token new"'


def pictures(table: Table, seat: int) -> str:
    found = seat_content.content(table, table.page(seat), SOURCE)["pictures"]
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
            _NEW in str(seat_content.of_moment(moment, state, since, 0, SOURCE)["pictures"])
            for since in (None, state, table.state)
        ]
        assert shown == [False, False, True]
