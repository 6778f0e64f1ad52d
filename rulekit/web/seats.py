"""A seat's pages: the table, its story, earlier positions, the log; and what can be done there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from rulekit.hosting.host import Created, Host, Place
from rulekit.hosting.seat_page import Refused
from rulekit.play.view import SPECTATOR
from rulekit.tools.language.display_names import seat_words
from rulekit.tools.language.lazy_message import Message
from rulekit.values import define
from rulekit.web import seat_content
from rulekit.web.addresses import Address, address, base_of, in_others, origin_of, together_at
from rulekit.web.guarding import form
from rulekit.web.host_page import MOST_SEATS, first, links_of
from rulekit.web.pages import nothing_here, page
from rulekit.web.translations import Translations, chosen, own_words, spoken

Answering = Callable[[Request, Place, Address], Any]


@define(eq=False)
class Seats:
    host: Host
    translations: Translations

    async def table(self, request: Request) -> Response:
        """The page of a seat; nothing (status 204) for a script whose page is still as it was."""
        return await self._seated(request, self._table_if_changed)

    async def _table_if_changed(self, request: Request, place: Place, here: Address) -> Response:
        have = request.query_params.get("have")
        if have and have == await run_in_threadpool(lambda: self.host.table(place.match).looked(place.seat)):
            return Response(status_code=204)
        return await self._table(request, place, here)

    async def _table(
        self, request: Request, place: Place, here: Address, problem: Message | None = None, status: int = 200
    ) -> Response:
        values = await run_in_threadpool(self._content, place, here)
        told = problem and problem.by(values["tongue"])
        return page(request, "web_seat.html.j2", status, **values, here=here, problem=told)

    def _content(self, place: Place, here: Address) -> dict[str, Any]:
        table = self.host.table(place.match)
        with table.lock:
            names = self.translations.names(table, place.seat, here.spoken)
            found = seat_content.content(table, table.page(place.seat), names, here.width)
            others = in_others(lambda language: here.to("", language), here.spoken)
            return {**found, "tongue": names.tongue, "languages": others}

    async def _seated(self, request: Request, answering: Answering) -> Response:
        """What is answered to whoever has a token that opens something."""
        place = await run_in_threadpool(self.host.seat_of, request.path_params["token"])
        if place is None:
            return await nothing_here(request)
        answer: Response = await answering(request, place, address(request))
        return answer

    # ------------------------------------------------------------ what is done

    async def answer(self, request: Request) -> Response:
        return await self._seated(request, self._answer)

    async def _answer(self, request: Request, place: Place, here: Address) -> Response:
        fields = await form(request)
        given = numbers([first(fields, "number"), *fields.get("choice", ())])
        if given is None:
            return await self._table(request, place, here, Message("web-no-answer"), 400)
        result = await run_in_threadpool(self.host.answer, place.match, place.seat, given[0], given[1:])
        return await self._done(request, place, here, result)

    async def undo(self, request: Request) -> Response:
        return await self._seated(request, self._undo)

    async def _undo(self, request: Request, place: Place, here: Address) -> Response:
        await form(request)
        return await self._done(request, place, here, await run_in_threadpool(self.host.undo, place.match, place.seat))

    async def _done(self, request: Request, place: Place, here: Address, result: object) -> Response:
        """The table as it is then; or as it was, with the reason why nothing was done."""
        if isinstance(result, Refused):
            return await self._table(request, place, here, result.reason, 409)
        return RedirectResponse(here.after, 303)

    async def branch(self, request: Request) -> Response:
        """A new match that goes on from an earlier position: its links."""
        return await self._seated(request, self._branch)

    async def _branch(self, request: Request, place: Place, here: Address) -> Response:
        await form(request)
        made = await run_in_threadpool(self.host.branch, place.match, place.seat, request.path_params["number"])
        if not isinstance(made, Created):
            return await self._table(request, place, here, made.reason, 409)
        tongue = own_words(here.spoken)
        links = await run_in_threadpool(links_of, self.host, made, here, tongue)
        more = {"links": links, "origin": origin_of(request), "here": here}
        return page(request, "web_links.html.j2", 200, tongue, title="rulekit", **more)

    # ------------------------------------------------------------ looking back

    async def earlier(self, request: Request) -> Response:
        return await self._seated(request, self._earlier)

    async def _earlier(self, request: Request, place: Place, here: Address) -> Response:
        values = await run_in_threadpool(self._moment, place, request.path_params["number"], here)
        if values is None:
            return await nothing_here(request)
        return page(request, "web_moment.html.j2", **values, here=here)

    def _moment(self, place: Place, number: int, here: Address) -> dict[str, Any] | None:
        table = self.host.table(place.match)
        with table.lock:
            moment, since = table.history(place.seat, number), table.earlier(place.seat, number - 1)
            state = table.earlier(place.seat, number)
            if moment is None or state is None:
                return None
            names = self.translations.names(table, place.seat, here.spoken)
            alone = place.seat != SPECTATOR and not table.why_no_log()
            shown = seat_content.of_moment(moment, state, since, place.seat, names)
            return {**shown, "tongue": names.tongue, "branches": alone}

    async def story(self, request: Request) -> Response:
        return await self._seated(request, self._story)

    async def _story(self, request: Request, place: Place, here: Address) -> Response:
        return page(request, "web_story.html.j2", **await run_in_threadpool(self._told, place, here), here=here)

    def _told(self, place: Place, here: Address) -> dict[str, Any]:
        table = self.host.table(place.match)
        with table.lock:
            names = self.translations.names(table, place.seat, here.spoken)
            news = seat_content.told(table.story(place.seat), table.game, names, place.seat)
            return {"title": names.tongue.text("title", table.game.title), "news": news, "tongue": names.tongue}

    async def log(self, request: Request) -> Response:
        return await self._seated(request, self._log)

    async def _log(self, request: Request, place: Place, here: Address) -> Response:
        table = await run_in_threadpool(self.host.table, place.match)
        reason = table.why_no_log()
        if reason is not None:
            return await self._table(request, place, here, reason, 409)
        named = {"content-disposition": f'attachment; filename="{place.match}.log"'}
        return Response(await run_in_threadpool(table.log), 200, named, "text/plain; charset=utf-8")

    # ------------------------------------------------------------ one screen for several

    async def together(self, request: Request) -> Response:
        """Where a screen is handed over: who is asked, and nothing of what anybody sees."""
        tokens, language, tongue = request.path_params["tokens"], chosen(request), own_words(spoken(request))
        base = base_of(request)
        people = await run_in_threadpool(self._people, tokens)
        if people is None:
            return await nothing_here(request)
        found = [
            (seat_words(name, tongue), Address(token, language, together=tokens, base=base).to(), asked)
            for name, token, asked in people
        ]
        others = in_others(lambda other: together_at(tokens, other, base), tongue.language)
        return page(request, "web_together.html.j2", 200, tongue, title="rulekit", people=found, languages=others)

    def _people(self, tokens: str) -> list[tuple[str, str, bool]] | None:
        """Name, token and whether it is asked of each seat; None if they are not seats of one match."""
        places = [(token, self.host.seat_of(token)) for token in tokens.split(".", MOST_SEATS)]
        seats = [(token, place) for token, place in places if place is not None and place.seat != SPECTATOR]
        if len(seats) < len(places) or len({place.match for _, place in seats}) != 1:
            return None
        shown = self.host.table(seats[0][1].match).page(SPECTATOR)
        asked = () if shown.outcome else shown.waiting
        return [(shown.seats[place.seat], token, place.seat in asked) for token, place in seats]


def numbers(texts: Sequence[str]) -> list[int] | None:
    """Texts as numbers; None if one is none."""
    is_fine = all(text.isascii() and text.isdigit() and len(text) < 8 for text in texts)
    return [int(text) for text in texts] if is_fine else None
