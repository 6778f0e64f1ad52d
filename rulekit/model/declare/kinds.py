"""Kinds and their members: enumerations, tables, decks and pieces laid out in rows.

Ids are given in the order of declaration; the type of a column is inferred
from its cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulekit import limits
from rulekit.model import builtin_signatures
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.declare.looks import Cell, looks
from rulekit.model.resolve.symbol_table import Typed, World
from rulekit.model.types import EMPTY, FLAG, NUMBER, UNKNOWN, Type, set_of, thing
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.looks import NAME, is_look
from rulekit.syntax.traversal import cites
from rulekit.values import define, evolve, field

_COPIES = "copies"
_NEXT = "next"
_NO_LINK = "none"
_NUMBER = "number"
COLUMNS = (_COPIES, _NEXT, _NUMBER)
"""Columns and traits whose names mean something to the engine, beside looks."""
Printed = tuple[str, int, nodes.Member]
"""A member with a body, which says what it does: its kind, and its place in it."""


@define
class _Draft:
    """A kind while its members are being gathered.

    apart:  the copies of the member at hand are members of their own.
    """

    name: str
    members: list[model.Member] = field(factory=list)
    keys: set[str] = field(factory=set)
    cells: list[dict[str, Cell]] = field(factory=list)
    headers: dict[str, Span] = field(factory=dict)
    bodies: list[nodes.Member | None] = field(factory=list)
    sets: list[tuple[str, int, int]] = field(factory=list)
    piece: bool = False
    copied: bool = False
    apart: bool = False
    spans: dict[str, Span] = field(factory=dict)
    around: tuple[str, ...] = ()


def declare_kinds(world: World, declarations: list[nodes.Declaration]) -> list[Printed]:
    """Fills `world.kinds` and `world.sets` from all declarations of kinds, tables, cards and pieces in rows.

    Gives the members with bodies, in the order of their ids, to be lowered later.
    """
    drafts: dict[str, _Draft] = {}
    for node in declarations:
        _gather(world, drafts, node)
    base = 0
    for draft in drafts.values():
        numbered = bool(draft.members) and all(m.key.isdigit() for m in draft.members)
        made = tuple(draft.members)
        world.kinds[draft.name] = model.Kind(draft.name, base, made, numbered, draft.piece, draft.copied)
        base += len(draft.members)
        if base > limits.SET:
            world.error("too-many", f"more than {limits.SET} members of kinds", next(iter(draft.spans.values())))
    return [printed for draft in drafts.values() for printed in _finished(world, draft)]


def _gather(world: World, drafts: dict[str, _Draft], node: nodes.Declaration) -> None:
    if isinstance(node, nodes.Kind):
        draft = drafts.setdefault(node.name, _Draft(node.name))
        for face in node.faces:
            _add(world, draft, model.Member(face.name, face.name, face.glyph or "", span=face.span), {}, None)
    elif isinstance(node, nodes.KindBlock):
        draft = drafts.setdefault(node.name, _Draft(node.name))
        draft.around = cites(node)
        _gather_members(world, draft, node.members, node.name)
    elif isinstance(node, nodes.Deck | nodes.Pieces):
        draft = drafts.setdefault(node.kind, _Draft(node.kind, piece=isinstance(node, nodes.Pieces)))
        start, draft.around = len(draft.members), cites(node)
        draft.apart = isinstance(node, nodes.Deck) and node.own
        _gather_rows(world, draft, node.rows)
        if isinstance(node, nodes.Deck):
            draft.copied = draft.copied or node.word == "cards"
            _gather_members(world, draft, node.members, node.kind, _key_column(node.rows))
        draft.sets.append((node.name, start, len(draft.members)))
        draft.spans[node.name] = node.span


def _add(world: World, draft: _Draft, member: model.Member, cells: dict[str, Cell], body: nodes.Member | None) -> None:
    if draft.apart:
        cells = {name: cell for name, cell in cells.items() if name != _COPIES}
        if member.copies > 1:
            _add_apart(world, draft, member, cells, body)
            return
    if member.key in draft.keys:
        world.error("duplicate", f"`{member.key}` stands twice among the {draft.name}s", member.span)
    draft.spans.setdefault(draft.name, member.span)
    draft.keys.add(member.key)
    draft.members.append(member)
    draft.cells.append(cells)
    draft.bodies.append(body)
    for name, cell in cells.items():
        draft.headers.setdefault(name, cell[2])


def _add_apart(
    world: World, draft: _Draft, member: model.Member, cells: dict[str, Cell], body: nodes.Member | None
) -> None:
    """Each copy as a member of its own, told apart by a number."""
    if member.key.isdigit():
        hint = "write a name, as in `| mill_5 | …`; the copies are then `mill_5_1`, `mill_5_2` …"
        world.error("wrong-row", f"the copies of {member.key} have no names of their own", member.span, hint)
        return
    for number in range(1, member.copies + 1):
        one = evolve(member, key=f"{member.key}_{number}", title=f"{member.title} {number}", copies=1)
        _add(world, draft, one, cells, body)


def _key_column(rows: tuple[nodes.Row | nodes.Member, ...]) -> str:
    """The name of the first column; "" if there are no rows."""
    return rows[0].cells[0] if rows and isinstance(rows[0], nodes.Row) else ""


def _gather_members(
    world: World, draft: _Draft, members: tuple[nodes.Member, ...], kind: str, column: str = ""
) -> None:
    for node in members:
        if node.kind != kind:
            hint = f"each line of this block begins with `{kind}`; what a {kind} does is indented below it"
            world.error("wrong-member", f"`{node.kind}` is not the kind of this block", node.span, hint)
        cells: dict[str, Cell] = {}
        tied: dict[str, tuple[str, ...]] = {}
        for trait in node.traits:
            if trait.name in cells:
                world.error("duplicate", f"`{trait.name}` stands twice in this line", trait.span)
            value = trait.value or nodes.Flag(True)
            if isinstance(value, nodes.Cited):
                tied[trait.name] = tuple(cite.id for cite in value.cites)
                value = value.of
            cells[trait.name] = (None, value, trait.span)
        if column not in ("", draft.name) and node.key.isdigit():
            cells.setdefault(column, (node.key, None, node.span))
        title = node.title or node.key.replace("_", " ")
        own = cites(node)
        if own and _NUMBER not in cells:  # Its number is the name of this line, and no cell of it.
            tied[_NUMBER] = ()
        behind = own or draft.around
        member = model.Member(node.key, title, copies=_copies(world, cells), tied=tied, cites=behind, span=node.span)
        _add(world, draft, member, cells, node if node.body is not None else None)


def _copies(world: World, cells: dict[str, Cell]) -> int:
    """How often a card is there, `limits.SET` times at most; `copies` stays a trait that rules may read."""
    copies = _copies_said(world, cells)
    if copies > limits.SET:
        world.error("too-many", f"there cannot be more than {limits.SET} copies of a card", cells[_COPIES][2])
    return min(copies, limits.SET)


def _copies_said(world: World, cells: dict[str, Cell]) -> int:
    text, value, span = cells.get(_COPIES, ("1", None, None))
    if isinstance(value, nodes.Number):
        return value.value
    if text is not None and text.isdigit():
        return int(text)
    if text == "":
        return 1
    if span is not None:
        world.error("wrong-type", "a number of copies is needed here", span)
        cells[_COPIES] = ("1", None, span)
    return 1


def _gather_rows(world: World, draft: _Draft, rows: tuple[nodes.Row | nodes.Member, ...]) -> None:
    """Rows below their headers, with members among them where a file that extends this one replaced a row."""
    if not rows or not isinstance(rows[0], nodes.Row):
        return
    headers = rows[0].cells
    draft.around = cites(rows[0]) or draft.around
    for header in dict.fromkeys(name for name in headers if headers.count(name) > 1):
        world.error("duplicate", f"there are two columns called `{header}`", rows[0].span)
    for row in rows[1:]:
        if isinstance(row, nodes.Member):
            _gather_members(world, draft, (row,), draft.name, headers[0])
            continue
        if len(row.cells) != len(headers):
            title = f"this row has {len(row.cells)} cell{'s' * (len(row.cells) != 1)}, the first row has {len(headers)}"
            world.error("wrong-row", title, row.span)
        pairs = enumerate(zip(headers, row.cells, strict=False))
        cells: dict[str, Cell] = {name: (text, None, row.cell(index)) for index, (name, text) in pairs}
        keys = row_keys(row.cells[0])
        if not keys or (".." in row.cells[0] and len(keys) == 1 and keys[0] == row.cells[0]):
            hint = "a range of keys goes from a number to a higher one, as in `1..8` or `r1..r8`"
            world.error("wrong-row", f"`{row.cells[0]}` is no key, and no range of keys", row.cell(0), hint)
        for key in keys:
            own = dict(cells)
            own.pop(headers[0], None)
            copies = _copies(world, own)
            if headers[0] != draft.name and key.isdigit():
                own[headers[0]] = (key, None, row.span)
            behind = cites(row) or draft.around
            called, _, _ = own.get(NAME, (None, None, None))
            title = called or key.replace("_", " ")
            member = model.Member(key, title, renamed=bool(called), copies=copies, cites=behind, span=row.span)
            _add(world, draft, member, own, None)


_KEYS = re.compile(r"(?P<word>[a-z]\w*?)?(?P<low>\d+) ?\.\. ?(?:(?P=word))?(?P<high>\d+)", re.ASCII)
"""Keys that are counted on: `1..8`, `r1..r8`."""


def row_keys(cell: str) -> list[str]:
    """One key, or one for each number of `low..high`, which may stand behind a word; none if the range is empty."""
    found = _KEYS.fullmatch(cell)
    if found is None or int(found["high"]) - int(found["low"]) >= limits.SET:
        return [cell]
    return [f"{found['word'] or ''}{number}" for number in range(int(found["low"]), int(found["high"]) + 1)]


# ---------------------------------------------------------------- columns


def _finished(world: World, draft: _Draft) -> list[Printed]:
    """Completes a kind with its columns, sets and which traits no clause tells; gives its members with bodies."""
    kind = world.kinds[draft.name]
    traits: dict[str, tuple[x.Value, ...]] = {}
    types: dict[str, Type] = {}
    shown = {name: span for name, span in draft.headers.items() if is_look(name)}
    for name, span in draft.headers.items():
        if name in shown:
            continue
        column = [cells.get(name) for cells in draft.cells]
        types[name], traits[name] = _column(world, draft.name, name, column, span)
    set_name = draft.sets[0][0] if draft.sets else ""
    made = tuple(_silent(member, cells, traits) for member, cells in zip(kind.members, draft.cells, strict=True))
    world.kinds[draft.name] = evolve(
        kind,
        members=made,
        traits=traits,
        trait_types=types,
        set_name=set_name,
        looks=looks(world, draft.name, draft.cells, shown) if shown else {},
    )
    for name, start, stop in draft.sets:
        if not draft.piece:
            ids = tuple(range(kind.base + start, kind.base + stop))
            whole = start == 0 and stop == len(draft.members)
            listed: x.Expr = x.AllOf(draft.name) if whole else x.Const(ids)
            world.sets[name] = Typed(listed, set_of(thing(draft.name)))
    return [(draft.name, index, body) for index, body in enumerate(draft.bodies) if body is not None]


def _silent(member: model.Member, cells: dict[str, Cell], traits: Iterable[str]) -> model.Member:
    """No clause of its line tells of traits that it does not write; but links lead on also where none is written."""
    unwritten = {name: () for name in traits if name != _NEXT and not _is_written(cells.get(name))}
    return evolve(member, tied={**unwritten, **member.tied}) if unwritten and member.cites else member


def _is_written(cell: Cell | None) -> bool:
    return cell is not None and (cell[1] is not None or bool((cell[0] or "").strip()))


def _column(
    world: World, kind: str, name: str, cells: list[Cell | None], span: Span
) -> tuple[Type, tuple[x.Value, ...]]:
    """Type and values of one column; a missing or empty cell is no, 0, the empty set or none by its type."""
    if name == _NEXT:
        return set_of(thing(kind)), tuple(_links(world, kind, index, cell) for index, cell in enumerate(cells))
    parsed = [_parse(world, name, cell) for cell in cells]
    given = [part for part in parsed if part is not None]
    is_set = any(isinstance(value, tuple) for _, value in given)
    element = next((kind for kind, _ in given if kind != UNKNOWN), FLAG if not given else UNKNOWN)
    for place, (part, cell) in enumerate(zip(parsed, cells, strict=True)):
        if part is not None and part[0] not in (UNKNOWN, element):
            title = f"`{name}` is {element} further up, and {part[0]} here"
            world.error("wrong-type", title, cell[2] if cell else span)
            parsed[place] = None
    missing: x.Value = () if is_set else {"flag": False, "number": 0}.get(element.name)
    if name == _COPIES:
        missing = 1
    values = tuple(missing if part is None else _as_set(part[1]) if is_set else part[1] for part in parsed)
    return (EMPTY if is_set and element == UNKNOWN else set_of(element) if is_set else element), values


def _as_set(value: x.Value) -> x.Value:
    return value if isinstance(value, tuple) else () if value is None else (value,)


def _links(world: World, kind: str, index: int, cell: Cell | None) -> x.Value:
    """The spaces that follow; the one below where none is written."""
    base, members, places = world.kinds[kind].base, world.kinds[kind].members, world.keys_of(world.kinds[kind])
    words = [] if cell is None else _link_words(world, cell)
    if not words:
        words = [member.key for member in members[index + 1 : index + 2]]
    if words == [_NO_LINK]:
        return ()
    for word in words:
        if word not in places and cell is not None:
            world.unknown(word, cell[2], f"{kind}", set(places))
    return tuple(base + places[word] for word in words if word in places)


def _link_words(world: World, cell: Cell) -> list[str]:
    text, node, _ = cell
    if node is None:
        return (text or "").split()
    items = node.items if isinstance(node, nodes.Listing) else (node,)
    return [_link_word(world, item) for item in items]


def _link_word(world: World, node: nodes.Expr) -> str:
    if isinstance(node, nodes.Number):
        return str(node.value)
    if isinstance(node, nodes.Word):
        return node.name
    if not isinstance(node, nodes.Nothing):
        world.error("wrong-trait", "`next` names spaces, or none", node.span)
    return _NO_LINK


def _parse(world: World, name: str, cell: Cell | None) -> tuple[Type, x.Value] | None:
    if cell is None:
        return None
    text, node, span = cell
    if node is not None:
        return _parse_node(world, name, node)
    words = list(re.finditer(r"\S+", text or ""))
    if not words:
        return None
    parts = [_word(world, name, word[0], _within(span, word)) for word in words]
    return parts[0] if len(parts) == 1 else _several(world, name, parts, span)


def _within(cell: Span, word: re.Match[str]) -> Span:
    """The place of a word in a cell."""
    return evolve(cell, column=cell.column + word.start(), end_column=cell.column + word.end())


def _several(world: World, name: str, parts: list[tuple[Type, x.Value]], span: Span) -> tuple[Type, x.Value]:
    """The type and values of a list in one cell or trait."""
    kinds = list(dict.fromkeys(kind for kind, _ in parts if kind != UNKNOWN))
    if len(kinds) > 1:
        world.error("wrong-type", f"`{name}` holds {kinds[0]} and {kinds[1]} at once", span)
    return (kinds[0] if kinds else UNKNOWN), tuple(value for _, value in parts)


def _parse_node(world: World, name: str, node: nodes.Expr) -> tuple[Type, x.Value] | None:
    if isinstance(node, nodes.Number):
        return NUMBER, node.value
    if isinstance(node, nodes.Flag):
        return FLAG, node.value
    if isinstance(node, nodes.Word):
        return _word(world, name, node.name, node.span)
    if isinstance(node, nodes.Unary) and node.op == "-" and isinstance(node.of, nodes.Number):
        return NUMBER, -node.of.value
    if isinstance(node, nodes.Listing):
        parts = [part for item in node.items if (part := _parse_node(world, name, item)) is not None]
        return _several(world, name, parts, node.span)
    world.error("wrong-trait", "a trait is a number, yes, no, a word or a list of these", node.span)
    return None


def _word(world: World, name: str, word: str, span: Span) -> tuple[Type, x.Value]:
    if word.lstrip("-").isdigit():
        return NUMBER, int(word)
    if word in ("yes", "no"):
        return FLAG, word == "yes"
    own = world.kinds.get(name)
    order = ([own] if own else []) + [kind for kind in world.kinds.values() if kind is not own]
    for kind in order:
        place = world.keys_of(kind).get(word)
        if place is not None:
            return thing(kind.name), kind.base + place
    if word in builtin_signatures.DIRECTIONS and not own:
        hint = "declare a kind with a member for each way, and a define that gives the direction of a member"
        world.error("wrong-trait", f"`{word}` is a direction, and no trait is one", span, hint)
        return UNKNOWN, None
    candidates = {member.key for kind in order[: 1 if own else None] for member in kind.members}
    world.unknown(word, span, name if own else "number, flag or member of a kind", candidates)
    return UNKNOWN, None
