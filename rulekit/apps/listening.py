"""The socket and the address of a command that serves pages.

It hears before anybody is told its address, which is therefore the true one; who asks at once waits.
"""

from __future__ import annotations

import errno
import hmac
import os
import socket
from contextlib import suppress

from rulekit import user_cache
from rulekit.apps.console import Failed

WAITING = 2048
"""So many connections wait until they are taken."""
_KEY_FILE = "page-key"
"""The name of the random text in the cache folder of which keys are made."""


def listening(host: str, port: int) -> socket.socket:
    """A socket that hears from now on.  port: one that is free, if 0.  Errors: `Failed`."""
    if not host.strip("[] "):
        # An empty name means every address of the machine, which is not what an empty variable of a script should open.
        raise Failed("error: --host is empty\n  hint: 127.0.0.1 is this machine alone, 0.0.0.0 all that can reach it")
    _allow_many()
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host.strip("[]"), port), family=family, backlog=WAITING)
    except OSError as fault:
        raise Failed(f"error: {_why_not(host, port, fault)}") from None


def _allow_many() -> None:
    """As many connections as the system lets a process have; many let it have 1,024 unless it asks."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def called(host: str) -> str:
    """What a host is called in an address, where one of IPv6 stands in brackets."""
    return f"[{host.strip('[]')}]" if ":" in host else host


def address(host: str, heard: socket.socket) -> str:
    """Where browsers call a socket that hears."""
    return f"http://{called(host)}:{heard.getsockname()[1]}"


def page_key(command: str, path: str) -> str:
    """Return the key in the address of a page for one person.

    It is always the same for a command, a file and a user, so that an open page finds a command that is started again.
    """
    secret, file = user_cache.secret(_KEY_FILE).encode(), os.path.realpath(path)
    return hmac.new(secret, f"{command} {file}".encode("utf-8", "surrogatepass"), "sha256").hexdigest()[:32]


def _why_not(host: str, port: int, fault: OSError) -> str:
    if fault.errno == errno.EADDRINUSE:
        return f"port {port} is taken by another program\n  hint: name another one, or --port 0 for any that is free"
    if isinstance(fault, socket.gaierror) or fault.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine\n  hint: 127.0.0.1 is, for this machine alone"
    return f"port {port} cannot be used: {fault.strerror}\n  hint: name another one, such as --port 8000"
