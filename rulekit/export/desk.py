"""The table inside a page: the web application of a table's server, called without a network, threads or a disk.

Runs in a browser's Python (Pyodide), in a worker beside the page.  What would be done in threads is done on the
worker's loop: at once where a page waits for it, later where bots think.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import anyio.to_thread
from starlette.routing import Route
from starlette.types import Message, Scope

from rulekit.export.opening import Opening
from rulekit.hosting.host import Host
from rulekit.hosting.store import Store
from rulekit.values import define, field, frozen
from rulekit.web.server import BOTH, Server
from rulekit.web.translations import Translations

NAME = "table.invalid"
"""The server's name: no network has one of this ending."""
KEY = "here"
START = f"/host/{KEY}"
"""The page that is shown first."""
GREEDY = "greedy"
_SEATS = re.compile(r"/(?:seat|together)/([\w.-]+)")


@frozen
class Answer:
    """What a server would send.  location: where it sends a browser on; file: the name under which it is to be kept."""

    status: int
    location: str
    file: str
    text: str


class Later(Executor):
    """An executor without threads: what it is given runs when the loop comes to it."""

    def __init__(self, later: Callable[[Callable[[], None]], object]) -> None:
        self._later = later

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Errors: none; what is raised is in the future."""
        made: Future[Any] = Future()
        self._later(lambda: _run(made, fn, args, kwargs))
        return made


def _run(future: Future[Any], fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    if future.set_running_or_notify_cancel():
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as fault:
            future.set_exception(fault)


def opened(file: str, changed: Callable[[], None]) -> Desk:
    """A desk where there are no threads."""
    # Starlette asks anyio for its threads.
    anyio.to_thread.run_sync = _at_once  # type: ignore[assignment]
    return Desk(file, changed)


async def _at_once(function: Callable[..., Any], *args: Any, **_: Any) -> Any:
    return function(*args)


@define(eq=False)
class Desk:
    """file: of the rules.  changed: called when what a page has shown of a seat is so no more."""

    file: str
    changed: Callable[[], None]
    host: Host = field(init=False)
    _app: Any = field(init=False)
    _heard: set[str] = field(init=False, factory=set)

    def __attrs_post_init__(self) -> None:
        self.host = Host(Store(":memory:"), (self.file,), pool=Later(asyncio.get_event_loop().call_soon))
        self._app = Server(self.host, KEY).app((NAME,))
        opening = Opening(self.host, KEY, Translations(), others=GREEDY)
        self._app.router.routes.insert(0, Route("/host/{key}", opening.matches, methods=BOTH))

    async def answer(self, method: str, address: str, languages: str, body: str) -> Answer:
        """What the server says to a request.  body: of a form, as a browser encodes it."""
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body.encode(), "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await self._app(_scope(method, address, languages), receive, send)
        self._listen(address)
        headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        text = b"".join(part.get("body", b"") for part in sent[1:]).decode()
        kept = re.search(r'filename="([^"]+)"', headers.get("content-disposition", ""))
        return Answer(sent[0]["status"], headers.get("location", ""), kept[1] if kept else "", text)

    def _listen(self, address: str) -> None:
        """Tell from now on when the seats of a page have news."""
        found = _SEATS.match(address)
        for token in set(found[1].split(".") if found else ()) - self._heard:
            place = self.host.seat_of(token)
            if place is not None:
                self._heard.add(token)
                self.host.subscribe(place.match, place.seat, self.changed)


def _scope(method: str, address: str, languages: str) -> Scope:
    path, _, query = address.partition("?")
    headers = {"host": NAME, "origin": f"http://{NAME}", "accept-language": languages}
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": (NAME, 80),
        "root_path": "",
    }
