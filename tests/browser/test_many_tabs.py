"""Many pages of one browser, which opens six connections to a server: all can answer, and all hear of answers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests import paths
from tests.browser import firefox
from tests.browser.conftest import NewPerson
from tests.browser.serving import Served, served
from tests.extras import needs

TIGER = str(paths.GAMES / "fuzzy_tiger.rules")
SEATS = 5
OTHER_CARDS = "[...document.querySelectorAll('#answer .choices > button')].length === 8"
"""Of nine cards one has been played by all."""


def pages(server: Served) -> list[str]:
    """Five seats, who watches, and the first two seats once more."""
    links = server.begun(TIGER, *["human"] * SEATS, seed="t")
    return [*links, *links[:2]]


def streams(server: Served) -> int:
    """Open connections of which a stream takes one for good."""
    return max(server.running.served.streams.open.values(), default=0)


@needs("browser")
def test_eight_tabs_of_chromium_answer_and_hear_of_it(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [TIGER]) as server:
        one = person()
        tabs = [one.context.new_page() for _ in range(SEATS + 3)]
        for tab, link in zip(tabs, pages(server), strict=True):
            tab.goto(link)
        one.until(lambda: len(server.running.served.streams.open) == SEATS + 1)
        assert streams(server) == 1
        for tab in tabs[:SEATS]:
            tab.locator(".choices > button").first.click()
        for tab in (*tabs[:SEATS], *tabs[SEATS + 1 :]):
            one.until(partial(tab.evaluate, OTHER_CARDS))


@needs("firefox")
def test_eight_tabs_of_firefox_answer_and_hear_of_it(tmp_path: Path) -> None:
    (tmp_path / "profile").mkdir()
    with served(tmp_path, [TIGER]) as server, firefox.opened(tmp_path / "profile") as browser:
        tabs = [browser.open(link) for link in pages(server)]
        firefox.wait(lambda: len(server.running.served.streams.open) == SEATS + 1)
        assert streams(server) == 1
        for tab in tabs[:SEATS]:
            browser.run(tab, "document.querySelector('.choices > button').click()")
        for tab in (*tabs[:SEATS], *tabs[SEATS + 1 :]):
            browser.until(tab, OTHER_CARDS)


@needs("browser")
def test_a_browser_without_shared_workers_keeps_a_stream_for_pages_that_are_seen(
    person: NewPerson, tmp_path: Path
) -> None:
    hidden = 'Object.defineProperty(document, "hidden", {get: () => window.isHidden || false})'
    with served(tmp_path, [TIGER]) as server:
        red = server.begun(TIGER, "human", "human", seed="t")[0]
        one = person()
        one.page.add_init_script(f"delete window.SharedWorker; {hidden}")
        one.sit(red).answer()
        one.until(lambda: streams(server) == 1)
        one.page.evaluate("window.isHidden = true; document.dispatchEvent(new Event('visibilitychange'))")
        one.until(lambda: streams(server) == 0)
        server.host.answer(server.host.matches()[0].id, 1, 0, [0])
        one.page.evaluate("window.isHidden = false; document.dispatchEvent(new Event('visibilitychange'))")
        one.page.wait_for_selector(".choices")
        one.until(lambda: streams(server) == 1)
