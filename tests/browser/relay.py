"""A relay between browser and server that can fall silent: it passes nothing on, and closes nothing.

So is a connection after a sleep of the machine or a change of the network; new connections work.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

from attrs import define, field

from tests import processes


@define(eq=False)
class Relay:
    """target: the port of the server.  heard: where browsers call the relay."""

    target: int
    heard: socket.socket
    _silence: Event = field(init=False, factory=Event)
    _sockets: list[socket.socket] = field(init=False, factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.heard.getsockname()[1]}"

    def fall_silent(self) -> None:
        """Pass on nothing more of all connections that there are."""
        self._silence.set()
        self._silence = Event()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                one, _ = self.heard.accept()
                other = socket.create_connection(("127.0.0.1", self.target), processes.HANG)
                self._sockets += [one, other]
                for source, goal in ((one, other), (other, one)):
                    Thread(target=_pass_on, args=(source, goal, self._silence), daemon=True).start()

    def close(self) -> None:
        for one in (self.heard, *self._sockets):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


def _pass_on(source: socket.socket, goal: socket.socket, silence: Event) -> None:
    with suppress(OSError):
        while part := source.recv(65536):
            if silence.is_set():
                return
            goal.sendall(part)
    if not silence.is_set():
        with suppress(OSError):
            goal.shutdown(socket.SHUT_WR)


@contextmanager
def relayed(address: str) -> Iterator[Relay]:
    """A relay to the server at an address of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as heard:
        relay = Relay(int(address.rsplit(":", 1)[1]), heard)
        thread = Thread(target=relay.accept, daemon=True)
        thread.start()
        yield relay
        relay.close()
        thread.join(processes.HANG)
