"""An editor for tests: a client of the language server's real process, spoken to over its pipes."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable

from attrs import define, field
from lsprotocol import types
from pygls.lsp.client import LanguageClient

URI = "untitled:hill"
SECONDS = 60.0
"""So long an answer may take on a machine that does other things."""

Talk = Callable[["Editor"], Awaitable[None]]
Talked = Callable[..., None]


class Editor:
    """An editor with one text open."""

    def __init__(self, client: LanguageClient, uri: str) -> None:
        self.client, self.uri, self.version = client, uri, 1
        self.text = types.TextDocumentIdentifier(uri)
        self.told: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.said: asyncio.Queue[str] = asyncio.Queue()

    async def pressed(self, title: str) -> str:
        """What is said when the first lens of that title is pressed."""
        lenses = await self.client.text_document_code_lens_async(types.CodeLensParams(self.text)) or []
        command = next(one.command for one in lenses if one.command and one.command.title == title)
        params = types.ExecuteCommandParams(command.command, arguments=command.arguments)
        await self.client.workspace_execute_command_async(params)
        return await asyncio.wait_for(self.said.get(), SECONDS)

    async def hovered(self, what: str, text: str) -> str:
        params = types.HoverParams(self.text, place(text, what))
        shown = await self.client.text_document_hover_async(params)
        return "" if shown is None else str(shown.contents)

    def open(self, text: str) -> None:
        item = types.TextDocumentItem(self.uri, "rules", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, text: str) -> None:
        """Replaces the whole text."""
        self.version += 1
        whole = types.TextDocumentContentChangeWholeDocument(text)
        name = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(name, [whole]))

    async def findings(self) -> list[types.Diagnostic]:
        """What is told of the text next."""
        return list((await asyncio.wait_for(self.told.get(), SECONDS)).diagnostics)

    async def codes(self) -> list[str]:
        return sorted({str(one.code) for one in await self.findings()})


def place(text: str, what: str, units: int = 0) -> types.Position:
    """Where `what` begins, in UTF-16 units, and so many further on."""
    before = text[: text.index(what)]
    line = before.split("\n")[-1]
    return types.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2 + units)


async def begun(editors: dict[str, Editor]) -> tuple[LanguageClient, types.ServerCapabilities]:
    """A client of a server of its own; what the server says goes to the editor with that text open, or to all."""
    client = LanguageClient("a test", "1")

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def told(params: types.PublishDiagnosticsParams) -> None:
        if params.uri in editors:
            editors[params.uri].told.put_nowait(params)

    @client.feature(types.WINDOW_SHOW_MESSAGE)
    def said(params: types.ShowMessageParams) -> None:
        for editor in editors.values():
            editor.said.put_nowait(params.message)

    await client.start_io(sys.executable, "-m", "rulekit", "lsp")
    params = types.InitializeParams(types.ClientCapabilities())
    answer = await asyncio.wait_for(client.initialize_async(params), SECONDS)
    client.initialized(types.InitializedParams())
    return client, answer.capabilities


async def ended(client: LanguageClient) -> None:
    await asyncio.wait_for(client.shutdown_async(None), SECONDS)
    client.exit(None)
    await asyncio.wait_for(client.stop(), SECONDS)


@define
class OneServer:
    """One server for many talks, since it takes longer to start one than to talk to it.

    offers:  what it says at its beginning that it can answer.
    """

    editors: dict[str, Editor] = field(factory=dict)
    loop: asyncio.AbstractEventLoop = field(factory=asyncio.new_event_loop)
    client: LanguageClient | None = None
    offers: types.ServerCapabilities = field(factory=types.ServerCapabilities)

    def begin(self) -> LanguageClient:
        """The client; the first time the server is started."""
        if self.client is None:
            self.client, self.offers = self.loop.run_until_complete(begun(self.editors))
        return self.client

    def talked(self, talk: Talk, uri: str) -> None:
        client = self.begin()
        editor = self.editors[uri] = Editor(client, uri)
        wishes = types.DidChangeConfigurationParams({"rulekit": {"terminal": False}})
        client.workspace_did_change_configuration(wishes)
        try:
            self.loop.run_until_complete(asyncio.wait_for(talk(editor), 3 * SECONDS))
        finally:
            client.text_document_did_close(types.DidCloseTextDocumentParams(editor.text))
            del self.editors[uri]

    def end(self) -> None:
        if self.client is not None:
            self.loop.run_until_complete(ended(self.client))
        self.loop.close()
