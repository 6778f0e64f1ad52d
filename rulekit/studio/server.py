"""The studio's web application, for one person on their own machine: its page, its parts, and what is done there.

Everything stands below a key that nobody can guess, as the address of a notebook does.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from rulekit import limits
from rulekit.studio.actions import ACTIONS, TOO_LONG, Refusal
from rulekit.studio.editor import editor_folder, words
from rulekit.studio.figures.balance import FEW, Progress
from rulekit.studio.figures.effects import effects
from rulekit.studio.figures.figure_table import figures, rough, wait
from rulekit.studio.match_content import Looking, arranged_content, content
from rulekit.studio.outdated_texts import marked
from rulekit.studio.studio import Studio
from rulekit.tools.drawing.canvas import STYLE
from rulekit.tools.language.lazy_message import in_words
from rulekit.tools.language.translation import Tongue
from rulekit.tools.report import pages
from rulekit.tools.report.templates import rendered
from rulekit.values import define, field
from rulekit.web.guarding import Guard, TooLarge, TooSlow, received, with_key
from rulekit.web.pages import text, too_large, too_slow
from rulekit.web.streams import PULSE, EventStream, alive_event, part_event
from rulekit.web.translations import Translations, languages, own_words, spoken

LONGEST = 2_000_000
"""Bytes of what the page sends: more than a rules file may have."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""As of a table; but the editor's own style holds small pictures."""
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"
"""Of a page that stands alone, with its style in it."""


@define(eq=False)
class StudioServer:
    """key: what opens the page.  is_copy: whether its file stands in place of a game that ships."""

    studio: Studio
    key: str
    is_copy: bool = False
    _translations: Translations = field(init=False, factory=Translations)
    _waiting: set[asyncio.Event] = field(init=False, factory=set)
    _is_closed: bool = field(init=False, default=False)

    def app(self, hosts: Sequence[str]) -> Starlette:
        """hosts: the names under which a browser may call this server."""
        routes = [
            Route("/{key}/", with_key(self.key, self.page)),
            Route("/{key}/news", with_key(self.key, self.news)),
            Route("/{key}/match", with_key(self.key, self.match)),
            Route("/{key}/report", with_key(self.key, self.report)),
            Route("/{key}/do/{action}", with_key(self.key, self.act), methods=["POST"]),
            Mount("/ace", StaticFiles(directory=editor_folder())),
            Route("/studio.css", text("studio.css", "text/css", STYLE)),
            Route("/streams.js", text("streams.js", "text/javascript")),
            Route("/studio.js", text("studio.js", "text/javascript")),
            Route("/icon.svg", text("icon.svg", "image/svg+xml")),
        ]
        middleware = [Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)), Middleware(Guard)]
        refusals: dict[Any, Any] = {TooLarge: too_large, TooSlow: too_slow}
        return Starlette(routes=routes, middleware=middleware, exception_handlers=refusals)

    # ------------------------------------------------------------ looking

    async def page(self, request: Request) -> Response:
        """The page, which begins with the file; its script offers what pages have not saved."""
        language, file, state = spoken(request), self.studio.file, await run_in_threadpool(self.studio.file.look)
        last = self.studio.text
        # Of a file that is gone, the last text is the best that there is.
        text, read = (last.text, last.read) if state.text is None else (state.text, state.version)
        values: dict[str, object] = {"title": file.path, "text": text, "read": read, "saved": state.text is not None}
        values |= {"number": last.number if text == last.text else "", "is_copy": self.is_copy}
        values |= {"words": " ".join(words()), "file": os.path.abspath(file.path), "most": LONGEST}
        series = self.studio.series
        values |= {"series": series, "strength": series.bots.removeprefix("mcts:") if "mcts:" in series.bots else ""}
        values |= {"too_long": in_words(TOO_LONG, own_words(language))}
        spoken_here = [(code, name, f"?lang={code}", code == language) for code, name in languages()]
        html = rendered(
            "studio.html.j2", own_words(language), languages=spoken_here, strongest=limits.SIMULATIONS, **values
        )
        return HTMLResponse(html, headers={"content-security-policy": POLICY})

    async def match(self, request: Request) -> Response:
        found = await run_in_threadpool(self._match, looking(request.query_params), spoken(request))
        return HTMLResponse(found)

    def _match(self, at: Looking, language: str) -> str:
        tongue, arranged = marked(self._tongue(language), self.studio.outdated), self.studio.arranged
        if arranged is not None:
            return rendered("studio_arranging.html.j2", tongue, **arranged_content(arranged, at, tongue))
        shown = content(self.studio.match, at, self.studio.trace, tongue)
        is_old, time = not self.studio.is_game, self.studio.game_time
        return rendered("studio_match.html.j2", tongue, is_old=is_old, game_time=time, **shown)

    async def report(self, request: Request) -> Response:
        """All that the matches of the figures came to: of the rules as they are, or of those that were kept."""
        progress = self.studio.progress
        if progress is None or progress.reports is None:
            return Response("Nothing has been played yet.", 404)
        of = progress.reports[0 if request.query_params.get("of") == "kept" else 1]
        html = await run_in_threadpool(pages.series_page, of, (), self._tongue(spoken(request)))
        return HTMLResponse(html, headers={"content-security-policy": REPORT_POLICY})

    def _tongue(self, language: str) -> Tongue:
        """The engine's words and those of the game; while there is none, the engine's alone."""
        game = self.studio.game
        return own_words(language) if game is None else self._translations.of(game, language)

    # ------------------------------------------------------------ doing

    async def act(self, request: Request) -> Response:
        """One of the actions of the page, with what it sends as JSON."""
        action = ACTIONS.get(request.path_params["action"])
        try:
            sent = json.loads(await received(request, LONGEST))
        except (ValueError, RecursionError):
            sent = None
        if action is None or not isinstance(sent, dict):
            return JSONResponse({"problem": "there is no such action"}, 400)
        try:
            return JSONResponse(await run_in_threadpool(action, self.studio, sent))
        except Refusal as refusal:
            reason = in_words(refusal.reason, own_words(spoken(request)))
            return JSONResponse({"problem": reason, **refusal.more}, 409)

    # ------------------------------------------------------------ news

    def close(self) -> None:
        """End all streams; only from the loop that they run in."""
        self._is_closed = True
        for event in self._waiting:
            event.set()

    async def news(self, request: Request) -> Response:
        return EventStream(self._stream(request))

    async def _stream(self, request: Request) -> AsyncIterator[str]:
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def listener() -> None:
            loop.call_soon_threadsafe(changed.set)

        end = self.studio.parts.subscribe(listener)
        self._waiting.add(changed)
        told, language = 0, spoken(request)
        try:
            yield "retry: 1000\n\n" + alive_event()
            while not self._is_closed:
                changed.clear()
                for number, part, payload in self.studio.parts.since(told):
                    told = number
                    shown = await run_in_threadpool(_shown, part, payload, self._tongue(language))
                    yield part_event(part, json.dumps(shown))
                try:
                    await asyncio.wait_for(changed.wait(), PULSE)
                except TimeoutError:
                    yield alive_event()
        finally:
            self._waiting.discard(changed)
            end()


def _shown(part: str, payload: Mapping[str, Any], tongue: Tongue) -> Mapping[str, Any]:
    """A part as the page takes it: figures and examples as they are to be seen."""
    if part == "figures":
        of = payload["progress"]
        begins = not (of.done or of.stopped or of.problem)
        return {
            "begins": begins,
            "number": of.number,
            "html": rendered("studio_figures.html.j2", tongue, **_told(of, tongue), begins=begins),
        }
    if part == "examples":
        failed = sum(not one["passed"] for one in payload["examples"])
        html = rendered("studio_examples.html.j2", tongue, **payload)
        return {"failed": failed, "number": payload["number"], "html": html}
    return payload


def _told(progress: Progress, tongue: Tongue) -> Mapping[str, Any]:
    """What the template of the figures names."""
    pairs, reports = progress.pairs, progress.reports
    both = None if reports is None else effects(reports[0].tally, reports[1].tally, tongue, progress.changed)
    found = () if pairs is None else figures(pairs, tongue, progress.setting)
    made = {"progress": progress, "pairs": pairs, "figures": found, "effects": both, "few": FEW}
    return {**made, "wait": wait(progress), "rough": rough(progress), "lost": _lost(progress, tongue)}


def _lost(progress: Progress, tongue: Tongue) -> tuple[int, str, int]:
    """How many matches of the rules as they are do not end, why the first does not, and at which line; 0: not known."""
    if progress.reports is None:
        return 0, "", 0
    of, found = progress.reports[1], progress.unended
    count = len(of.tally.unfinished)
    if found is None:
        return count, "", 0
    return count, in_words(found.why, tongue), found.where.line if found.where.source == of.file else 0


def looking(query: Mapping[str, str]) -> Looking:
    """From where the page looks at the match."""
    at, width = query.get("at", ""), query.get("width", "")
    return Looking(
        query.get("seat", ""),
        int(at) if at.isdecimal() and len(at) < 7 else None,
        max(300, min(1600, int(width))) if width.isdecimal() and len(width) < 5 else 640,
    )
