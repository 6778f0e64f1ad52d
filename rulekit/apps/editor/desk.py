"""The texts that an editor has open, as they were kept last, what was played of them; and their checks, one at a time.

Whoever types faster than a text is checked waits for no check: while one runs
others are only noted, and what it finds in a text that is older by then is
thrown away.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from rulekit.diagnostics import Diagnostic
from rulekit.play.state.match_state import State
from rulekit.source import Source
from rulekit.tools.editing.document import Document, findings
from rulekit.values import define, field

Publish = Callable[[str, Document, tuple[Diagnostic, ...]], None]
"""Called with the address of a text, the text, and what was found in it."""


@define(eq=False)
class Desk:
    """By address.

    open:     the texts; kept: as they were when they were opened or saved last; played: where a match of them ended.
    waiting:  those that were changed since they were checked last.
    """

    publish: Publish
    open: dict[str, Document] = field(factory=dict)
    kept: dict[str, Document] = field(factory=dict)
    played: dict[str, State] = field(factory=dict)
    waiting: dict[str, None] = field(factory=dict)
    checking: asyncio.Task[None] | None = None

    def put(self, uri: str, source: Source) -> None:
        """A new text at an address; it is checked when that is its turn."""
        before = self.open.get(uri)
        self.open[uri] = Document(source) if before is None else before.changed(source)
        self.open[uri].forget()
        self.kept.setdefault(uri, self.open[uri])
        self.waiting[uri] = None
        if self.checking is None or self.checking.done():
            self.checking = asyncio.get_running_loop().create_task(self._check())

    def keep(self, uri: str) -> None:
        """The text at an address is saved."""
        if uri in self.open:
            self.kept[uri] = self.open[uri]

    def take(self, uri: str) -> None:
        """The text at an address is closed."""
        self.waiting.pop(uri, None)
        self.open.pop(uri, None)
        self.kept.pop(uri, None)
        self.played.pop(uri, None)

    async def _check(self) -> None:
        while self.waiting:
            uri = next(iter(self.waiting))
            del self.waiting[uri]
            document = self.open.get(uri)
            if document is None:
                continue
            found = await asyncio.to_thread(findings, document)
            if self.open.get(uri) is document:
                self.publish(uri, document, found)
