"""Pictures of a grid: rows of glyphs to cells of pieces.

A glyph belongs to a trait's value (a colour); the pieces with that value are
placed in reading order.  `.` is an empty cell; a piece's own name may stand
for its glyph.
"""

from __future__ import annotations

from rulekit.model import game as model
from rulekit.model.resolve.symbol_table import World
from rulekit.source import Span
from rulekit.syntax import nodes

_EMPTY = "."


def placed(world: World, name: str, rows: tuple[nodes.Row, ...], span: Span) -> model.GivenCells | None:
    """The pieces of the group `name` as a picture shows them; adds `picture` for what cannot be placed."""
    index = world.by_owner.get(("", name))
    if index is None or world.variables[index].form != "group":
        groups = {v.name for v in world.variables if v.form == "group" and v.owner == ""}
        world.unknown(name, span, "set of pieces for a picture", groups)
        return None
    kind = world.kinds[world.variables[index].type.element.kind]
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
