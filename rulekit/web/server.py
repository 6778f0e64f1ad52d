"""The web application: which address shows and does what.  Work that takes time is done in threads beside the loop."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, TypeVar

from attrs import define, field
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from rulekit import library
from rulekit.bots.players.registry import UnknownBot
from rulekit.hosting.host import Created, Host, Place
from rulekit.hosting.seat_page import Refused
from rulekit.hosting.store import StoreFault
from rulekit.loading import RulesError
from rulekit.model.game import Game
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.view import SPECTATOR
from rulekit.record.json_values import rules_digest
from rulekit.record.log import HUMAN
from rulekit.tools.drawing.canvas import STYLE
from rulekit.tools.language.catalogue_loader import tongue
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.message_extraction import known
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.report.templates import rendered
from rulekit.web import seat_content
from rulekit.web.guarding import Guard, TooLarge, form

T = TypeVar("T")
PULSE = 15.0
"""Seconds after which a stream says that it lives, so that what stands between does not end it."""
MOST_STREAMS = 2000
LONGEST_NAME = 40
KINDS = ("", HUMAN, "random", "greedy", "mcts")
"""Who may sit at a seat; the first is nobody."""
FIELDS = dict[str, list[str]]


@define(eq=False)
class Server:
    """host: the matches.  key: what opens the page on which matches are begun; who has it may begin some."""

    host: Host
    key: str
    streams: int = field(default=0, init=False)
    _tongues: dict[tuple[str, str], Tongue] = field(factory=dict, init=False)

    def app(self, hosts: Sequence[str]) -> Starlette:
        """hosts: the names under which a browser may call this server."""
        routes = [
            Route("/", self.front),
            Route("/host/{key}", self.matches, methods=["GET", "POST"]),
            Route("/seat/{token}", self.seat),
            Route("/seat/{token}/answer", self.answer, methods=["POST"]),
            Route("/seat/{token}/undo", self.undo, methods=["POST"]),
            Route("/seat/{token}/news", self.news),
            Route("/seat/{token}/story", self.story),
            Route("/seat/{token}/at/{number:int}", self.earlier),
            Route("/seat/{token}/log", self.log),
            Route("/table.css", _text("table.css", "text/css", STYLE)),
            Route("/table.js", _text("table.js", "text/javascript")),
        ]
        middleware = [Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)), Middleware(Guard)]
        refusals: dict[Any, Any] = {TooLarge: _too_large, StoreFault: _not_kept, 404: _nothing_here}
        return Starlette(routes=routes, middleware=middleware, exception_handlers=refusals)

    # ------------------------------------------------------------ beginning

    async def front(self, request: Request) -> Response:
        """What a stranger sees: nothing but how one gets in."""
        return _page("web_message.html.j2", title="rulekit", words="Ask who began the match for a link.")

    async def matches(self, request: Request) -> Response:
        """The games that can be played and the matches there are; begins one if a form is sent."""
        if not hmac.compare_digest(request.path_params["key"].encode(), self.key.encode()):
            return await _nothing_here(request, None)
        fields = await form(request) if request.method == "POST" else {}
        made, problem = await run_in_threadpool(self._begun, fields) if fields else (None, "")
        values = await run_in_threadpool(self._overview)
        links = [] if made is None else self._links(made)
        return _page("web_host.html.j2", 400 if problem else 200, **values, links=links, problem=problem)

    def _overview(self) -> dict[str, Any]:
        games = [(file, self.host.game(file)) for file in self.host.games]
        matches = [self.host.table(stored.id).page(SPECTATOR) for stored in self.host.matches()[-50:]]
        return {"title": "rulekit", "games": games, "matches": matches, "bots": KINDS}

    def _begun(self, fields: FIELDS) -> tuple[Created | None, str]:
        """A new match, or why there is none."""
        file = _one(fields, "game")
        if file not in self.host.games:
            return None, "There is no such game here."
        both = zip(fields.get("kind", ()), fields.get("name", ()), strict=False)
        seats = [(kind, name) for kind, name in both if kind]
        names = [name.strip()[:LONGEST_NAME] for _, name in seats]
        try:
            given = names if all(names) else None
            return self.host.create(
                file, [kind for kind, _ in seats], given, _options(self.host.game(file), fields)
            ), ""
        except (RulesError, BadSetup, UnknownBot, RuleError, ValueError) as fault:
            return None, str(fault)

    def _links(self, made: Created) -> list[tuple[str, str]]:
        page = self.host.table(made.match).page(SPECTATOR)
        seats = [(name, token) for name, token in zip(page.seats, made.tokens, strict=True) if token]
        return [(name, f"/seat/{token}") for name, token in [*seats, ("who watches", made.spectator)]]

    # ------------------------------------------------------------ a seat

    async def seat(self, request: Request) -> Response:
        return await self._seat(request)

    async def _seat(self, request: Request, problem: str = "", status: int = 200) -> Response:
        place = await self._place(request)
        if place is None:
            return await _nothing_here(request, None)
        language = request.query_params.get("lang", SOURCE.language)
        values = await run_in_threadpool(self._content, place, language)
        return _page("web_seat.html.j2", status, **values, here=_here(request), problem=problem)

    async def _place(self, request: Request) -> Place | None:
        return await run_in_threadpool(self.host.seat_of, request.path_params["token"])

    def _content(self, place: Place, language: str) -> dict[str, Any]:
        table = self.host.table(place.match)
        with table.lock:
            words = self._tongue(table.game, language)
            found = seat_content.content(table, table.page(place.seat), words)
            return {**found, "tongue": words, "languages": (SOURCE.language, *library.languages())}

    def _tongue(self, game: Game, language: str) -> Tongue:
        if language not in library.languages():
            return SOURCE
        key = rules_digest(game), language
        if key not in self._tongues:
            self._tongues[key] = tongue(language, game, known(game))[0]
        return self._tongues[key]

    async def answer(self, request: Request) -> Response:
        fields = await form(request)
        numbers = _numbers([_one(fields, "number"), *fields.get("choice", ())])
        if numbers is None:
            return await self._seat(request, "That is no answer of this page.", 400)
        number, *chosen = numbers
        return await self._done(request, lambda place: self.host.answer(place.match, place.seat, number, chosen))

    async def undo(self, request: Request) -> Response:
        await form(request)
        return await self._done(request, lambda place: self.host.undo(place.match, place.seat))

    async def _done(self, request: Request, act: Callable[[Place], Any]) -> Response:
        """What a seat did, then its page again; or its page with the reason why nothing was done."""
        place = await self._place(request)
        if place is None:
            return await _nothing_here(request, None)
        result = await run_in_threadpool(act, place)
        if isinstance(result, Refused):
            return await self._seat(request, result.reason, 409)
        return RedirectResponse(_here(request), 303)

    # ------------------------------------------------------------ looking back

    async def earlier(self, request: Request) -> Response:
        place, number = await self._place(request), request.path_params["number"]
        if place is None:
            return await _nothing_here(request, None)
        values = await run_in_threadpool(self._earlier, place, number, request.query_params.get("lang", ""))
        if values is None:
            return await _nothing_here(request, None)
        return _page("web_moment.html.j2", **values, here=_here(request))

    def _earlier(self, place: Place, number: int, language: str) -> dict[str, Any] | None:
        table = self.host.table(place.match)
        with table.lock:
            moment, state = table.history(place.seat, number), table.earlier(place.seat, number)
            if moment is None or state is None:
                return None
            words = self._tongue(table.game, language)
            return {**seat_content.of_moment(moment, state, place.seat, words), "tongue": words}

    async def story(self, request: Request) -> Response:
        place = await self._place(request)
        if place is None:
            return await _nothing_here(request, None)
        values = await run_in_threadpool(self._story, place, request.query_params.get("lang", ""))
        return _page("web_story.html.j2", **values, here=_here(request))

    def _story(self, place: Place, language: str) -> dict[str, Any]:
        table = self.host.table(place.match)
        with table.lock:
            words = self._tongue(table.game, language)
            names = Names(table.state.setting, words)
            news = seat_content.told(table.story(place.seat), table.game, names, place.seat)
            return {"title": table.game.title, "news": news, "tongue": words}

    async def log(self, request: Request) -> Response:
        place = await self._place(request)
        if place is None:
            return await _nothing_here(request, None)
        table = await run_in_threadpool(self.host.table, place.match)
        reason = table.why_no_log()
        if reason:
            return await self._seat(request, reason, 409)
        named = {"content-disposition": f'attachment; filename="{place.match}.log"'}
        return Response(await run_in_threadpool(table.log), 200, named, "text/plain; charset=utf-8")

    # ------------------------------------------------------------ what is new

    async def news(self, request: Request) -> Response:
        """A stream (server-sent events) that says when a seat's page has changed, and nothing of what is on it."""
        place = await self._place(request)
        if place is None:
            return await _nothing_here(request, None)
        if self.streams >= MOST_STREAMS:
            return Response("Too many pages are open.", 503)
        return StreamingResponse(self._stream(request, place), media_type="text/event-stream")

    async def _stream(self, request: Request, place: Place) -> AsyncIterator[str]:
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def listener() -> None:
            loop.call_soon_threadsafe(changed.set)

        end = await run_in_threadpool(self.host.subscribe, place.match, place.seat, listener)
        self.streams += 1
        try:
            yield "retry: 2000\n\n"
            while not await request.is_disconnected():
                try:
                    await asyncio.wait_for(changed.wait(), PULSE)
                    changed.clear()
                    yield "data: new\n\n"
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self.streams -= 1
            end()


# ---------------------------------------------------------------- forms


def _one(fields: FIELDS, name: str) -> str:
    return fields.get(name, [""])[0]


def _numbers(texts: Sequence[str]) -> list[int] | None:
    """Texts as numbers; None if one is none."""
    is_fine = all(text.isascii() and text.isdigit() and len(text) < 8 for text in texts)
    return [int(text) for text in texts] if is_fine else None


def _options(game: Game, fields: FIELDS) -> dict[str, Any]:
    """What a form chooses of the options that have readings or are yes or no; others are as by default."""
    chosen: dict[str, Any] = {}
    for option in game.options:
        text = _one(fields, f"option {option.name}")
        readings = {name for name, _ in option.readings}
        if text in ("yes", "no") and not readings:
            chosen[option.name] = text == "yes"
        elif text in readings:
            chosen[option.name] = text
    return chosen


def _here(request: Request) -> str:
    """The seat's address, in its language."""
    language = request.query_params.get("lang", "")
    return f"/seat/{request.path_params['token']}" + (f"?lang={language}" if language.isalpha() else "")


# ---------------------------------------------------------------- answers


def _page(name: str, status: int = 200, tongue: Tongue = SOURCE, **values: object) -> HTMLResponse:
    return HTMLResponse(rendered(name, tongue, **values), status)


def _text(name: str, kind: str, more: str = "") -> Callable[[Request], Any]:
    """A file of the package, as it is."""
    text = library.template(name) + more

    async def shown(request: Request) -> Response:
        return Response(text, media_type=kind)

    return shown


async def _nothing_here(request: Request, _: object) -> Response:
    words = "Nothing is here. A link to a seat must be whole, with all its letters."
    return _page("web_message.html.j2", 404, title="rulekit", words=words)


async def _too_large(request: Request, _: object) -> Response:
    return _page("web_message.html.j2", 413, title="rulekit", words="This form is longer than any that is made here.")


async def _not_kept(request: Request, fault: Exception) -> Response:
    words = "The answer could not be kept on the disk, so it was not taken. Go back and try again."
    return _page("web_message.html.j2", 503, title="rulekit", words=words)
