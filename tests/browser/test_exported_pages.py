"""Games as one page, opened from a file in a browser without a network: played to their end, nothing asked for."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulekit.export.browser_python import from_folder
from rulekit.export.page import page
from rulekit.loading import load
from rulekit.tools.language.translation import SOURCE
from tests import paths
from tests.browser.conftest import NewPerson
from tests.browser.people import Person, play
from tests.browser.test_accessibility import MARKUP, violations
from tests.extras import needs

pytestmark = [needs("browser"), needs("pyodide")]
TIGER = paths.GAMES / "fuzzy_tiger.rules"
PROCESSOR = 30.0
"""Seconds of all processors together, in which a page must be ready; a person waits less, since a browser compiles on
several.  A slow machine was seen to take 9.3 to 11.1, and 20.6 with sixteen programs beside it.
"""

Opened = Callable[..., Person]


@pytest.fixture
def opened(person: NewPerson, tmp_path: Path) -> Opened:
    """Opens the page of some rules: a file, in a browser that reaches nothing."""

    def made(rules: Path, change: Callable[[str], str] = str) -> Person:
        file = tmp_path / "game.html"
        python = from_folder(Path(os.environ["RULEKIT_PYODIDE"]))
        file.write_text(change(page(load(rules), python, SOURCE)), encoding="utf-8")
        return person(offline=True).sit(file.as_uri())

    return made


def begin(one: Person, *kinds: str) -> None:
    """Takes seats and begins, and is where the match is."""
    one.page.wait_for_selector("select[name=kind]")
    for place, kind in enumerate(kinds):
        one.page.locator("select[name=kind]").nth(place).select_option(kind)
    one.page.get_by_role("button", name="Begin", exact=True).click()
    one.page.wait_for_selector("#answer, ul.choices")


def asked_for_nothing(one: Person) -> bool:
    return all(address.startswith(("file:", "blob:", "data:")) for address in one.called)


@pytest.mark.parametrize(("game", "bot"), [("fuzzy_tiger", "mcts:200"), ("china_moon", "greedy"), ("foxy", "random")])
def test_a_match_against_a_bot_goes_to_its_end(game: str, bot: str, opened: Opened) -> None:
    one = opened(paths.GAMES / f"{game}.rules")
    begin(one, "human", bot)
    assert violations(one.page) == []
    assert play([one]) > 3
    assert violations(one.page) == []
    assert asked_for_nothing(one), one.called


def test_a_page_is_soon_ready(chrome: Any, opened: Opened) -> None:
    browser = chrome.new_browser_cdp_session()

    def spent() -> float:
        processes = browser.send("SystemInfo.getProcessInfo")["processInfo"]
        return sum(one["cpuTime"] for one in processes if one["type"] == "renderer")

    before = spent()
    one = opened(TIGER)
    one.page.wait_for_selector("select[name=kind]")
    assert spent() - before < PROCESSOR


def test_a_page_is_alive_while_it_is_set_up_and_its_links_lead_through_it_and_back(opened: Opened) -> None:
    one = opened(TIGER)
    assert one.page.locator("#state").inner_text().startswith("The table is being set up")
    assert violations(one.page) == []
    one.page.wait_for_selector("select[name=kind]")
    assert violations(one.page) == []
    begin(one, "human", "random")
    one.answer()
    one.page.get_by_role("link", name="The whole story").click()
    one.page.get_by_role("link", name="Back to the table").click()
    one.page.get_by_role("link", name="Look back").click()
    one.page.wait_for_selector("a[rel=prev], a[rel=next]")
    one.page.go_back()
    one.page.wait_for_selector("#answer")
    one.page.locator("a[hreflang=it]").click()
    one.page.wait_for_selector("legend:has-text('Gioca')")
    with one.page.expect_download() as kept:
        one.page.locator("a[href*='/log']").click()
    assert kept.value.suggested_filename.endswith(".log")
    one.page.get_by_role("button", name="New match").click()
    one.page.wait_for_selector("select[name=kind]")
    assert asked_for_nothing(one), one.called


def test_several_at_one_screen_hand_it_over_and_what_looks_like_markup_is_text(opened: Opened, tmp_path: Path) -> None:
    rules = tmp_path / "markup.rules"
    rules.write_text(MARKUP, encoding="utf-8")
    one = opened(rules)
    begin(one, "human", "human")
    for _ in range(4):
        assert one.page.locator(".picture").count() == 0
        one.page.locator("a.choice").first.click()
        one.page.locator(".choices > button").first.click()
        one.page.wait_for_selector("ul.choices")
    one.page.locator("ul.choices a").first.click()
    one.page.wait_for_selector(".result")
    assert one.page.title() != "ran"
    assert one.page.locator("main script, main img, main b[onmouseover]").count() == 0
    assert asked_for_nothing(one), one.called


def test_a_page_that_is_damaged_says_so(opened: Opened) -> None:
    one = opened(
        TIGER, lambda text: text.replace('data-name="python_stdlib.zip">H4sI', 'data-name="python_stdlib.zip">AAAA')
    )
    one.page.wait_for_selector("#state.problem")
    assert "The table does not work here" in one.page.locator("#state").inner_text()
