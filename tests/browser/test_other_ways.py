"""Matches by keyboard alone, with JavaScript off, and by touch on a narrow screen; tabs that answer twice or late."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests import paths
from tests.browser.conftest import NewPerson
from tests.browser.people import Person, play
from tests.browser.serving import KEY, served
from tests.extras import needs

pytestmark = needs("browser")
TIGER = str(paths.GAMES / "fuzzy_tiger.rules")


class OnKeys(Person):
    """Goes by Tab to what it chooses, and presses Space or Enter."""

    def press(self, what: object) -> None:
        number = self.page.locator("#answer [name=number]").get_attribute("value")
        self.page.evaluate("document.activeElement.blur()")
        for _ in range(self.rng.randint(1, 4)):
            self._to_next_choice()
        self.page.keyboard.press(self.rng.choice(["Enter", " "]))
        self._until_other_than(number)

    def _to_next_choice(self) -> None:
        for _ in range(200):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("document.activeElement.matches('#answer .choices button, .picture button')"):
                return
        raise AssertionError("no choice is reached by Tab")


class WithoutScript(Person):
    """Its pages are new pages each time; what others did is seen when it looks again."""

    def press(self, what: object) -> None:
        with self.page.expect_navigation():
            what.click()  # type: ignore[attr-defined]

    @property
    def is_asked(self) -> bool:
        if not super().is_asked:
            self.page.reload()
        return super().is_asked


def test_a_whole_match_by_keyboard_alone(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [TIGER]) as server:
        link, _ = server.begun(TIGER, "human", "random", seed="k")
        one = OnKeys(person().page).sit(link)
        assert play([one]) > 5


def test_a_whole_match_with_javascript_off(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [TIGER]) as server:
        link, _ = server.begun(TIGER, "human", "random", seed="k")
        one = WithoutScript(person(java_script_enabled=False).page).sit(link)
        assert play([one]) > 5


def test_a_match_by_touch(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [TIGER]) as server:
        link, _ = server.begun(TIGER, "human", "random", seed="k")
        one = person(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True).sit(link)
        for _ in range(4):
            one.until(lambda: one.is_asked)
            one.answer()
        assert one.page.evaluate("document.documentElement.scrollWidth") <= 390


# ---------------------------------------------------------------- twice and late


def test_two_tabs_of_one_seat_answer_and_the_second_is_told(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [TIGER]) as server:
        red, blue, _ = server.begun(TIGER, "human", "human", seed="t")
        first, second = person().sit(red), person(java_script_enabled=False).sit(red)
        first.answer()
        late = second.page.locator(".choices > button").nth(3)
        with second.page.expect_navigation():
            late.click()
        assert "answered or taken back already" in second.page.locator(".problem").inner_text()
        other = person().sit(blue)
        other.answer()
        assert other.is_asked or other.is_over


def test_back_after_an_answer_shows_what_is_asked_now(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [TIGER]) as server:
        red, _, _ = server.begun(TIGER, "human", "human", seed="t")
        one = person().sit(red)
        one.answer()
        one.page.locator("a", has_text="The whole story").click()
        one.page.go_back()
        one.page.wait_for_selector("text=Waiting for Blue")
        one.page.reload()
        assert not one.is_asked


ELSEWHERE = """
Object.defineProperty(document, "hidden", {get: () => true});
window.told = [];
window.Notification = class { static permission = "granted"; constructor(words) { told.push(words); } };
"""


def test_a_notice_says_that_it_is_ones_turn_while_one_looks_elsewhere(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [TIGER]) as server:
        red, blue, _ = server.begun(TIGER, "human", "human", seed="t")
        one, other = person(), person().sit(blue)
        one.page.add_init_script(ELSEWHERE)
        one.sit(red).answer()
        assert one.page.evaluate("told") == []
        other.answer()
        one.until(lambda: one.is_asked)
        assert one.page.evaluate("told") == ["It is your turn"]
        assert one.page.title().startswith("●")
        assert one.page.locator("#icon").get_attribute("href") == "/icon_asked.svg"


def test_what_happens_before_the_stream_is_open_is_seen(person: NewPerson, tmp_path: Path) -> None:
    """Between a page and its stream of news another may answer: nothing would tell of it later."""
    with served(tmp_path, [TIGER]) as server:
        red, blue, _ = server.begun(TIGER, "human", "human", seed="t")
        person().sit(red).answer()
        one, held = person(), list[Any]()
        # A page without a shared worker holds a stream of its own, which a test can keep back.
        one.page.add_init_script("delete window.SharedWorker")
        one.page.route("**/news*", lambda route: held.append(route))
        one.sit(red)
        one.until(lambda: bool(held))
        assert "Waiting for Blue" in one.text
        person().sit(blue).answer()
        # The page has given up the request that was kept back, and asks again.
        one.page.unroute_all(behavior="ignoreErrors")
        one.until(lambda: "Waiting for Blue" not in one.text)


def test_what_is_ticked_and_opened_stays_when_the_page_is_brought_up_to_date(person: NewPerson, tmp_path: Path) -> None:
    cards = str(paths.GAMES / "hornochsen.rules")
    with served(tmp_path, [cards]) as server:
        link, _ = server.begun(cards, "human", "random", seed="w")
        one = person().sit(link)
        while not one.page.locator(".choices input").count():
            one.until(lambda: one.is_asked)
            one.answer()
        # One tile is played, or two at once, as the answer before said.
        needed = int(re.findall(r"\d+", one.page.locator(".choices > button").inner_text())[0])
        ticked, opened = one.page.locator(".choices input").nth(needed), one.page.locator("#answer details").first
        for place in range(1, needed + 1):
            one.page.locator(".choices input").nth(place).check()
        opened.locator("summary").click()
        one.page.evaluate("document.querySelector('main').dataset.old = 'yes'")
        one.page.set_viewport_size({"width": 390, "height": 800})
        one.page.wait_for_selector("main:not([data-old])")
        assert ticked.is_checked()
        assert opened.evaluate("one => one.open")
        # A question before this one may have become void beside a bot's answer.
        refused = one.refused
        one.press(one.page.locator(".choices > button"))
        assert one.refused == refused


def test_a_log_is_chosen_and_taken_up_without_a_script(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [TIGER]) as server:
        red, _ = server.begun(TIGER, "human", "random", seed="t")
        one = person(java_script_enabled=False).sit(red)
        with one.page.expect_download() as found:
            one.page.locator("a", has_text="The log").click()
        log = tmp_path / "match.log"
        found.value.save_as(log)
        one.sit(f"{server.address}/host/{KEY}")
        one.page.locator("#take-up input").set_input_files(log)
        one.page.locator("#take-up button").click()
        with one.page.expect_popup() as beside:
            one.page.locator(".links a").first.click()
        one.page = beside.value
        one.page.wait_for_load_state()
        assert one.is_asked
        assert len(server.host.matches()) == 2
