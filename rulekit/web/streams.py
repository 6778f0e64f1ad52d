"""Streams of news (server-sent events): they say when a seat's page has changed, and nothing of what is on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from rulekit.hosting.host import Host, Place
from rulekit.tools.language.lazy_message import Message
from rulekit.values import define, field
from rulekit.web.pages import message, nothing_here
from rulekit.web.rate_limits import STREAMS, STREAMS_OF_A_SEAT

PULSE = 15.0
"""Seconds after which a stream says that it lives, so that what stands between does not end it."""


class _Counted(StreamingResponse):
    """A stream that says when it is over, also where it never began.  over: is called then, once."""

    def __init__(self, parts: AsyncIterator[str], over: Callable[[], None]) -> None:
        super().__init__(parts, media_type="text/event-stream")
        self.over = over

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.over()


@define(eq=False)
class Streams:
    """open: how many there are, by seat."""

    host: Host
    open: dict[Place, int] = field(init=False, factory=dict)
    _waiting: set[asyncio.Event] = field(init=False, factory=set)
    _is_closed: bool = field(init=False, default=False)

    def close(self) -> None:
        """End all streams; only from the loop that they run in."""
        self._is_closed = True
        for event in self._waiting:
            event.set()

    async def news(self, request: Request) -> Response:
        place = await run_in_threadpool(self.host.seat_of, request.path_params["token"])
        if place is None:
            return await nothing_here(request)
        if sum(self.open.values()) >= STREAMS or self.open.get(place, 0) >= STREAMS_OF_A_SEAT:
            return message(request, Message("web-too-many"), 503)
        # Counted before anything is waited for: many may ask at once.
        self.open[place] = self.open.get(place, 0) + 1
        return _Counted(self._stream(request, place), lambda: self._ended(place))

    def _ended(self, place: Place) -> None:
        self.open[place] -= 1
        if not self.open[place]:
            del self.open[place]

    def _looked(self, place: Place) -> str:
        return self.host.table(place.match).looked(place.seat)

    async def _stream(self, request: Request, place: Place) -> AsyncIterator[str]:
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def listener() -> None:
            loop.call_soon_threadsafe(changed.set)

        end = await run_in_threadpool(self.host.subscribe, place.match, place.seat, listener)
        self._waiting.add(changed)
        try:
            yield "retry: 2000\n\n"
            if request.query_params.get("have", now := await run_in_threadpool(self._looked, place)) != now:
                yield "data: new\n\n"
            while not self._is_closed and not await request.is_disconnected():
                try:
                    await asyncio.wait_for(changed.wait(), PULSE)
                    changed.clear()
                    yield "data: new\n\n"
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self._waiting.discard(changed)
            end()
