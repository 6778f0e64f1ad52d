"""Streams of news (server-sent events): they say when a seat's page has changed, and nothing of what is on it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from rulekit.hosting.host import Host, Place
from rulekit.tools.language.lazy_message import Message
from rulekit.values import define, field
from rulekit.web.pages import message, nothing_here
from rulekit.web.rate_limits import STREAMS, STREAMS_OF_A_SEAT

PULSE = 10.0
"""Seconds after which a stream says that it lives: proxies do not end it, and pages notice where it has broken."""
SEATS_OF_A_STREAM = 64
"""So many seats at most are told of by one stream, which serves all pages of a browser."""


class EventStream(StreamingResponse):
    """Server-sent events, which a proxy is to pass on as they come.  over: called once, also if it never began."""

    def __init__(self, parts: AsyncIterator[str], over: Callable[[], None] = lambda: None) -> None:
        super().__init__(parts, media_type="text/event-stream", headers={"x-accel-buffering": "no"})
        self.over = over

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.over()


def part_event(kind: str, data: str, topic: int = 0) -> str:
    """An event for the pages about one topic.  topic: its place in the address of the stream."""
    return f"event: part\ndata: {json.dumps({'topic': topic, 'kind': kind, 'data': data})}\n\n"


def alive_event() -> str:
    """A sign of life with the seconds until the next: a stream that is silent for longer has broken."""
    return f"event: alive\ndata: {PULSE}\n\n"


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
        """News of the seats whose tokens stand in the address, with dots between them."""
        tokens = request.path_params["token"].split(".")[:SEATS_OF_A_STREAM]
        places = await run_in_threadpool(lambda: [self.host.seat_of(token) for token in tokens])
        seats = {place: number for number, place in enumerate(places) if place is not None}
        if not seats:
            return await nothing_here(request)
        if sum(self.open.values()) >= STREAMS or any(self.open.get(place, 0) >= STREAMS_OF_A_SEAT for place in seats):
            return message(request, Message("web-too-many"), 503)
        # Counted before anything is waited for: many may ask at once.
        for place in seats:
            self.open[place] = self.open.get(place, 0) + 1
        return EventStream(self._stream(request, seats), lambda: self._end(seats))

    def _end(self, places: Iterable[Place]) -> None:
        for place in places:
            self.open[place] -= 1
            if not self.open[place]:
                del self.open[place]

    def _looks(self, places: Iterable[Place]) -> dict[Place, str]:
        """Digests of the pages of seats."""
        return {place: self.host.table(place.match).looked(place.seat) for place in places}

    async def _stream(self, request: Request, seats: Mapping[Place, int]) -> AsyncIterator[str]:
        """seats: of each the place of its token in the address."""
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def listener() -> None:
            loop.call_soon_threadsafe(changed.set)

        ends: list[Callable[[], None]] = []
        told: dict[Place, str] = {}
        self._waiting.add(changed)
        changed.set()
        try:
            for place in seats:
                ends.append(await run_in_threadpool(self.host.subscribe, place.match, place.seat, listener))
            yield "retry: 2000\n\n" + alive_event()
            while not self._is_closed and not await request.is_disconnected():
                try:
                    await asyncio.wait_for(changed.wait(), PULSE)
                except TimeoutError:
                    yield alive_event()
                    continue
                changed.clear()
                looks = await run_in_threadpool(self._looks, seats)
                for place, look in looks.items():
                    if told.get(place) != look:
                        yield part_event("news", look, seats[place])
                told = looks
        finally:
            self._waiting.discard(changed)
            for end in ends:
                end()
