"""The language server as an editor meets it: the real process, spoken to by a client over its pipes."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from rulekit.apps.editor import answers, desk
from rulekit.apps.editor.answers import DIFFERENCE
from rulekit.apps.editor.positions import column_in, units_before
from rulekit.diagnostics import Diagnostic
from rulekit.source import Source
from rulekit.tools.editing.document import Document
from tests.editing.editor import SECONDS, Editor, Talked, begun, ended, place
from tests.editing.texts import GAME


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


def test_the_scenario_that_is_written_for_a_change_passes_only_with_it(talked: Talked) -> None:
    text = GAME.replace("tired rests.", "tired rests, if {long}.").replace("round is 9", "round is 0")
    text = text.replace("play\n", "play\n    starter chooses many from 1..2\n    raise starter.score by many\n", 1)
    other = text.replace("set owner.tired to no", "set owner.tired to yes")

    async def talk(editor: Editor) -> None:
        client, name = editor.client, editor.text
        editor.open(text)
        everywhere = types.Range(types.Position(0, 0), types.Position(99, 0))
        asked = types.CodeActionParams(name, everywhere, types.CodeActionContext([]))
        assert DIFFERENCE not in [one.title for one in await client.text_document_code_action_async(asked) or []]
        editor.change(other)
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
        hover = types.HoverParams(editor.text, place(GAME, "score 0..99"))
        cancelled = client.protocol.send_request(types.TEXT_DOCUMENT_HOVER, hover, msg_id="cancelled")
        client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams("cancelled"))
        assert "score" in await editor.hovered("score 0..99", GAME)
        assert cancelled.done()
        # The server is shut down while it looks at this.
        editor.change("counter n\n" * 10_000)
        client.protocol.send_request(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensParams(editor.text))

    async def alone() -> None:
        editors: dict[str, Editor] = {}
        client, _ = await begun(editors)
        editors[uri] = Editor(client, uri)
        try:
            await asyncio.wait_for(talk(editors[uri]), 3 * SECONDS)
        finally:
            await ended(client)

    asyncio.run(alone())


def test_what_cannot_be_renamed_is_refused_with_the_reason(talked: Talked) -> None:
    async def talk(editor: Editor) -> None:
        editor.open(GAME)
        params = types.RenameParams(editor.text, place(GAME, "long or"), "starter")
        with pytest.raises(JsonRpcException, match="always means something else"):
            await editor.client.text_document_rename_async(params)

    talked(talk)


@pytest.mark.parametrize(("line", "is_refused"), [("define more is alone", True), ("define own_one is 1", False)])
def test_a_variant_renames_nothing_in_a_game_that_ships(tmp_path: Path, line: str, is_refused: bool) -> None:
    text = f'game "V"\n    extends "foxy"\n{line}\n'
    document = Document(Source(str(tmp_path / "v.rules"), text))
    where = types.Position(2, line.index("alone" if is_refused else "own_one"))
    params = types.RenameParams(types.TextDocumentIdentifier("file:///v.rules"), where, "other")
    if is_refused:
        with pytest.raises(JsonRpcException, match="a game that ships"):
            answers.renames(document, params, answers.Around())
    else:
        assert len(answers.renames(document, params, answers.Around()).changes or {}) == 1


def test_units_and_columns_are_the_same_place() -> None:
    line = "a🐐b\U0001f600"
    columns: list[Any] = [units_before(line, column) for column in range(1, 6)]
    assert columns == [0, 1, 3, 4, 6]
    assert [column_in(line, units) for units in columns] == [1, 2, 3, 4, 5]
    assert column_in(line, 2) == 2, "inside of a character is before it"
    assert column_in(line, 99) == 5
