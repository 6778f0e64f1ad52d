"""Type inference and checking of expressions: names become what they stand for, every place gets a type.

Bidirectional type inference: `infer` finds the type of an expression, helped by the type
that is wanted; `expect` checks it against that type.  Neither fails: what
cannot be resolved is reported and stands as an unknown constant, so that the
rest is still checked.  How each form is resolved stands in `name_resolution`,
`call_expressions`, `operator_expressions` and `query_expressions`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.model import builtin_signatures
from rulekit.model import expr as x
from rulekit.model.resolve.attributes import to_number
from rulekit.model.resolve.symbol_table import Scope, Typed, World
from rulekit.model.types import CELL, DIRECTION, EMPTY, FLAG, NUMBER, PLAIN, PLAYER, UNKNOWN, Type, fits, set_of, thing
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.unparse_expr import written

Inference = Callable[[Scope, Any, Type | None], Typed]
INFER: dict[type, Inference] = {}
"""How each form of expression is resolved; filled by the modules that say it."""


def infer(scope: Scope, node: nodes.Expr, wanted: Type | None = None) -> Typed:
    """The expression that `node` means; `wanted` helps bare words such as a colour to their meaning."""
    typed = INFER[type(node)](scope, node, wanted)
    if scope.world.watcher is not None:
        scope.world.watcher(scope, node, wanted, typed)
    return typed


def expect(scope: Scope, node: nodes.Expr, wanted: Type) -> x.Expr:
    """`node` as a value of type `wanted`; adds `wrong-type` if it cannot be one."""
    typed = infer(scope, node, wanted)
    hint = (
        f"to ask whether there is one write `{written(nodes.Unary('any', node))}`"
        if wanted == FLAG and typed.type.is_set
        else ""
    )
    return as_type(scope, typed, wanted, node.span, hint)


def as_type(scope: Scope, typed: Typed, wanted: Type, span: Span, hint: str = "") -> x.Expr:
    """A typed expression as a value of type `wanted`; adds `wrong-type` if it cannot be one."""
    result = coerce(scope, typed, wanted)
    if result is None:
        scope.world.error("wrong-type", f"{wanted} is needed here, but this is {typed.type}", span, hint)
        return unknown(span)
    return result


def expect_set(scope: Scope, node: nodes.Expr, wanted: Type | None = None, hint: str = "") -> Typed:
    """`node` as a set of anything; `hint` says what else may be meant."""
    typed = infer(scope, node, set_of(wanted) if wanted else None)
    if typed.type.is_set or typed.type == UNKNOWN:
        return typed
    likely = f"1..{written(node)}" if typed.type == NUMBER else f"[{written(node)}]"
    what = "the numbers up to it" if typed.type == NUMBER else "the set of one"
    hint = hint or f"write `{likely}` for {what}"
    scope.world.error("wrong-type", f"a set is needed here, but this is {typed.type}", node.span, hint)
    return Typed(unknown(node.span), UNKNOWN)


def has_copies(world: World, kind: Type) -> bool:
    """Whether values of a type are cards, of which copies lie in piles."""
    made = world.kinds.get(kind.kind) if kind.name == "thing" else None
    return made is not None and made.copied


def unknown(span: Span) -> x.Expr:
    """What stands for an expression that could not be resolved."""
    return x.Const(None, span=span)


def coerce(scope: Scope, typed: Typed, wanted: Type) -> x.Expr | None:
    """`typed` as a value of `wanted`: a piece counts as its space, a numbered thing as its number."""
    if fits(typed.type, wanted):
        return typed.expr
    if wanted == NUMBER:
        return to_number(scope.world, typed)
    if wanted.name == "thing":
        return _to_thing(scope, typed, wanted)
    if wanted.is_set and typed.type.is_set:
        return _to_set(scope, typed, wanted)
    return None


def _to_thing(scope: Scope, typed: Typed, wanted: Type) -> x.Expr | None:
    kind = scope.world.kinds.get(wanted.kind)
    if typed.type == NUMBER and kind is not None and kind.numbered:
        return x.Lookup(wanted.kind, typed.expr, span=typed.expr.span)
    place = scope.world.places.get(scope.world.places_of.get(typed.type.kind, ""))
    if place is not None and place.kind == wanted.kind:
        return x.SpaceOf(typed.expr, span=typed.expr.span)
    return None


def _to_set(scope: Scope, typed: Typed, wanted: Type) -> x.Expr | None:
    if wanted == EMPTY:
        return None
    slot = len(scope.elements)
    inner = coerce(scope, Typed(x.Element(slot), typed.type.element), wanted.element)
    if inner is None:
        return None
    return x.Mapped(typed.expr, slot, inner, flat=False, distinct=False, span=typed.expr.span)


def arguments(
    scope: Scope, parameters: tuple[nodes.Parameter, ...], args: tuple[nodes.Expr, ...], name: str, span: Span
) -> tuple[x.Expr, ...]:
    """The arguments of a call, each of its parameter's type; adds `arguments` if there are too many or few."""
    if len(args) != len(parameters):
        title = f"`{name}` takes {len(parameters)} argument{'s' * (len(parameters) != 1)}, not {len(args)}"
        scope.world.error("arguments", title, span)
    pairs = zip(args, parameters, strict=False)
    return tuple(expect(scope, arg, parameter_type(scope.world, parameter)) for arg, parameter in pairs)


def parameter_type(world: World, parameter: nodes.Parameter) -> Type:
    """`player`, or a kind's name, is its own type; `x of KIND` one of it; `x of SET`, or of a place, a set."""
    name = parameter.of or parameter.name
    if name in PLAIN:
        return PLAIN[name]
    if name in builtin_signatures.SEAT_SETS:
        return set_of(PLAYER)
    if name in builtin_signatures.DIRECTION_SETS:
        return set_of(DIRECTION)
    if name in world.sets:
        return world.sets[name].type
    if ("", name) in world.by_owner and world.variables[world.by_owner["", name]].form == "group":
        return world.variables[world.by_owner["", name]].type
    if name in world.kinds:
        # Of pieces on a place that is not there nothing is known; that was told where they are declared.
        return thing(name) if world.places_of.get(name, "") in {"", *world.places} else UNKNOWN
    if name in world.places:
        return _spaces_of(world, name)
    candidates = {*PLAIN, *builtin_signatures.SEAT_SETS, *world.sets, *world.kinds, *world.places}
    world.unknown(name, parameter.span, "kind or set", candidates)
    return UNKNOWN


def _spaces_of(world: World, name: str) -> Type:
    """The type of a set of spaces of a track or course, or of cells of a grid."""
    place = world.places[name]
    element = {"track": NUMBER, "grid": CELL}.get(place.form)
    if element is None:
        element = thing(place.kind) if place.kind in world.kinds else UNKNOWN
    return set_of(element)


def on_form(world: World, kind: Type, form: str) -> bool:
    """Whether things of this type are pieces on a place of this form."""
    place = world.places.get(world.places_of.get(kind.kind, ""))
    return kind.name == "thing" and place is not None and place.form == form
