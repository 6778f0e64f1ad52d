"""Attributes of things: traits, variables, and the few built-in words that every thing of its sort has."""

from __future__ import annotations

from rulekit.model import builtin_signatures
from rulekit.model import expr as x
from rulekit.model.resolve.symbol_table import Typed, World
from rulekit.model.types import CELL, FLAG, NUMBER, PLAYER, UNKNOWN, Type, set_of, thing
from rulekit.source import Span


def attribute(world: World, of: Typed | None, name: str, span: Span, slot: int) -> Typed | None:
    """`of.name`, or the game's own variable `name` if `of` is None; None if there is no such thing.

    slot: the first free place for an element, for attributes of sets.
    """
    if of is None:
        return _variable(world, "", None, name, span)
    if of.type.is_set:
        return _of_set(world, of, name, span, slot)
    owner = "player" if of.type == PLAYER else of.type.kind
    found = _variable(world, owner, of.expr, name, span) if owner else None
    return found or _trait(world, of, name, span) or _built_in(world, of, name, span)


def _variable(world: World, owner: str, of: x.Expr | None, name: str, span: Span) -> Typed | None:
    index = world.by_owner.get((owner, name))
    if index is None:
        return None
    variable = world.variables[index]
    if variable.form == "piece":
        return Typed(x.PieceOf(index, of, span=span), variable.type)
    if variable.form == "group":
        return Typed(x.GroupOf(index, of, span=span), variable.type)
    return Typed(x.Stored(index, of, span=span), variable.type)


def _trait(world: World, of: Typed, name: str, span: Span) -> Typed | None:
    kind = world.kinds.get(of.type.kind)
    if kind is None or name not in kind.traits:
        return None
    return Typed(x.Trait(of.expr, kind.name, name, kind.traits[name], span=span), kind.trait_types[name])


def _built_in(world: World, of: Typed, name: str, span: Span) -> Typed | None:
    row = builtin_signatures.ATTRIBUTES.get(name)
    if row is not None and row.takes == (of.type.name,):
        if is_asked_of_cell(row):
            one_grid(world, span)
        if row.on_squares:
            on_squares(world, name, span)
        return Typed(x.Builtin(name, (of.expr,), span=span), row.type)
    return _of_thing(world, of, name, span) if of.type.name == "thing" else None


def _of_thing(world: World, of: Typed, name: str, span: Span) -> Typed | None:
    kind = world.kinds[of.type.kind]
    if name == "number":
        number = to_number(world, of)
        return None if number is None else Typed(number, NUMBER)
    if name == "owner" and (kind.piece or kind.copied):
        return Typed(x.OwnerOf(of.expr, span=span), PLAYER)
    if not kind.piece:
        return None
    if name == "space":
        return Typed(x.SpaceOf(of.expr, span=span), space_type(world, kind.name))
    if name == "placed":
        return Typed(x.Placed(of.expr, span=span), FLAG)
    if name == "home":
        return Typed(x.HomeOf(of.expr, span=span), space_type(world, kind.name))
    return None


def space_type(world: World, piece_kind: str) -> Type:
    """What a piece of this kind stands on: a number, a space of a course, or a cell."""
    place = world.places.get(world.places_of.get(piece_kind, ""))
    if place is None or (place.form == "course" and place.kind not in world.kinds):
        return UNKNOWN
    return {"track": NUMBER, "grid": CELL}.get(place.form) or thing(place.kind)


def to_number(world: World, of: Typed) -> x.Expr | None:
    """A piece counts as the number of its space, a numbered thing as its number."""
    if of.type.name != "thing":
        return None
    kind = world.kinds.get(of.type.kind)
    if kind is None:
        return None
    if kind.piece:
        space = Typed(x.SpaceOf(of.expr, span=of.expr.span), space_type(world, kind.name))
        return space.expr if space.type == NUMBER else to_number(world, space)
    return x.NumberOf(of.expr, span=of.expr.span) if kind.numbered else None


def _of_set(world: World, of: Typed, name: str, span: Span, slot: int) -> Typed | None:
    inner = attribute(world, Typed(x.Element(slot), of.type.element), name, span, slot + 1)
    if inner is None:
        return None
    flat = inner.type.is_set
    element = inner.type.element if flat else inner.type
    apart = isinstance(inner.expr, x.PieceOf | x.GroupOf) or (flat and isinstance(inner.expr, x.Stored))
    return Typed(x.Mapped(of.expr, slot, inner.expr, flat, distinct=not apart, span=span), set_of(element))


def attribute_names(world: World, of: Type) -> set[str]:
    """All that `of` (or the element of a set) has, for hints."""
    kind_type = of.element if of.is_set else of
    owner = "player" if kind_type == PLAYER else kind_type.kind
    names = world.owned_names(owner) if owner else set()
    kind = world.kinds.get(kind_type.kind)
    names = names | {row.name for row in builtin_signatures.ATTRIBUTES.values() if row.takes == (kind_type.name,)}
    if kind is not None:
        is_number = to_number(world, Typed(x.Const(None), kind_type)) is not None
        names = names | set(kind.traits) | ({"number"} if is_number else set())
        names = names | ({"owner", "space", "placed", "home"} if kind.piece else {"owner"} if kind.copied else set())
    return names


def is_asked_of_cell(word: builtin_signatures.BuiltIn) -> bool:
    """Whether a word tells of a cell what stands there or near it."""
    return word.takes[0] == "cell" and word.reads_positions


def on_squares(world: World, word: str, span: Span) -> None:
    """What counts columns and rows, or turns by quarters, means nothing where cells have six sides."""
    if any(place.hexagonal for place in world.places.values()):
        world.error("on-hexagons", f"`{word}` is about square cells, and this game has hexagonal ones", span)


def one_grid(world: World, span: Span) -> None:
    """A cell does not say on which grid it lies: what is asked of cells alone needs a game with one."""
    if sum(place.form == "grid" for place in world.places.values()) > 1:
        world.error("several-grids", "this game has several grids, and a cell does not say on which it lies", span)
