"""What stands between network and pages: limits of forms, checks of the origin, headers (content security policy).

A page may load its own style and script, talk to its own server, and nothing else.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Sent

from rulekit.errors import RulekitError
from rulekit.tools.language.lazy_message import Message
from rulekit.web.pages import message

LOCAL = ("127.0.0.1", "localhost", "[::1]")
"""The names of this machine for itself."""
LONGEST = 20_000
"""Bytes of a form."""
MOST_FIELDS = 400
SLOWEST = 20.0
"""Seconds until all of a form must have come: what a slow telephone needs, and no connection is held for ever."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    # With `no-referrer` a browser does not say from where a form comes.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
}


class TooLarge(RulekitError):
    """A form of more bytes or fields than any page makes."""


class TooSlow(RulekitError):
    """A form of which not all came in time."""


Handler = Callable[[Request], Any]


def with_key(key: str, handler: Handler) -> Handler:
    """What is answered to nobody without the key, which stands in the address."""

    async def handled(request: Request) -> Response:
        if not hmac.compare_digest(request.path_params["key"].encode(), key.encode()):
            return Response("Nothing is here.", 404)
        answer: Response = await handler(request)
        return answer

    return handled


class Guard:
    """An ASGI application that refuses what other sites send, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(sent: Sent) -> None:
            if sent["type"] == "http.response.start":
                headers = MutableHeaders(scope=sent)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(sent)

        if scope["method"] not in ("GET", "HEAD") and _is_foreign(Headers(scope=scope)):
            await message(Request(scope), Message("web-foreign"), 403)(scope, receive, guarded)
            return
        # Who leaves in the middle of a form hears no answer.
        with suppress(ClientDisconnect):
            await self.app(scope, receive, guarded)


def _is_foreign(headers: Headers) -> bool:
    """Whether a browser says that another site's page sent this."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host", "")


async def form(request: Request) -> dict[str, list[str]]:
    """The fields of a form as a browser sends it.  Errors: `TooLarge`, `TooSlow`."""
    body = await received(request, LONGEST)
    try:
        return parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise TooLarge from None


async def received(request: Request, most: int) -> bytes:
    """What a request sends, up to so many bytes.  Errors: `TooLarge`, `TooSlow`."""
    body = bytearray()
    try:
        async with asyncio.timeout(SLOWEST):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise TooLarge
    except TimeoutError:
        raise TooSlow from None
    return bytes(body)
