"""Answers to browsers: pages made of templates, files of the package, and pages that say that something is not so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from rulekit import library
from rulekit.tools.language.lazy_message import Message
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.report.templates import rendered
from rulekit.web.addresses import base_of
from rulekit.web.translations import own_words, spoken


def page(request: Request, name: str, status: int = 200, tongue: Tongue = SOURCE, **values: object) -> HTMLResponse:
    """The answer to a request that a template makes."""
    return HTMLResponse(rendered(name, tongue, base=base_of(request), **values), status)


def text(name: str, kind: str, more: str = "") -> Callable[[Request], Any]:
    """A file of the package, as it is."""
    words = library.template(name) + more

    async def shown(request: Request) -> Response:
        return Response(words, media_type=kind)

    return shown


def message(request: Request, said: Message, status: int) -> Response:
    """A page with one sentence."""
    tongue = own_words(spoken(request))
    return page(request, "web_message.html.j2", status, tongue, title="rulekit", words=said.by(tongue))


async def nothing_here(request: Request, fault: object = None) -> Response:
    return message(request, Message("web-nothing-here"), 404)


async def too_large(request: Request, fault: object) -> Response:
    return message(request, Message("web-too-large"), 413)


async def too_slow(request: Request, fault: object) -> Response:
    answer = message(request, Message("web-too-slow"), 408)
    # What has not come yet of the form would be read as the next request.
    answer.headers["connection"] = "close"
    return answer


async def not_kept(request: Request, fault: object) -> Response:
    return message(request, Message("web-not-kept"), 503)
