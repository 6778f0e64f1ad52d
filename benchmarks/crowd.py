"""A table in the browser under load from all sides: open pages by the thousand, and senders of what no browser sends.

    python -m benchmarks.crowd                    1,000 open pages, then hostile requests and 1,000 heads of requests
                                                  that never end, while a match is played
    python -m benchmarks.crowd --hungry           a rules file that runs to every limit, while a match is played

A server in a process of its own, on this machine alone.  Replies are timed by the clock, so say what else the machine
does.  Of every kind of hostile request is told what it was answered.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
from collections import Counter
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.table import GAMES, Client, begun, form, heading, latency, memory, news, server
from rulekit.hosting.store import Store
from rulekit.values import define, field, frozen

A_SEAT = 20
"""Pages of one seat that a server keeps open."""
OPEN = str(next(file for file in GAMES if file.stem == "china_moon"))
"""A game in which every answer is seen by all."""
PATIENCE = 30.0
"""Seconds that a request waits for its answer."""
SECONDS = 60.0
"""So long at most a match is played by itself, beside open pages, and beside hostile senders too."""
IMPATIENCE = 1.0
"""The same of one that never comes whole."""
CLOSED, WAITING = 0, -1
"""In place of a status: the connection was closed without one; the server still waits for the rest of the request."""
BUSY = 429
"""To who asks without end."""


@frozen
class Hostile:
    """What no page sends.

    sent:  where the address of a seat and the port are to be put in; fine: what may be answered.
    """

    name: str
    sent: str
    fine: tuple[int, ...]

    def request(self, seat: str, port: int) -> bytes:
        return self.sent.replace("SEAT", seat).replace("PORT", str(port)).encode("latin-1")


def get(path: str, more: str = "") -> str:
    return f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\n{more}\r\n"


def post(path: str, body: str, more: str = "", length: str = "") -> str:
    head = f"host: 127.0.0.1:PORT\r\ncontent-length: {length or len(body)}\r\n{more}"
    return f"POST {path} HTTP/1.1\r\n{head}\r\n{body}"


HOSTILE = (
    Hostile("no request", "\x16\x03\x01\x00\xff" * 200, (400, CLOSED)),
    Hostile("a line without end", "GET /" + "a" * 300_000, (400, 414, 431, CLOSED)),
    Hostile("headers without end", get("/", "x: y\r\n" * 50_000), (400, 431, CLOSED)),
    Hostile("another version", "GET / HTTP/9.9\r\n\r\n", (400, 505, CLOSED)),
    Hostile("no such method", "BREW SEAT HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\n\r\n", (400, 405, CLOSED)),
    Hostile("another host", "GET SEAT HTTP/1.1\r\nhost: elsewhere.example\r\n\r\n", (400,)),
    Hostile("no host", "GET SEAT HTTP/1.1\r\n\r\n", (400,)),
    Hostile("another origin", post("SEAT/answer", "number=0&choice=0", "origin: http://elsewhere.example\r\n"), (403,)),
    Hostile("another site", post("SEAT/undo", "", "sec-fetch-site: cross-site\r\n"), (403,)),
    Hostile("a foreign token", get("/seat/" + "A" * 43), (404,)),
    Hostile("a foreign stream", get("/seat/" + "A" * 43 + "/news"), (404,)),
    Hostile("an endless token", get("/seat/" + "A" * 40_000), (404,)),
    Hostile("a replayed answer", post("SEAT/answer", "number=77777&choice=0"), (409,)),
    Hostile("no answer", post("SEAT/answer", "number=x&choice=\x00\xff%%%"), (400,)),
    Hostile("a large form", post("SEAT/answer", "choice=" + "1" * 30_000), (413,)),
    Hostile("many fields", post("SEAT/answer", "&".join(["choice=1"] * 2000)), (413,)),
    Hostile("a form said to be huge", post("SEAT/answer", "x" * 60_000, length="9999999999"), (413,)),
    Hostile("two lengths", post("SEAT/answer", "", "content-length: 7\r\n", length="5"), (400, CLOSED)),
    Hostile("a length below nothing", post("SEAT/answer", "", length="-5"), (400, CLOSED)),
    Hostile(
        "an endless chunk",
        "POST SEAT/answer HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\nx",
        (400, 408, 413, CLOSED, WAITING),
    ),
    Hostile("an endless number", get("SEAT/at/" + "9" * 30), (404,)),
    Hostile("a place above", get("/../../etc/passwd"), (404,)),
    Hostile("a language of markup", get("SEAT?lang=%3Cscript%3E&with=%22%3E%3Cb"), (200,)),
    Hostile(
        "another protocol", get("SEAT/news", "upgrade: websocket\r\nconnection: upgrade\r\n"), (200, 400, 426, 503)
    ),
)


async def answered(port: int, request: bytes, patience: float) -> int:
    """The status that is answered, or `CLOSED` or `WAITING`."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        status, _ = await asyncio.wait_for(heading(reader), patience)
    except TimeoutError:
        return WAITING
    except (asyncio.IncompleteReadError, ConnectionError):
        return CLOSED
    finally:
        writer.close()
    return status


@define(eq=False)
class Attack:
    """Hostile requests one after the other, and senders that are slow.

    answers: how many of each kind and status.  ended: how many connections of slow senders the server has ended.
    """

    port: int
    seat: str
    answers: Counter[tuple[str, int]] = field(factory=Counter)
    ended: int = 0

    async def each(self) -> None:
        """Each kind once."""
        for one in HOSTILE:
            patience = IMPATIENCE if WAITING in one.fine else PATIENCE
            status = await answered(self.port, one.request(self.seat, self.port), patience)
            self.answers[one.name, status] += 1
            assert status in (*one.fine, BUSY), f"{one.name}: {status}"

    async def for_ever(self, pause: float) -> None:
        while True:
            await self.each()
            await asyncio.sleep(pause)

    async def slowly(self) -> None:
        """Requests whose headers come one after another, and never end; a new one when the server ends it."""
        while True:
            with suppress(ConnectionError):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.write(HOSTILE[-1].request(self.seat, self.port)[:-2])
                while not reader.at_eof():
                    writer.write(b"x: y\r\n")
                    await writer.drain()
                    await asyncio.sleep(2)
            self.ended += 1

    async def never_reading(self) -> None:
        """Pages asked for, and none taken."""
        _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        asked = Hostile("", get("SEAT/story"), ()).request(self.seat, self.port)
        with suppress(ConnectionError):
            while True:
                writer.write(asked * 20)
                await writer.drain()


# ---------------------------------------------------------------- what is measured


def timed(found: Sequence[float]) -> dict[str, float]:
    if not found:
        return {"answers": 0}
    return {"answers": len(found), "median_ms": round(1000 * median(found), 1), "worst_ms": round(1000 * max(found), 1)}


async def played(port: int, key: str, answers: int, *beside: Awaitable[None]) -> dict[str, float]:
    """Latency of a match; what goes on beside it ends with it, and a fault there is a fault."""
    tasks = [asyncio.ensure_future(one) for one in beside]
    found = await latency(port, key, OPEN, answers, PATIENCE, SECONDS)
    for task in tasks:
        task.cancel()
    for one in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(one, Exception):
            raise one
    return timed(found)


async def opened(port: int, key: str, pages: int) -> tuple[list[str], list[asyncio.StreamReader], list[object]]:
    """Seats of as many matches as it takes, the streams of their open pages, and what keeps these open."""
    client, seats = Client(port), list[str]()
    while len(seats) * A_SEAT < pages:
        seats += await begun(client, key, str(GAMES[len(seats) // 3 % len(GAMES)]), 3)
    pairs = [await news(port, seats[at % len(seats)]) for at in range(pages)]
    return seats, [reader for reader, _ in pairs], [writer for _, writer in pairs]


async def one_answer_each(port: int, seats: Sequence[str]) -> int:
    """One answer at every table, so that every page there hears of something; how many were taken."""
    client, done = Client(port), 0
    for seat in seats:
        sent = form((await client.ask(seat))[1], Random(seat))
        if sent is not None:
            done += (await client.ask(f"{seat}/answer", sent))[0] == 200
    return done


async def crowd(port: int, key: str, process: int, pages: int, answers: int) -> dict[str, object]:
    """Latency of a match by itself, beside open pages, and beside hostile senders too."""
    phases = [await played(port, key, answers)]
    await opened(port, key, 3)
    before = memory(process)
    seats, streams, kept = await opened(port, key, pages)
    told: dict[str, object] = {
        "pages": len(streams),
        "kilobytes_a_page": round((memory(process) - before) / len(streams), 1),
    }
    phases.append(await played(port, key, answers))
    attack = Attack(port, seats[0])
    senders = [*(attack.slowly() for _ in range(pages)), *(attack.never_reading() for _ in range(pages // 10))]
    phases.append(await played(port, key, answers, attack.for_ever(0.1), *senders))
    told |= zip(("alone", "beside_pages", "beside_hostile"), phases, strict=True)
    await attack.each()
    told["slow_senders_ended"] = attack.ended
    told["hostile_requests"] = sum(attack.answers.values())
    told["statuses"] = dict(sorted(Counter(status for _, status in attack.answers.elements()).items()))
    told["megabytes_then"] = memory(process) // 1024
    timed_answers = sum(played["answers"] for played in phases)
    told["acknowledged"] = timed_answers + await one_answer_each(port, seats)
    told["streams_that_ended"] = sum(reader.at_eof() for reader in streams)
    del kept
    return told


# ---------------------------------------------------------------- rules that run to every limit

HUNGRY = """game "Hungry"
    players 2
cards many of card
    | card |
    | 1..5000 |
pile stock of card starts many
counter n 0..1000000
play
    repeat
        starter chooses "How?"
            "for ever"
                repeat: set n to 1
            "all in all"
                each a in 1..2000
                    each b in 1..2000
                        each c in 1..2000: set n to 1
            "shuffles"
                each a in 1..100
                    shuffle stock
result: rank players by highest seat
"""


@define(eq=False)
class Hungry:
    """A table that asks for all that it can get.  statuses: what it was answered."""

    client: Client
    seat: str
    statuses: Counter[int]
    rng: Random = field(factory=lambda: Random("hungry"))

    async def once(self) -> None:
        sent = form((await self.client.ask(self.seat))[1], self.rng)
        assert sent is not None
        self.statuses[(await self.client.ask(f"{self.seat}/answer", sent))[0]] += 1

    async def for_ever(self) -> None:
        while True:
            await self.once()


async def hungry(port: int, key: str, process: int, file: Path, answers: int) -> dict[str, object]:
    """Latency of a match by itself, and beside tables that run to the limits."""
    statuses, client = Counter[int](), Client(port)
    told: dict[str, object] = {"alone": await played(port, key, answers)}
    tables = [Hungry(Client(port), (await begun(client, key, str(file), 2))[0], statuses) for _ in range(3)]
    for some in (tables[:1], tables):
        told[f"beside_{len(some)}_hungry"] = await played(port, key, answers, *(one.for_ever() for one in some))
    await Hungry(Client(port), tables[0].seat, statuses).once()
    return told | {"hungry_statuses": dict(statuses), "megabytes_then": memory(process) // 1024}


# ---------------------------------------------------------------- the whole


def many_files() -> None:
    """As many connections as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


async def measured(pages: int, answers: int, *, is_hungry: bool) -> dict[str, object]:
    with TemporaryDirectory() as folder:
        file, store = Path(folder) / "hungry.rules", Path(folder) / "matches.db"
        file.write_text(HUNGRY, encoding="utf-8")
        async with server(store, [*GAMES, file] if is_hungry else GAMES) as (port, key, running):
            if is_hungry:
                return await hungry(port, key, running.pid, file, answers)
            told = await crowd(port, key, running.pid, pages, answers)
        with Store(store) as kept:
            rows = sum(row.kind == "answer" for match in kept.matches() for row in kept.rows(match.id))
        return told | {"answers_in_the_store": rows}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--answers", type=int, default=50)
    parser.add_argument("--hungry", action="store_true")
    wanted = parser.parse_args()
    many_files()
    print(json.dumps(asyncio.run(measured(wanted.pages, wanted.answers, is_hungry=wanted.hungry)), indent=1))
