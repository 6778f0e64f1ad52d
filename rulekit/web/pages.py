"""Answers to browsers: pages made of templates, files of the package, and pages that say that something is not so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from rulekit import library
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.report.templates import rendered


def page(name: str, status: int = 200, tongue: Tongue = SOURCE, **values: object) -> HTMLResponse:
    return HTMLResponse(rendered(name, tongue, **values), status)


def text(name: str, kind: str, more: str = "") -> Callable[[Request], Any]:
    """A file of the package, as it is."""
    words = library.template(name) + more

    async def shown(request: Request) -> Response:
        return Response(words, media_type=kind)

    return shown


def message(words: str, status: int) -> Response:
    return page("web_message.html.j2", status, title="rulekit", words=words)


async def nothing_here(request: Request, fault: object = None) -> Response:
    return message("Nothing is here. A link to a seat must be whole, with all its letters.", 404)


async def too_large(request: Request, fault: object) -> Response:
    return message("This form is longer than any that is made here.", 413)


async def not_kept(request: Request, fault: object) -> Response:
    return message("The answer could not be kept on the disk, so it was not taken. Go back and try again.", 503)
