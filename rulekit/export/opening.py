"""The page on which a match begins where one screen serves all: whoever begins it sits down at once."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from rulekit.hosting.host import Created
from rulekit.values import define, field
from rulekit.web.host_page import FIELDS, HostPage


@define(eq=False)
class Opening(HostPage):
    """As at a server; but the seats are taken from here, so that no links are shown."""

    _made: Created | None = field(init=False, default=None)

    async def matches(self, request: Request) -> Response:
        shown = await super().matches(request)
        made, self._made = self._made, None
        query = f"?{request.url.query}" if request.url.query else ""
        return shown if made is None else RedirectResponse(seats_of(made) + query, 303)

    def _begun(self, fields: FIELDS, language: str) -> Created:
        self._made = super()._begun(fields, language)
        return self._made


def seats_of(made: Created) -> str:
    """Where who has begun a match goes: to the only person's seat; where the screen is handed over; or to watch."""
    people = [token for token in made.tokens if token]
    if len(people) > 1:
        return f"/together/{'.'.join(people)}"
    return f"/seat/{people[0] if people else made.spectator}"
