"""What a seat is shown at a table depends on nothing that it may not know, byte for byte; planted leaks are found."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve

from rulekit.hosting.seat_page import SeatPage
from rulekit.hosting.table import Table
from rulekit.play.view import REFEREE, view
from rulekit.tools.language.lazy_message import Message
from tests import paths
from tests.generators.random_matches import GAMES, game
from tests.secrecy.noninterference import Leak, Tally, searched
from tests.secrecy.pages import apart, shown
from tests.sizes import IS_LONG

FILES = {path.stem: path for path in (*GAMES, *(paths.CASES / "hidden").glob("*.rules"))}
SHORT = ("blocks", "clauses")
APART = ("foxy", "blocks")
Plant = Callable[[pytest.MonkeyPatch], None]
PLANTS: list[tuple[str, Plant]] = []
"""Each with the game in which it is planted."""


def planted(where: str) -> Callable[[Plant], None]:
    def note(plant: Plant) -> Plant:
        PLANTS.append((where, plant))
        return plant

    return note


def search(name: str, matches: int, every: int = 8) -> Tally:
    rules, tally = game(FILES[name]), Tally()
    for number in range(matches):
        seats = min(rules.most, rules.least + 1)
        searched(rules, seats, f"page {number}", tally, every=every, horizon=6, pages=shown)
    return tally


@pytest.mark.parametrize("name", sorted(FILES) if IS_LONG else SHORT)
def test_a_page_shows_nothing_that_its_seat_may_not_know(name: str) -> None:
    tally = search(name, 4 if IS_LONG else 1)
    assert tally.messages > 20


@pytest.mark.parametrize(("where", "plant"), PLANTS, ids=lambda one: getattr(one, "__name__", ""))
def test_a_planted_leak_is_found(where: str, plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak):
        search(where, 4, 6)


def moved(name: str, most: int) -> list[int]:
    """Seats whose pages were others after another seat had decided apart."""
    return [
        seat
        for before, after, unaware in apart(game(FILES[name]), name, most)
        for seat in unaware
        if shown(before, seat) != shown(after, seat)
    ]


@pytest.mark.parametrize("name", APART)
def test_no_page_moves_when_another_decides_apart(name: str) -> None:
    assert next(apart(game(FILES[name]), name, 1), None) is not None
    assert moved(name, 40 if IS_LONG else 6) == []


@pytest.mark.parametrize("name", APART)
def test_a_page_that_moves_then_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    a_number_of_all_decisions(monkeypatch)
    assert moved(name, 1)


def changed_page(monkeypatch: pytest.MonkeyPatch, change: Callable[[Table, SeatPage], SeatPage]) -> None:
    real = Table.page
    monkeypatch.setattr(Table, "page", lambda self, seat: change(self, real(self, seat)))


@planted("foxy")
def a_number_of_all_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "number", lambda self, seat: len(self.rows))


@planted("foxy")
def positions_at_which_others_decided_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "_moments", lambda self, seat: list(range(len(self.match.history) + 1)))


@planted("blocks")
def what_a_referee_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    changed_page(monkeypatch, lambda table, page: evolve(page, view=view(table.state, REFEREE)))


@planted("blocks")
def what_happened_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(table: Table, page: SeatPage) -> SeatPage:
        return evolve(page, events=tuple(event for past in table.match.history for event in past.events))

    changed_page(monkeypatch, told)


@planted("foxy")
def whether_others_may_take_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def said(table: Table, page: SeatPage) -> SeatPage:
        told = " ".join(str(table.why_no_undo(seat)) for seat in sorted(table.people))
        return evolve(page, undo=Message("back-decided", player=told))

    changed_page(monkeypatch, said)
