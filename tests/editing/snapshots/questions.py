"""By behaviour, as the server's capabilities call it, what it is asked; each answer has a title."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from attrs import define
from lsprotocol import types

from tests.editing.editor import Editor, place

Answers = AsyncIterator[tuple[str, Any]]
Question = Callable[["Asking"], Answers]


@define
class Asking:
    """An editor with rules open.

    rules:  as they are in the file; text: as they stand in the editor.  legend: what the sorts of tokens are called.
    """

    editor: Editor
    rules: str
    text: str
    legend: types.SemanticTokensLegend

    def changed(self, *edits: tuple[str, str]) -> None:
        """The editor shows the rules with these places replaced."""
        self.text = self.rules
        for old, new in edits:
            assert self.text.count(old) == 1, old
            self.text = self.text.replace(old, new)
        self.editor.change(self.text)

    def at(self, what: str) -> tuple[types.TextDocumentIdentifier, types.Position]:
        """Before the last letter of the word that begins there: two units further on it would be another word."""
        return self.editor.text, place(self.text, what, len(re.split(r"[^\w-]", what)[0]) - 1)


SCORE, COST, CALL, CITED = "score at least", "cost: do climb", "climb(player)", "HI-1\n                "
"""Places in the line of the first way, behind two letters of two units each."""
SLIP = ("player.score at least", "player.skore at least")
OTHER_EFFECT = ("owner.score by 1\n", "owner.score by 2\n")
EVERYWHERE = types.Range(types.Position(0, 0), types.Position(99, 0))
LAYOUT = types.FormattingOptions(4, True)


def _sorted(found: Iterable[Any] | None) -> list[Any]:
    """In the order of places, where the protocol asks for none."""
    return sorted(found or (), key=_where)


def _where(one: Any) -> tuple[str, types.Position]:
    one = getattr(one, "from_", getattr(one, "to", getattr(one, "location", one)))
    start = one.range.start if hasattr(one, "range") else one.position
    return getattr(one, "uri", ""), start


async def findings(asking: Asking) -> Answers:
    yield "as it is", _sorted(await asking.editor.findings())
    asking.changed(SLIP)
    yield "with a slip", _sorted(await asking.editor.findings())


async def completion(asking: Asking) -> Answers:
    for what in (SCORE, COST, CITED):
        params = types.CompletionParams(asking.editor.text, place(asking.text, what))
        found = await asking.editor.client.text_document_completion_async(params)
        assert isinstance(found, types.CompletionList)
        yield what.strip(), sorted(found.items, key=lambda one: one.sort_text or one.label)


async def hover(asking: Asking) -> Answers:
    for what in (SCORE, COST, CALL, CITED):
        yield what.strip(), await asking.editor.client.text_document_hover_async(types.HoverParams(*asking.at(what)))


async def definition(asking: Asking) -> Answers:
    for what in (SCORE, COST, CALL, CITED):
        params = types.DefinitionParams(*asking.at(what))
        yield what.strip(), await asking.editor.client.text_document_definition_async(params)


async def references(asking: Asking) -> Answers:
    for what in (COST, CITED):
        for title, is_all in (("all", True), ("uses", False)):
            params = types.ReferenceParams(types.ReferenceContext(is_all), *asking.at(what))
            found = await asking.editor.client.text_document_references_async(params)
            yield f"{what.strip()}, {title}", _sorted(found)


async def rename(asking: Asking) -> Answers:
    client = asking.editor.client
    for what, new in ((COST, "price_of_climb"), (CITED, "HO-7"), ("long} games", "slow")):
        here = types.PrepareRenameParams(*asking.at(what))
        yield what.strip(), await client.text_document_prepare_rename_async(here)
        edit = await client.text_document_rename_async(types.RenameParams(*asking.at(what), new))
        assert edit is not None
        yield f"{what.strip()} to {new}", {uri: _sorted(edits) for uri, edits in (edit.changes or {}).items()}


async def document_symbol(asking: Asking) -> Answers:
    params = types.DocumentSymbolParams(asking.editor.text)
    yield "outline", await asking.editor.client.text_document_document_symbol_async(params)


async def workspace_symbol(asking: Asking) -> Answers:
    for query in ("CLIMB", "🐐 c", "nowhere"):
        found = await asking.editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query))
        yield query, _sorted(found)


async def folding_range(asking: Asking) -> Answers:
    found = await asking.editor.client.text_document_folding_range_async(types.FoldingRangeParams(asking.editor.text))
    lines = asking.text.split("\n")
    for one in found or []:
        yield lines[one.start_line].strip(), f"{one.start_line}-{one.end_line}"


async def document_highlight(asking: Asking) -> Answers:
    for what in (SCORE, CITED):
        params = types.DocumentHighlightParams(*asking.at(what))
        yield what.strip(), _sorted(await asking.editor.client.text_document_document_highlight_async(params))


SLACK = (
    ("lower owner.score by", "lower owner.score  by"),
    ("if player.", "if  player."),
    ("rank players", "rank  players"),
)


async def document_formatting(asking: Asking) -> Answers:
    asking.changed(*SLACK)
    params = types.DocumentFormattingParams(asking.editor.text, LAYOUT)
    yield "whole", _sorted(await asking.editor.client.text_document_formatting_async(params))


async def document_range_formatting(asking: Asking) -> Answers:
    asking.changed(*SLACK)
    part = types.Range(place(asking.text, "player chooses"), place(asking.text, CALL))
    params = types.DocumentRangeFormattingParams(asking.editor.text, part, LAYOUT)
    yield "part", _sorted(await asking.editor.client.text_document_range_formatting_async(params))


async def semantic_tokens(asking: Asking) -> Answers:
    """Of each line its words: where, how many units, and what the legend calls them."""
    params = types.SemanticTokensParams(asking.editor.text)
    found = await asking.editor.client.text_document_semantic_tokens_full_async(params)
    assert found is not None
    lines = [each.encode("utf-16-le") for each in asking.text.split("\n")]
    told: list[list[str]] = [[] for _ in lines]
    line, column = 0, 0
    for down, right, length, sort, marks in zip(*(iter(found.data),) * 5, strict=True):
        line, column = line + down, right if down else column + right
        word = lines[line][2 * column : 2 * (column + length)].decode("utf-16-le")
        marked = [mark for bit, mark in enumerate(asking.legend.token_modifiers) if marks >> bit & 1]
        told[line].append(" ".join([f"{column}+{length}", asking.legend.token_types[sort], *marked, word]))
    for number, words in enumerate(told):
        yield f"{number:2}", words


async def code_action(asking: Asking) -> Answers:
    """What mends a slip; and what shows a change, first as it is offered and then with its edit."""
    client, name, context = asking.editor.client, asking.editor.text, types.CodeActionContext([])
    asking.changed(SLIP)
    slip = types.Range(place(asking.text, "skore"), place(asking.text, "skore"))
    yield "a slip", await client.text_document_code_action_async(types.CodeActionParams(name, slip, context))
    asking.changed(OTHER_EFFECT)
    offered = await client.text_document_code_action_async(types.CodeActionParams(name, EVERYWHERE, context)) or []
    yield "a change", offered
    for one in offered:
        if isinstance(one, types.CodeAction) and one.edit is None:
            yield "a change, resolved", await client.code_action_resolve_async(one)


async def code_lens(asking: Asking) -> Answers:
    client, params = asking.editor.client, types.CodeLensParams(asking.editor.text)
    yield "as it is", _sorted(await client.text_document_code_lens_async(params))
    asking.changed(OTHER_EFFECT)
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams({"rulekit": {"terminal": True}}))
    changed = await client.text_document_code_lens_async(params)
    yield "a change, in an editor with a terminal", _sorted(changed)


async def inlay_hint(asking: Asking) -> Answers:
    client, params = asking.editor.client, types.InlayHintParams(asking.editor.text, EVERYWHERE)
    yield "as it is", _sorted(await client.text_document_inlay_hint_async(params))
    wishes = {"rulekit": {"options": {"long": True}}}
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(wishes))
    yield "a long game", _sorted(await client.text_document_inlay_hint_async(params))


async def call_hierarchy(asking: Asking) -> Answers:
    client = asking.editor.client
    for what in (CALL, CITED):
        params = types.CallHierarchyPrepareParams(*asking.at(what))
        (item,) = await client.text_document_prepare_call_hierarchy_async(params) or []
        yield what.strip(), item
        causes = await client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(item))
        yield f"{what.strip()}, incoming", _sorted(causes)
        effects = await client.call_hierarchy_outgoing_calls_async(types.CallHierarchyOutgoingCallsParams(item))
        yield f"{what.strip()}, outgoing", _sorted(effects)


async def execute_command(asking: Asking) -> Answers:
    """What is said when a scenario is run and played on, and what a hover tells of the match."""
    editor = asking.editor
    yield "run", await editor.pressed("run")
    yield "hover", await editor.client.text_document_hover_async(types.HoverParams(*asking.at(SCORE)))
    yield "play from here", await editor.pressed("play from here")
    yield "hover then", await editor.client.text_document_hover_async(types.HoverParams(*asking.at(SCORE)))
    asking.changed(("expect ann.score is 1", "expect ann.score is 2"))
    yield "run, failing", await editor.pressed("run")


QUESTIONS: dict[str, Question] = {
    one.__name__: one
    for one in (
        findings, completion, hover, definition, references, rename, document_symbol, workspace_symbol, folding_range,
        document_highlight, document_formatting, document_range_formatting, semantic_tokens, code_action, code_lens,
        inlay_hint, call_hierarchy, execute_command,
    )
}  # fmt: skip
