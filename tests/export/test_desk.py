"""The table inside a page, called as the page's worker calls it: matches go to their end without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from rulekit.bots.players import random_bot
from rulekit.export.desk import START, Answer, Desk, Later, opened
from tests.paths import EXAMPLES
from tests.web.asgi import choices, number

MAGPIES = str(EXAMPLES / "magpies.rules")


class Page:
    """What the script of a page does: asks, follows where it is sent, and looks again when there is news."""

    def __init__(self, file: str = MAGPIES) -> None:
        self.news = 0
        self.desk = Desk(file, self._heard)
        self.address, self.text = "", ""

    def _heard(self) -> None:
        self.news += 1

    async def ask(self, method: str, address: str, body: str = "") -> Answer:
        answer = await self.desk.answer(method, address, "en", body)
        while answer.location:
            address = answer.location
            answer = await self.desk.answer("GET", address, "en", "")
        if method == "GET" or answer.status < 400:
            self.address, self.text = address, answer.text
        return answer

    async def begin(self, *kinds: str) -> Answer:
        await self.ask("GET", START)
        return await self.ask("POST", START, "&".join([f"game={MAGPIES}", *(f"kind={kind}&name=" for kind in kinds)]))

    async def answer(self) -> Answer:
        fields = f"number={number(self.text)}&choice={choices(self.text)[0]}"
        return await self.ask("POST", f"{self.address}/answer", fields)

    async def play(self) -> int:
        """Answer whenever something is asked, and look whenever there is news; how many answers there were."""
        answers = 0
        while 'class="result"' not in self.text:
            if choices(self.text):
                await self.answer()
                answers += 1
            else:
                seen = self.news
                await asyncio.sleep(0)
                assert self.news >= seen
                await self.ask("GET", self.address)
        return answers


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_a_match_against_a_bot_goes_to_its_end(bot: str) -> None:
    async def match() -> Page:
        page = Page()
        await page.begin("human", bot)
        assert page.address.startswith("/seat/")
        assert await page.play() > 3
        return page

    assert asyncio.run(match()).news > 0


def test_who_begins_with_several_people_is_shown_where_the_screen_is_handed_over() -> None:
    async def match() -> Page:
        page = Page()
        await page.begin("human", "human")
        return page

    page = asyncio.run(match())
    assert page.address.startswith("/together/")
    assert page.text.count("?with=") == 2


def test_who_begins_without_people_watches() -> None:
    async def match() -> str:
        page = Page()
        await page.begin("random", "random")
        assert await page.play() == 0
        return page.text

    assert 'class="result"' in asyncio.run(match())


def test_a_match_that_cannot_be_begun_is_refused_on_the_page() -> None:
    async def refused() -> Answer:
        return await Page().begin("human")

    answer = asyncio.run(refused())
    assert answer.status == 400
    assert 'role="alert"' in answer.text


def test_the_log_is_handed_over_as_a_file() -> None:
    async def log() -> Answer:
        page = Page()
        await page.begin("human", "random")
        return await page.desk.answer("GET", f"{page.address}/log", "en", "")

    answer = asyncio.run(log())
    assert answer.file.endswith(".log")
    assert answer.text.startswith("{")


def test_who_begins_plays_against_a_bot_unless_they_choose_otherwise() -> None:
    async def begun() -> str:
        return (await Page().ask("GET", START)).text

    text = asyncio.run(begun())
    assert '<option value="greedy" selected>' in text
    assert text.count('<option value="human" selected>') == 1


@contextmanager
def _threads_afterwards(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    import anyio.to_thread

    monkeypatch.setattr(anyio.to_thread, "run_sync", anyio.to_thread.run_sync)
    yield


def test_it_works_where_no_thread_can_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_threads(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    async def page() -> int:
        desk = opened(MAGPIES, lambda: None)
        return (await desk.answer("GET", START, "en", "")).status

    with _threads_afterwards(monkeypatch):
        monkeypatch.setattr("threading.Thread.start", no_threads)
        assert asyncio.run(page()) == 200


def test_what_bots_think_of_runs_when_the_loop_comes_to_it() -> None:
    waiting = []
    later = Later(waiting.append)
    done, failed = later.submit(lambda: 3), later.submit(lambda: 1 // 0)
    assert not done.done()
    for one in waiting:
        one()
    assert done.result() == 3
    assert isinstance(failed.exception(), ZeroDivisionError)


def test_a_bot_that_fails_is_told_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ValueError("no answer")

    async def match() -> str:
        page = Page()
        monkeypatch.setattr(random_bot.RandomSeat, "answer", fails)
        await page.begin("random", "human")
        for _ in range(5):
            await asyncio.sleep(0)
        await page.ask("GET", page.address)
        return page.text

    assert "a bot could not answer" in asyncio.run(match())
