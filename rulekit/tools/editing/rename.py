"""Rename: a name or clause id, at all its places in the rules, their catalogues, anchors and what clauses read.

What would mean something else afterwards is refused: the renamed text is read
again, and the new name must stand at the places of the old one and nowhere
else.  Logs are records of people and stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulekit import limits
from rulekit.diagnostics import ERROR
from rulekit.loading import RulesError, load_sources
from rulekit.model.builtin_signatures import RESERVED
from rulekit.model.declare.kinds import COLUMNS
from rulekit.record.renames import SHARED
from rulekit.source import Source
from rulekit.syntax import nodes
from rulekit.syntax.looks import is_look
from rulekit.syntax.traversal import walk
from rulekit.syntax.unparse_expr import BEGINNERS
from rulekit.tools.editing.companions import in_companion
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import Edit, applied
from rulekit.tools.editing.name_roles import LOCAL
from rulekit.tools.editing.occurrences import CLAUSE, Occurrence, Symbol
from rulekit.values import frozen

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_ID = re.compile(r"[A-Z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")


@frozen
class Refused:
    """Why a name cannot be changed so."""

    reason: str


def renamed(
    document: Document, line: int, column: int, new: str, companions: Iterable[Source] = ()
) -> tuple[Edit, ...] | Refused:
    """The changes that give what stands under the cursor another name, in the text, in those it extends, and beside it.

    companions:  catalogues, anchors and the like that belong to the text.
    """
    here = document.index.at(document.source.name, line, column)
    if here is None:
        return Refused("no name of this game stands here")
    if reason := _unfit(here.symbol, new):
        return Refused(reason)
    places = document.index.of(here.symbol)
    if not any(one.declares for one in places):
        return Refused(f"`{here.symbol.name}` is not declared in a text that can be changed")
    edits = tuple(Edit(one.span, _spelt(document, here.symbol, one, new)) for one in places)
    if reason := _means_else(document, here.symbol, new, edits):
        return Refused(reason)
    is_shared = here.symbol.sort == LOCAL and not _is_lone(document, here.symbol)
    listed = _listed(document, here.symbol, is_shared=is_shared)
    beside = (
        in_companion(text, listed if text.name.endswith(".renames") else here.symbol, new)
        for text in companions
        if text.name.endswith(".renames") or not is_shared
    )
    return (*edits, *(edit for found in beside for edit in found))


def _unfit(symbol: Symbol, new: str) -> str:
    """Why nothing of this sort can have this name; "" if it can."""
    if symbol.sort == CLAUSE:
        return "" if _ID.fullmatch(new) else "a clause is called as in `AB-12`: capitals first, then letters and digits"
    if not _NAME.fullmatch(new):
        return "a name has small letters, digits and `_`, and begins with a letter"
    if len(new) > limits.NAME:
        return f"a name has at most {limits.NAME} characters"
    if symbol.sort == "trait" and (own := [name for name in (symbol.name, new) if name in COLUMNS or is_look(name)]):
        return f"`{own[0]}` at the head of a column means something of its own"
    if new in RESERVED and symbol.sort != LOCAL:
        return f"`{new}` always means something else"
    return ""


def _spelt(document: Document, here: Symbol, one: Occurrence, new: str) -> str:
    """The new name as it is written here: in quotes where it would begin a value, or the old one had needless ones."""
    text = document.source.line(one.span.line) if one.span.source == document.source.name else ""
    quoted = text[one.span.column - 1 : one.span.column] == "'"
    in_braces = text[one.span.column - 2 : one.span.column - 1] == "{"
    needed = here.name in BEGINNERS
    return f"'{new}'" if (quoted and not needed) or (new in BEGINNERS and not in_braces) else new


def _means_else(document: Document, symbol: Symbol, new: str, edits: tuple[Edit, ...]) -> str:
    """Why the text would say something else under the new name; "" if it would not."""
    own = [edit for edit in edits if edit.span.source == document.source.name]
    after = document.changed(applied(document.source, own))
    if len(own) < len(edits):
        return _breaks(document, symbol, new, edits)
    before = {(one.span.line, one.declares) for one in document.index.of(symbol)}
    moved = [
        other for other, places in after.index.by_symbol.items() if other.name == new and other.sort == symbol.sort
    ]
    same = [one for one in moved if before == {(place.span.line, place.declares) for place in after.index.of(one)}]
    if not same or _errors(after) > _errors(document):
        is_new = all(other.name != new for other in document.index.by_symbol)
        if symbol.sort == LOCAL and is_new and _is_of_a_kind(document, symbol.name):
            # As in `each player`, and in `action draw(player)`.
            return f"`{symbol.name}` says here of what sort it is, too; write `{new} in …` or `{new} of {symbol.name}`"
        return f"`{new}` is something else already where `{symbol.name}` stands"
    return ""


def _breaks(document: Document, symbol: Symbol, new: str, edits: tuple[Edit, ...]) -> str:
    """Why a game that extends others could not be read any more, with the changes of all its texts; "" if it could."""
    if document.loaded.game is None:
        return ""
    texts = [applied(source, edits) for source in document.loaded.sources.values()]
    try:
        load_sources([(text.name, text.text) for text in texts])
    except RulesError as fault:
        first = fault.findings[0]
        return f"`{symbol.name}` cannot be called `{new}` everywhere: {first.title}, in {first.span}"
    return ""


def _is_of_a_kind(document: Document, name: str) -> bool:
    return document.loaded.game is not None and name in ("player", *document.loaded.game.kinds)


def _errors(document: Document) -> int:
    return sum(entry.level == ERROR for entry in document.loaded.findings)


def _listed(document: Document, symbol: Symbol, *, is_shared: bool) -> Symbol:
    """What a list of renames calls this.  is_shared: others have the name too, so that it stands with its action."""
    if symbol.sort != LOCAL:
        return symbol
    place = document.declared[symbol]
    for declaration in document.file.declarations:
        for node in walk(declaration):
            if isinstance(node, nodes.Choose) and (node.name, node.span.line) == (symbol.name, place.line):
                owner = getattr(declaration, "name", type(declaration).__name__.lower())
                return Symbol(SHARED, symbol.name, owner if is_shared else "")
    return symbol


def _is_lone(document: Document, symbol: Symbol) -> bool:
    """Whether no other action gives this name: what is asked under it goes by its letters."""
    return not any(other.name == symbol.name and other != symbol for other in document.index.by_symbol)
