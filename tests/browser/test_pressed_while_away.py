"""What somebody presses while the server is gone: the page stays, says so, and the answer can be given later."""

from __future__ import annotations

import re
from pathlib import Path

from tests import paths
from tests.browser.conftest import NewPerson
from tests.browser.serving import process
from tests.extras import needs

pytestmark = needs("browser")
TIGER = str(paths.GAMES / "fuzzy_tiger.rules")


def test_the_page_outlives_an_answer_that_reached_nobody(person: NewPerson, tmp_path: Path) -> None:
    store = tmp_path / "matches.db"
    with process(store, 0, TIGER) as (running, address):
        port = int(address.split("/host")[0].rsplit(":", 1)[1])
        host = person().sit(address)
        host.page.locator("select[name=kind]").nth(1).select_option("human")
        host.page.locator("button", has_text="Begin").click()
        link = host.page.locator(".links a").first.get_attribute("href")
        one = person().sit(f"{address.split('/host')[0]}{link}?lang=it")
        asked = re.sub(r"\s+", " ", one.page.locator("#answer").inner_text())
        running.kill()
        running.wait()
        one.page.locator(".choices > button").first.click()
        one.page.wait_for_selector(".problem")
        assert "Il tavolo non è raggiungibile." in one.text
        assert one.is_asked
    looks = one.looks
    with process(store, port, TIGER):
        one.until(lambda: one.looks > looks)
        one.page.wait_for_selector("main:not(:has(.problem))", state="attached")
        assert re.sub(r"\s+", " ", one.page.locator("#answer").inner_text()) == asked
        one.answer()
        assert one.refused == 0
