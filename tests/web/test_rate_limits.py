"""Who asks without end: refused for a while by address and by link, and nobody else notices; time is a number here."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve

from rulekit.hosting.host import Host
from rulekit.hosting.store import Store
from rulekit.web import guarding, rate_limits, streams
from rulekit.web.rate_limits import Limits, Rate, RateLimiter, TokenBuckets
from rulekit.web.server import Server
from tests import paths, processes
from tests.browser.serving import served
from tests.web.asgi import Browser, choices, number, scope
from tests.web.test_server import KEY, begun

TIGER = str(paths.GAMES / "fuzzy_tiger.rules")
FREE = Rate(10_000, 1.0)
GENEROUS = Limits(FREE, FREE, FREE, FREE, own=True)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with Store(tmp_path / "m.db") as store, Host(store, (TIGER,)) as host:
        yield host


@define
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


async def answered(asked: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"fine"})


def statuses(limited: RateLimiter, count: int, peer: str, path: str = "/", method: str = "GET") -> list[int]:
    """What so many requests from one address get."""
    found: list[int] = []

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            found.append(message["status"])

    for _ in range(count):
        asyncio.run(limited({**scope(method, path, {}), "client": (peer, 1)}, None, send))  # type: ignore[arg-type]
    return found


def test_a_bucket_is_full_at_first_and_fills_again() -> None:
    bucket = TokenBuckets(Rate(3, 0.5))
    assert [bucket.taken("one", 0.0) for _ in range(5)] == [0, 0, 0, 2.0, 2.0]
    assert bucket.taken("another", 0.0) == 0
    assert bucket.taken("one", 1.0) == 1.0
    assert bucket.taken("one", 2.0) == 0
    assert [bucket.taken("one", 1000.0) for _ in range(4)] == [0, 0, 0, 2.0]


def test_buckets_do_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MOST_KEYS", 3)
    bucket = TokenBuckets(Rate(1, 1.0))
    for key in "abcabc":
        bucket.taken(key, 0.0)
    assert [bucket.taken(key, 0.0) > 0 for key in "cd"] == [True, False]
    assert [bucket.taken(key, 0.0) > 0 for key in "ca"] == [True, False]


@pytest.mark.parametrize(
    ("one", "other"),
    [("10.0.0.1", "10.0.0.2"), ("2001:db8:0:1::1", "2001:db8:0:2::1"), ("::ffff:10.0.0.1", "::ffff:10.0.0.2")],
)
def test_who_asks_without_end_is_refused_by_address_alone(one: str, other: str) -> None:
    clock = Clock()
    limited = RateLimiter(answered, Limits(peer=Rate(3, 1.0)), clock)
    assert statuses(limited, 5, one) == [200, 200, 200, 429, 429]
    assert statuses(limited, 1, other) == [200]
    clock.now = 2.0
    assert statuses(limited, 3, one) == [200, 200, 429]


def test_a_network_of_version_6_is_one_and_an_address_of_version_4_is_itself_in_both_spellings() -> None:
    limited = RateLimiter(answered, Limits(peer=Rate(1, 1.0)), Clock())
    assert statuses(limited, 1, "2001:db8:0:1::1") == [200]
    assert statuses(limited, 1, "2001:db8:0:1:ffff::2") == [429]
    assert statuses(limited, 1, "10.0.0.1") == [200]
    assert statuses(limited, 1, "::ffff:10.0.0.1") == [429]


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
def test_this_machine_is_limited_only_where_one_says_so(peer: str) -> None:
    limits = Limits(peer=Rate(2, 1.0))
    assert statuses(RateLimiter(answered, limits, Clock()), 4, peer) == [200] * 4
    assert statuses(RateLimiter(answered, evolve(limits, own=True), Clock()), 4, peer) == [200, 200, 429, 429]


@pytest.mark.parametrize(
    ("limits", "method", "path", "others"),
    [
        (Limits(link=Rate(2, 1.0)), "GET", "/seat/one", ["/seat/two", "/table.css"]),
        (Limits(link=Rate(2, 1.0)), "POST", "/seat/one/answer", ["/seat/two/answer", "/host/one"]),
        (Limits(begun=Rate(2, 1.0)), "POST", "/host/key", ["/seat/one/answer"]),
        (Limits(begun=Rate(2, 1.0)), "POST", "/seat/one/at/3/branch", ["/seat/one/at/3", "/seat/two/at/3/branch"]),
        (Limits(thought=Rate(2, 1.0)), "GET", "/seat/one/try", ["/seat/one", "/seat/two/try"]),
        (Limits(thought=Rate(2, 1.0)), "GET", "/seat/one/why-not", ["/seat/one/story"]),
    ],
)
def test_a_link_that_is_asked_without_end_stops_no_other(
    limits: Limits, method: str, path: str, others: list[str]
) -> None:
    limited = RateLimiter(answered, limits, Clock())
    assert statuses(limited, 3, "127.0.0.1", path, method) == [200, 200, 429]
    for other in others:
        assert statuses(limited, 1, "127.0.0.1", other, method) == [200], other


def test_a_refused_page_says_so_and_when_to_come_again(host: Host) -> None:
    browser = Browser(Server(host, KEY, limits=evolve(GENEROUS, link=Rate(2, 0.125))).app(("127.0.0.1",)))
    made = host.create(TIGER, ("human", "human"), seed="t")
    red, blue = (f"/seat/{token}" for token in made.tokens)
    page = browser.get(red).text
    assert browser.get(red).status == 200
    refused = browser.post(f"{red}/answer", {"number": number(page), "choice": choices(page)[0]})
    assert refused.status == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 8
    assert refused.headers["content-security-policy"] == guarding.POLICY
    assert "Too much was asked at once" in refused.text
    assert host.table(made.match).match.history == []
    assert browser.get(blue).status == 200


def test_a_match_too_many_is_not_begun(host: Host) -> None:
    browser = Browser(Server(host, KEY, limits=evolve(GENEROUS, begun=Rate(1, 0.001))).app(("127.0.0.1",)))
    begun(browser, TIGER, "human", "human")
    again = browser.post(f"/host/{KEY}", {"game": TIGER, "kind": ["human", "human"], "name": ["", ""]})
    assert again.status == 429
    assert len(host.matches()) == 1


# ---------------------------------------------------------------- what lasts


def test_of_many_streams_asked_for_at_once_no_more_than_may_be_are_opened(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "STREAMS_OF_A_SEAT", 3)
    server = Server(host, KEY)
    app = server.app(("127.0.0.1",))
    seat = f"/seat/{host.create(TIGER, ('human', 'human')).tokens[0]}/news"
    found: list[int] = []

    async def asked() -> None:
        leaving = asyncio.Event()

        async def receive() -> Any:
            await leaving.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                found.append(message["status"])

        opened = [asyncio.create_task(app(scope("GET", seat, {"host": "127.0.0.1"}), receive, send)) for _ in range(8)]
        while len(found) < len(opened):
            await asyncio.sleep(0.01)
        leaving.set()
        await asyncio.gather(*opened)

    asyncio.run(asked())
    assert sorted(found) == [200] * 3 + [503] * 5
    assert server.streams.open == {}


def test_a_form_that_never_ends_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over a socket, so that the connection is seen to be closed."""
    monkeypatch.setattr(guarding, "SLOWEST", 0.0)
    with served(tmp_path, [TIGER]) as server:
        seat = server.begun(TIGER, "human", "human")[0]
        port, path = int(server.address.rpartition(":")[2]), seat.removeprefix(server.address)
        head = f"POST {path}/answer HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-length: 1000\r\n\r\nnumber=0"
        with socket.create_connection(("127.0.0.1", port), processes.HANG) as connection:
            connection.sendall(head.encode())
            parts = list(iter(lambda: connection.recv(4096), b""))
        assert b"".join(parts).startswith(b"HTTP/1.1 408 ")
