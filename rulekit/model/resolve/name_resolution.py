"""Name resolution of literals and bare names.

Innermost scope first, then the game's own names, then members of the kind
that is wanted.
"""

from __future__ import annotations

from rulekit.diagnostics import nearest
from rulekit.model import builtin_signatures
from rulekit.model import expr as x
from rulekit.model.resolve.attributes import attribute, attribute_names
from rulekit.model.resolve.call_expressions import invoke
from rulekit.model.resolve.symbol_table import Scope, Typed, World
from rulekit.model.resolve.type_inference import INFER, coerce, unknown
from rulekit.model.types import (
    CELL,
    DIRECTION,
    FLAG,
    NOTHING,
    NUMBER,
    PLAYER,
    UNKNOWN,
    Type,
    set_of,
    thing,
)
from rulekit.source import Span
from rulekit.syntax import nodes


def _number(scope: Scope, node: nodes.Number, wanted: Type | None) -> Typed:
    return Typed(x.Const(node.value, span=node.span), NUMBER)


def _flag(scope: Scope, node: nodes.Flag, wanted: Type | None) -> Typed:
    return Typed(x.Const(node.value, span=node.span), FLAG)


def _nothing(scope: Scope, node: nodes.Nothing, wanted: Type | None) -> Typed:
    return Typed(x.Const(None, span=node.span), NOTHING)


def _word(scope: Scope, node: nodes.Word, wanted: Type | None) -> Typed:
    found = named(scope, node)
    if found is not None and (wanted is None or coerce(scope, found, wanted) is not None):
        return found
    by_type = _member(scope, node, wanted) if wanted is not None else None
    if by_type is not None:
        return by_type
    if found is not None:
        return found
    anywhere = _unique_member(scope, node)
    if anywhere is not None:
        return anywhere
    place = scope.world.places.get(node.name)
    if place is not None:
        return _endless(scope, node, place.form)
    if any(not e.bare and node.name in attribute_names(scope.world, e.type) for e in scope.elements):
        hint = f"write `it.{node.name}`, or use `whose` in place of `where`"
        scope.world.error("unknown-name", f"there is no name called `{node.name}`", node.span, hint)
        return Typed(unknown(node.span), UNKNOWN)
    if any(looked.bare and looked.type == UNKNOWN for looked in scope.elements):
        return Typed(unknown(node.span), UNKNOWN)
    if hint := _of_context(scope, node.name):
        scope.world.error("unknown-name", f"there is no name called `{node.name}` here", node.span, hint)
        return Typed(unknown(node.span), UNKNOWN)
    candidates, likely = _candidates(scope, wanted), _likely(scope, wanted)
    if nearest(node.name, likely) or not nearest(node.name, candidates):
        candidates = likely or candidates - set(builtin_signatures.FUNCTIONS)
    scope.world.unknown(node.name, node.span, "name", candidates)
    return Typed(unknown(node.span), UNKNOWN)


def _of_context(scope: Scope, name: str) -> str:
    """What to write for a word that means something elsewhere, or for the kind of what a query looks at."""
    depths = [depth for depth, looked in enumerate(scope.elements, 1) if name in called(looked.type)]
    if depths and depths[-1] == len(scope.elements):
        return "the one that is looked at here is `it`"
    if depths:
        plural = "players" if name in ("player", "owner") else "S"
        return f"`it` is the innermost; give the {name} outside a name: `{plural} as p …`, and write `p` here"
    if name in builtin_signatures.OUTCOME:
        return "only a scenario may ask for it: a match has no end yet while its rules run"
    return builtin_signatures.CONTEXT.get(name, "")


def called(kind: Type) -> tuple[str, ...]:
    """The words by which people call one of these."""
    return ("player", "owner") if kind == PLAYER else (kind.kind,)


def _endless(scope: Scope, node: nodes.Word, form: str) -> Typed:
    """A place that is no set: adds `wrong-type`, unless what is wrong with the place was told."""
    if form != "course":
        what = "cells" if form == "grid" else "spaces"
        hint = f"a {form} with a size is the set of its {what}"
        scope.world.error("wrong-type", f"`{node.name}` has no end, so its {what} are no set", node.span, hint)
    return Typed(unknown(node.span), UNKNOWN)


def _likely(scope: Scope, wanted: Type | None) -> set[str]:
    """The names that stand for values of the type that is wanted, if they are few and known."""
    kind_type = (wanted.element if wanted.is_set else wanted) if wanted is not None else UNKNOWN
    if kind_type == DIRECTION:
        return set(builtin_signatures.DIRECTIONS)
    if kind_type.name == "reading":
        index = scope.world.option_index(kind_type.kind)
        return {name for name, _ in scope.world.options[index].readings} if index is not None else set()
    kind = scope.world.kinds.get(kind_type.kind)
    return {member.key for member in kind.members} if kind is not None else set()


def _candidates(scope: Scope, wanted: Type | None) -> set[str]:
    names = {*scope.local_names(), *scope.world.global_names(), *scope.seats, *builtin_signatures.EVERYWHERE}
    names |= set(builtin_signatures.OUTCOME) if scope.seats else set()
    for looked in scope.elements:
        names |= attribute_names(scope.world, looked.type) if looked.bare else {looked.name or "it"}
    kind = scope.world.kinds.get((wanted.element if wanted and wanted.is_set else wanted or UNKNOWN).kind)
    return names | ({member.key for member in kind.members} if kind else set())


def named(scope: Scope, node: nodes.Word) -> Typed | None:
    """What a bare word means by itself, innermost first; None if nothing."""
    for index in range(len(scope.elements) - 1, -1, -1):
        looked = scope.elements[index]
        if node.name == (looked.name or "it") or (node.name == "it" and index == len(scope.elements) - 1):
            return Typed(x.Element(index, span=node.span), looked.type)
        if looked.bare:
            element = Typed(x.Element(index), looked.type)
            found = attribute(scope.world, element, node.name, node.span, len(scope.elements))
            if found is not None:
                _check_shadow(scope, node)
                return found
    local = scope.local(node.name)
    if local is not None:
        return Typed(x.Local(local[0], local[0] in scope.declinable, span=node.span), local[1])
    return _global(scope, node)


def _check_shadow(scope: Scope, node: nodes.Word) -> None:
    if scope.local(node.name) is not None:
        title = f"`{node.name}` could be the element's own or the `{node.name}` named above"
        scope.world.error("ambiguous-name", title, node.span, "use `where` with `it.…`, or give the other another name")


def _global(scope: Scope, node: nodes.Word) -> Typed | None:
    world, name, span = scope.world, node.name, node.span
    if name in scope.seats:
        return Typed(x.Const(scope.seats.index(name), span=span), PLAYER)
    index = world.option_index(name)
    if index is not None:
        return Typed(x.OptionValue(index, span=span), world.options[index].type)
    if ("", name) in world.by_owner:
        return attribute(world, None, name, span, len(scope.elements))
    if name in world.defines and not (world.defines[name].parameters and _is_member(world, name)):
        return invoke(scope, name, (), span)
    return _set_by_name(scope, name, span)


def _is_member(world: World, name: str) -> bool:
    """Whether a word names a member of a kind: a define of that name that takes something is called with brackets."""
    return any(name in world.keys_of(kind) for kind in world.kinds.values())


def _set_by_name(scope: Scope, name: str, span: Span) -> Typed | None:
    world = scope.world
    if name in builtin_signatures.SEAT_SETS:
        return Typed(x.Seats(name, span=span), set_of(PLAYER))
    if name in builtin_signatures.SEAT_WORDS or (scope.seats and name in builtin_signatures.OUTCOME):
        return Typed(x.Builtin(name, (), span=span), builtin_signatures.WORDS[name].type)
    if name in world.sets:
        return world.sets[name].at(span)
    if name in world.kinds:
        return Typed(x.AllOf(name, span=span), set_of(thing(name)))
    if name in world.dice:
        return world.dice[name]
    if name in world.places:
        return _spaces(scope, name, span)
    if name in builtin_signatures.DIRECTIONS:
        return Typed(x.Direction(builtin_signatures.DIRECTIONS[name], span=span), DIRECTION)
    if name in builtin_signatures.DIRECTION_SETS:
        ways = tuple(builtin_signatures.DIRECTIONS[way] for way in builtin_signatures.DIRECTION_SETS[name])
        return Typed(x.Const(ways, span=span), set_of(DIRECTION))
    return None


def _spaces(scope: Scope, name: str, span: Span) -> Typed | None:
    place = scope.world.places[name]
    if place.form == "course" and place.kind in scope.world.kinds:
        return Typed(x.AllOf(place.kind, span=span), set_of(thing(place.kind)))
    if place.form == "track" and place.high is not None:
        return Typed(x.Spaces(place.low, place.high, span=span), set_of(NUMBER))
    if place.form == "grid" and place.width is not None and place.height is not None:
        return Typed(x.Cells(name, span=span), set_of(CELL))
    return None


def _member(scope: Scope, node: nodes.Word, wanted: Type) -> Typed | None:
    """A word looked up among the values of the type that is wanted."""
    kind_type = wanted.element if wanted.is_set else wanted
    if kind_type.name == "reading":
        option = scope.world.options[scope.world.option_index(kind_type.kind) or 0]
        names = [name for name, _ in option.readings]
        if node.name in names:
            return Typed(x.Const(names.index(node.name), span=node.span), kind_type)
        return None
    return _key(scope, kind_type.kind, node)


def _key(scope: Scope, kind_name: str, node: nodes.Word) -> Typed | None:
    kind = scope.world.kinds.get(kind_name)
    index = None if kind is None else scope.world.keys_of(kind).get(node.name)
    if kind is None or index is None:
        return None
    return Typed(x.Const(kind.base + index, span=node.span), thing(kind_name))


def _unique_member(scope: Scope, node: nodes.Word) -> Typed | None:
    found = [typed for kind in scope.world.kinds if (typed := _key(scope, kind, node)) is not None]
    if len(found) > 1:
        kinds = " and ".join(sorted(typed.type.kind for typed in found))
        scope.world.error("ambiguous-name", f"`{node.name}` is a member of several kinds: {kinds}", node.span)
    return found[0] if found else None


INFER.update(
    {
        nodes.Number: _number,
        nodes.Flag: _flag,
        nodes.Nothing: _nothing,
        nodes.Word: _word,
    }
)
