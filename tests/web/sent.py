"""All that a seat is sent at one position of a match, in bytes, over the application itself: for comparing.

The table is made of the match as it stands, and nothing is kept; every page is asked for as a browser would, one in
four of the earlier positions that a page links to, and the question is answered too late.  Timing is left out, but for
what a stream says when something was decided (`Wire.heard`).
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from typing import Any
from unittest import mock

import anyio.to_thread
from attrs import define, field

from rulekit.hosting import tokens
from rulekit.hosting.host import Host, Place
from rulekit.hosting.store import Store
from rulekit.hosting.table import Table
from rulekit.play.view import SPECTATOR
from rulekit.record.match import Match
from rulekit.web.server import Server
from tests.secrecy.pages import table_of
from tests.web.asgi import scope

HOST = "127.0.0.1:8000"
TOKEN = re.compile(r"seat-(-?\d+)-(\d+)")
"""A seat's number, and a number of its own for each position: nothing is asked too often with one link."""
BACK = re.compile(r'href="(/seat/[^"]+/at/(\d+))">Look back<')
EARLIER = 4
"""Of the links to an earlier position so few are followed: one in so many."""
LOOK = re.compile(r'data-look="(\w+)"')
MADE_UP_PAGES = ("log", "why-not", "try")
LATE = b"number=9999999&choice=0"


async def at_once(work: Callable[..., Any], *given: Any, **_: Any) -> Any:
    """In place of a thread: to change over takes longer than most pages where many programs run."""
    return work(*given)


@define(eq=False)
class OneTable(Host):
    """A host of one table, whose tokens tell their seats."""

    shown: Table | None = None

    def seat_of(self, token: str) -> Place | None:
        found = TOKEN.fullmatch(token)
        # A match of its own, so that nothing found for one position is shown at another.
        return Place(found[2], int(found[1])) if found else None

    def table(self, match: str) -> Table:
        assert self.shown is not None
        return self.shown


@define(eq=False)
class Wire:
    """made_up:  also ask for the log, and for pages that take as long as a bot's answer, as positions are made up.

    responses: how many, by what was asked for.
    """

    made_up: bool = False
    responses: Counter[str] = field(factory=Counter)
    _host: OneTable = field(init=False, factory=lambda: OneTable(Store(":memory:")))
    _app: Any = field(init=False)
    _loop: asyncio.AbstractEventLoop = field(init=False, factory=asyncio.new_event_loop)

    def __attrs_post_init__(self) -> None:
        self._app = Server(self._host, "key").app(("127.0.0.1",))

    def __call__(self, match: Match, seat: int) -> str:
        """Headers and bodies of all that this seat is sent."""
        self._host.shown = table_of(match)
        with mock.patch.object(anyio.to_thread, "run_sync", at_once), mock.patch.object(tokens, "new_seed", str):
            return self._loop.run_until_complete(self._all(seat, match.state.setting.players))

    async def _all(self, seat: int, players: int) -> str:
        own = f"-{self.responses['page']:08}"
        token = f"seat-{seat}{own}"
        page = await self._got("page", f"/seat/{token}?w=wide")
        found = [page, await self._got("story", f"/seat/{token}/story")]
        for earlier, number in BACK.findall(page):
            if int(number) % EARLIER == 0:
                found.append(await self._got("earlier", earlier))
        for look in LOOK.findall(page):
            found.append(await self._got("news", f"/seat/{token}/news?have={look}"))
        found.append(await self._got("refused", f"/seat/{token}/answer?w=narrow", LATE))
        for part in MADE_UP_PAGES if self.made_up else ():
            found.append(await self._got(part, f"/seat/{token}/{part}"))
        if seat == SPECTATOR:
            all_seats = ".".join(f"seat-{one}{own}" for one in range(players))
            found.append(await self._got("together", f"/together/{all_seats}"))
        return TOKEN.sub("TOKEN", "\n".join(found))

    async def _got(self, what: str, path: str, posted: bytes | None = None) -> str:
        self.responses[what] += 1
        sent: list[bytes] = []

        async def receive() -> dict[str, Any]:
            # A stream is left at once.
            kind = "http.disconnect" if what == "news" else "http.request"
            return {"type": kind, "body": posted or b"", "more_body": False}

        async def send(message: Any) -> None:
            head = [message.get("status", ""), message.get("headers", "")]
            sent.append(repr(head).encode() + message.get("body", b""))

        await self._app(scope("GET" if posted is None else "POST", path, {"host": HOST}), receive, send)
        return b"".join(sent).decode()

    def heard(self, before: Match, after: Match, seat: int) -> str:
        """What a stream that is open at one position says when it becomes the other."""
        with mock.patch.object(anyio.to_thread, "run_sync", at_once):
            return self._loop.run_until_complete(self._heard(before, after, seat))

    async def _heard(self, before: Match, after: Match, seat: int) -> str:
        self.responses["stream"] += 1
        sent, left = list[bytes](), asyncio.Event()

        async def receive() -> dict[str, Any]:
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message.get("body", b""))

        self._host.shown = table_of(before)
        path = f"/seat/seat-{seat}-{self.responses['stream']:08}/news"
        stream = asyncio.create_task(self._app(scope("GET", path, {"host": HOST}), receive, send))
        await turns()
        opened = len(sent)
        self._host.shown = table_of(after)
        self._host._listeners.tell(self._host.shown)
        await turns()
        left.set()
        await stream
        assert opened > 1, "the stream was never open"
        return b"".join(sent[opened:]).decode()

    def close(self) -> None:
        self._host.close()
        self._loop.close()


async def turns() -> None:
    """All that goes on in the loop comes to where it waits."""
    for _ in range(50):
        await asyncio.sleep(0)
