"""The server is killed in mid-match and begins again: open pages come back by themselves, and nothing is lost."""

from __future__ import annotations

import re
from pathlib import Path

from tests import paths
from tests.browser.conftest import NewPerson
from tests.browser.people import Person, play
from tests.browser.serving import process
from tests.extras import needs

pytestmark = needs("browser")
TIGER = str(paths.GAMES / "fuzzy_tiger.rules")


def own_cards(person: Person) -> str:
    """What the page shows but for how it is asked: the picture and the question."""
    page = person.page.locator("main").inner_html()
    return re.sub(r"\s+", " ", page)


def test_pages_come_back_with_the_right_cards(person: NewPerson, tmp_path: Path) -> None:
    store = tmp_path / "matches.db"
    one, other = person(), person()
    with process(store, 0, TIGER) as (running, address):
        host = person().sit(address)
        host.page.locator("select[name=kind]").nth(1).select_option("human")
        host.page.locator("button", has_text="Begin").click()
        links = [link.get_attribute("href") for link in host.page.locator(".links a").all()]
        base = address.split("/host")[0]
        port = int(base.rsplit(":", 1)[1])
        one.sit(base + links[0])
        other.sit(base + links[1])
        one.answer()
        before = own_cards(one), own_cards(other)
        running.kill()
        running.wait()
        looks = one.looks, other.looks
        assert (own_cards(one), own_cards(other)) == before
    with process(store, port, TIGER):
        one.until(lambda: one.looks > looks[0] and other.looks > looks[1])
        assert (own_cards(one), own_cards(other)) == before
        assert play([one, other]) > 2
        assert one.refused == other.refused == 0
