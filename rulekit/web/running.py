"""The server process (uvicorn): it ends connections whose other end neither asks nor takes, and at its own end streams.

Also called: protection from slow requests and slow readers.  A request whose head never ends, and an answer that nobody
reads, would hold a connection and its memory for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Protocol

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 20.0
"""Seconds in which the head of a request must have come, or some of an answer must have been taken."""
MOST_CONNECTIONS = 4000
"""Open at once: twice the streams, for the requests of those pages; each takes some 10 kB."""


class Served(Protocol):
    """Pages, some of which stay open as streams of news."""

    def app(self, hosts: Sequence[str]) -> ASGIApp:
        """hosts: the names under which a browser may call them."""

    def close(self) -> None:
        """End all streams; only from the loop that they run in."""


class Running(uvicorn.Server):
    """served: the pages.  hosts: the names under which browsers may call them.  how: as of uvicorn's `Config`."""

    def __init__(self, served: Served, hosts: tuple[str, ...], **how: Any) -> None:
        app: Any = served.app(hosts)
        # No other implementation that happens to be installed: these end what never comes to an end.
        how = {"http": Impatient, "ws": "none", "server_header": False, "timeout_graceful_shutdown": 2, **how}
        super().__init__(uvicorn.Config(app, **how))
        self.served = served

    async def shutdown(self, sockets: Any = None) -> None:
        self.served.close()
        await super().shutdown(sockets)


class Impatient(H11Protocol):
    """A connection that is looked at now and then, and ended where nothing went on since the last look."""

    _answered: object = None
    _unsent = 0
    _next: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        else:
            self._next = self.loop.call_later(PATIENCE, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._next is not None:
            self._next.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        unsent = self.transport.get_write_buffer_size()
        if self._is_stuck(unsent):
            self.transport.abort()
            return
        self._answered, self._unsent = self.cycle, unsent
        self._next = self.loop.call_later(PATIENCE, self._look)

    def _is_stuck(self, unsent: int) -> bool:
        if self.cycle is not self._answered:
            return False
        if unsent:
            return 0 < self._unsent <= unsent
        return self.cycle is None or self.cycle.response_complete
