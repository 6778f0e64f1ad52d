"""Addresses of a seat's pages: each keeps the language, and who else sits at the same screen."""

from __future__ import annotations

from urllib.parse import urlencode

from attrs import frozen
from starlette.requests import Request

from rulekit.web.seat_content import WIDTHS

WIDTH = "w"
"""What the script of a page says when it renews the page: for how wide a window, `wide` or `narrow`."""
TOGETHER = "with"
"""What a page's address says where several sit at one screen: the tokens of all of them."""


@frozen
class Address:
    """token: of the seat.  together: the tokens of all who share the screen, or "".  width: see `WIDTH`."""

    token: str
    language: str = ""
    together: str = ""
    width: str = ""

    def to(self, part: str = "", language: str | None = None) -> str:
        """The address of one of the seat's pages, such as `story`; the table itself if no part is named."""
        kept = {"lang": self.language if language is None else language, TOGETHER: self.together}
        query = urlencode({name: value for name, value in kept.items() if value})
        return f"/seat/{self.token}" + f"/{part}" * bool(part) + f"?{query}" * bool(query)

    @property
    def after(self) -> str:
        """Where one is when something was done: at the table, or where the screen is handed over."""
        if self.together:
            return f"/together/{self.together}?{urlencode({'lang': self.language})}"
        here = self.to()
        return f"{here}{'&' if '?' in here else '?'}{WIDTH}={self.width}" if self.width else here


def address(request: Request) -> Address:
    """Of the seat that a request is about."""
    language = request.query_params.get("lang", "")
    together = request.query_params.get(TOGETHER, "")
    is_fine = all(part.replace("-", "").replace("_", "").isalnum() for part in together.split("."))
    width = request.query_params.get(WIDTH, "")
    return Address(
        request.path_params["token"],
        language if language.isalpha() else "",
        together if is_fine else "",
        width if width in WIDTHS else "",
    )
