"""Addresses of pages: below the public address of a server, if it has one; those of a seat keep language and screen."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlencode, urlsplit

from starlette.requests import Request
from starlette.types import Scope

from rulekit.values import frozen
from rulekit.web.seat_content import WIDTHS
from rulekit.web.translations import LANGUAGE, chosen, languages, spoken

WIDTH = "w"
"""What the script of a page says when it renews the page: for how wide a window, `wide` or `narrow`."""
TOGETHER = "with"
"""What a page's address says where several sit at one screen: the tokens of all of them."""
ROOTS = ("host", "seat", "together")
"""How the addresses of pages begin."""
_PUBLIC = "rulekit.public"
_PATH = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?")


@frozen
class PublicUrl:
    """The address by which browsers call a server that stands behind a proxy.

    origin: scheme, name and port as a browser says them.  name: of the machine.  path: without a `/` at its end.
    """

    origin: str
    name: str
    path: str = ""

    @classmethod
    def parse(cls, text: str) -> PublicUrl:
        """The address in a text such as `https://example.org/games`.  Errors: `ValueError`, with what is wrong."""
        try:
            parts, port = urlsplit(text), urlsplit(text).port
            name = (parts.hostname or "").encode("idna").decode()
        except ValueError:
            raise ValueError("it cannot be read as an address") from None
        if parts.scheme not in ("http", "https") or not name:
            raise ValueError("it must begin with http:// or https:// and a name")
        if parts.username is not None or parts.query or parts.fragment or not _PATH.fullmatch(parts.path):
            raise ValueError("it may have a port and a path, and nothing else")
        if parts.path.split("/")[1:2] and parts.path.split("/")[1] in ROOTS:
            raise ValueError(f"its path must not begin with {', '.join(ROOTS)}, as pages do")
        name = f"[{name}]" if ":" in name else name
        usual = {"http": 80, "https": 443}[parts.scheme]
        called = name if port in (None, usual) else f"{name}:{port}"
        return cls(f"{parts.scheme}://{called}", name, parts.path.rstrip("/"))

    @property
    def address(self) -> str:
        """As it was written, but for what stands for nothing."""
        return self.origin + self.path

    def received(self, scope: Scope) -> Scope:
        """A request as pages see it: without the path of this address, whether or not the proxy took it away."""
        path = scope["path"]
        inner = path.removeprefix(self.path) if path.startswith(f"{self.path}/") else path
        return {**scope, "path": inner, "raw_path": inner.encode(), _PUBLIC: self}


def base_of(request: Request) -> str:
    """What stands before the path of every page."""
    public = request.scope.get(_PUBLIC)
    return public.path if isinstance(public, PublicUrl) else ""


def origin_of(request: Request) -> str:
    """What stands before a link that is sent to somebody: how the table was called here."""
    public = request.scope.get(_PUBLIC)
    return public.origin if isinstance(public, PublicUrl) else str(request.base_url).rstrip("/")


@frozen
class Address:
    """token: of the seat.  together: the tokens of all who share the screen, or "".  width: see `WIDTH`.

    language:  the one that was chosen, or ""; spoken: the one of the page.  base: as of `base_of`.
    """

    token: str
    language: str = ""
    spoken: str = ""
    together: str = ""
    width: str = ""
    base: str = ""

    def to(self, part: str = "", language: str | None = None) -> str:
        """The address of one of the seat's pages, such as `story`; the table itself if no part is named."""
        kept = {LANGUAGE: self.language if language is None else language, TOGETHER: self.together}
        query = urlencode({name: value for name, value in kept.items() if value})
        return f"{self.base}/seat/{self.token}" + f"/{part}" * bool(part) + f"?{query}" * bool(query)

    @property
    def after(self) -> str:
        """Where one is when something was done: at the table, or where the screen is handed over."""
        if self.together:
            return together_at(self.together, self.language, self.base)
        here = self.to()
        return f"{here}{'&' if '?' in here else '?'}{WIDTH}={self.width}" if self.width else here


def together_at(tokens: str, language: str, base: str = "") -> str:
    """The address of the page on which a screen is handed over."""
    return f"{base}/together/{tokens}" + f"?{urlencode({LANGUAGE: language})}" * bool(language)


def in_others(at: Callable[[str], str], spoken: str) -> list[tuple[str, str, str, bool]]:
    """The languages in which a page can be read: code, name, its address there, and whether it is this one."""
    return [(code, name, at(code), code == spoken) for code, name in languages()]


def address(request: Request) -> Address:
    """Of the seat that a request is about."""
    together = request.query_params.get(TOGETHER, "")
    is_fine = all(part.replace("-", "").replace("_", "").isalnum() for part in together.split("."))
    width = request.query_params.get(WIDTH, "")
    return Address(
        request.path_params["token"],
        chosen(request),
        spoken(request),
        together if is_fine else "",
        width if width in WIDTHS else "",
        base_of(request),
    )
