"""A bot that thinks for long: the pages of people are there at once, and say for how long it has been thinking."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from rulekit.bots.players import random_bot
from tests import paths
from tests.browser.conftest import NewPerson
from tests.browser.serving import served
from tests.extras import needs
from tests.processes import HANG

pytestmark = needs("browser")
TIGER = str(paths.GAMES / "fuzzy_tiger.rules")


def test_pages_say_how_long_a_bot_has_been_thinking(
    person: NewPerson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the clock of the page, which the test turns on by twelve seconds."""
    go_on, answer = Event(), random_bot.RandomSeat.answer

    def slowly(*given: Any) -> Any:
        assert go_on.wait(HANG)
        return answer(*given)

    monkeypatch.setattr(random_bot.RandomSeat, "answer", slowly)
    with served(tmp_path, [TIGER]) as server:
        red, watching = server.begun(TIGER, "human", "random", seed="t")
        try:
            one = person()
            one.page.clock.install()
            one.sit(red).answer()
            assert "A bot is thinking." in one.text
            one.page.clock.run_for(12_000)
            assert re.search(r"A bot has been thinking for \d{2,} s\.", one.text)
            assert "A bot is thinking." in person(java_script_enabled=False).sit(watching).text
        finally:
            go_on.set()
        one.page.wait_for_selector("main:not(:has(#thinking))", state="attached")
