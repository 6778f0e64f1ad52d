"""What one decides in secret reaches nobody else's browser: not what it shows or keeps, and no byte on the wire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests import paths
from tests.browser.conftest import NewPerson
from tests.browser.people import Person
from tests.browser.serving import served
from tests.extras import needs

pytestmark = needs("browser")
TIGER = str(paths.GAMES / "fuzzy_tiger.rules")
KEPT = "JSON.stringify([document.documentElement.outerHTML, {...localStorage}, {...sessionStorage}, document.cookie])"


def received(person: Person, address: str, own: Person, choice: int) -> list[Any]:
    """All that a person's browser got and keeps, while another chose one of its cards."""
    got: list[Any] = []

    def passing(route: Any) -> None:
        # A browser forgets the body of what it no longer shows, so it is read on its way.  When it asks for the sign in
        # its tab, or whether at all, is its own affair: both signs are files, and the page says which.
        if "/news" in route.request.url or route.request.url.endswith(".svg"):
            route.continue_()
            return
        answer = route.fetch()
        got.append((answer.status, sorted(answer.headers.items()), answer.body()))
        route.fulfill(response=answer)

    person.sit(address)
    person.page.route("**/*", passing)
    own.page.locator(".choices > button").nth(choice).click()
    own.page.wait_for_selector("main:not(:has(.choices))", state="attached")
    person.page.wait_for_function("!document.querySelector('main').innerText.includes('Waiting for Red')")
    person.page.reload()
    got.append(person.page.evaluate(KEPT))
    # The server ends before the browser does, and nothing may be on its way then.
    person.page.unroute_all(behavior="ignoreErrors")
    person.page.goto("about:blank")
    return [
        [[name, value] for name, value in part[1] if name not in ("date", "content-length")] + [part[2]]
        if isinstance(part, tuple)
        else part
        for part in got
    ]


def test_which_card_was_chosen_changes_nothing_in_another_browser(person: NewPerson, tmp_path: Path) -> None:
    """Two matches of one seed in which one player alone chose otherwise; the links of the seats are the same."""
    found: list[list[Any]] = []
    for number, choice in enumerate((0, 5)):
        folder = tmp_path / str(number)
        folder.mkdir()
        with served(folder, [TIGER]) as server:
            red, blue, _ = server.begun(TIGER, "human", "human", seed="the same")
            shown = received(person(), blue, person().sit(red), choice)
            token = blue.rsplit("/", 1)[1]
            said = [repr(part).replace(token, "TOKEN").replace(server.address, "") for part in shown]
            # How often the page looked, and what came first, depends on who is quicker; nothing else may differ.
            found.append(sorted(set(said)))
    assert len(found[0]) > 1
    assert found[0] == found[1]
