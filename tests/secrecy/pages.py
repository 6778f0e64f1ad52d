"""What a seat is shown at a table, as text: its page with all that stands in it, and an earlier position."""

from __future__ import annotations

from rulekit.hosting.store import Row
from rulekit.hosting.table import Table
from rulekit.record.log import HUMAN, Header
from rulekit.record.match import Match
from tests.secrecy.received import body, plain


def table_of(match: Match) -> Table:
    """A table at which people have the seats of a match, as far as it has come."""
    setting = match.state.setting
    seats = setting.seats[: setting.players]
    header = Header("", "", "", setting.game.title, {}, "", seats, (HUMAN,) * len(seats), None)
    copy = Match(match.state, match.opening, frozenset(range(len(seats))), history=match.history)
    rows = [
        Row(0, number, "answer", past.action.seat, bool(past.state.branches), b"")
        for number, past in enumerate(match.history, 1)
    ]
    return Table("match", "", copy, header, rows, lambda _: None)


def shown(match: Match, seat: int) -> str:
    """The page of a seat, what its listener compares, and the last position that it can look at again."""
    table = table_of(match)
    page = table.page(seat)
    return body(plain([page, table.look(seat), table.history(seat, page.moments - 2)])).decode()
