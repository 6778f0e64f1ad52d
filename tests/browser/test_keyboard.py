"""Who answers by keyboard stays at the question, or in the picture."""

from __future__ import annotations

from pathlib import Path

from tests import paths
from tests.browser.conftest import NewPerson
from tests.browser.serving import served
from tests.extras import needs

pytestmark = needs("browser")
TIGER = str(paths.GAMES / "fuzzy_tiger.rules")
HEX = str(paths.EXAMPLES / "hex.rules")
FOCUSED = "document.activeElement.matches('{}')"


def test_the_keyboard_stays_at_the_question_from_answer_to_answer(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [TIGER]) as server:
        red, blue, _ = server.begun(TIGER, "human", "human", seed="t")
        one, other = person().sit(red), person().sit(blue)
        one.page.locator(".choices > button").nth(2).focus()
        one.page.keyboard.press("Enter")
        one.page.wait_for_selector("text=Waiting for Blue")
        assert one.page.evaluate(FOCUSED.format("#answer"))
        other.answer()
        one.page.wait_for_selector(".choices")
        assert one.page.evaluate(FOCUSED.format("#answer .choices > button:first-of-type"))


def test_the_keyboard_stays_in_the_picture(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [HEX]) as server:
        one = person().sit(server.begun(HEX, "human", "random", seed="t")[0])
        one.until(lambda: one.is_asked)
        number = one.page.locator("#answer [name=number]").get_attribute("value")
        one.page.locator(".picture .control:visible").nth(5).focus()
        one.page.keyboard.press("Enter")
        one.page.wait_for_selector(f"#answer:has(.choices) [name=number]:not([value='{number}'])", state="attached")
        one.until(lambda: bool(one.page.evaluate(FOCUSED.format(".picture .control"))))
