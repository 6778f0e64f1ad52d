"""A browser without looks: sends requests to an application in the same process, and keeps what came back."""

from __future__ import annotations

import asyncio
import re
from typing import Any
from urllib.parse import urlencode

from attrs import define, field, frozen

ORIGIN = "http://127.0.0.1:8000"


@frozen
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@define
class Browser:
    app: Any
    host: str = "127.0.0.1:8000"
    answers: list[Answer] = field(factory=list)

    def get(self, path: str, headers: dict[str, str] | None = None) -> Answer:
        return asyncio.run(self._sent("GET", path, b"", headers or {}))

    def post(self, path: str, fields: Any, headers: dict[str, str] | None = None) -> Answer:
        body = fields if isinstance(fields, bytes) else urlencode(fields, doseq=True).encode()
        return asyncio.run(self._sent("POST", path, body, {"origin": ORIGIN} if headers is None else headers))

    async def _sent(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        sent: list[Any] = []
        left = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if not left:  # Whoever asks again waits for us to go away, and we stay until all has been sent.
                await asyncio.Event().wait()
            return left.pop()

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope(method, path, {"host": self.host, **headers}), receive, send)
        told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        made = Answer(sent[0]["status"], told, b"".join(part.get("body", b"") for part in sent[1:]))
        self.answers.append(made)
        return made


def scope(method: str, path: str, headers: dict[str, str]) -> dict[str, Any]:
    path, _, query = path.partition("?")
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
        "server": ("127.0.0.1", 8000),
        "root_path": "",
    }


def number(page: str) -> str:
    """Of the question on a page."""
    found = re.search(r'name="number" value="(\d+)"', page)
    assert found
    return found[1]


def choices(page: str) -> list[str]:
    """The answers that the form of a page offers."""
    return re.findall(r'<(?:button type="submit"|input type="checkbox" id="[^"]*") name="choice" value="(\d+)"', page)
