"""Connections that nobody uses are ended, those of open pages and of slow readers are not; there are only so many."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulekit.web import running
from tests import paths
from tests.browser.serving import Served, served
from tests.processes import HANG

FOXY = str(paths.GAMES / "foxy.rules")
PATIENCE = 0.3


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(running, "PATIENCE", PATIENCE)
    with served(tmp_path, [FOXY]) as server:
        yield server


def connected(server: Served, sent: str, taken: int = 0) -> socket.socket:
    """taken: so many bytes are taken over at a time by the system; as many as it likes if 0."""
    one = socket.socket()
    if taken:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, taken)
    one.settimeout(HANG)
    one.connect(("127.0.0.1", int(server.address.rsplit(":", 1)[1])))
    one.sendall(sent.encode())
    return one


def get(path: str, more: str = "\r\n") -> str:
    return f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{more}"


def until(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + HANG
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def is_ended(one: socket.socket) -> bool:
    """Waits for it, taking nothing that was sent before it looks."""
    try:
        while one.recv(65536):
            pass
    except ConnectionResetError:
        pass
    return True


@pytest.mark.parametrize("sent", ["", get("/", "x: y\r\n"), get("/") + get("/", "x: y\r\n")])
def test_a_head_that_never_ends_is_not_waited_for(server: Served, sent: str) -> None:
    with connected(server, sent) as one:
        assert is_ended(one)


def test_an_answer_that_nobody_takes_is_thrown_away(server: Served) -> None:
    with connected(server, get("/table.js") * 600, taken=4096) as one:
        until(lambda: len(server.running.server_state.connections) == 1)
        until(lambda: not server.running.server_state.connections)
        assert is_ended(one)


def test_a_page_that_is_open_and_a_slow_reader_are_waited_for(server: Served) -> None:
    seat = server.begun(FOXY, "human", "human")[0].removeprefix(server.address)
    with connected(server, get(f"{seat}/news")) as page, connected(server, get(seat) * 8, taken=4096) as slow:
        until(lambda: b"retry" in page.recv(65536))
        got = b""
        while got.count(b"</html>") < 8:
            part = slow.recv(8192)
            assert part, "it was ended"
            got += part
            time.sleep(PATIENCE / 10)
        until(lambda: len(server.running.server_state.connections) == 1)
        time.sleep(2 * PATIENCE)
        assert len(server.running.server_state.connections) == 1


def test_there_are_only_so_many(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MOST_CONNECTIONS", 2)
    monkeypatch.setattr(running, "PATIENCE", HANG)
    kept = [connected(server, "") for _ in range(2)]
    until(lambda: len(server.running.server_state.connections) == 2)
    with connected(server, "") as one:
        assert is_ended(one)
    for each in kept:
        each.close()
