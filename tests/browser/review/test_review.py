"""The review desk in Chromium: by the keyboard alone, by axe-core at two widths, and closed in the middle of a word."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rulekit.review.beginning import first_anchors
from rulekit.review.desk import Desk
from tests.browser.conftest import NewPerson
from tests.browser.serving import KEY, in_a_thread
from tests.browser.test_accessibility import violations
from tests.extras import needs
from tests.review.desks import desk

pytestmark = needs("browser")


@contextmanager
def served(made: Desk) -> Iterator[str]:
    """The address of a desk."""
    from rulekit.review.server import ReviewServer
    from rulekit.web.running import Running

    server = Running(ReviewServer(made, KEY), ("127.0.0.1",), host="127.0.0.1", port=0, log_level="error")
    with in_a_thread(server) as address:
        yield f"{address}/{KEY}/"


def test_a_book_is_looked_through_by_keys_and_a_closed_page_loses_nothing(person: NewPerson, tmp_path: Path) -> None:
    made = desk(tmp_path)
    digest = made.now().report.open[0].digest
    page = person().page
    with served(made) as address:
        page.goto(f"{address}?at=0")
        page.keyboard.press("n")
        page.wait_for_selector("[name=reason]")
        page.wait_for_load_state()
        place = page.evaluate("document.body.dataset.at")
        page.keyboard.press("a")
        page.keyboard.type("a misprint, n and j")
        context = page.context
        page.close()
        page = context.new_page()
        page.goto(f"{address}?at={place}")
        page.keyboard.press("a")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=0 open, 1 accepted")
        page.wait_for_load_state()
        page.keyboard.press("t")
        page.keyboard.press("End")
        page.keyboard.type(" GP-10")
        page.keyboard.press("Enter")
        page.wait_for_selector("#desk p b:text('GP-10')")
        page.wait_for_load_state()
        page.keyboard.press("q")
        page.keyboard.type("Two, or one?")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=1 questions to print")
    written = Path(made.papers.accepted).read_text()
    assert written == f"{digest} number-differs GP-8 GP-9: a misprint, n and j\n"
    assert "@GP-8 @GP-9 @GP-10" in Path(made.papers.anchors).read_text()


def test_a_book_begun_from_nothing_is_tied_by_keys(person: NewPerson, tmp_path: Path) -> None:
    papers = desk(tmp_path).papers
    Path(papers.anchors).write_text(first_anchors(papers.rules, papers.book, "it"))
    made, page = Desk(papers), person().page
    places = [place for place, (_, is_unsure) in enumerate(made.now().offered) if is_unsure]
    with served(made) as address:
        page.goto(f"{address}?at={places[0]}")
        assert violations(page) == []
        with page.expect_navigation():
            page.keyboard.press("1")
        page.wait_for_selector("button.now")
    assert not made.now().offered[places[0]][1]
    assert made.now().offered[places[1]][1]


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(person: NewPerson, tmp_path: Path, width: int) -> None:
    page = person(viewport={"width": width, "height": 900}, color_scheme="dark" if width < 600 else "light").page
    with served(desk(tmp_path)) as address:
        for part in ("", "?at=0", "questions"):
            page.goto(address + part)
            assert violations(page) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
