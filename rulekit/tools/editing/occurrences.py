"""Name resolution for editors: every place in the texts of a game where a name stands, and what it means there.

Declarations are known by their field (`name_roles`); names in expressions by
what the resolver makes of them, which it tells while it works; where it came
to nothing, as in a line with a fault, a name that only one thing has means
that.  Clauses are symbols too: their ids stand in the margins.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulekit.diagnostics import Problems
from rulekit.model import expr as x
from rulekit.model.builtin_signatures import RESERVED
from rulekit.model.declare.contents import DeclarationMemo, Known
from rulekit.model.declare.file_extension import expanded
from rulekit.model.elaborate.elaboration import elaborated
from rulekit.model.resolve.symbol_table import Scope, Typed, Watcher
from rulekit.model.types import Type
from rulekit.source import PLACEHOLDER, Source, Span
from rulekit.syntax import nodes
from rulekit.syntax.parse import Blocks, parse
from rulekit.syntax.traversal import walk
from rulekit.tools.editing.name_roles import GLOBAL, LOCAL, ROLES, Role
from rulekit.values import evolve, field, fields, frozen

CLAUSE = "clause"
_WORDS = re.compile(r"[a-z][a-z0-9_]*")
_Picture = nodes.Picture | nodes.GivenPicture | nodes.ExpectPicture


@frozen
class Symbol:
    """What a name stands for.

    sort:   as in `name_roles`; or trait, member, reading, clause.
    owner:  of a variable whose it is, of a trait or member its kind, of a reading its option; of a local name the
            place where it is given, since the same word is another name elsewhere.
    """

    sort: str
    name: str
    owner: str = ""


@frozen
class Occurrence:
    """One place where a symbol is written.  declares: it is made known there."""

    symbol: Symbol
    span: Span
    declares: bool = False


@frozen
class Index:
    """All occurrences, in the order of the texts; and by their places."""

    all: tuple[Occurrence, ...] = ()
    by_symbol: dict[Symbol, tuple[Occurrence, ...]] = field(factory=dict, repr=False)

    def at(self, source: str, line: int, column: int) -> Occurrence | None:
        """What stands under or just before the cursor."""
        for one in self.all:
            span = one.span
            if (span.source, span.line) == (source, line) and span.column <= column <= span.end_column:
                return one
        return None

    def of(self, symbol: Symbol) -> tuple[Occurrence, ...]:
        return self.by_symbol.get(symbol, ())


@frozen
class Resolved:
    """A text as far as it could be read and resolved: all texts read, and the declarations out of them."""

    sources: dict[str, Source]
    declarations: tuple[nodes.Declaration, ...] = ()


def resolved(source: Source, watcher: Watcher, blocks: Blocks, only: int | None = None) -> Resolved:
    """Reads and resolves a text as far as that goes; `watcher` is told of every expression.

    blocks:  those that were read before.  Nothing else is kept, so that nothing remains untold.
    only:    a line: of what stands elsewhere only names are made known, and what names need.
    """
    sources: dict[str, Source] = {source.name: source}
    problems = Problems()
    try:
        text = expanded(source, problems, sources, known=Known(blocks))
        if only is not None:
            here = declared_at(text.declarations, source.name, only)
            text = evolve(text, declarations=[*_outlined(text.declarations, here)])
        # Names of lines that could not be read are missing; what is asked of the others can still be said.
        elaborated(evolve(text, broken=False), source, sources, problems, watcher)
    except RecursionError:
        return Resolved(sources)
    return Resolved(sources, tuple(text.declarations))


def declared_at(declarations: Sequence[nodes.Declaration], source: str, line: int) -> nodes.Declaration | None:
    """The declaration that goes on in a line of a text: the last that begins in it or above."""
    begun = (node for node in declarations if node.span.source == source and node.span.line <= line)
    return max(begun, key=lambda node: node.span.line, default=None)


def _outlined(declarations: Iterable[nodes.Declaration], whole: object) -> Iterator[nodes.Declaration]:
    """What others may name of declarations; `whole` is one of them that is left as it is."""
    for node in declarations:
        if node is whole:
            yield node
        elif isinstance(node, nodes.Assume):
            yield evolve(node, declarations=tuple(_outlined(node.declarations, whole)))
        elif isinstance(node, nodes.Action):
            yield evolve(node, body=nodes.Body(()))
        elif not isinstance(node, _UNNAMED):
            yield node


_UNNAMED = nodes.Change | nodes.When | nodes.Invariant | nodes.Part | nodes.Scenario | nodes.Show | nodes.Ruleset
"""What nothing else in a game can name."""


def index(source: Source, file: nodes.File, blocks: Blocks) -> Index:
    """Where the names of a text and of those that it extends stand.  file: its own tree; blocks: read before."""
    meanings: dict[Span, Symbol] = {}

    def watch(scope: Scope, node: nodes.Expr, wanted: Type | None, typed: Typed) -> None:
        name = node.name if isinstance(node, nodes.Word | nodes.Attribute) else None
        if isinstance(name, nodes.Name) and name.span not in meanings and (meant := _meant(scope, node, typed)):
            meanings[name.span] = meant

    texts = resolved(source, watch, blocks).sources
    found: list[Occurrence] = []
    extended = _Extended(meanings)
    # A text knows the names of those that it extends, which come after it.
    for text, tree in reversed([*_trees(source, file, texts, blocks)]):
        found[:0] = _in_text(text, tree, extended)
    by_symbol: dict[Symbol, list[Occurrence]] = defaultdict(list)
    for one in found:
        by_symbol[one.symbol].append(one)
    return Index(tuple(found), {symbol: tuple(places) for symbol, places in by_symbol.items()})


def declared(source: Source, file: nodes.File, blocks: Blocks, memo: DeclarationMemo) -> dict[Symbol, Span]:
    """Where each symbol is made known first: the trees alone tell, so that completion waits for no resolver.

    memo:  what was found in declarations before.
    """
    sources: dict[str, Source] = {source.name: source}
    expanded(source, Problems(), sources, known=Known(blocks))
    found: dict[Symbol, Span] = {}
    for _, tree in _trees(source, file, sources, blocks):
        for node in tree.declarations:
            known: tuple[Occurrence, ...] | None = memo.get("declared", node)
            if known is None:
                known = _declares(node)
                memo.put("declared", node, known)
            for one in known:
                found.setdefault(one.symbol, one.span)
        for one in _ids(tree.tail):
            found.setdefault(one.symbol, one.span)
    return found


def _declares(node: nodes.Declaration) -> tuple[Occurrence, ...]:
    """What a declaration makes known, in the order of the text."""
    names = [one for one in _written(node, "") if one.role is not None and one.role.declares]
    inside = tuple(walk(node))
    tables = [part for part in inside if isinstance(part, nodes.Deck | nodes.Pieces)]
    found = [
        *(Occurrence(_declared(one), one.name.span, declares=True) for one in names),
        *(one for table in tables for one in _cells(table, {}) if one.declares),
        *(one for part in inside if isinstance(part, nodes.Line) for one in _ids(part.margin.above)),
    ]
    return _in_order(found)


def _in_order(found: Iterable[Occurrence]) -> tuple[Occurrence, ...]:
    """The first of those at each place, in the order of the text."""
    unique = {one.span: one for one in reversed([*found])}
    return tuple(sorted(unique.values(), key=lambda one: (one.span.line, one.span.column)))


def _trees(
    source: Source, file: nodes.File, texts: dict[str, Source], blocks: Blocks
) -> Iterator[tuple[Source, nodes.File]]:
    for text in texts.values():
        yield text, file if text is source else parse(text, Problems(), blocks).file


# ---------------------------------------------------------------- what the resolver says


def _meant(scope: Scope, node: Any, typed: Typed) -> Symbol | None:
    """What a bare name or the name behind a dot means, by what became of it."""
    expr = typed.expr.value if isinstance(typed.expr, x.Mapped) else typed.expr
    if isinstance(expr, x.Stored | x.PieceOf | x.GroupOf):
        variable = scope.world.variables[expr.variable]
        return Symbol("variable", variable.name, variable.owner) if variable.name == node.name else None
    if isinstance(expr, x.Trait):
        return Symbol("trait", expr.name, expr.kind)
    if isinstance(node, nodes.Attribute):
        return None
    if node.name in RESERVED:
        return None
    return _binding(scope, node.name) or _global(scope, node.name) or _value(scope, node.name, typed.type)


def _binding(scope: Scope, name: str) -> Symbol | None:
    """A name given inside the same action, query or scenario."""
    given = [looked.name for looked in reversed(scope.elements)]
    given += [key for block in reversed(scope.blocks) for key in block]
    for each in (*given, *scope.seats):
        if each == name and isinstance(each, nodes.Name):
            return Symbol(LOCAL, name, str(each.span))
    return None


def _global(scope: Scope, name: str) -> Symbol | None:
    world = scope.world
    sorts = (
        ("option", world.option_index(name) is not None),
        ("variable", ("", name) in world.by_owner),
        ("define", name in world.defines),
        ("set", name in world.sets),
        ("kind", name in world.kinds),
        ("die", name in world.dice),
        ("place", name in world.places),
    )
    found = next((Symbol(sort, name) for sort, is_one in sorts if is_one), None)
    if found is not None and found.sort == "kind" and world.kinds[name].piece:
        # What one piece is called is its kind too.
        pieces = (one for one in world.variables if one.form == "piece" and one.name == name)
        return next((Symbol("variable", name, one.owner) for one in pieces), found)
    return found


def _value(scope: Scope, name: str, kind: Type) -> Symbol | None:
    if kind.name == "thing":
        return Symbol("member", name, kind.kind)
    return Symbol("reading", name, kind.kind) if kind.name == "reading" else None


# ---------------------------------------------------------------- what the tree says


@frozen(eq=False)
class _Written:
    """A name in the tree.

    role:     None for a name in an expression; is_bare: that stands behind no dot.
    owner:    of what is declared.
    """

    name: nodes.Name
    role: Role | None
    owner: str = ""
    is_bare: bool = True


@frozen(eq=False)
class _Extended:
    """Names that a text may use of those that it extends.

    meanings:  what the resolver says, by place.
    symbols:   names without local ones; lines: of tables whose copies have a number of their own, with their kinds.
    """

    meanings: dict[Span, Symbol]
    symbols: set[Symbol] = field(factory=set)
    lines: set[tuple[str, str]] = field(factory=set)


def _in_text(source: Source, file: nodes.File, extended: _Extended) -> tuple[Occurrence, ...]:
    """The names in a text; adds its own to those of `extended`."""
    meanings = extended.meanings
    written = [list(_written(node, "")) for node in file.declarations]
    declared = {one: _declared(one) for block in written for one in block if one.role is not None and one.role.declares}
    tables = [node for node in walk(file.declarations) if isinstance(node, nodes.Deck | nodes.Pieces)]
    own = [*declared.values(), *(key for table in tables for key in _keys(table))]
    known = _by_name([*own, *meanings.values(), *extended.symbols])
    extended.symbols.update(symbol for symbol in own if symbol.sort != LOCAL)
    found = [Occurrence(symbol, one.name.span, declares=True) for one, symbol in declared.items()]
    for block in written:
        given: dict[str, Symbol] = {}
        for one in block:
            if one in declared:
                given |= {str(one.name): declared[one]} if declared[one].sort == LOCAL else {}
            elif symbol := meanings.get(one.name.span) or _unwatched(one, given, known):
                found.append(Occurrence(symbol, one.name.span))
    pictures = [node for node in walk(file.declarations) if isinstance(node, _Picture)]
    found += [
        *(one for table in tables for one in _cells(table, known)),
        *(one for picture in pictures for one in _pictured(picture, known)),
        *_clauses(file),
        *_placeholders(source, known),
    ]
    extended.lines.update((str(table.kind), key) for table in tables if _is_own(table) for key in _line_names(table))
    return _in_order(_of_line(one, extended.lines) for one in found)


def _unwatched(one: _Written, given: dict[str, Symbol], known: dict[str, set[Symbol]]) -> Symbol | None:
    """What a name means by the letters alone; given: the names given before it in the same declaration."""
    may_be_local = one.is_bare and (one.role is None or LOCAL in one.role.of)
    local = given.get(str(one.name)) if may_be_local else None
    return local or _only(known.get(str(one.name), ()), one.role)


def _declared(one: _Written) -> Symbol:
    assert one.role is not None
    sort = one.role.declares
    return Symbol(sort, str(one.name), str(one.name.span) if sort == LOCAL else "" if sort == "kind" else one.owner)


def _written(node: nodes.Node, owner: str) -> Iterator[_Written]:
    """The names in a declaration; owner: whose variables, traits, members or readings stand here."""
    if isinstance(node, nodes.Word | nodes.Attribute) and isinstance(node.name, nodes.Name):
        yield _Written(node.name, None, is_bare=isinstance(node, nodes.Word))
    owner = _owner(node, owner)
    kind: Any = type(node)
    for part in fields(kind):
        if part.name in ("span", "margin"):
            continue
        value = getattr(node, part.name)
        for each in value if isinstance(value, tuple) else (value,):
            role = ROLES.get((kind, part.name))
            if isinstance(each, nodes.Name) and role is not None and each.span.line:
                is_own = role.declares in ("variable", "member", "trait", "reading")
                yield _Written(each, role, owner if is_own else "")
            elif isinstance(each, nodes.Node):
                yield from _written(each, owner)


def _owner(node: nodes.Node, owner: str) -> str:
    if isinstance(node, nodes.Has | nodes.Deck):
        return str(node.kind)
    if isinstance(node, nodes.Member):
        return owner or str(node.kind)
    if isinstance(node, nodes.Kind | nodes.KindBlock | nodes.Option):
        return str(node.name)
    return owner


def _by_name(symbols: Iterable[Symbol]) -> dict[str, set[Symbol]]:
    found: dict[str, set[Symbol]] = defaultdict(set)
    for symbol in symbols:
        found[symbol.name].add(symbol)
    return found


def _only(symbols: Iterable[Symbol], role: Role | None) -> Symbol | None:
    """The one symbol that can be meant: of the sorts that stand in such a place, or the only one that all may name."""
    if role is not None and role.of:
        fit = [one for one in symbols if one.sort in role.of]
        return min(fit, key=lambda one: role.of.index(one.sort)) if fit else None
    everywhere = [one for one in symbols if one.sort in GLOBAL and not one.owner]
    fit = everywhere or [one for one in symbols if one.sort != LOCAL]
    return fit[0] if len(fit) == 1 else None


# ---------------------------------------------------------------- tables, margins, texts


def _rows(table: nodes.Deck | nodes.Pieces) -> list[nodes.Row]:
    return [row for row in table.rows if isinstance(row, nodes.Row)]


def _is_own(table: nodes.Deck | nodes.Pieces) -> bool:
    return isinstance(table, nodes.Deck) and table.own


def _line_names(table: nodes.Deck | nodes.Pieces) -> Iterator[str]:
    yield from (symbol.name for symbol in _keys(table))
    yield from (str(member.key) for member in walk(table) if isinstance(member, nodes.Member))


def _of_line(one: Occurrence, lines: set[tuple[str, str]]) -> Occurrence:
    """A copy that has a number of its own is named after its line: that part of its name stands for the line."""
    symbol, name = one.symbol, one.symbol.name
    line, _, number = name.rpartition("_")
    if symbol.sort != "member" or not number.isdigit() or (symbol.owner, name) in lines:
        return one
    if (symbol.owner, line) not in lines:
        return one
    end = one.span.column + len(line)
    return Occurrence(Symbol("member", line, symbol.owner), evolve(one.span, end_column=end), one.declares)


def _keys(table: nodes.Deck | nodes.Pieces) -> Iterator[Symbol]:
    for row in _rows(table)[1:]:
        yield from (Symbol("member", key, str(table.kind)) for key in _WORDS.findall(row.cells[0]))


def _cells(table: nodes.Deck | nodes.Pieces, known: dict[str, set[Symbol]]) -> Iterator[Occurrence]:
    """Names in the rows of a table: columns are traits, the first of each row is its member."""
    rows = _rows(table)
    for row in rows:
        for number, cell in enumerate(row.cells):
            column = rows[0].cells[number] if number < len(rows[0].cells) else ""
            yield from _cell(row, number, cell, str(table.kind), row is rows[0], column, known)


def _cell(
    row: nodes.Row, number: int, cell: str, kind: str, is_head: bool, column: str, known: dict[str, set[Symbol]]
) -> Iterator[Occurrence]:
    place = row.cell(number)
    for match in _WORDS.finditer(cell):
        start = place.column + match.start()
        span = evolve(place, column=start, end_column=start + len(match[0]))
        if is_head:
            is_key = number == 0
            yield Occurrence(Symbol("kind", kind) if is_key else Symbol("trait", match[0], kind), span, not is_key)
        elif number == 0:
            yield Occurrence(Symbol("member", match[0], kind), span, declares=True)
        elif column not in ("title", "copies") and not column.startswith("look_"):
            symbol = _only(known.get(match[0], ()), None) or _of_kind(known.get(match[0], ()), column)
            if symbol is not None:
                yield Occurrence(symbol, span)


def _of_kind(symbols: Iterable[Symbol], kind: str) -> Symbol | None:
    return next((one for one in symbols if one.sort == "member" and one.owner == kind), None)


def _pictured(picture: _Picture, known: dict[str, set[Symbol]]) -> Iterator[Occurrence]:
    """Names of members in a picture of a board; its letters are glyphs, which are nobody's names."""
    for row in picture.rows:
        for number, cell in enumerate(row.cells):
            for match in _WORDS.finditer(cell):
                members = [one for one in known.get(match[0], ()) if one.sort == "member"]
                place = row.cell(number)
                start = place.column + match.start()
                span = evolve(place, column=start, end_column=start + len(match[0]))
                if len(members) == 1:
                    yield Occurrence(members[0], span)


def _clauses(file: nodes.File) -> Iterator[Occurrence]:
    lines = [node for node in walk(file.declarations) if isinstance(node, nodes.Line | nodes.Cited)]
    for line in lines:
        yield from _ids(line.margin.above if isinstance(line, nodes.Line) else ())
    yield from _ids(file.tail)
    for line in lines:
        for cite in line.margin.cites if isinstance(line, nodes.Line) else line.cites:
            span = evolve(cite.span, column=cite.span.column + 1)
            yield Occurrence(Symbol(CLAUSE, cite.id), span)


def _ids(margin: Iterable[nodes.Clause | nodes.Comment]) -> Iterator[Occurrence]:
    """The ids of the clauses in a margin."""
    for clause in margin:
        if isinstance(clause, nodes.Clause) and clause.id:
            yield Occurrence(Symbol(CLAUSE, clause.id), _id_of(clause), declares=True)


def _id_of(clause: nodes.Clause) -> Span:
    """Where the id of a clause stands, behind its mark."""
    start = clause.span.column + (2 if clause.needs_rule else 3)
    return evolve(clause.span, column=start, end_column=start + len(clause.id))


def _placeholders(source: Source, known: dict[str, set[Symbol]]) -> Iterator[Occurrence]:
    """Names in braces in texts that people see."""
    for number, line in enumerate(source.text.split("\n"), 1):
        for match in PLACEHOLDER.finditer(line):
            symbol = _only(known.get(match[1], ()), None)
            if symbol is not None:
                yield Occurrence(symbol, Span(source.name, number, match.start(1) + 1, number, match.end(1) + 1))
