"""A table's server on a free port of this machine: in a thread beside the test, or in a process that can be killed."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

from attrs import frozen

from rulekit.hosting.host import Created, Host
from rulekit.hosting.store import Store
from tests import processes

KEY = "the-key-of-these-tests"


@frozen
class Served:
    """address: where browsers call it, without a `/` at its end.  running: the server."""

    address: str
    host: Host
    running: Any

    def begun(self, game: str, *kinds: str, seed: str | None = None) -> list[str]:
        """The addresses of the people's seats, and of who watches."""
        made: Created = self.host.create(game, kinds, seed=seed)
        return [f"{self.address}/seat/{token}" for token in (*made.tokens, made.spectator) if token]


@contextmanager
def served(folder: Path, games: Sequence[str], **how: Any) -> Iterator[Served]:
    """The server in a thread, and its host, so that matches of a known seed can be begun.  how: as of `Server`."""
    from rulekit.web.running import Running
    from rulekit.web.server import Server

    with Store(folder / "matches.db") as store, Host(store, tuple(games)) as host:
        server = Running(Server(host, KEY, **how), ("127.0.0.1",), port=0, log_level="error")
        with in_a_thread(server) as address:
            yield Served(address, host, server)


@contextmanager
def in_a_thread(server: Any) -> Iterator[str]:
    """The address of a server that runs beside the test, without a `/` at its end."""
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        sleep(0.02)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(processes.HANG)


@contextmanager
def process(store: Path, port: int, *files: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`rulekit serve` as people start it, and the address that it prints; killed at the end if it still runs."""
    command = [sys.executable, "-m", "rulekit", "serve", *files, "--store", str(store), "--port", str(port)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert running.stdout is not None
        told = next(found for line in running.stdout if (found := re.search(r"http://\S+", line)))
        yield running, told[0]
    finally:
        running.kill()
        running.wait(processes.HANG)
        assert running.stdout is not None
        running.stdout.close()
