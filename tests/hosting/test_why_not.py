"""Why something is not offered, as a seat may know it: the truth where it knows all, and never what is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulekit.hosting.host import Host
from rulekit.hosting.seat_page import Accepted, Refused
from rulekit.hosting.store import Store
from rulekit.hosting.table import Table
from rulekit.tools.explain.why_not import refused
from tests import paths
from tests.generators.random_matches import Answers
from tests.hosting.tables import chosen

BIDS = """game "Bids"
    players 2
each player has
    counter bid 0..9, seen by owner
    counter guesses 0..9
define bidder is first players
define guesser is last players
play
    secretly bidder chooses offer from 1..3 "Your bid?"
    set bidder.bid to offer
    > BD-1 Nobody guesses the bid, nor a number up to 3.
    guesser chooses guess from ((1..6) where it is not bidder.bid and it above 3) "Your guess?" @BD-1
    set guesser.guesses to guess
result: rank players by highest guesses
"""


@pytest.fixture
def bids(tmp_path: Path) -> Iterator[Host]:
    file = tmp_path / "bids.rules"
    file.write_text(BIDS, encoding="utf-8")
    with Host(Store(tmp_path / "m.store"), (str(file),)) as host:
        yield host


def after_bid(host: Host, bid: int) -> Table:
    table = host.table(host.create(host.games[0], ("human", "human"), seed="the same").match)
    assert isinstance(table.answer(0, 0, [bid - 1]), Accepted)
    return table


def test_a_reason_that_hidden_things_decide_is_told_to_nobody(bids: Host) -> None:
    """What is so differs, as the position itself would tell; what the guesser hears does not."""
    tables = [after_bid(bids, bid) for bid in (1, 2, 3)]
    true = [refused(table.state, 1) for table in tables]
    assert len(set(map(str, true))) == 3
    told = [bids.why_not(table.match_id, 1) for table in tables]
    assert told[0] == told[1] == told[2]
    assert not isinstance(told[0], Refused)
    assert [one.option for one in told[0]] == [1, 2, 3]
    assert all("hidden from you" in str(one.reason) for one in told[0])


def test_who_is_not_asked_is_told_nothing(bids: Host) -> None:
    table = after_bid(bids, 1)
    for seat in (0, -1):
        found = bids.why_not(table.match_id, seat)
        assert isinstance(found, Refused)
        assert found.code == "no-why-not"
    table.answer(1, table.number(1), [0])
    assert isinstance(bids.why_not(table.match_id, 1), Refused)


@pytest.mark.parametrize("name", ["shear_panic", "china_moon", "fuzzy_tiger"])
def test_where_nothing_hidden_decides_the_reasons_are_those_of_the_position(name: str, tmp_path: Path) -> None:
    """Their lines and clauses too; every seventh decision is looked at."""
    file, answers, seen = str(paths.GAMES / f"{name}.rules"), Answers("why not"), 0
    with Host(Store(tmp_path / "m.store"), (file,)) as host:
        table = host.table(host.create(file, ("human",) * 3, seed="why not").match)
        for number in range(40):
            question = table.match.decisions()[0]
            if number % 7 == 6:
                true = refused(table.state, question.seat)
                assert host.why_not(table.match_id, question.seat) == true
                seen += len(true)
            table.answer(question.seat, table.number(question.seat), chosen(question, answers))
    assert seen
