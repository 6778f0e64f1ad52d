"""Addresses of a seat's pages: each keeps the language, and who else sits at the same screen."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from starlette.requests import Request

from rulekit.values import frozen
from rulekit.web.seat_content import WIDTHS
from rulekit.web.translations import LANGUAGE, chosen, languages, spoken

WIDTH = "w"
"""What the script of a page says when it renews the page: for how wide a window, `wide` or `narrow`."""
TOGETHER = "with"
"""What a page's address says where several sit at one screen: the tokens of all of them."""


@frozen
class Address:
    """token: of the seat.  together: the tokens of all who share the screen, or "".  width: see `WIDTH`.

    language:  the one that was chosen, or ""; spoken: the one of the page.
    """

    token: str
    language: str = ""
    spoken: str = ""
    together: str = ""
    width: str = ""

    def to(self, part: str = "", language: str | None = None) -> str:
        """The address of one of the seat's pages, such as `story`; the table itself if no part is named."""
        kept = {LANGUAGE: self.language if language is None else language, TOGETHER: self.together}
        query = urlencode({name: value for name, value in kept.items() if value})
        return f"/seat/{self.token}" + f"/{part}" * bool(part) + f"?{query}" * bool(query)

    @property
    def after(self) -> str:
        """Where one is when something was done: at the table, or where the screen is handed over."""
        if self.together:
            return together_at(self.together, self.language)
        here = self.to()
        return f"{here}{'&' if '?' in here else '?'}{WIDTH}={self.width}" if self.width else here


def together_at(tokens: str, language: str) -> str:
    """The address of the page on which a screen is handed over."""
    return f"/together/{tokens}" + f"?{urlencode({LANGUAGE: language})}" * bool(language)


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
    )
