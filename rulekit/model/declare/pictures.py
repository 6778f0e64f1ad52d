"""Pictures of a grid: rows of glyphs to cells of pieces; by which value pieces are drawn.

A glyph belongs to a trait's value (a colour); the pieces with that value are
placed in reading order.  Where a value that changes says how pieces are drawn,
any of them is placed and has that value.  `.` is an empty cell; a piece's own
name may stand for its glyph.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.resolve.symbol_table import World
from rulekit.model.types import FLAG, PLAYER, Type
from rulekit.source import Span
from rulekit.syntax import nodes

_EMPTY = "."
_NUMBERS = 100
"""Numbers below this one are glyphs where pieces are drawn by a number."""


_DRAWN = ("counter", "flag", "value")
"""The forms of variables by which a piece can be drawn."""


def declare(world: World, flat: list[nodes.Declaration]) -> None:
    """Fills `world.pictured`: by which value the pieces of each kind are drawn."""
    for node in flat:
        if isinstance(node, nodes.ShownAs):
            kind = world.kinds.get(node.kind)
            if kind is None or node.kind not in world.places_of:
                world.unknown(node.kind, node.span, "kind of piece", set(world.places_of))
            elif node.kind in world.pictured:
                world.error("duplicate", f"it is said twice how each {node.kind} is drawn", node.span)
            else:
                _declare(world, kind, node)


def _declare(world: World, kind: model.Kind, node: nodes.ShownAs) -> None:
    index = world.by_owner.get((kind.name, node.value))
    if index is None and node.value not in kind.traits:
        own = {variable.name for variable in world.variables if variable.owner == kind.name and variable.form in _DRAWN}
        world.unknown(node.value, node.span, f"value of a {kind.name}", {*own, *kind.traits})
    elif index is not None and world.variables[index].form not in _DRAWN:
        hint = "a piece is drawn by a counter, a flag, a value or a trait"
        world.error("wrong-type", f"`{node.value}` is no single value", node.span, hint)
    else:
        world.pictured[kind.name] = model.Pictured(node.value, index)


def placed(
    world: World, name: str, rows: tuple[nodes.Row, ...], span: Span, seats: tuple[str, ...] = ()
) -> model.GivenCells | None:
    """The pieces of the group `name` as a picture shows them; adds `picture` for what cannot be placed.

    seats: the players, whose initials are the glyphs of what is drawn by a player.
    """
    index = world.by_owner.get(("", name))
    if index is None or world.variables[index].form != "group":
        groups = {v.name for v in world.variables if v.form == "group" and v.owner == ""}
        world.unknown(name, span, "set of pieces for a picture", groups)
        return None
    kind = world.kinds[world.variables[index].type.element.kind]
    pictured = world.pictured.get(kind.name)
    if pictured is not None and pictured.variable is not None:
        return _placed_by_value(world, kind, pictured.variable, rows, seats)
    left = list(range(len(kind.members)))
    cells: list[tuple[int, tuple[int, int]]] = []
    for y, row in enumerate(rows):
        for column, glyph in enumerate(" ".join(row.cells).split()):
            if glyph == _EMPTY:
                continue
            found = next((i for i in left if glyph in _names(world, kind.name, i)), None)
            if found is None:
                _not_there(world, name, kind, glyph, row.span)
                continue
            left.remove(found)
            cells.append((kind.base + found, (column, y)))
    return model.GivenCells(kind.ids, tuple(cells))


def _placed_by_value(
    world: World, kind: model.Kind, shown: int, rows: tuple[nodes.Row, ...], seats: tuple[str, ...]
) -> model.GivenCells:
    """Pieces that are drawn by what they have at the moment: a named one, or for a value the next that is left."""
    glyphs, left = _glyphs(world, world.variables[shown].type, seats), [member.key for member in kind.members]
    keys, cells, values = list(left), [], []
    found = [
        (glyph, (column, y), row.span)
        for y, row in enumerate(rows)
        for column, glyph in enumerate(" ".join(row.cells).split())
        if glyph != _EMPTY
    ]
    for glyph, cell, span in sorted(found, key=lambda one: one[0] not in keys):
        key = glyph if glyph in keys else next(iter(left), "")
        if glyph in keys or glyph in glyphs:
            if key not in left:
                world.error("picture", f"no piece is left for `{glyph}`", span)
                continue
            left.remove(key)
            cells.append((kind.base + keys.index(key), cell))
            values += [] if glyph in keys else [(kind.base + keys.index(key), glyphs[glyph])]
            continue
        shown_by = f"`show {kind.name} as {world.variables[shown].name}`"
        letters = ", ".join(f"`{each}`" for each in glyphs) or "in a scenario the initials of players"
        hint = f"because of {shown_by} here may stand: {letters}, or the name of a {kind.name}"
        world.error("picture", f"no {kind.name} is drawn as `{glyph}`", span, hint)
    return model.GivenCells(kind.ids, tuple(cells), shown, tuple(values))


def _glyphs(world: World, of: Type, seats: tuple[str, ...]) -> dict[str, x.Value]:
    """What stands in a picture for each value: the initial of a player, the letter or name of a thing, yes or no."""
    if of == PLAYER:
        return {glyph: seat for seat, glyph in enumerate(initials(seats))}
    if of.name == "thing":
        kind = world.kinds[of.kind]
        return {member.glyph or member.key: kind.base + number for number, member in enumerate(kind.members)}
    return {"yes": True, "no": False} if of == FLAG else {str(number): number for number in range(_NUMBERS)}


def initials(seats: Sequence[str]) -> tuple[str, ...]:
    """How each seat's pieces are marked: the shortest beginning of its name that no other has, of two letters at most.

    Colours alone would not do for who sees them alike.
    """
    ones = [seat[:1] for seat in seats]
    return tuple(seat[: 1 if ones.count(seat[:1]) == 1 else 2].upper() for seat in seats)


def _not_there(world: World, name: str, kind: model.Kind, glyph: str, span: Span) -> None:
    """Adds `picture` for a glyph of which there are too few, or that stands for nothing."""
    known = dict.fromkeys(each for i in range(len(kind.members)) for each in sorted(_names(world, kind.name, i)))
    if glyph in known:
        world.error("picture", f"no piece is left for `{glyph}`", span)
        return
    letters = [f"`{each}`" for each in known if all(each != member.key for member in kind.members)]
    hint = f"here may stand {', '.join([*letters, 'the name of a ' + kind.name])}"
    world.error("picture", f"no piece of `{name}` is drawn as `{glyph}`", span, hint)


def _names(world: World, kind_name: str, index: int) -> set[str]:
    """The piece's key, and the glyphs of its traits' values."""
    kind = world.kinds[kind_name]
    names = {kind.members[index].key}
    for trait, values in kind.traits.items():
        value = values[index]
        owner = world.kinds.get(kind.trait_types[trait].kind)
        if owner is not None and isinstance(value, int):
            names.add(owner.members[value - owner.base].glyph)
    return names - {""}
