"""Firefox in tests, driven by Marionette: the protocol that is built into it, JSON over a socket.

Playwright brings a Firefox of its own, which no distribution has.
"""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from attrs import define, field

from tests import processes
from tests.extras import firefox


@define(eq=False)
class Firefox:
    """One browser, in whose tabs pages are open."""

    connection: socket.socket
    _count: int = field(init=False, default=0)
    _received: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._received = self.connection.makefile("rb")
        self._message()
        self.command("WebDriver:NewSession", capabilities={})

    def _message(self) -> Any:
        length = b""
        while (letter := self._received.read(1)) not in (b":", b""):
            length += letter
        return json.loads(self._received.read(int(length)))

    def command(self, name: str, **parameters: Any) -> Any:
        self._count += 1
        sent = json.dumps([0, self._count, name, parameters]).encode()
        self.connection.sendall(str(len(sent)).encode() + b":" + sent)
        _, _, error, result = self._message()
        assert error is None, error
        return result

    def open(self, address: str) -> str:
        """Load a page in a new tab, which is shown; returns the name of the tab."""
        tab = str(self.command("WebDriver:NewWindow", type="tab", focus=True)["handle"])
        self.command("WebDriver:SwitchToWindow", handle=tab, focus=True)
        self.command("WebDriver:Navigate", url=address)
        return tab

    def run(self, tab: str, script: str, *arguments: Any, is_shown: bool = False) -> Any:
        """What a script returns that runs in a tab.  is_shown: bring the tab to the front."""
        self.command("WebDriver:SwitchToWindow", handle=tab, focus=is_shown)
        return self.command("WebDriver:ExecuteScript", script=script, args=arguments)["value"]

    def until(self, tab: str, condition: str) -> None:
        """Wait until an expression is true in a tab."""
        wait(lambda: bool(self.run(tab, f"return {condition}")))


def wait(is_so: Callable[[], bool]) -> None:
    begun = monotonic()
    while not is_so():
        assert monotonic() - begun < processes.HANG
        sleep(0.05)


@contextmanager
def opened(profile: Path) -> Iterator[Firefox]:
    """A new browser without a window.  profile: an empty folder."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n', encoding="utf-8")
    command = [firefox(), "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    with (profile / "log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as running:
        try:
            wait(lambda: _hears(port))
            with socket.create_connection(("127.0.0.1", port), processes.HANG) as connection:
                yield Firefox(connection)
        finally:
            running.kill()


def _hears(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True
