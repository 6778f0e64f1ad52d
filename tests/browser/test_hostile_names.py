"""Names of players that are markup are shown as text; those that turn the direction of writing are refused."""

from __future__ import annotations

from pathlib import Path

from tests import paths
from tests.browser.conftest import NewPerson
from tests.browser.console import ConsoleErrors
from tests.browser.people import Person
from tests.browser.serving import KEY, served
from tests.extras import needs

pytestmark = needs("browser")
TIGER = str(paths.GAMES / "fuzzy_tiger.rules")
NAMES = ("</title><script>document.title='ran'</script>", "'\"></text></svg><img src=x onerror=alert(1)>", "&lt;b&gt;")


def begin(host: Person, *names: str) -> None:
    """Fill in the form for a match and send it."""
    for place, name in enumerate(names):
        host.page.locator("select[name=kind]").nth(place).select_option("random" if place > 1 else "human")
        host.page.locator("input[name=name]").nth(place).fill(name)
    host.page.locator("button", has_text="Begin").click()


def test_names_that_are_markup_are_shown_as_text(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [TIGER]) as server:
        host = person().sit(f"{server.address}/host/{KEY}")
        begin(host, *NAMES)
        links = [str(link.get_attribute("href")) for link in host.page.locator(".links a").all()]
        people = [person().sit(server.address + link) for link in links[:2]]
        shown = [name[:40] for name in NAMES]
        for each in people:
            assert [told.split(" (")[0] for told in each.page.locator("header .player").all_inner_texts()] == shown
        for each in people:
            each.answer()
        for each in (*people, host):
            assert each.page.title() != "ran"
            assert each.page.locator("main script, main img").count() == 0


def test_a_name_that_turns_the_direction_of_writing_begins_no_match(
    person: NewPerson, console_errors: ConsoleErrors, tmp_path: Path
) -> None:
    console_errors.expected.append("status of 400")
    with served(tmp_path, [TIGER]) as server:
        host = person().sit(f"{server.address}/host/{KEY}")
        begin(host, "red\u202e", "blue")
        assert "only characters that can be seen" in host.page.locator(".problem").inner_text()
        assert server.host.matches() == ()
        begin(host, "Rén", "ラーメン")
        assert host.page.locator(".links").count() == 1
