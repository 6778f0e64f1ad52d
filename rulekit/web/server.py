"""The web application: which address shows and does what.  Work that takes time is done in threads beside the loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulekit.hosting.host import Host
from rulekit.hosting.store import StoreFault
from rulekit.tools.drawing.canvas import STYLE
from rulekit.tools.language.lazy_message import Message
from rulekit.values import define, field
from rulekit.web import why_not
from rulekit.web.addresses import PublicUrl
from rulekit.web.guarding import Front, Guard, TooLarge, TooSlow
from rulekit.web.host_page import HostPage
from rulekit.web.pages import message, not_kept, nothing_here, text, too_large, too_slow
from rulekit.web.rate_limits import Limits, RateLimiter
from rulekit.web.seats import Seats
from rulekit.web.streams import Streams
from rulekit.web.translations import Translations
from rulekit.web.trials import PART, Trials

BOTH = ["GET", "POST"]


@define(eq=False)
class Server:
    """host: the matches.  key: what opens the page on which matches are begun; who has it may begin some.

    problems:  by rules file why it is no game now.
    limits:    how often pages are asked for.
    public:    the address of a proxy before this server, if there is one.
    streams:   of news, to the pages that are open.
    """

    host: Host
    key: str
    problems: Callable[[], Mapping[str, str]] = field(default=dict)
    limits: Limits = field(default=Limits(), kw_only=True)
    public: PublicUrl | None = field(default=None, kw_only=True)
    streams: Streams = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.streams = Streams(self.host)

    def app(self, hosts: Sequence[str]) -> Starlette:
        """hosts: the names under which a browser may call this server."""
        translations = Translations()
        routes = [*self._of_all(translations), *self._of_seats(translations)]
        middleware = [
            Middleware(Guard, front=Front(tuple(hosts), self.public)),
            Middleware(RateLimiter, limits=self.limits),
        ]
        refusals: dict[Any, Any] = {TooLarge: too_large, TooSlow: too_slow, StoreFault: not_kept, 404: nothing_here}
        return Starlette(routes=routes, middleware=middleware, exception_handlers=refusals)

    def close(self) -> None:
        """End the streams of open pages; only from the loop that they run in."""
        self.streams.close()

    def _of_all(self, translations: Translations) -> list[Route]:
        matches = HostPage(self.host, self.key, translations, self.problems).matches
        return [
            Route("/", front),
            Route("/host/{key}", matches, methods=BOTH),
            Route("/table.css", text("table.css", "text/css", STYLE)),
            *(Route(f"/{name}", text(name, "text/javascript")) for name in ("streams.js", "swap.js", "table.js")),
            Route("/icon.svg", text("icon.svg", "image/svg+xml")),
            Route("/icon_asked.svg", text("icon_asked.svg", "image/svg+xml")),
        ]

    def _of_seats(self, translations: Translations) -> list[Route]:
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
            Route("/seat/{token}/" + why_not.PART, why_not.WhyNot(self.host, translations).page),
            Route("/together/{tokens}", seats.together),
        ]


async def front(request: Request) -> Response:
    """What a stranger sees: nothing but how one gets in."""
    return message(request, Message("web-front"), 200)
