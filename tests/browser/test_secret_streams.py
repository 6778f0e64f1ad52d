"""What one decides in secret changes no byte of the stream that another page listens to, nor of what it shows then."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rulekit.hosting.table import Table
from tests import paths
from tests.browser.conftest import NewPerson
from tests.browser.people import Person
from tests.browser.serving import Served, served
from tests.extras import needs

pytestmark = needs("browser")
GAMES = ("foxy", "fuzzy_tiger", "hornochsen")
RED, BLUE = 0, 1
ALIVE = re.compile(r"event: alive\ndata: .*\n\n")
NEWS = '"kind": "news"'
LISTEN = """() => {
    window.heard = "";
    fetch(location.pathname + "/news").then(async answer => {
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        for (;;) {
            const part = await reader.read();
            if (part.done) return;
            window.heard += part.value;
        }
    });
}"""
KEPT = "JSON.stringify([document.documentElement.outerHTML, {...localStorage}, {...sessionStorage}, document.cookie])"


def table(server: Served) -> Table:
    """The only one."""
    return server.host.table(server.host.matches()[0].id)


def answer(server: Served, seat: int, which: slice) -> None:
    """A seat's answer: of all that it may choose, those that stand first or last."""
    page = table(server).page(seat)
    assert page.question is not None
    places = range(len(page.question.options))[which]
    count = max(page.question.least, 1) if page.question.several else 1
    chosen = places[:count]
    assert not hasattr(server.host.answer(page.match, seat, page.number, chosen), "reason")


def until_secret(server: Served) -> None:
    """On to where two people are asked at the same time."""
    for _ in range(100):
        waiting: Sequence[int] = table(server).page(RED).waiting
        if {RED, BLUE} <= set(waiting):
            return
        answer(server, waiting[0], slice(None))
    raise AssertionError(table(server).page(RED).waiting)


def heard(server: Served, other: Person, which: slice) -> Any:
    """All that the other's page heard and holds when one has chosen in secret."""
    other.page.evaluate(LISTEN)
    other.until(lambda: NEWS in other.page.evaluate("window.heard"))
    while RED in table(server).page(RED).waiting:
        answer(server, RED, which)
    other.until(lambda: other.page.evaluate("window.heard").count(NEWS) == 2)
    stream = ALIVE.sub("", other.page.evaluate("window.heard"))
    # Whether the script has shown the new page by then is chance.
    other.page.reload()
    return stream, other.page.evaluate(KEPT)


@pytest.mark.parametrize("name", GAMES)
def test_a_stream_is_the_same_whatever_was_chosen(name: str, person: NewPerson, tmp_path: Path) -> None:
    game, found = str(paths.GAMES / f"{name}.rules"), []
    for number, which in enumerate((slice(None), slice(None, None, -1))):
        folder = tmp_path / str(number)
        folder.mkdir()
        with served(folder, [game]) as server:
            _, blue, _ = server.begun(game, "human", "human", seed="the same")
            until_secret(server)
            other = person().sit(blue)
            stream, page = heard(server, other, which)
            found.append((stream, page.replace(blue.rsplit("/", 1)[1], "TOKEN").replace(server.address, "")))
            other.page.close()
    assert found[0] == found[1]
    assert found[0][0].count(NEWS) == 2
