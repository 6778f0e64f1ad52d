"""What no browser sends: forms that never come whole, and all kinds of requests over sockets while a match goes on."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.crowd import HOSTILE
from rulekit.hosting.host import Host
from rulekit.hosting.store import Store
from rulekit.web.server import Server
from tests import paths
from tests.processes import HANG
from tests.web.asgi import ORIGIN, scope

FOXY = str(paths.GAMES / "foxy.rules")


@pytest.fixture
def seat(tmp_path: Path) -> Iterator[tuple[Any, str]]:
    """The application, and the address of a seat."""
    with Store(tmp_path / "m.db") as store, Host(store, (FOXY,)) as host:
        made = host.create(FOXY, ("human", "human"))
        yield Server(host, "key").app(("127.0.0.1",)), f"/seat/{made.tokens[0]}"


def posted(app: Any, path: str, *parts: dict[str, Any]) -> list[int]:
    """The statuses that are answered to a form of which these parts come."""
    coming, statuses = iter(parts), list[int]()

    async def receive() -> dict[str, Any]:
        return next(coming)

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    headers = {"host": "127.0.0.1:8000", "origin": ORIGIN}
    asyncio.run(app(scope("POST", path, headers), receive, send))
    return statuses


PART = {"type": "http.request", "body": b"number=0", "more_body": True}


def test_who_leaves_in_the_middle_of_a_form_is_no_fault(seat: tuple[Any, str]) -> None:
    app, path = seat
    assert posted(app, f"{path}/answer", PART, {"type": "http.disconnect"}) == []


def measured(*words: str) -> dict[str, Any]:
    """The short form of a benchmark, over sockets; it fails where a request is answered in another way."""
    command = [sys.executable, "-m", "benchmarks.crowd", "--answers", "2", *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=paths.ROOT, timeout=HANG)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_match_goes_on_beside_open_pages_and_hostile_senders() -> None:
    told = measured("--pages", "40")
    assert (told["pages"], told["streams_that_ended"]) == (40, 0)
    assert told["alone"]["answers"] > 0, "no page heard of an answer"
    assert told["hostile_requests"] >= len(HOSTILE)
    assert told["acknowledged"] <= told["answers_in_the_store"]
