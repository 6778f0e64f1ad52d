"""The web application: which address shows and does what.  Work that takes time is done in threads beside the loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import define, field
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulekit.hosting.host import Host
from rulekit.hosting.store import StoreFault
from rulekit.tools.drawing.canvas import STYLE
from rulekit.web.guarding import Guard, TooLarge
from rulekit.web.host_page import HostPage
from rulekit.web.pages import message, not_kept, nothing_here, text, too_large
from rulekit.web.seats import Seats
from rulekit.web.streams import Streams
from rulekit.web.translations import Translations
from rulekit.web.trials import PART, Trials

BOTH = ["GET", "POST"]


@define(eq=False)
class Server:
    """host: the matches.  key: what opens the page on which matches are begun; who has it may begin some.

    problems:  by rules file why it is no game now.
    streams:   of news, to the pages that are open.
    """

    host: Host
    key: str
    problems: Callable[[], Mapping[str, str]] = field(default=dict)
    streams: Streams = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.streams = Streams(self.host)

    def app(self, hosts: Sequence[str]) -> Starlette:
        """hosts: the names under which a browser may call this server."""
        routes = [*self._of_all(), *self._of_seats()]
        middleware = [Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)), Middleware(Guard)]
        refusals: dict[Any, Any] = {TooLarge: too_large, StoreFault: not_kept, 404: nothing_here}
        return Starlette(routes=routes, middleware=middleware, exception_handlers=refusals)

    def _of_all(self) -> list[Route]:
        matches = HostPage(self.host, self.key, self.problems).matches
        return [
            Route("/", front),
            Route("/host/{key}", matches, methods=BOTH),
            Route("/table.css", text("table.css", "text/css", STYLE)),
            Route("/table.js", text("table.js", "text/javascript")),
            Route("/icon.svg", text("icon.svg", "image/svg+xml")),
            Route("/icon_asked.svg", text("icon_asked.svg", "image/svg+xml")),
        ]

    def _of_seats(self) -> list[Route]:
        translations = Translations()
        seats, trials = Seats(self.host, translations), Trials(self.host, translations)
        return [
            Route("/seat/{token}", seats.table),
            Route("/seat/{token}/answer", seats.answer, methods=["POST"]),
            Route("/seat/{token}/undo", seats.undo, methods=["POST"]),
            Route("/seat/{token}/news", self.streams.news),
            Route("/seat/{token}/story", seats.story),
            Route("/seat/{token}/at/{number:int}", seats.earlier),
            Route("/seat/{token}/at/{number:int}/branch", seats.branch, methods=["POST"]),
            Route("/seat/{token}/log", seats.log),
            Route("/seat/{token}/" + PART, trials.page, methods=BOTH),
            Route("/together/{tokens}", seats.together),
        ]


async def front(request: Request) -> Response:
    """What a stranger sees: nothing but how one gets in."""
    return message("Ask who began the match for a link.", 200)
