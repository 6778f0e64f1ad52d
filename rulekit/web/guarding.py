"""What stands between network and pages: limits of forms, checks of the origin, headers (content security policy).

A page may load its own style and script, talk to its own server, and nothing else.
"""

from __future__ import annotations

import asyncio
import hmac
import re
from collections.abc import Callable, Sequence
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
from rulekit.values import frozen
from rulekit.web.addresses import PublicUrl
from rulekit.web.pages import message

LOCAL = ("127.0.0.1", "localhost", "[::1]")
"""The names of this machine for itself."""
LONGEST = 20_000
"""Bytes of a form."""
MOST_FIELDS = 400
LONGEST_NAMED = 100
"""Letters of a header that a page repeats."""
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


@frozen
class Front:
    """How browsers call a server.

    names:  of the machine itself.  public: the address of a proxy before it, if there is one.
    """

    names: Sequence[str]
    public: PublicUrl | None = None

    def is_called(self, host: str) -> bool:
        """Whether a `Host` header names this server, with any port."""
        name = re.sub(r":\d*$", "", host).lower()
        return any(name == own.lower() for own in self.names) or (self.public is not None and name == self.public.name)

    def is_own(self, origin: str, host: str) -> bool:
        """Whether a page of this server sent a form.  origin, host: headers, of which a proxy may change the second."""
        return urlsplit(origin).netloc == host or (self.public is not None and origin == self.public.origin)


class Guard:
    """An ASGI application that refuses what other sites send, and puts the headers on every answer.

    front:  who may call it and how; None: any name, and no proxy.
    """

    def __init__(self, app: ASGIApp, front: Front | None = None) -> None:
        self.app, self.front = app, front

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

        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin", "")
        if self.front is not None:
            scope = scope if self.front.public is None else self.front.public.received(scope)
            if not self.front.is_called(host):
                refusal = Message("web-other-host", host=_shortened(host), option="--public-url")
                await message(Request(scope), refusal, 400)(scope, receive, guarded)
                return
        if scope["method"] not in ("GET", "HEAD") and _is_foreign(headers, self.front or Front(())):
            refusal = Message("web-foreign")
            if self.front is not None and origin:
                refusal = Message("web-foreign-origin", origin=_shortened(origin), option="--public-url")
            await message(Request(scope), refusal, 403)(scope, receive, guarded)
            return
        # Who leaves in the middle of a form hears no answer.
        with suppress(ClientDisconnect):
            await self.app(scope, receive, guarded)


def _is_foreign(headers: Headers, front: Front) -> bool:
    """Whether a browser says that another site's page sent this."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and not front.is_own(origin, headers.get("host", ""))


def _shortened(header: str) -> str:
    """As much of a header as a page repeats."""
    return "".join(letter for letter in header[:LONGEST_NAMED] if letter.isprintable())


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
