"""The language server as an editor meets it: the real process, spoken to by a client over its pipes."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

from rulekit.apps.editor import desk
from rulekit.apps.editor.answers import DIFFERENCE
from rulekit.apps.editor.positions import column_in, units_before
from rulekit.diagnostics import Diagnostic
from rulekit.source import Source
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.semantic_tokens import SORTS
from tests.editing.texts import GAME

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
        params = types.HoverParams(self.text, _place(text, what))
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

    async def codes(self) -> list[str]:
        """What is told of the text next."""
        told = await asyncio.wait_for(self.told.get(), SECONDS)
        return sorted({str(one.code) for one in told.diagnostics})


def _place(text: str, what: str, units: int = 0) -> types.Position:
    """Where `what` begins, in UTF-16 units, and so many further on."""
    before = text[: text.index(what)]
    line = before.split("\n")[-1]
    return types.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2 + units)


async def _begun(editors: dict[str, Editor]) -> LanguageClient:
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
    await asyncio.wait_for(client.initialize_async(params), SECONDS)
    client.initialized(types.InitializedParams())
    return client


async def _ended(client: LanguageClient) -> None:
    await asyncio.wait_for(client.shutdown_async(None), SECONDS)
    client.exit(None)
    await asyncio.wait_for(client.stop(), SECONDS)


@define
class _Shared:
    """One server for all talks of this file, since it takes longer to start one than to talk to it."""

    editors: dict[str, Editor] = field(factory=dict)
    loop: asyncio.AbstractEventLoop = field(factory=asyncio.new_event_loop)
    client: LanguageClient | None = None

    def talked(self, talk: Talk, uri: str) -> None:
        if self.client is None:
            self.client = self.loop.run_until_complete(_begun(self.editors))
        editor = self.editors[uri] = Editor(self.client, uri)
        self.client.workspace_did_change_configuration(
            types.DidChangeConfigurationParams({"rulekit": {"terminal": False}})
        )
        self.loop.run_until_complete(asyncio.wait_for(talk(editor), 3 * SECONDS))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(editor.text))
        del self.editors[uri]

    def ended(self) -> None:
        if self.client is not None:
            self.loop.run_until_complete(_ended(self.client))
        self.loop.close()


@pytest.fixture(scope="module")
def talked() -> Iterator[Callable[..., None]]:
    """Talks to the real process, as an editor that opens a text of its own."""
    shared, number = _Shared(), count()
    yield lambda talk, uri="": shared.talked(talk, uri or f"{URI}-{next(number)}")
    shared.ended()


def test_findings_come_as_one_types_and_go_when_it_is_mended(talked: Talked) -> None:
    async def talk(editor: Editor) -> None:
        editor.open(GAME)
        assert await editor.codes() == ["never-read", "no-clause"]
        editor.change(GAME.replace("sleeper.score by", "sleeper.skore by"))
        assert await editor.codes() == ["unknown-attribute"]
        for number in range(20):
            editor.change(GAME.replace("sleeper.score by", f"sleeper.skore{number} by"))
        editor.change(GAME)
        while await editor.codes() != ["never-read", "no-clause"]:
            pass

    talked(talk)


def test_one_text_is_checked_at_a_time_and_the_last_one_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    told: list[str] = []
    goes_on = threading.Event()

    def slow(document: Document) -> tuple[Diagnostic, ...]:
        checked.append(document.source.text)
        assert goes_on.wait(SECONDS)
        return ()

    async def run() -> None:
        made = desk.Desk(lambda uri, document, found: told.append(document.source.text))
        made.put("a", Source("a", "first"))
        while not checked:
            await asyncio.sleep(0)
        for text in ("second", "third", "last"):
            made.put("a", Source("a", text))
        goes_on.set()
        assert made.checking is not None
        await made.checking

    monkeypatch.setattr(desk, "findings", slow)
    asyncio.run(run())
    assert (checked, told) == (["first", "last"], ["last"])


def test_a_place_is_answered_for(talked: Talked) -> None:
    text = GAME.replace("    option long", "    option long") + "> HI-2 🐐🐐 climb for {round} rounds.\n"
    goats = _place(text, "round} rounds")

    async def talk(editor: Editor) -> None:
        client, name = editor.client, editor.text
        editor.open(text)
        shown = await client.text_document_hover_async(types.HoverParams(name, goats))
        assert shown is not None
        assert shown.range == types.Range(goats, types.Position(goats.line, goats.character + 5))
        assert "counter round 0..20" in str(shown.contents)
        found = await client.text_document_definition_async(types.DefinitionParams(name, goats))
        assert isinstance(found, types.Location)
        assert found.range.start == _place(text, "round 0..20")
        context = types.ReferenceContext(include_declaration=True)
        places = await client.text_document_references_async(types.ReferenceParams(context, name, goats))
        assert goats in [place.range.start for place in places or []]
        offers = await client.text_document_completion_async(types.CompletionParams(name, _place(text, "score by 1")))
        assert isinstance(offers, types.CompletionList)
        assert {"score", "tired", "hand", "goat"} <= {item.label for item in offers.items}
        marked = await client.text_document_document_highlight_async(types.DocumentHighlightParams(name, goats))
        assert len(marked or []) == 4

    talked(talk)


def test_a_whole_text_is_answered_for(talked: Talked) -> None:
    async def talk(editor: Editor) -> None:
        client, name = editor.client, editor.text
        editor.open(GAME)
        symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(name))
        assert "ties" in [one.name for one in symbols or []]
        found = await client.workspace_symbol_async(types.WorkspaceSymbolParams("tired_"))
        assert [one.name for one in found or []] == ["tired_ones"]
        folds = await client.text_document_folding_range_async(types.FoldingRangeParams(name))
        assert types.FoldingRange(26, 31) in (folds or [])
        tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(name))
        assert tokens is not None
        assert list(tokens.data[:5]) == [0, 0, 4, SORTS.index("keyword"), 0]
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(name))
        assert {one.command.title for one in lenses or [] if one.command} == {
            "passed", "run", "play from here", "cited in line 24", "covered by 0 examples",
        }  # fmt: skip
        layout = types.FormattingOptions(4, True)
        edits = await client.text_document_formatting_async(types.DocumentFormattingParams(name, layout))
        assert edits

    talked(talk)


def test_names_and_hints_are_changed_in_the_files(talked: Talked, tmp_path: Path) -> None:
    path = tmp_path / "hill.rules"
    (tmp_path / "text").mkdir()
    catalogue = tmp_path / "text" / "hill.it.po"
    path.write_text(GAME, encoding="utf-8")
    catalogue.write_text('msgctxt "option long"\nmsgid "A long game?"\nmsgstr "Lunga?"\n', encoding="utf-8")
    slip = GAME.replace("lower sleeper.score", "lower sleeper.skore")

    async def talk(editor: Editor) -> None:
        client, name = editor.client, editor.text
        editor.open(GAME)
        made = await client.text_document_rename_async(types.RenameParams(name, _place(GAME, "long or"), "slow"))
        assert made is not None
        assert {uri: len(edits) for uri, edits in (made.changes or {}).items()} == {
            path.as_uri(): 2,
            catalogue.as_uri(): 1,
        }
        editor.change(slip)
        place = types.Range(_place(slip, "skore"), _place(slip, "skore"))
        actions = await client.text_document_code_action_async(
            types.CodeActionParams(name, place, types.CodeActionContext([]))
        )
        (change,) = [one.edit for one in actions or [] if "`score`" in one.title and isinstance(one, types.CodeAction)]
        assert change is not None
        ((edit,),) = (change.changes or {}).values()
        assert (edit.new_text, edit.range.start) == ("score", _place(slip, "skore"))

    talked(talk, path.as_uri())


def test_a_scenario_is_run_and_played_on_and_hover_tells_what_the_match_held(talked: Talked) -> None:
    async def talk(editor: Editor) -> None:
        editor.open(GAME)
        assert "In the last match" not in await editor.hovered("score 0..99", GAME)
        assert await editor.pressed("run") == "passed: nobody is tired"
        assert "In the last match: `ann.score` 4, `bob.score` 3" in await editor.hovered("score 0..99", GAME)
        assert await editor.pressed("play from here")
        assert "`ann.score`" in await editor.hovered("score 0..99", GAME)
        failing = GAME.replace("expect ann.score is 4", "expect ann.score is 5")
        editor.change(failing)
        assert await editor.pressed("run") == 'failed: the scenario "nobody is tired" fails: ann.score is 5'

    talked(talk)


def test_what_changed_is_told_and_written_as_a_scenario(talked: Talked) -> None:
    """In a terminal of the editor's own one plays oneself; what is chosen there is what clauses show."""
    text = GAME.replace("tired rests.", "tired rests, if {long}.").replace("round is 9", "round is 0")
    text = text.replace("play\n", "play\n    starter chooses many from 1..2\n    raise starter.score by many\n", 1)
    other = text.replace("set owner.tired to no", "set owner.tired to yes")

    async def talk(editor: Editor) -> None:
        client, name = editor.client, editor.text
        wishes = {"rulekit": {"options": {"long": True}, "terminal": True}}
        client.workspace_did_change_configuration(types.DidChangeConfigurationParams(wishes))
        editor.open(text)
        everywhere = types.Range(types.Position(0, 0), types.Position(99, 0))
        inlays = await client.text_document_inlay_hint_async(types.InlayHintParams(name, everywhere))
        assert [str(one.label) for one in inlays or []][:3] == [" = yes", " (seen by all)", " (seen by all)"]
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(name)) or []
        (play,) = [one.command for one in lenses if one.command and one.command.title == "play from here"]
        assert (play.command, *(play.arguments or ())) == ("rulekit.terminal", editor.uri, "nobody is tired")
        asked = types.CodeActionParams(name, everywhere, types.CodeActionContext([]))
        assert DIFFERENCE not in [one.title for one in await client.text_document_code_action_async(asked) or []]
        editor.change(other)
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(name)) or []
        assert "changed in line 25" in [one.command.title for one in lenses if one.command]
        offered = await client.text_document_code_action_async(asked) or []
        (action,) = [one for one in offered if one.title == DIFFERENCE]
        assert isinstance(action, types.CodeAction)
        assert action.edit is None
        resolved = await client.code_action_resolve_async(action)
        assert resolved.edit is not None
        ((edit,),) = (resolved.edit.changes or {}).values()
        with_it = [Document(Source("hill.rules", each + edit.new_text)) for each in (text, other)]
        assert [one.examples[-1].passed for one in with_it] == [False, True]

    talked(talk)


def test_bad_input_is_answered_or_refused(tmp_path: Path) -> None:
    """Texts that are endless, that extend one another, whose base is no text or gone; questions about none."""
    uri = (tmp_path / "hill.rules").as_uri()
    (tmp_path / "ring.rules").write_text('game "Ring"\n    extends "hill"\n', encoding="utf-8")
    (tmp_path / "bytes.rules").write_bytes(b"game \xff")

    async def talk(editor: Editor) -> None:
        client = editor.client
        editor.open('game "Hill"\n    extends "ring"\n')
        assert await editor.codes() == ["no-such-base"], "it is told at the line that extends it"
        (tmp_path / "hill.rules").write_text('game "Hill"\n    extends "ring"\n', encoding="utf-8")
        editor.change('game "Hill"\n    extends  "ring"\n')
        assert await editor.codes() == ["ring"]
        editor.change('game "Hill"\n    extends "bytes"\n')
        assert await editor.codes() == ["not-utf-8"]
        (tmp_path / "hill.rules").unlink()
        for text in ("define x is 1" + " + 1" * 20_000, "counter n\n" * 10_000, "define \ud800 is 1\n", "(" * 5_000):
            editor.change(text)
            assert await editor.codes()
            assert not await editor.hovered(text[:1], text) or text.startswith(("define", "counter"))
        with pytest.raises(JsonRpcException, match="no text is open"):
            await client.text_document_hover_async(
                types.HoverParams(types.TextDocumentIdentifier("file:///no/where.rules"), types.Position(0, 0))
            )
        editor.version = -7
        editor.change(GAME)
        while await editor.codes() != ["never-read", "no-clause"]:
            pass
        place = types.HoverParams(editor.text, _place(GAME, "score 0..99"))
        cancelled = client.protocol.send_request(types.TEXT_DOCUMENT_HOVER, place, msg_id="cancelled")
        client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams("cancelled"))
        assert "score" in await editor.hovered("score 0..99", GAME)
        assert cancelled.done()
        # The server is shut down while it looks at this.
        editor.change("counter n\n" * 10_000)
        client.protocol.send_request(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensParams(editor.text))

    async def alone() -> None:
        editors: dict[str, Editor] = {}
        client = await _begun(editors)
        editors[uri] = Editor(client, uri)
        try:
            await asyncio.wait_for(talk(editors[uri]), 3 * SECONDS)
        finally:
            await _ended(client)

    asyncio.run(alone())


def test_what_causes_a_clause_is_told(talked: Talked) -> None:
    async def talk(editor: Editor) -> None:
        client = editor.client
        editor.open(GAME)
        params = types.CallHierarchyPrepareParams(editor.text, _place(GAME, "HI-1"))
        (item,) = await client.text_document_prepare_call_hierarchy_async(params) or []
        calls = await client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(item))
        assert [call.from_.name for call in calls or []] == ["rest"]
        rest = types.CallHierarchyIncomingCallsParams((calls or [])[0].from_)
        above = await client.call_hierarchy_incoming_calls_async(rest)
        assert {call.from_.name for call in above or []} == {"play", "nobody is tired"}

    talked(talk)


def test_what_cannot_be_renamed_is_refused_with_the_reason(talked: Talked) -> None:
    async def talk(editor: Editor) -> None:
        editor.open(GAME)
        params = types.RenameParams(editor.text, _place(GAME, "long or"), "starter")
        with pytest.raises(JsonRpcException, match="always means something else"):
            await editor.client.text_document_rename_async(params)

    talked(talk)


def test_units_and_columns_are_the_same_place() -> None:
    line = "a🐐b\U0001f600"
    columns: list[Any] = [units_before(line, column) for column in range(1, 6)]
    assert columns == [0, 1, 3, 4, 6]
    assert [column_in(line, units) for units in columns] == [1, 2, 3, 4, 5]
    assert column_in(line, 2) == 2, "inside of a character is before it"
    assert column_in(line, 99) == 5
