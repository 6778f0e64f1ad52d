"""The web application of the review desk, for one person on their own machine: a page, and forms that work alone.

Everything stands below a key that nobody can guess, as in the studio.  Each form leads to the next page (post,
redirect, get); what could not be done comes back with what was typed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from rulekit.library import Unreadable
from rulekit.loading import RulesError
from rulekit.review.desk import Desk, Refusal
from rulekit.review.page_content import Typed, content
from rulekit.tools.drawing.canvas import STYLE
from rulekit.tools.language.translation import SOURCE
from rulekit.tools.report.templates import rendered
from rulekit.values import define, field
from rulekit.web.guarding import Guard, TooLarge, TooSlow, form, with_key
from rulekit.web.pages import text, too_large, too_slow

Fields = Mapping[str, str]


def accept(desk: Desk, sent: Fields) -> None:
    """Accept the finding `digest` for a `reason`."""
    desk.accept(sent.get("digest", ""), sent.get("reason", ""))


def reopen(desk: Desk, sent: Fields) -> None:
    """Open the accepted finding `digest` again."""
    desk.reopen(sent.get("digest", ""))


def tie(desk: Desk, sent: Fields) -> None:
    """Tie the passage `at` with this `quote` to the `clauses` that are named."""
    clauses = [word.removeprefix("@") for word in sent.get("clauses", "").replace(",", " ").split()]
    if not clauses:
        raise Refusal("name a clause, or mark the passage as stating no rule")
    desk.tie(*_passage(sent), clauses, _version(sent))


def untie(desk: Desk, sent: Fields) -> None:
    """Mark the passage `at` with this `quote` as stating no rule."""
    desk.tie(*_passage(sent), [], _version(sent))


def mean(desk: Desk, sent: Fields) -> None:
    """Say that the `number` of a passage stands for the value of a `name`."""
    number = _number(sent.get("number", ""))
    desk.mean(*_passage(sent), -1 if number is None else number, sent.get("name", ""), _version(sent))


def otherwise(desk: Desk, sent: Fields) -> None:
    """Say that the negation of the finding `digest` is there in other words."""
    desk.say_otherwise(*_passage(sent), sent.get("digest", ""), _version(sent))


def ask(desk: Desk, sent: Fields) -> None:
    """Ask the publisher a `question` about a passage."""
    desk.ask(*_passage(sent), sent.get("question", ""))


def translate(desk: Desk, sent: Fields) -> None:
    """Put other `words` into the catalogue for the translation of a `clause`, which was `before`."""
    desk.translate(sent.get("clause", ""), sent.get("before", ""), sent.get("words", ""))


def _passage(sent: Fields) -> tuple[int, str]:
    at = _number(sent.get("at", ""))
    return -1 if at is None else at, sent.get("quote", "")


def _version(sent: Fields) -> str:
    """Of the passage, as the page of the form showed it."""
    return sent.get("version", "")


ACTIONS: Mapping[str, Callable[[Desk, Fields], None]] = {
    "accept": accept,
    "reopen": reopen,
    "tie": tie,
    "untie": untie,
    "mean": mean,
    "otherwise": otherwise,
    "ask": ask,
    "translate": translate,
}
"""What can be done, by the last part of the address."""


@define(eq=False)
class ReviewServer:
    """key: what opens the page."""

    desk: Desk
    key: str
    _changing: Lock = field(init=False, factory=Lock)
    """Two forms that come at once are carried out one after the other, each on what the other has written."""

    def app(self, hosts: Sequence[str]) -> Starlette:
        """hosts: the names under which a browser may call this server."""
        routes = [
            Route("/{key}/", with_key(self.key, self.page)),
            Route("/{key}/questions", with_key(self.key, self.questions)),
            Route("/{key}/do/{action}", with_key(self.key, self.act), methods=["POST"]),
            Route("/review.css", text("review.css", "text/css", STYLE)),
            Route("/review.js", text("review.js", "text/javascript")),
            Route("/icon.svg", text("icon.svg", "image/svg+xml")),
        ]
        middleware = [Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)), Middleware(Guard)]
        refusals: dict[Any, Any] = {TooLarge: too_large, TooSlow: too_slow}
        return Starlette(routes=routes, middleware=middleware, exception_handlers=refusals)

    def close(self) -> None:
        """There are no streams; what is looked for in the background is given up."""
        self.desk.close()

    async def page(self, request: Request) -> Response:
        return await self._shown(_number(request.query_params.get("at", "")), Typed())

    async def questions(self, request: Request) -> Response:
        """The questions to the publisher, to be printed."""
        found, now = await run_in_threadpool(lambda: (self.desk.questions(), self.desk.now()))
        title = now.report.rules.rules.game.title
        return HTMLResponse(rendered("review_questions.html.j2", SOURCE, title=title, questions=found))

    async def _shown(self, at: int | None, typed: Typed) -> Response:
        try:
            values = await run_in_threadpool(content, self.desk, at, typed)
        except (RulesError, Unreadable) as fault:
            return Response(f"The files cannot be read now; mend them and load this page again.\n\n{fault}", 409)
        return HTMLResponse(rendered("review.html.j2", SOURCE, **values), 409 if typed.why else 200)

    async def act(self, request: Request) -> Response:
        """One of the actions, with the fields of its form; `at` is where one stands."""
        action = ACTIONS.get(request.path_params["action"])
        sent = {name: values[0] for name, values in (await form(request)).items()}
        at = _number(sent.get("at", ""))
        if action is None:
            return Response("Nothing is here.", 404)
        try:
            await run_in_threadpool(self._carry_out, action, sent)
        except (Refusal, RulesError, Unreadable, OSError) as fault:
            return await self._shown(at, Typed(_why(fault), request.path_params["action"], sent))
        return RedirectResponse(f"/{self.key}/" + (f"?at={at}" if at is not None else ""), 303)

    def _carry_out(self, action: Callable[[Desk, Fields], None], sent: Fields) -> None:
        with self._changing:
            action(self.desk, sent)


def _why(fault: Exception) -> str:
    if isinstance(fault, OSError):
        return f"It could not be saved: {(fault.strerror or 'unknown fault').lower()}"
    return str(fault)


def _number(written: str) -> int | None:
    return int(written) if written.isdecimal() and len(written) < 6 else None
