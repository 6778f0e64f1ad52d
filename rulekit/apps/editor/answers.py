"""Answers of the language server: what `tools/editing` says of a text, in values of the protocol."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.uris import from_fs_path

from rulekit import library
from rulekit.apps.editor.positions import place, position, range_of
from rulekit.diagnostics import ERROR, Diagnostic
from rulekit.play.state.match_state import State
from rulekit.play.state.value import Value
from rulekit.source import Source, Span
from rulekit.tools.editing.beside import match_values
from rulekit.tools.editing.beside.kept_text import at_end, difference, may_differ
from rulekit.tools.editing.beside.lenses import PLAY, Told, hints, lenses
from rulekit.tools.editing.completion import completion
from rulekit.tools.editing.corrections.corrections import corrections
from rulekit.tools.editing.corrections.formatting import formatting
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import Edit
from rulekit.tools.editing.hover import hover
from rulekit.tools.editing.navigation import Caller, Outlined, causes, definition, effects, folds, outline, references
from rulekit.tools.editing.rename import Refused, renamed
from rulekit.tools.editing.semantic_tokens import SORTS, semantic_tokens
from rulekit.values import field, frozen

TOKEN_TYPES = {
    "keyword": "keyword", "option": "enum", "reading": "enumMember", "kind": "class", "member": "enumMember",
    "trait": "property", "set": "class", "place": "struct", "variable": "variable", "define": "function",
    "action": "method", "step": "label", "heading": "property", "die": "struct", "local": "parameter",
    "clause": "decorator", "builtin": "macro", "name": "variable", "number": "number", "string": "string",
    "operator": "operator", "comment": "comment", "margin": "comment",
}  # fmt: skip
"""What the protocol calls our sorts of words."""

_SECONDS = 8.0
"""So much processor time goes into finding what a change does."""
DIFFERENCE = "write the scenario that shows the difference"
TERMINAL = "rulekit.terminal"
"""What an editor is asked to do that plays in a terminal: `rulekit run` with this file and scenario."""
_OFFERED = {
    "keyword": types.CompletionItemKind.Keyword, "builtin": types.CompletionItemKind.Function,
    "local": types.CompletionItemKind.Variable, "variable": types.CompletionItemKind.Variable,
    "define": types.CompletionItemKind.Function, "action": types.CompletionItemKind.Method,
    "kind": types.CompletionItemKind.Class, "set": types.CompletionItemKind.Class,
    "member": types.CompletionItemKind.EnumMember, "reading": types.CompletionItemKind.EnumMember,
    "trait": types.CompletionItemKind.Property, "clause": types.CompletionItemKind.Reference,
}  # fmt: skip


@frozen
class Around:
    """What is known of a text besides itself.

    before:   as it was kept last; last: where the match ended that was played last.
    options:  what was chosen in the editor.  terminal: whether the editor plays in a terminal of its own.
    uris:     the addresses of open texts as the editor wrote them, by the names of their sources; texts: these sources.
    """

    before: Document | None = None
    last: State | None = None
    options: Mapping[str, Value] = field(factory=dict)
    terminal: bool = False
    uris: Mapping[str, str] = field(factory=dict)
    texts: Mapping[str, Source] = field(factory=dict)

    def uri_of(self, name: str) -> str:
        """The address of a source: of an open text the editor's, else that of its file."""
        return self.uris.get(name) or from_fs_path(str(Path(name).absolute())) or name


def _location(document: Document, span: Span, around: Around) -> types.Location:
    source = document.loaded.sources.get(span.source, document.source)
    return types.Location(around.uri_of(span.source), range_of(source, span))


def diagnostic(document: Document, entry: Diagnostic, around: Around) -> types.Diagnostic:
    """A finding; its hint is part of the message, since editors show no other."""
    message = "\n".join(part for part in (entry.title, entry.note, entry.hint and f"hint: {entry.hint}") if part)
    level = types.DiagnosticSeverity.Error if entry.level == ERROR else types.DiagnosticSeverity.Warning
    related = [
        types.DiagnosticRelatedInformation(_location(document, label.span, around), label.text)
        for label in entry.labels
    ]
    return types.Diagnostic(
        range_of(document.source, entry.span), message, level, entry.code, None, "rulekit", related_information=related
    )


# ---------------------------------------------------------------- about a place


def completions(document: Document, params: types.CompletionParams) -> types.CompletionList:
    offers = completion(document, *place(document.source, params.position))
    items = [
        types.CompletionItem(
            offer.word,
            kind=_OFFERED.get(offer.sort, types.CompletionItemKind.Text),
            detail=offer.detail or offer.sort,
            sort_text=f"{number:04}",
        )
        for number, offer in enumerate(offers)
    ]
    return types.CompletionList(is_incomplete=False, items=items)


def hovering(document: Document, params: types.HoverParams, around: Around) -> types.Hover | None:
    last = around.last
    held = None if last is None else partial(match_values.told, last)
    found = hover(document, *place(document.source, params.position), held)
    if found is None:
        return None
    text = types.MarkupContent(types.MarkupKind.Markdown, found.text)
    return types.Hover(text, range_of(document.source, found.span))


def definitions(document: Document, params: types.DefinitionParams, around: Around) -> types.Location | None:
    found = definition(document, *place(document.source, params.position))
    return None if found is None else _location(document, found, around)


def places(document: Document, params: types.ReferenceParams, around: Around) -> list[types.Location]:
    found = references(document, *place(document.source, params.position))
    wanted = [one for one in found if params.context.include_declaration or not one.declares]
    return [_location(document, one.span, around) for one in wanted]


def highlights(document: Document, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    found = references(document, *place(document.source, params.position))
    own = [one for one in found if one.span.source == document.source.name]
    return [types.DocumentHighlight(range_of(document.source, one.span)) for one in own]


def can_rename(document: Document, params: types.PrepareRenameParams) -> types.Range | None:
    line, column = place(document.source, params.position)
    here = document.index.at(document.source.name, line, column)
    return None if here is None else range_of(document.source, here.span)


def renames(document: Document, params: types.RenameParams, around: Around) -> types.WorkspaceEdit:
    """Errors: what cannot be renamed is refused with the reason."""
    beside = [library.decode(str(path), path.read_bytes()) for path in library.companions(document.source.name)]
    made = renamed(document, *place(document.source, params.position), params.new_name, beside)
    if isinstance(made, Refused):
        raise JsonRpcException(made.reason, types.LSPErrorCodes.RequestFailed)
    if any(_is_shipped_to(document, edit.span.source) for edit in made):
        reason = "it is a name of a game that ships, which stays as it is"
        raise JsonRpcException(reason, types.LSPErrorCodes.RequestFailed)
    texts = {source.name: source for source in (*document.loaded.sources.values(), *beside, document.source)}
    for name in dict.fromkeys(edit.span.source for edit in made):
        # A text that is extended was read from its file, while the changes go to what the editor shows.
        shown = document.source if name == document.source.name else around.texts.get(name)
        if shown is not None and shown.text != texts[name].text:
            reason = f"save {Path(name).name} first: what the editor has is not what its file has"
            raise JsonRpcException(reason, types.LSPErrorCodes.RequestFailed)
    return _workspace(texts, made, around)


def _is_shipped_to(document: Document, path: str) -> bool:
    """Whether a file belongs to the games that ship, and the text of the document does not."""
    shipped = os.path.realpath(library.games())
    folders = [os.path.dirname(os.path.realpath(name)) for name in (path, document.source.name)]
    return folders[0] == shipped != folders[1]


def _workspace(texts: dict[str, Source], edits: Iterable[Edit], around: Around) -> types.WorkspaceEdit:
    changes: dict[str, list[types.TextEdit]] = {}
    for edit in edits:
        change = types.TextEdit(range_of(texts[edit.span.source], edit.span), edit.text)
        changes.setdefault(around.uri_of(edit.span.source), []).append(change)
    return types.WorkspaceEdit(changes)


def actions(document: Document, params: types.CodeActionParams, around: Around) -> list[types.CodeAction]:
    """What mends the findings in the range; where rules changed, the example that shows it, found when it is wanted."""
    found = []
    if around.before is not None and may_differ(around.before, document):
        data = {"uri": params.text_document.uri}
        found.append(types.CodeAction(DIFFERENCE, types.CodeActionKind.Source, data=data))
    for entry in document.loaded.findings:
        shown = range_of(document.source, entry.span)
        if entry.span.source == document.source.name and _touch(shown, params.range):
            for correction in corrections(document, entry):
                change = _workspace({document.source.name: document.source}, correction.edits, around)
                mended = [diagnostic(document, entry, around)]
                found.append(types.CodeAction(correction.title, types.CodeActionKind.QuickFix, mended, edit=change))
    return found


def written_difference(document: Document, around: Around) -> types.WorkspaceEdit | None:
    """The example that shows what changed, behind the text; None where none was found."""
    until = process_time() + _SECONDS
    in_time = partial(_before, until)
    text = difference(around.before.source, document.source, in_time) if around.before is not None else ""
    if not text:
        return None
    return _workspace({document.source.name: document.source}, [at_end(document.source, text)], around)


def _before(until: float) -> bool:
    return process_time() < until


def _touch(one: types.Range, other: types.Range) -> bool:
    return one.start.line <= other.end.line and other.start.line <= one.end.line


# ---------------------------------------------------------------- about a whole text


def symbols(document: Document, params: Any) -> list[types.DocumentSymbol]:
    return [_symbol(document, one) for one in outline(document)]


def _symbol(document: Document, one: Outlined) -> types.DocumentSymbol:
    whole, name = range_of(document.source, one.whole), range_of(document.source, one.name)
    inner = [_symbol(document, each) for each in one.inner]
    kind = _KINDS.get(one.sort, types.SymbolKind.Variable)
    return types.DocumentSymbol(one.title or one.sort, kind, whole, name, detail=one.sort, children=inner)


_KINDS = {
    "action": types.SymbolKind.Method, "define": types.SymbolKind.Function, "scenario": types.SymbolKind.Event,
    "option": types.SymbolKind.Enum, "unclear": types.SymbolKind.Enum, "kind": types.SymbolKind.Class,
    "cards": types.SymbolKind.Class, "table": types.SymbolKind.Class, "game": types.SymbolKind.Module,
}  # fmt: skip


def workspace_symbols(open_texts: Iterable[tuple[Document, Around]], query: str) -> list[types.WorkspaceSymbol]:
    found = []
    for document, around in open_texts:
        for one in outline(document):
            if query.lower() in one.title.lower():
                kind = _KINDS.get(one.sort, types.SymbolKind.Variable)
                found.append(types.WorkspaceSymbol(_location(document, one.name, around), one.title, kind))
    return found


def foldings(document: Document, params: Any) -> list[types.FoldingRange]:
    return [types.FoldingRange(first - 1, last - 1) for first, last in folds(document)]


def formats(document: Document, params: Any) -> list[types.TextEdit]:
    return [types.TextEdit(range_of(document.source, one.span), one.text) for one in formatting(document.source)]


def formats_part(document: Document, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
    part = formatting(document.source, params.range.start.line + 1, params.range.end.line + 1)
    return [types.TextEdit(range_of(document.source, one.span), one.text) for one in part]


def tokens(document: Document, params: Any) -> types.SemanticTokens:
    """Five numbers for each, counted from the one before."""
    data: list[int] = []
    line, start = 0, 0
    for one in semantic_tokens(document):
        begin, end = range_of(document.source, one.span).start, range_of(document.source, one.span).end
        offset = begin.character - (start if begin.line == line else 0)
        data += [begin.line - line, offset, end.character - begin.character, SORTS.index(one.sort), int(one.declares)]
        line, start = begin.line, begin.character
    return types.SemanticTokens(data)


def code_lenses(document: Document, params: Any, around: Around) -> list[types.CodeLens]:
    found = lenses(document, around.before)
    uri = params.text_document.uri
    return [types.CodeLens(range_of(document.source, one.span), _command(one, uri, around)) for one in found]


def _command(one: Told, uri: str, around: Around) -> types.Command:
    """What a lens does: nothing, or something with a scenario, here or in the editor's own terminal."""
    if not one.does:
        return types.Command(one.text, "")
    name = TERMINAL if one.does == PLAY and around.terminal else f"rulekit.{one.does}"
    return types.Command(one.text, name, arguments=[uri, one.about])


def inlay_hints(document: Document, params: types.InlayHintParams, around: Around) -> list[types.InlayHint]:
    lines = range(params.range.start.line + 1, params.range.end.line + 2)
    return [
        types.InlayHint(position(document.source, one.span.line, one.span.column), one.text)
        for one in hints(document, around.options)
        if one.span.line in lines
    ]


# ---------------------------------------------------------------- what causes what


def hierarchy(
    document: Document, params: types.CallHierarchyPrepareParams, around: Around
) -> list[types.CallHierarchyItem]:
    here = document.index.at(document.source.name, *place(document.source, params.position))
    if here is None:
        return []
    return [_item(document, here.symbol.name, document.declared.get(here.symbol, here.span), around)]


def _item(document: Document, title: str, span: Span, around: Around) -> types.CallHierarchyItem:
    where = _location(document, span, around)
    return types.CallHierarchyItem(title, types.SymbolKind.Function, where.uri, where.range, where.range)


def incoming(
    document: Document, params: types.CallHierarchyIncomingCallsParams, around: Around
) -> list[types.CallHierarchyIncomingCall]:
    found = causes(document, *place(document.source, params.item.selection_range.start))
    return [types.CallHierarchyIncomingCall(*_call(document, one, around)) for one in found]


def outgoing(
    document: Document, params: types.CallHierarchyOutgoingCallsParams, around: Around
) -> list[types.CallHierarchyOutgoingCall]:
    found = effects(document, *place(document.source, params.item.selection_range.start))
    return [types.CallHierarchyOutgoingCall(*_call(document, one, around)) for one in found]


def _call(document: Document, one: Caller, around: Around) -> tuple[types.CallHierarchyItem, list[types.Range]]:
    item = _item(document, one.title or "?", one.name, around)
    return item, [range_of(document.source, span) for span in one.places]
