"""Histories: what is compared each time a situation is noted, and how often it can be."""

from __future__ import annotations

from rulekit import limits
from rulekit.model import game as model
from rulekit.model.resolve import type_inference
from rulekit.model.resolve.constants import bounds
from rulekit.model.resolve.symbol_table import Scope, Typed, World
from rulekit.model.types import HISTORY, UNKNOWN, Type
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.values import evolve

VALUES = 8192
"""So many different things may be said of one piece beside where it stands: positions are written as numbers."""
_SINGLE = ("number", "flag", "player", "direction", "cell")


def declared(world: World, node: nodes.History, made: model.Variable) -> model.Variable:
    if made.owner:
        world.error("wrong-type", "a history is the game's: what was there before is one for all", node.span)
    index = node.index
    first, last = 1, 1
    if isinstance(index, nodes.Reach):
        low, high = bounds(world, nodes.Bounds(index.low, index.high, span=index.span), "the places of a history")
        first, last = low, low if high is None else high
    if not isinstance(index, nodes.Reach) or first != 1 or not 1 <= last <= limits.SET:
        hint = "write `for 1..80`, with how often a situation is noted at the most"
        world.error("not-a-literal", "nobody knows how much is to be remembered", index.span, hint)
        last = 1
    return evolve(made, form="history", type=HISTORY, first=1, last=min(last, limits.SET))


def completed(world: World, node: nodes.History, variable: model.Variable) -> model.Variable:
    """With what is compared, once every name is known."""
    found = [_compared(world, type_inference.infer(Scope(world), part), part.span) for part in node.parts]
    return evolve(variable, compared=tuple(found))


def _compared(world: World, part: Typed, span: Span) -> model.Compared:
    kind = part.type.element.kind if part.type.is_set else ""
    if kind in world.places_of:
        _check_pieces(world, kind, span)
        return model.Compared(part.expr, kind)
    if part.type.kind in world.places_of:
        title, hint = "a piece is no situation", "name the pieces, all of which are compared, or `piece.space`"
        world.error("wrong-type", title, span, hint)
    elif part.type != UNKNOWN and part.type.name not in (*_SINGLE, "thing"):
        hint = "numbers, flags, players, things, cells and sets of pieces are"
        world.error("wrong-type", f"{part.type} is not compared by a history", span, hint)
    return model.Compared(part.expr, printed=part.type.name == "thing")


def _check_pieces(world: World, kind: str, span: Span) -> None:
    """Where they stand and all that each of them has must be open, and few enough to be written as a number."""
    place = world.places.get(world.places_of[kind])
    if place is not None and place.form == "grid" and place.width is None:
        hint = "a `snapshot` of them is compared by `alike`, up to a shift"
        world.error("wrong-type", f"`{place.name}` has no edges, and a history compares cells as they are", span, hint)
    elif place is not None and place.form == "track" and place.high is None:
        world.error("wrong-type", f"`{place.name}` has no end, and a history compares its spaces", span)
    several = 1
    for variable in world.variables:
        if variable.owner == kind:
            several *= _several(world, variable, span)
    if several > VALUES:
        title = f"each {kind} has {several} values beside its place; a history compares at most {VALUES}"
        world.error("too-many", title, span)


def _several(world: World, variable: model.Variable, span: Span) -> int:
    """How many values a variable of a piece can have, nothing included."""
    if variable.seen != model.PUBLIC:
        world.error("wrong-type", f"not everybody sees `{variable.name}`, and a history is open to all", span)
    if variable.form == "flag":
        return 3
    if variable.form == "counter" and variable.low is not None and variable.high is not None:
        return variable.high - variable.low + 2
    if variable.form == "value" and (size := _members(world, variable.type)):
        return size + 1
    hint = "flags, counters with both bounds, and values of players, directions and kinds are"
    world.error("wrong-type", f"`{variable.name}` is not compared by a history", span, hint)
    return 1


def _members(world: World, kind: Type) -> int:
    """How many values there are of a type; 0 where that is not known here."""
    if kind.name == "player":
        return limits.SEATS
    if kind.name == "direction":
        return 9
    found = world.kinds.get(kind.kind)
    return len(found.members) if found is not None and not found.copied else 0
