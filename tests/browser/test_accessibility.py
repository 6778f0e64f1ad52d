"""Every page of a table by axe-core, at two widths, in two languages, light and dark; and what is markup never runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import paths
from tests.browser.conftest import NewPerson
from tests.browser.console import ConsoleErrors
from tests.browser.people import Person, play
from tests.browser.serving import KEY, served
from tests.extras import needs
from tests.sizes import some_of_each

pytestmark = needs("browser")
TIGER = str(paths.GAMES / "fuzzy_tiger.rules")
LOOKS = [
    {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    for width in (1280, 390)
    for scheme in ("light", "dark")
]
LANGUAGES = ("en", "it", "de")
MARKUP = """game "</title><script>document.title='ran'</script> & more"
    players 2
kind tint: red as "</svg><script>document.title='ran'</script>", blue as "'><img src=x onerror=alert(1)>"
cards deck of card
    card one "<b onmouseover=alert(1)>One</b>", tint red
    card three "3 &amp; 4", tint red
    card four "--> <!--", tint red
    card two "Two</text></svg><script>document.title='ran'</script>", tint blue
each player has
    pile hand of card
pile stock of card starts deck
counter n "<i>n</i>" 0..9
play
    > MU-1 <script>document.title = "ran"</script> is said.
    each player: deal 2 from stock to player.hand
    each player
        player chooses card from player.hand "<b>Which?</b>" @MU-1
        move card to stock
        player chooses "</button><script>document.title='ran'</script>"
            "<img src=x onerror=alert(1)>": raise n by 1
            "&lt;": raise n by 2
result: rank players by highest seat
"""


def violations(page: Any) -> list[Any]:
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [(one["id"], one["help"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found]


def pages(person: Person, links: list[str], address: str, language: str) -> None:
    """Looks at each page of a table, and fails where axe finds something."""
    red, blue, watching = (f"{link}?lang={language}" for link in links)
    seats = [red, blue, watching, *(red.replace("?", f"/{part}?") for part in ("story", "at/0", "try", "why-not"))]
    together = f"{address}/together/{'.'.join(link.rsplit('/', 1)[1] for link in links[:2])}"
    for where in (*(f"{page}?lang={language}" for page in (f"{address}/", f"{address}/seat/nobody", together)), *seats):
        person.sit(where)
        assert person.page.locator("html").get_attribute("lang") == language
        assert violations(person.page) == [], where
    person.sit(f"{address}/host/{KEY}?lang={language}")
    person.page.locator("summary").first.click()
    assert violations(person.page) == []
    person.page.locator("form > button").first.click()
    assert person.page.locator(".links a").count() > 1
    assert violations(person.page) == []


@pytest.mark.parametrize(("look", "language"), some_of_each(LOOKS, LANGUAGES))
def test_axe_finds_nothing(
    look: dict[str, Any], language: str, person: NewPerson, console_errors: ConsoleErrors, tmp_path: Path
) -> None:
    console_errors.expected.append("status of 404")
    with served(tmp_path, [TIGER]) as server:
        links = server.begun(TIGER, "human", "human", seed="a")
        one = person(**look)
        pages(one, links, server.address, language)
        one.sit(f"{links[0]}?lang={language}").answer()
        assert violations(one.page) == []


def test_axe_finds_nothing_when_a_match_is_over(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [TIGER]) as server:
        (watching,) = server.begun(TIGER, "random", "random", seed="a")
        one = person().sit(watching)
        one.page.wait_for_selector(".result")
        assert violations(one.page) == []


def test_what_looks_like_markup_is_shown_as_text(person: NewPerson, tmp_path: Path) -> None:
    rules = tmp_path / "markup.rules"
    rules.write_text(MARKUP, encoding="utf-8")
    with served(tmp_path, [str(rules)]) as server:
        links = server.begun(str(rules), "human", "human", seed="m")
        one, other = person().sit(links[0]), person().sit(links[1])
        assert "<b onmouseover=alert(1)>One</b>" in one.page.content().replace("&lt;", "<").replace("&gt;", ">")
        assert play([one, other]) == 4
        for each in (one, other):
            each.page.goto(each.page.url + "/story")
            assert each.page.title() != "ran"
            assert each.page.locator("main script, main img, main b[onmouseover]").count() == 0
