"""Files that a form brings (multipart), small ones: a log to take up."""

from __future__ import annotations

# Starlette reads files with it; where it is missing, that is told when the command begins.
import python_multipart as python_multipart
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Message

from rulekit.web.guarding import received

LONGEST_FILE = 500_000
"""Bytes of a form with a file: fifty times the log of a usual match, and played again within seconds."""


def is_upload(request: Request) -> bool:
    return request.headers.get("content-type", "").startswith("multipart/form-data")


async def uploaded(request: Request, name: str) -> bytes | None:
    """The file in a field of a form; None if there is none.  Errors: `TooLarge`, `TooSlow`."""
    body = await received(request, LONGEST_FILE)

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    try:
        async with Request(request.scope, receive).form(max_files=1, max_fields=1) as fields:
            found = fields.get(name)
            return await found.read() if isinstance(found, UploadFile) and found.filename else None
    except HTTPException:
        return None
