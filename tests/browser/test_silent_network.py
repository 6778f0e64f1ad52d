"""Connections that break without a word: pages notice it, and are brought up to date over new ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rulekit.web import streams
from tests import paths
from tests.browser.conftest import NewPerson
from tests.browser.people import Person
from tests.browser.relay import Relay, relayed
from tests.browser.serving import Served, served
from tests.extras import needs

pytestmark = needs("browser")
TIGER = str(paths.GAMES / "fuzzy_tiger.rules")
HASTE = "{ const whole = AbortSignal.timeout; AbortSignal.timeout = time => whole.call(AbortSignal, time / 20); }"
"""Requests are given up sooner than people would want."""


@contextmanager
def waiting(person: NewPerson, folder: Path) -> Iterator[tuple[Served, Relay, Person]]:
    """Red has answered and waits for Blue, behind a relay."""
    with served(folder, [TIGER]) as server, relayed(server.address) as relay:
        red, _, _ = server.begun(TIGER, "human", "human", seed="t")
        one = person()
        one.page.add_init_script(HASTE)
        one.sit(red.replace(server.address, relay.address)).answer()
        one.until(lambda: bool(server.running.served.streams.open))
        yield server, relay, one
        one.page.goto("about:blank")


def answer_for_blue(server: Served) -> None:
    server.host.answer(server.host.matches()[0].id, 1, 0, [0])


def test_a_page_notices_by_itself_that_its_stream_is_silent(
    person: NewPerson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "PULSE", 0.4)
    with waiting(person, tmp_path) as (server, relay, one):
        # The pulse that the stream announces has come.
        one.page.wait_for_timeout(500)
        relay.fall_silent()
        answer_for_blue(server)
        one.page.wait_for_selector(".choices")


@pytest.mark.parametrize(
    "event",
    ["window, new Event('focus')", "window, new Event('online')", "document, new Event('visibilitychange')",
     "window, new PageTransitionEvent('pageshow', {persisted: true})"],
    ids=["focus", "online", "visibilitychange", "pageshow"],
)  # fmt: skip
def test_a_page_that_is_looked_at_again_is_brought_up_to_date(event: str, person: NewPerson, tmp_path: Path) -> None:
    """Long before its stream is missed."""
    with waiting(person, tmp_path) as (server, relay, one):
        one.page.wait_for_timeout(1100)
        relay.fall_silent()
        answer_for_blue(server)
        target, made = event.split(", ", 1)
        one.page.evaluate(f"{target}.dispatchEvent({made})")
        one.page.wait_for_selector(".choices")


def test_what_is_said_of_an_answer_that_failed_goes_when_the_network_is_back(person: NewPerson, tmp_path: Path) -> None:
    with served(tmp_path, [TIGER]) as server:
        one = person().sit(server.begun(TIGER, "human", "human", seed="t")[0])
        one.context.set_offline(True)
        one.page.locator(".choices > button").first.click()
        one.page.wait_for_selector(".problem")
        one.context.set_offline(False)
        one.page.wait_for_selector("main:not(:has(.problem))", state="attached")
        assert one.is_asked
        one.answer()
        assert "Waiting for Blue" in one.text
