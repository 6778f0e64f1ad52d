"""The language server: a thin adapter between the protocol and `tools/editing`.

Every answer is worked out in a thread, so that the next key is heard; what it
says comes from `tools/editing`, in values of the protocol here.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidRequest
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument, Workspace

import rulekit
from rulekit.apps.editor import answers, matches
from rulekit.apps.editor.desk import Desk
from rulekit.diagnostics import Diagnostic
from rulekit.play.state.match_state import State
from rulekit.play.state.value import Value
from rulekit.source import Source
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.semantic_tokens import SORTS

_LOCAL = re.compile(r"^file://localhost/", re.IGNORECASE)
"""An address with this host is of this machine, as one without a host (RFC 8089)."""
_DRIVE = re.compile(r"(?<=^file:///)[A-Z](?=:)")
_LOG = logging.getLogger(__name__)
Answer = Callable[..., Any]
"""Of a text and a question; those of `_AROUND` are told what is known besides."""


class RulesProtocol(LanguageServerProtocol):
    """Protocol handler that answers requests which are malformed, refused or late with an error."""

    def handle_message(self, message: Any) -> None:
        id_, method = getattr(message, "id", None), getattr(message, "method", "")
        if self._shutdown and id_ is not None and method:
            fault = JsonRpcInvalidRequest("the server has been shut down")
            self._send_response(id_, error=fault.to_response_error())
        else:
            super().handle_message(message)

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        """Send what came of a request; a refusal is not logged, and a fault is told without its traceback."""
        fault = None if future.cancelled() else future.exception()
        if fault is None:
            super()._send_handler_result(future, msg_id=msg_id)
            return
        self._request_futures.pop(msg_id, None)
        if not isinstance(fault, JsonRpcException):
            _LOG.error("a fault of rulekit", exc_info=fault)
            fault = JsonRpcInternalError(f"a fault of rulekit: {type(fault).__name__}: {fault}")
        self._send_response(msg_id, error=fault.to_response_error())

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as fault:
            if "id" in data and "method" in data:  # Else the client would wait for ever.
                self._send_response(data["id"], error=fault.to_response_error())
            raise


class AnyAddressWorkspace(Workspace):
    """Workspace with texts at addresses that are no URI, too, such as `file://[No Name]` of an unnamed buffer."""

    def _create_text_document(self, doc_uri: str, *args: Any, **named: Any) -> TextDocument:
        try:
            return super()._create_text_document(doc_uri, *args, **named)
        except ValueError:
            # Brackets enclose a numeric host, and nothing else, in a URI that can be taken apart.
            quoted = doc_uri.replace("[", "%5B").replace("]", "%5D")
            document = super()._create_text_document(quoted, *args, **named)
            document.uri = doc_uri
            return document


class Rules(LanguageServer):
    """The server with its desk.

    The desk's keys are canonical addresses; `spellings` maps each to the address as the editor wrote it.
    """

    def __init__(self) -> None:
        super().__init__(
            "rulekit", rulekit.__version__, protocol_cls=RulesProtocol, converter_factory=default_converter
        )
        self.desk = Desk(self._publish)
        self.spellings: dict[str, str] = {}
        self.chosen: dict[str, Value] = {}
        self.has_terminal = False

        self.has_shut_down = False
        self.exit_code = 0
        """As the protocol says: 1 where `exit` arrives before `shutdown`."""

    def _publish(self, address: str, document: Document, found: tuple[Diagnostic, ...]) -> None:
        uri = self.spellings.get(address, address)
        shown = [answers.diagnostic(document, entry, self.around(uri)) for entry in found]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, shown))

    def say(self, words: str, state: State | None, uri: str) -> None:
        """Tells somebody what came of a match; where it ended is what a hover tells."""
        if state is not None:
            self.desk.played[canonical_address(uri)] = state
        self.window_show_message(types.ShowMessageParams(types.MessageType.Info, words))

    def open_text(self, uri: str) -> None:
        """Take the text that the editor has opened."""
        self.spellings[canonical_address(uri)] = uri
        self.update_text(uri)

    def update_text(self, uri: str) -> None:
        """Take the present text of an open address; ignore any other."""
        address = canonical_address(uri)
        if address not in self.spellings:
            return
        text = self.workspace.get_text_document(uri).source
        self.desk.put(address, Source(source_name(uri), text.replace("\r\n", "\n")))

    def close_text(self, uri: str) -> None:
        """Forget the text at an address, and clear its findings in the editor."""
        self.spellings.pop(canonical_address(uri), None)
        self.desk.take(canonical_address(uri))
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def told(self, wishes: Any) -> None:
        """What the editor wishes, when it begins or later: `options` of games, and whether it has a `terminal`."""
        if isinstance(wishes, dict):
            options = wishes.get("options")
            self.chosen = dict(options) if isinstance(options, dict) else {}
            self.has_terminal = bool(wishes.get("terminal", self.has_terminal))

    def around(self, uri: str) -> answers.Around:
        address = canonical_address(uri)
        texts = {document.source.name: document.source for document in self.desk.open.values()}
        uris = {source_name(spelling): spelling for spelling in (*self.spellings.values(), uri)}
        return answers.Around(
            self.desk.kept.get(address), self.desk.played.get(address), self.chosen, self.has_terminal, uris, texts
        )

    def document(self, uri: str) -> Document:
        """The text at an address.  Errors: none is open there."""
        address = canonical_address(uri)
        if address not in self.desk.open:
            raise JsonRpcException("no text is open at this address", types.LSPErrorCodes.RequestFailed)
        return self.desk.open[address]


def canonical_address(uri: str) -> str:
    """Return one spelling for all spellings of an address: decoded, without `localhost`, with a small drive letter.

    Editors differ in what they encode: `c%3A` or `C:`, `%20`, `%2B`.
    """
    decoded = unquote(_LOCAL.sub("file:///", uri), errors="surrogateescape")
    return _DRIVE.sub(lambda drive: drive[0].lower(), decoded)


def source_name(uri: str) -> str:
    """Return the path of the file at an address; of an address that is no file's, itself."""
    try:
        path = to_fs_path(_LOCAL.sub("file:///", uri))
    except ValueError:
        # A host in brackets that is no address: `file://[No Name]`.
        return uri
    try:
        return path if path and b"\0" not in os.fsencode(path) else uri
    except UnicodeEncodeError:
        # Lone surrogates stand in no path.
        return uri.encode(errors="backslashreplace").decode()


def server() -> Rules:
    """A server that answers; it speaks once it is started."""
    made = Rules()
    _texts(made)
    _commands(made)
    for method, options, answer in _ANSWERS:
        _offer(made, method, options, answer)

    @made.feature(types.WORKSPACE_SYMBOL)
    async def symbols(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        spellings = [(made.spellings.get(address, address), text) for address, text in made.desk.open.items()]
        open_texts = [(text, made.around(uri)) for uri, text in spellings]
        return await asyncio.to_thread(answers.workspace_symbols, open_texts, params.query)

    return made


def _texts(made: Rules) -> None:
    """What is told of texts: opened, changed, closed."""

    @made.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        made.open_text(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        made.update_text(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        made.close_text(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        made.desk.keep(canonical_address(params.text_document.uri))

    @made.feature(types.SHUTDOWN)
    def shut_down(_: None) -> None:
        made.has_shut_down = True

    @made.feature(types.EXIT)
    def exit_process(_: None) -> None:
        made.exit_code = 0 if made.has_shut_down else 1

    @made.feature(types.INITIALIZE)
    async def begun(params: types.InitializeParams) -> None:
        # The protocol makes the workspace by itself, of a class that cannot be chosen.
        made.workspace.__class__ = AnyAddressWorkspace
        made.told(params.initialization_options)

    @made.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def chosen(params: types.DidChangeConfigurationParams) -> None:
        made.told(params.settings.get("rulekit") if isinstance(params.settings, dict) else None)


def _commands(made: Rules) -> None:
    """What lenses and actions do when they are pressed."""

    @made.command("rulekit.run")
    async def run(uri: str, name: str) -> None:
        made.say(*await asyncio.to_thread(matches.run, made.document(uri), name), uri)

    @made.command("rulekit.play")
    async def play(uri: str, name: str) -> None:
        made.say(*await asyncio.to_thread(matches.played_on, made.document(uri), name), uri)

    @made.command("rulekit.difference")
    async def difference(uri: str) -> None:
        edit = await asyncio.to_thread(answers.written_difference, made.document(uri), made.around(uri))
        if edit is None:
            made.say(matches.NO_DIFFERENCE, None, uri)
        else:
            made.workspace_apply_edit(types.ApplyWorkspaceEditParams(edit, answers.DIFFERENCE))

    @made.feature(types.CODE_ACTION_RESOLVE)
    async def resolved(action: types.CodeAction) -> types.CodeAction:
        uri = action.data["uri"] if isinstance(action.data, dict) else ""
        document = made.desk.open.get(canonical_address(uri))
        if document is not None and action.edit is None:
            action.edit = await asyncio.to_thread(answers.written_difference, document, made.around(uri))
            if action.edit is None:
                made.say(matches.NO_DIFFERENCE, None, uri)
        return action


def _offer(made: Rules, method: str, options: Any, answer: Answer) -> None:
    """One kind of question about a text; what comes of it names the text by its address."""

    async def asked(params: Any) -> Any:
        uri = params.item.uri if hasattr(params, "item") else params.text_document.uri
        more = (made.around(uri),) if answer in _AROUND else ()
        return await asyncio.to_thread(answer, made.document(uri), params, *more)

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
    (types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(resolve_provider=True), answers.actions),
    (types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, None, answers.hierarchy),
    (types.CALL_HIERARCHY_INCOMING_CALLS, None, answers.incoming),
    (types.CALL_HIERARCHY_OUTGOING_CALLS, None, answers.outgoing),
)
"""By question the function that answers it."""

_AROUND = (
    answers.hovering,
    answers.code_lenses,
    answers.inlay_hints,
    answers.actions,
    answers.definitions,
    answers.places,
    answers.renames,
    answers.hierarchy,
    answers.incoming,
    answers.outgoing,
)
"""Those that depend on more than the text."""
