"""What stands between network and pages: limits of size, checks of the origin, headers (content security policy).

A page may load its own style and script, talk to its own server, and nothing else.
"""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST = 20_000
"""Bytes of a form."""
MOST_FIELDS = 400
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


class TooLarge(Exception):
    """A form of more bytes or fields than any page makes."""


class Guard:
    """An ASGI application that refuses what other sites send, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["method"] not in ("GET", "HEAD") and _is_foreign(Headers(scope=scope)):
            await PlainTextResponse("This form was sent by another site.", 403, HEADERS)(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, guarded)


def _is_foreign(headers: Headers) -> bool:
    """Whether a browser says that another site's page sent this."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host", "")


async def form(request: Request) -> dict[str, list[str]]:
    """The fields of a form as a browser sends it.  Errors: `TooLarge`."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LONGEST:
            raise TooLarge
    try:
        return parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise TooLarge from None
