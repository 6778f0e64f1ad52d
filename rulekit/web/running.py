"""The server process (uvicorn), which ends the streams of open pages before it waits for what is still being sent."""

from __future__ import annotations

from typing import Any

import uvicorn

from rulekit.web.server import Server


class Running(uvicorn.Server):
    """table: what is served.  hosts: the names under which browsers may call it.  how: as of uvicorn's `Config`."""

    def __init__(self, table: Server, hosts: tuple[str, ...], **how: Any) -> None:
        app: Any = table.app(hosts)
        super().__init__(uvicorn.Config(app, server_header=False, timeout_graceful_shutdown=2, **how))
        self.table = table

    async def shutdown(self, sockets: Any = None) -> None:
        self.table.streams.close()
        await super().shutdown(sockets)
