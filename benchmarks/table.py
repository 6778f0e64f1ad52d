"""The table in the browser, from outside: a real server in a process of its own, and scripted people over sockets.

    python -m benchmarks.table                    each game: from an answer to the other's page, a hundred times
    python -m benchmarks.table --matches 100      so many matches of three people at once, at a steady rate of answers

Replies are timed by the clock, so say what else the machine does; what an answer costs the server's processor, with the
pages that are asked for because of it, does not depend on that.  Of all answers that were acknowledged the store is
asked afterwards whether it has them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from math import inf
from os import sysconf
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic
from urllib.parse import urlencode

from rulekit.hosting.store import Store
from rulekit.values import define, field

GAMES = sorted((Path(__file__).parent.parent / "games").glob("*.rules"))
ANSWERS = 100
RATE = 60
"""Answers a second that are offered to the server."""
NEWS = b'"kind": "news"'
"""What stands in an event that says that a page has changed."""
CHOICE = re.compile(r'name="choice" value="(\d+)"')
NUMBER = re.compile(r'name="number" value="(\d+)"')


@define(eq=False)
class Client:
    """One connection, kept open.  slowest: seconds of the slowest reply."""

    port: int
    slowest: float = 0.0
    _pair: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = field(init=False, default=None)
    _used: float = field(init=False, default=0.0)

    async def ask(self, path: str, fields: Sequence[tuple[str, str]] | None = None) -> tuple[int, str]:
        """Status and text; a form is sent if there are fields, and what it leads to is fetched."""
        # As the script of a page does.
        path, begun = f"{path}?w=wide", monotonic()
        status, headers, text = await self._once(path, fields)
        if status == 303:
            status, headers, text = await self._once(headers["location"], None)
        self.slowest = max(self.slowest, monotonic() - begun)
        return status, text

    async def _once(self, path: str, fields: Sequence[tuple[str, str]] | None) -> tuple[int, dict[str, str], str]:
        body = b"" if fields is None else urlencode(fields).encode()
        verb = "GET" if fields is None else "POST"
        head = f"{verb} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\ncontent-length: {len(body)}\r\n\r\n"
        reader, writer = await self._connected()
        writer.write(head.encode() + body)
        status, headers = await heading(reader)
        return status, headers, (await reader.readexactly(int(headers["content-length"]))).decode()

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A server closes what was idle for some seconds."""
        if self._pair is None or self._pair[0].at_eof() or monotonic() - self._used > 3:
            self._pair = await asyncio.open_connection("127.0.0.1", self.port)
        self._used = monotonic()
        return self._pair


async def heading(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    named = (line.split(": ", 1) for line in lines[1:] if line)
    return int(lines[0].split()[1]), {name.lower(): value for name, value in named}


async def news(port: int, seat: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A seat's stream, opened; it lasts as long as somebody holds both ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {seat}/news HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n".encode())
    await reader.readuntil(b"retry: 2000")
    return reader, writer


def form(page: str, rng: Random) -> list[tuple[str, str]] | None:
    """An answer that a page offers, or None if nobody is asked there."""
    choices = CHOICE.findall(page.split('<div class="picture')[0])
    if not choices:
        return None
    several = re.search(r">Choose (\d+)", page)
    chosen = rng.sample(choices, max(1, int(several[1]))) if several else [rng.choice(choices)]
    return [("number", NUMBER.findall(page)[0]), *(("choice", one) for one in chosen)]


async def begun(client: Client, key: str, game: str, seats: int) -> list[str]:
    fields = [("game", game), *[("kind", "human"), ("name", "")] * seats]
    _, page = await client.ask(f"/host/{key}", fields)
    return re.findall(r'href="(/seat/[^"?]+)"', page)[:seats]


# ---------------------------------------------------------------- from an answer to the other's page


async def latency(
    port: int, key: str, game: str, answers: int = ANSWERS, patience: float = 5, seconds: float = inf
) -> list[float]:
    """Seconds from an answer to the page that another sees of it, for so many answers, or those of so many seconds.

    patience:  seconds after which nothing of an answer is to be seen by the other.
    """
    one, other, rng, found, until = Client(port), Client(port), Random(game), list[float](), monotonic() + seconds
    while len(found) < answers and monotonic() < until:
        seats = await begun(one, key, game, 2)
        streams = [await news(port, seat) for seat in seats]
        while len(found) < answers and monotonic() < until:
            pages = [(await one.ask(seat))[1] for seat in seats]
            asked = next((at for at, page in enumerate(pages) if form(page, rng)), None)
            if asked is None:
                break
            for stream, _ in streams:
                stream._buffer.clear()  # type: ignore[attr-defined]
            sent, start = form(pages[asked], rng), monotonic()
            posting = asyncio.create_task(one.ask(f"{seats[asked]}/answer", sent))
            try:
                await asyncio.wait_for(streams[1 - asked][0].readuntil(NEWS), patience)
            except TimeoutError:
                await posting
                continue
            await other.ask(seats[1 - asked])
            found.append(monotonic() - start)
            await posting
    return found


# ---------------------------------------------------------------- many at once


async def one_match(
    client: Client, seats: list[str], tickets: asyncio.Queue[None], rng: Random, done: list[str]
) -> None:
    """People of one match answer whenever there is a ticket, until it is over."""
    pages = {seat: (await client.ask(seat))[1] for seat in seats}
    while True:
        asked = next((seat for seat in seats if form(pages[seat], rng)), None)
        if asked is None:
            pages = {seat: (await client.ask(seat))[1] for seat in seats}
            if not any(form(page, rng) for page in pages.values()):
                return
            continue
        await tickets.get()
        sent = form(pages[asked], rng)
        status, pages[asked] = await client.ask(f"{asked}/answer", sent)
        if status == 200:
            done.append(asked)
        else:
            pages = {seat: (await client.ask(seat))[1] for seat in seats}


async def many(port: int, key: str, process: int, matches: int, seconds: float) -> dict[str, object]:
    first = Client(port)
    tables = [await begun(first, key, str(GAMES[at % len(GAMES)]), 3) for at in range(matches)]
    tickets: asyncio.Queue[None] = asyncio.Queue()
    done: list[str] = []
    clients = [Client(port) for _ in tables]
    playing = [
        asyncio.create_task(one_match(client, seats, tickets, Random(at), done))
        for at, (client, seats) in enumerate(zip(clients, tables, strict=True))
    ]
    # All have their first pages before it is timed.
    await asyncio.sleep(matches / 10)
    start, given, used, before = monotonic(), 0, processor(process), len(done)
    for client in clients:
        client.slowest = 0.0
    while monotonic() - start < seconds:
        while given < RATE * (monotonic() - start):
            tickets.put_nowait(None)
            given += 1
        await asyncio.sleep(0.005)
    took, answers, used = monotonic() - start, len(done) - before, processor(process) - used
    await asyncio.sleep(2)
    for task in playing:
        task.cancel()
    ended = await asyncio.gather(*playing, return_exceptions=True)
    failed = [one for one in ended if isinstance(one, Exception)]
    assert not failed, failed[0]
    worst = round(1000 * max(client.slowest for client in clients))
    each = round(1000 * used / max(1, answers), 1)
    return {"matches": matches, "seats": 3 * matches, "a_second": round(answers / took, 1), "worst_ms": worst,
            "acknowledged": len(done), "processor_ms_an_answer": each}  # fmt: skip


# ---------------------------------------------------------------- the server


@asynccontextmanager
async def server(store: Path, files: Sequence[Path] = GAMES) -> AsyncIterator[tuple[int, str, subprocess.Popen[str]]]:
    """Its port, the key of its first page, and the process."""
    command = [sys.executable, "-m", "rulekit", "serve", *map(str, files), "--store", str(store), "--port", "0"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    told = next(found for line in running.stdout if (found := re.search(r":(\d+)/host/(\S+)", line)))
    port, key = int(told[1]), told[2]
    try:
        yield port, key, running
    finally:
        running.terminate()
        running.wait()
        running.stdout.close()


def memory(process: int) -> int:
    """Kilobytes that a process holds now; 0 where the system does not say."""
    try:
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) if found else 0


def processor(process: int) -> float:
    """Seconds of a processor that a process has used; 0.0 where the system does not say."""
    try:
        told = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return 0.0
    return (int(told[11]) + int(told[12])) / sysconf("SC_CLK_TCK")


async def measured(matches: int, seconds: float) -> None:
    with TemporaryDirectory() as folder:
        store = Path(folder) / "matches.db"
        async with server(store) as (port, key, running):
            if matches:
                before = memory(running.pid)
                told = await many(port, key, running.pid, matches, seconds)
                each = round((memory(running.pid) - before) / matches)
                told |= {"kilobytes_a_match": each}
                print(json.dumps(told), flush=True)
            else:
                for file in GAMES:
                    found = await latency(port, key, str(file))
                    told = {"game": file.stem, "answers": len(found), "median_ms": round(1000 * median(found), 1),
                            "worst_ms": round(1000 * max(found), 1)}  # fmt: skip
                    print(json.dumps(told), flush=True)
        if matches:
            with Store(store) as kept:
                rows = sum(row.kind == "answer" for match in kept.matches() for row in kept.rows(match.id))
            print(json.dumps({"answers_in_the_store": rows}), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=30)
    wanted = parser.parse_args()
    asyncio.run(measured(wanted.matches, wanted.seconds))
