"""Things in the picture that may be chosen are pressed there, also where several are chosen at once."""

from __future__ import annotations

from pathlib import Path

from tests import paths
from tests.browser.conftest import NewPerson
from tests.browser.serving import served
from tests.extras import needs

pytestmark = needs("browser")
OXEN = str(paths.GAMES / "hornochsen.rules")


def test_a_thing_of_several_is_ticked_and_unticked_in_the_picture(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [OXEN]) as server:
        link, _ = server.begun(OXEN, "human", "random", seed="w")
        one = person().sit(link)
        while not one.page.locator(".picture label:visible").count():
            one.until(lambda: one.is_asked)
            one.answer()
        things = one.page.locator(".picture label:visible")
        option = things.first.get_attribute("for")
        box = one.page.locator(f"#{option}")
        things.first.click()
        assert box.is_checked()
        assert one.page.locator(".choices input:checked").count() == 1
        things.first.click()
        assert not box.is_checked()
