"""Answers that come twice, at once or to another seat's address: nothing changes wrongly, and the page says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulekit.web.rate_limits import Limits, Rate
from tests import paths
from tests.browser.conftest import NewPerson
from tests.browser.console import ConsoleErrors
from tests.browser.people import Person
from tests.browser.serving import Served, served
from tests.extras import needs

pytestmark = needs("browser")
TIGER = str(paths.GAMES / "fuzzy_tiger.rules")
LATE = "answered or taken back already"
NOT_OFFERED = "this is not among what is offered"


def answers(server: Served) -> int:
    """How many answers the only match has taken."""
    return len(server.host.table(server.host.matches()[0].id).match.history)


def test_two_tabs_of_one_seat_answer_at_once_and_one_is_taken(person: NewPerson, tmp_path: Path) -> None:
    """Both answers are on their way before one arrives."""
    with served(tmp_path, [TIGER]) as server:
        red, _, _ = server.begun(TIGER, "human", "human", seed="t")
        tabs = [person().sit(red), person().sit(red)]
        held: list[Any] = []
        refusals: list[Any] = []
        for number, tab in enumerate(tabs):
            tab.page.route("**/answer*", lambda route: held.append(route))
            tab.page.on("response", lambda answer: refusals.append(answer) if answer.status == 409 else None)
            tab.page.locator(".choices > button").nth(number).click()
        tabs[0].until(lambda: len(held) == 2)
        for answer in held:
            answer.continue_()
        for tab in tabs:
            tab.page.wait_for_selector("text=Waiting for Blue")
        tabs[0].until(lambda: len(refusals) == 1)
        assert LATE in refusals[0].text()
        assert answers(server) == 1


def test_a_choice_pressed_twice_is_taken_once(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [TIGER]) as server:
        red, blue, _ = server.begun(TIGER, "human", "human", seed="t")
        one, other = person().sit(red), person().sit(blue)
        one.page.locator(".choices > button").first.dblclick()
        one.page.wait_for_selector("text=Waiting for Blue")
        assert answers(server) == 1
        one.page.wait_for_timeout(300)
        assert one.refused == 0
        assert not one.page.locator(".problem").count()
        other.answer()
        assert answers(server) == 2


def test_why_an_answer_was_refused_stays_until_the_person_does_something(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [TIGER]) as server:
        red, blue, _ = server.begun(TIGER, "human", "human", seed="t")
        one, other = person().sit(red), person().sit(blue)
        one.page.evaluate("document.querySelector('[name=choice]').value = '4000'")
        one.press(one.page.locator(".choices > button").first)
        assert NOT_OFFERED in one.text
        looked = one.looks
        other.answer()
        one.until(lambda: one.looks > looked and not one.page.locator(".problem[role]").count())
        assert NOT_OFFERED in one.text
        one.answer()
        assert NOT_OFFERED not in one.text


def test_a_page_that_asks_too_often_stays_and_says_so(person: NewPerson, tmp_path: Path) -> None:
    """Its page and its stream are all that it may ask for."""
    limits = Limits(link=Rate(2, 0.001))
    with served(tmp_path, [TIGER], limits=limits) as server:
        one = person().sit(server.begun(TIGER, "human", "human", seed="t")[0])
        one.until(lambda: bool(server.running.served.streams.open))
        with one.page.expect_response(lambda answer: answer.status == 429):
            server.host.answer(server.host.matches()[0].id, 1, 0, [0])
        assert one.is_asked
        one.page.locator(".choices > button").first.click()
        one.page.wait_for_selector("text=Too much was asked at once")
        assert one.is_asked
        assert answers(server) == 1


def sent_elsewhere(one: Person, address: str) -> None:
    """One presses a choice of its own page, whose form names another address."""
    one.page.evaluate("address => { document.querySelector('#answer').action = address }", address)
    one.page.locator(".choices > button").first.click()
    one.page.wait_for_selector("main:not(:has(#answer .choices)), .problem", state="attached")


@pytest.mark.parametrize(
    ("to", "said"),
    [("watching", "this seat is not asked now"), ("stranger", "Nothing is here"), ("waiting", LATE)],
)
def test_an_answer_to_another_address_changes_nothing(
    to: str, said: str, person: NewPerson, console_errors: ConsoleErrors, tmp_path: Path
) -> None:
    console_errors.expected.append("status of 404")
    with served(tmp_path, [TIGER]) as server:
        red, blue, watching = server.begun(TIGER, "human", "human", seed="t")
        person().sit(blue).answer()
        one = person().sit(red)
        addresses = {"watching": watching, "stranger": f"{server.address}/seat/{'A' * 22}", "waiting": blue}
        before = answers(server)
        sent_elsewhere(one, f"{addresses[to]}/answer")
        assert said in one.text
        assert answers(server) == before
        assert one.sit(red).is_asked


def test_a_page_loaded_again_after_an_answer_sends_nothing_again(person: NewPerson, tmp_path: Path) -> None:
    """Without a script the answer is a page of the browser's history, which it could send once more."""
    with served(tmp_path, [TIGER]) as server:
        red, _, _ = server.begun(TIGER, "human", "human", seed="t")
        one = person(java_script_enabled=False).sit(red)
        with one.page.expect_navigation():
            one.page.locator(".choices > button").first.click()
        one.page.reload()
        assert answers(server) == 1
        assert not one.is_asked
        one.page.go_back()
        assert one.refused == 0
        assert answers(server) == 1
