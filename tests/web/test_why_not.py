"""The page that says why something cannot be chosen: with its line and clauses, the same whatever others hide."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from time import process_time

import pytest

from rulekit.hosting.host import Host
from rulekit.hosting.store import Store
from rulekit.hosting.table import Table
from rulekit.web.server import Server
from tests import paths
from tests.generators.random_matches import Answers
from tests.hosting.tables import chosen
from tests.web.asgi import Answer, Browser
from tests.web.test_server import KEY

TIGER, SHEAR = (str(paths.GAMES / f"{name}.rules") for name in ("fuzzy_tiger", "shear_panic"))
SECONDS = 4.0
"""Of a processor, for a page; it takes a tenth of that."""


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with Store(tmp_path / "m.db") as store, Host(store, (TIGER, SHEAR)) as host:
        yield host


@pytest.fixture
def browser(host: Host) -> Browser:
    return Browser(Server(host, KEY).app(("127.0.0.1",)))


def begun(host: Host, file: str, count: int, seats: int = 2) -> tuple[Table, list[str]]:
    """A match after so many decisions, and the addresses of its seats."""
    made = host.create(file, ("human",) * seats, seed="the same")
    table, answers = host.table(made.match), Answers("why not")
    for _ in range(count):
        question = table.match.decisions()[0]
        table.answer(question.seat, table.number(question.seat), chosen(question, answers))
    return table, [f"/seat/{token}" for token in made.tokens]


def test_what_cannot_be_chosen_is_listed_with_its_reason(host: Host, browser: Browser) -> None:
    table, seats = begun(host, TIGER, 40)
    seat = table.match.decisions()[0].seat
    assert f'href="{seats[seat]}/why-not"' in browser.get(seats[seat]).text
    page = browser.get(f"{seats[seat]}/why-not").text
    assert re.search(r'<span class="greyed">[^<]+</span>', page)
    assert "this one is in" in page
    assert re.search(r"<code>\d+: \S", page)
    assert re.search(r'<p>[^<]+ <span class="why">FT-\w+</span></p>', page)
    assert "questa carta è in" in browser.get(f"{seats[seat]}/why-not?lang=it").text
    table.answer(seat, table.number(seat), [0])
    assert browser.get(f"{seats[seat]}/why-not").status == 409
    assert "why-not" not in browser.get(seats[seat]).text
    assert browser.get("/seat/nobody/why-not").status == 404


def test_what_another_chose_in_secret_changes_no_byte_of_it(host: Host, browser: Browser) -> None:
    pages: list[str] = []
    for choice in (0, 1):
        table, (_, blue) = begun(host, TIGER, 30)
        while len(table.match.decisions()) < 2:
            question = table.match.decisions()[0]
            table.answer(question.seat, table.number(question.seat), [0])
        assert table.page(0).question is not None
        table.answer(0, table.number(0), [choice])
        page = browser.get(f"{blue}/why-not")
        assert page.status == 200
        assert "greyed" in page.text
        pages.append(page.text.replace(blue, ""))
    assert pages[0] == pages[1]


def test_it_is_found_once_for_a_position(host: Host, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    table, seats = begun(host, TIGER, 40)
    calls: list[int] = []
    found = Host.why_not
    monkeypatch.setattr(Host, "why_not", lambda *given: calls.append(1) or found(*given))
    seat = table.match.decisions()[0].seat
    first = browser.get(f"{seats[seat]}/why-not")
    assert browser.get(f"{seats[seat]}/why-not").body == first.body
    assert len(calls) == 1
    question = table.match.decisions()[0]
    table.answer(seat, table.number(seat), chosen(question, Answers("on")))
    browser.get(f"{seats[table.match.decisions()[0].seat]}/why-not")
    assert len(calls) == 2


@pytest.mark.parametrize("part", ["why-not", "try"])
def test_nobody_waits_while_positions_are_made_up(part: str, host: Host, browser: Browser) -> None:
    """As many wait for theirs as there are threads for pages."""
    table, seats = begun(host, TIGER, 0)
    go_on, found = Event(), list[Answer]()
    host.aside(go_on.wait)

    async def all_of_them() -> None:
        sent = [browser._sent("GET", f"{seats[0]}/{part}", b"", {}) for _ in range(60)]
        found.extend(await asyncio.gather(*sent))

    waiting = Thread(target=lambda: asyncio.run(all_of_them()))
    waiting.start()
    try:
        assert browser.get(seats[1]).status == 200
        assert found == []
    finally:
        go_on.set()
        waiting.join()
    assert {one.status for one in found} <= {200, 429}
    assert table.match.history == []


def test_it_takes_little_of_a_processor_late_in_a_long_match(host: Host) -> None:
    table, _ = begun(host, SHEAR, 120, seats=4)
    begin = process_time()
    host.why_not(table.match_id, table.match.decisions()[0].seat)
    assert process_time() - begin < SECONDS
