"""The language server: a thin adapter between the protocol and `tools/editing`.

Every answer is worked out in a thread, so that the next key is heard; what it
says comes from `tools/editing`, in values of the protocol here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

import rulekit
from rulekit.apps.editor import answers
from rulekit.apps.editor.desk import Desk
from rulekit.diagnostics import Diagnostic
from rulekit.source import Source
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.semantic_tokens import SORTS

Answer = Callable[[Document, Any], Any]


class Rules(LanguageServer):
    """The server with its desk."""

    def __init__(self) -> None:
        super().__init__("rulekit", rulekit.__version__)
        self.desk = Desk(self._publish)

    def _publish(self, uri: str, document: Document, found: tuple[Diagnostic, ...]) -> None:
        shown = [answers.diagnostic(document, entry, uri_of) for entry in found]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, shown))

    def heard(self, uri: str) -> None:
        """The text at an address is new or was changed."""
        text = self.workspace.get_text_document(uri).source
        self.desk.put(uri, Source(to_fs_path(uri) or uri, text.replace("\r\n", "\n")))

    def document(self, uri: str) -> Document:
        if uri not in self.desk.open:
            self.heard(uri)
        return self.desk.open[uri]


def uri_of(name: str) -> str:
    """The address of a file; of a text that is none its name is one."""
    return name if "://" in name or name.startswith("untitled:") else from_fs_path(name) or name


def server() -> Rules:
    """A server that answers; it speaks once it is started."""
    made = Rules()
    _texts(made)
    for method, options, answer in _ANSWERS:
        _offer(made, method, options, answer)

    @made.feature(types.WORKSPACE_SYMBOL)
    async def symbols(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        open_texts = list(made.desk.open.items())
        return await asyncio.to_thread(answers.workspace_symbols, open_texts, params.query)

    return made


def _texts(made: Rules) -> None:
    """What is told of texts: opened, changed, closed."""

    @made.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        made.heard(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        made.heard(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        made.desk.take(params.text_document.uri)
        made.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))


def _offer(made: Rules, method: str, options: Any, answer: Answer) -> None:
    """One kind of question about a text; what comes of it names the text by its address."""

    async def asked(params: Any) -> Any:
        uri = params.item.uri if hasattr(params, "item") else params.text_document.uri
        return await asyncio.to_thread(answer, made.document(uri), params)

    feature: Callable[[Callable[[Any], Awaitable[Any]]], Any] = made.feature(method, options)
    feature(asked)


_LEGEND = types.SemanticTokensLegend([answers.TOKEN_TYPES[sort] for sort in SORTS], ["declaration"])
_ANSWERS: tuple[tuple[str, Any, Answer], ...] = (
    (types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[".", "@"]), answers.completions),
    (types.TEXT_DOCUMENT_HOVER, None, answers.hovering),
    (types.TEXT_DOCUMENT_DEFINITION, None, answers.definitions),
    (types.TEXT_DOCUMENT_REFERENCES, None, answers.places),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, None, answers.highlights),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, None, answers.can_rename),
    (types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True), answers.renames),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, None, answers.symbols),
    (types.TEXT_DOCUMENT_FOLDING_RANGE, None, answers.foldings),
    (types.TEXT_DOCUMENT_FORMATTING, None, answers.formats),
    (types.TEXT_DOCUMENT_RANGE_FORMATTING, None, answers.formats_part),
    (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, _LEGEND, answers.tokens),
    (types.TEXT_DOCUMENT_CODE_LENS, None, answers.code_lenses),
    (types.TEXT_DOCUMENT_INLAY_HINT, None, answers.inlay_hints),
    (types.TEXT_DOCUMENT_CODE_ACTION, None, answers.actions),
    (types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, None, answers.hierarchy),
    (types.CALL_HIERARCHY_INCOMING_CALLS, None, answers.incoming),
    (types.CALL_HIERARCHY_OUTGOING_CALLS, None, answers.outgoing),
)
"""By question the function that answers it."""
