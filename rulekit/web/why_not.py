"""Why something cannot be chosen now: a page of its own, made only for whoever opens it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from rulekit.hosting.host import Host, Place
from rulekit.hosting.seat_page import Refused
from rulekit.play.state.match_state import Decision
from rulekit.play.state.value import Value
from rulekit.tools.explain.source_text import line_of
from rulekit.tools.explain.why_not import Refused as NotOffered
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.lazy_message import in_words
from rulekit.tools.tell.clause_text import clause_words
from rulekit.tools.tell.menu import menu
from rulekit.values import define, evolve, field, frozen
from rulekit.web.addresses import address
from rulekit.web.pages import message, nothing_here, page
from rulekit.web.translations import Translations

MOST = 500
"""So many seats' reasons are kept at hand; of more, the oldest go."""
PART = "why-not"
Found = tuple[NotOffered, ...] | Refused


@frozen
class Reason:
    """Options that one thing keeps from being offered.

    number, line:  of the rules file, and what stands there; 0 where it is not told.
    """

    options: tuple[str, ...]
    words: str
    number: int
    line: str
    clauses: tuple[tuple[str, str], ...]


@define(eq=False)
class WhyNot:
    """What was or is being found for each seat, with the look of its page then."""

    host: Host
    translations: Translations
    _found: OrderedDict[Place, tuple[str, Future[Found]]] = field(init=False, factory=OrderedDict)

    async def page(self, request: Request) -> Response:
        place = await run_in_threadpool(self.host.seat_of, request.path_params["token"])
        if place is None:
            return await nothing_here(request)
        here = address(request)
        found = await self._reasons(place)
        if isinstance(found, Refused):
            return message(request, found.reason, 409)
        values = await run_in_threadpool(self._content, place, found, here.spoken)
        return page(request, "web_why_not.html.j2", **values, here=here)

    async def _reasons(self, place: Place) -> Found:
        """Found aside of all who play, and again only where the page of the seat has changed."""
        look = await run_in_threadpool(lambda: self.host.table(place.match).looked(place.seat))
        before, found = self._found.pop(place, ("", None))
        if found is None or before != look or (found.done() and found.exception()):
            found = self.host.aside(lambda: self.host.why_not(place.match, place.seat))
        self._found[place] = look, found
        if len(self._found) > MOST:
            self._found.popitem(last=False)
        return await asyncio.wrap_future(found)

    def _content(self, place: Place, found: Sequence[NotOffered], language: str) -> dict[str, Any]:
        table = self.host.table(place.match)
        with table.lock:
            words, question = self.translations.of(table.game, language), table.page(place.seat).question
            names = Names(table.state.setting, words)
        reasons = [] if question is None else reasons_of(found, question, names)
        return {"title": words.text("title", table.game.title), "reasons": reasons, "tongue": words}


def reasons_of(found: Sequence[NotOffered], question: Decision, names: Names) -> list[Reason]:
    """What was found in words: the options of one reason together, called as the question would call them."""
    alike: dict[tuple[str, int, tuple[str, ...]], list[NotOffered]] = {}
    for one in found:
        alike.setdefault((in_words(one.reason, names.tongue), one.span.line, one.clauses), []).append(one)
    return [_reason(words, ones, question, names) for (words, _, _), ones in alike.items()]


def _reason(words: str, ones: Sequence[NotOffered], question: Decision, names: Names) -> Reason:
    game, span = names.setting.game, ones[0].span
    clauses = tuple((id_, clause_words(game, id_, names.tongue)) for id_ in ones[0].clauses if id_ in game.clauses)
    options = _called([one.option for one in ones], question, names)
    return Reason(options, words, span.line, line_of(game, span) if span.line else "", clauses)


def _called(options: Sequence[Value], question: Decision, names: Names) -> tuple[str, ...]:
    shown = menu(evolve(question, options=tuple(options)), names)
    return tuple(entry.text or entry.key for entry in shown.entries)
