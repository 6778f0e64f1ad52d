"""Trying moves: each seat may have one copy of the match, which nobody else sees, and which is not kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from threading import Lock
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from rulekit.hosting.host import Host, Place
from rulekit.hosting.seat_page import Refused
from rulekit.hosting.trial import Trial
from rulekit.tools.language.display_names import Names
from rulekit.values import define, field
from rulekit.web import seat_content
from rulekit.web.addresses import Address, address
from rulekit.web.guarding import form
from rulekit.web.host_page import first
from rulekit.web.pages import message, nothing_here, page
from rulekit.web.seats import numbers
from rulekit.web.translations import Translations

MOST = 100
"""So many copies are kept at hand; of more, the oldest goes."""
PART = "try"


@define(eq=False)
class Trials:
    host: Host
    translations: Translations
    _made: OrderedDict[Place, Trial] = field(init=False, factory=OrderedDict)
    _lock: Lock = field(init=False, factory=Lock)

    async def page(self, request: Request) -> Response:
        """Shows the copy; a form tries an answer, goes back, or begins another copy from what is so now."""
        place = await run_in_threadpool(self.host.seat_of, request.path_params["token"])
        if place is None:
            return await nothing_here(request)
        here = address(request)
        if request.method == "POST":
            fields = await form(request)
            chosen = numbers(fields.get("choice", ()))
            await run_in_threadpool(self._act, place, first(fields, "do"), chosen or [])
            return RedirectResponse(here.to(PART), 303)
        found = await self._trial(place)
        if isinstance(found, Refused):
            return message(request, found.reason, 409)
        values = await run_in_threadpool(self._content, place, found, here)
        return page(request, "web_trial.html.j2", **values, here=here, part=PART)

    def _act(self, place: Place, what: str, chosen: list[int]) -> None:
        with self._lock:
            trial = self._made.get(place)
            if trial is None or what == "again":
                self._made.pop(place, None)
            elif what == "back":
                trial.back()
            else:
                trial.answer(chosen)

    def _content(self, place: Place, found: Trial, here: Address) -> dict[str, Any]:
        with self._lock:
            moment = found.page()
            game = found.state.setting.game
            words = self.translations.of(game, here.spoken)
            names = Names(found.state.setting, words)
            return {**seat_content.of_trial(moment, found.state, place.seat, names), "tongue": words}

    async def _trial(self, place: Place) -> Trial | Refused:
        with self._lock:
            if place in self._made:
                return self._made[place]
        # It may take as long as a bot, and nobody waits for it but who wants it.
        made = await asyncio.wrap_future(self.host.aside(lambda: self.host.trial(place.match, place.seat)))
        if isinstance(made, Refused):
            return made
        with self._lock:
            self._made[place] = made
            while len(self._made) > MOST:
                self._made.popitem(last=False)
        return made
