"""Expressions: names become what they stand for, every place gets a type.

`infer` never fails: what cannot be resolved is reported and stands as an
unknown constant, so that the rest is still checked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.diagnostics import nearest
from rulekit.model import expr as x
from rulekit.model import words
from rulekit.model.attributes import attribute, attribute_names, space_type, to_number
from rulekit.model.types import (
    CELL,
    DIRECTION,
    FLAG,
    NOTHING,
    NUMBER,
    OFFSET,
    PLAYER,
    UNKNOWN,
    Type,
    fits,
    set_of,
    thing,
)
from rulekit.model.world import Looked, Scope, Typed, World
from rulekit.source import Span
from rulekit.syntax import nodes

DEPTH = 16
"""Queries inside one another."""


def infer(scope: Scope, node: nodes.Expr, wanted: Type | None = None) -> Typed:
    """The expression that `node` means; `wanted` helps bare words such as a colour to their meaning."""
    return _INFER[type(node)](scope, node, wanted)


def expect(scope: Scope, node: nodes.Expr, wanted: Type) -> x.Expr:
    """`node` as a value of type `wanted`; adds `wrong-type` if it cannot be one."""
    return as_type(scope, infer(scope, node, wanted), wanted, node.span)


def as_type(scope: Scope, typed: Typed, wanted: Type, span: Span) -> x.Expr:
    """A typed expression as a value of type `wanted`; adds `wrong-type` if it cannot be one."""
    result = coerce(scope, typed, wanted)
    if result is None:
        scope.world.error("wrong-type", f"{wanted} is needed here, but this is {typed.type}", span)
        return _unknown(span)
    return result


def expect_set(scope: Scope, node: nodes.Expr, wanted: Type | None = None) -> Typed:
    """`node` as a set of anything."""
    typed = infer(scope, node, set_of(wanted) if wanted else None)
    if typed.type.is_set or typed.type == UNKNOWN:
        return typed
    scope.world.error("wrong-type", f"a set is needed here, but this is {typed.type}", node.span, _set_hint(typed))
    return Typed(_unknown(node.span), set_of(UNKNOWN))


def _set_hint(typed: Typed) -> str:
    return "write `1..n` for the numbers up to n" if typed.type == NUMBER else "write `[x]` for the set of one"


def _unknown(span: Span) -> x.Expr:
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
    slot = len(scope.elements)
    inner = coerce(scope, Typed(x.Element(slot), typed.type.element), wanted.element)
    if inner is None:
        return None
    return x.Mapped(typed.expr, slot, inner, flat=False, distinct=False, span=typed.expr.span)


# ---------------------------------------------------------------- literals and names


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
    if any(not e.bare and node.name in attribute_names(scope.world, e.type) for e in scope.elements):
        hint = f"write `it.{node.name}`, or use `whose` in place of `where`"
        scope.world.error("unknown-name", f"there is no name called `{node.name}`", node.span, hint)
        return Typed(_unknown(node.span), UNKNOWN)
    candidates = _candidates(scope, wanted)
    if not nearest(node.name, candidates):
        candidates = _likely(scope, wanted) or candidates - set(words.FUNCTIONS)
    scope.world.unknown(node.name, node.span, "name", candidates)
    return Typed(_unknown(node.span), UNKNOWN)


def _likely(scope: Scope, wanted: Type | None) -> set[str]:
    """The names that stand for values of the type that is wanted, if they are few and known."""
    kind_type = (wanted.element if wanted.is_set else wanted) if wanted is not None else UNKNOWN
    if kind_type == DIRECTION:
        return set(words.DIRECTIONS)
    if kind_type.name == "reading":
        index = scope.world.option_index(kind_type.kind)
        return {name for name, _ in scope.world.options[index].readings} if index is not None else set()
    kind = scope.world.kinds.get(kind_type.kind)
    return {member.key for member in kind.members} if kind is not None else set()


def _candidates(scope: Scope, wanted: Type | None) -> set[str]:
    names = scope.local_names() | scope.world.global_names() | set(words.SEAT_SETS) | set(scope.seats)
    names |= set(words.FUNCTIONS) | set(words.DIRECTIONS) | set(words.DIRECTION_SETS) | {"starter"}
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
        return Typed(x.Local(local[0], span=node.span), local[1])
    return _global(scope, node)


def _check_shadow(scope: Scope, node: nodes.Word) -> None:
    if scope.local(node.name) is not None:
        title = f"`{node.name}` could be the element's own or the `{node.name}` named above"
        scope.world.error("ambiguous-name", title, node.span, "use `where` with `it.…`, or give the other another name")


def _global(scope: Scope, node: nodes.Word) -> Typed | None:
    world, name, span = scope.world, node.name, node.span
    world.used.add(name)
    if name in scope.seats:
        return Typed(x.Const(scope.seats.index(name), span=span), PLAYER)
    index = world.option_index(name)
    if index is not None:
        return Typed(x.OptionValue(index, span=span), world.options[index].type)
    if ("", name) in world.by_owner:
        return attribute(world, None, name, span, len(scope.elements))
    if name in world.defines:
        return _invoke(scope, name, (), span)
    return _set_by_name(scope, name, span)


def _set_by_name(scope: Scope, name: str, span: Span) -> Typed | None:
    world = scope.world
    if name in words.SEAT_SETS:
        return Typed(x.Seats(name, span=span), set_of(PLAYER))
    if name in ("starter", "answered_last"):
        return Typed(x.Builtin(name, (), span=span), PLAYER)
    if scope.seats and name in words.OUTCOME:
        return Typed(x.Builtin(name, (), span=span), FLAG if name == "game_over" else set_of(PLAYER))
    if name in world.sets:
        return world.sets[name].at(span)
    if name in world.kinds:
        return Typed(x.AllOf(name, span=span), set_of(thing(name)))
    if name in world.dice:
        return world.dice[name]
    if name in world.places:
        return _spaces(scope, name, span)
    if name in words.DIRECTIONS:
        return Typed(x.Const(words.DIRECTIONS[name], span=span), DIRECTION)
    if name in words.DIRECTION_SETS:
        ways = tuple(words.DIRECTIONS[way] for way in words.DIRECTION_SETS[name])
        return Typed(x.Const(ways, span=span), set_of(DIRECTION))
    return None


def _spaces(scope: Scope, name: str, span: Span) -> Typed | None:
    place = scope.world.places[name]
    if place.form == "course" and place.kind in scope.world.kinds:
        return Typed(x.AllOf(place.kind, span=span), set_of(thing(place.kind)))
    if place.form == "track" and place.high is not None:
        return Typed(x.Spaces(place.low, place.high, span=span), set_of(NUMBER))
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
    for index, member in enumerate(kind.members if kind else ()):
        if member.key == node.name and kind is not None:
            return Typed(x.Const(kind.base + index, span=node.span), thing(kind_name))
    return None


def _unique_member(scope: Scope, node: nodes.Word) -> Typed | None:
    found = [typed for kind in scope.world.kinds if (typed := _key(scope, kind, node)) is not None]
    if len(found) > 1:
        kinds = " and ".join(sorted(typed.type.kind for typed in found))
        scope.world.error("ambiguous-name", f"`{node.name}` is a member of several kinds: {kinds}", node.span)
    return found[0] if found else None


# ---------------------------------------------------------------- postfix forms


def _attribute(scope: Scope, node: nodes.Attribute, wanted: Type | None) -> Typed:
    of = infer(scope, node.of)
    if of.type == UNKNOWN or (of.type.element == UNKNOWN and of.type.is_set):
        return Typed(_unknown(node.span), UNKNOWN)
    found = attribute(scope.world, of, node.name, node.span, len(scope.elements))
    if found is None:
        names = attribute_names(scope.world, of.type)
        shown = of.type.element if of.type.is_set else of.type
        if node.name not in scope.world.lost:
            hint = nearest(node.name, names) or (f"it has: {', '.join(sorted(names))}" if names else "")
            scope.world.error("unknown-attribute", f"{shown} has no `{node.name}`", node.span, hint)
        return Typed(_unknown(node.span), UNKNOWN)
    scope.world.used.add(node.name)
    return found


def _call(scope: Scope, node: nodes.Call, wanted: Type | None) -> Typed:
    if not isinstance(node.function, nodes.Word):
        scope.world.error("not-a-word", "only a named word can be called", node.span)
        return Typed(_unknown(node.span), UNKNOWN)
    name = node.function.name
    if name in scope.world.defines:
        return _invoke(scope, name, node.args, node.span)
    if name in words.FUNCTIONS:
        return _builtin(scope, words.FUNCTIONS[name], node)
    if name in scope.world.actions:
        hint = f"an action is called by `do {name}(…)`; `possible {name}(…)` asks whether it can be carried through"
        scope.world.error("not-a-word", f"`{name}` is an action, not a value", node.span, hint)
    else:
        candidates = set(scope.world.defines) | set(words.FUNCTIONS)
        scope.world.unknown(name, node.function.span, "define or built-in word", candidates)
    return Typed(_unknown(node.span), UNKNOWN)


def _invoke(scope: Scope, name: str, args: tuple[nodes.Expr, ...], span: Span) -> Typed:
    from rulekit.model.declare import resolve_define

    scope.world.used.add(name)
    resolved = resolve_define(scope.world, name, span)
    if resolved is None:
        return Typed(_unknown(span), UNKNOWN)
    index, define = resolved
    values = arguments(scope, scope.world.defines[name].parameters, args, name, span)
    return Typed(x.Invoke(index, values, span=span), define.type)


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
    """`player`, or a kind's name, is its own type; `x of KIND` one of it; `x of SET` a set."""
    name = parameter.of or parameter.name
    plain = {"number": NUMBER, "flag": FLAG, "player": PLAYER, "direction": DIRECTION, "cell": CELL, "offset": OFFSET}
    if name in plain:
        return plain[name]
    if name in words.SEAT_SETS:
        return set_of(PLAYER)
    if name in words.DIRECTION_SETS:
        return set_of(DIRECTION)
    if name in world.sets:
        world.used.add(name)
        return world.sets[name].type
    if ("", name) in world.by_owner and world.variables[world.by_owner["", name]].form == "group":
        return world.variables[world.by_owner["", name]].type
    if name in world.kinds:
        world.used.add(name)
        return thing(name)
    candidates = set(plain) | set(words.SEAT_SETS) | set(world.sets) | set(world.kinds)
    world.unknown(name, parameter.span, "kind or set", candidates)
    return UNKNOWN


def _builtin(scope: Scope, word: words.BuiltIn, node: nodes.Call) -> Typed:
    if len(node.args) != len(word.takes):
        title = f"`{word.name}` takes {len(word.takes)} argument{'s' * (len(word.takes) != 1)}, not {len(node.args)}"
        scope.world.error("arguments", title, node.span)
        return Typed(_unknown(node.span), UNKNOWN)
    args = [infer(scope, arg) for arg in node.args]
    if word.name == "neighbours":
        one_grid(scope.world, node.span)
    set_type = next((arg.type for arg, takes in zip(args, word.takes, strict=True) if takes == "set"), UNKNOWN)
    given = zip(args, word.takes, node.args, strict=True)
    values = tuple(_argument(scope, arg, takes, set_type, n) for arg, takes, n in given)
    if word.takes[0] == "piece":
        _check_place(scope, word, args[0], node.args[0])
    if word.gives == "set piece":
        _check_one_kind(scope.world, word, node.span)
    return Typed(x.Builtin(word.name, values, span=node.span), _result(scope, word, args))


def _argument(scope: Scope, arg: Typed, takes: str, set_type: Type, node: nodes.Expr) -> x.Expr:
    ok: x.Expr | None = arg.expr
    if takes in ("number", "player", "direction", "cell"):
        ok = coerce(scope, arg, Type(takes))
        if takes == "cell" and _is_piece(scope, arg.type):
            ok = x.SpaceOf(arg.expr, span=arg.expr.span)
    elif takes == "element":
        ok = coerce(scope, arg, set_type.element)
    elif takes == "set":
        ok = arg.expr if arg.type.is_set or arg.type == UNKNOWN else None
    elif takes == "directions":
        ok = arg.expr if fits(arg.type, set_of(DIRECTION)) else None
    elif takes in ("piece", "space"):
        ok = arg.expr if arg.type.name in ("thing", "unknown") else None
        if takes == "space" and ok is not None and _is_piece(scope, arg.type):
            ok = x.SpaceOf(arg.expr, span=arg.expr.span) if on_form(scope.world, arg.type, "course") else None
    elif takes == "pieces":
        # One piece or cell is a set of one.
        one = x.Listed((arg.expr,), span=arg.expr.span) if _stands(scope, arg.type) or arg.type == CELL else None
        many = arg.type == UNKNOWN or (arg.type.is_set and _stands(scope, arg.type.element))
        ok = arg.expr if many else one
    elif takes == "snapshot":
        ok = arg.expr if arg.type.name in ("snapshot", "unknown") else None
    if ok is None:
        wanted = {
            "pieces": "a piece or set of pieces on a grid",
            "directions": "a set of directions",
            "element": str(set_type.element),
        }
        title = f"{wanted.get(takes, 'a ' + takes)} is needed here, but this is {arg.type}"
        scope.world.error("wrong-type", title, node.span)
    return ok or _unknown(node.span)


def _check_place(scope: Scope, word: words.BuiltIn, piece: Typed, node: nodes.Expr) -> None:
    """Words with a direction are about grids, the others that take a piece about courses."""
    form = "grid" if "direction" in word.takes else "course"
    if piece.type.name == "thing" and not on_form(scope.world, piece.type, form):
        title = f"`{word.name}` needs a piece on a {form}, but this is {piece.type}"
        scope.world.error("wrong-type", title, node.span)


def _check_one_kind(world: World, word: words.BuiltIn, span: Span) -> None:
    """What stands on a cell has a type only where all pieces of the grid are of one kind."""
    grids = [name for name, place in world.places.items() if place.form == "grid"]
    for grid in grids:
        kinds = sorted(kind for kind, place in world.places_of.items() if place == grid)
        if len(kinds) > 1:
            title = f"`{word.name}` gives pieces of one kind, but on `{grid}` stand several: {', '.join(kinds)}"
            world.error("several-kinds", title, span, "declare one kind, and tell its pieces apart by a trait")


def one_grid(world: World, span: Span) -> None:
    """A cell does not say on which grid it lies: what is asked of cells alone needs a game with one."""
    if sum(place.form == "grid" for place in world.places.values()) > 1:
        world.error("several-grids", "this game has several grids, and a cell does not say on which it lies", span)


def _stands(scope: Scope, kind: Type) -> bool:
    """Whether things of this type have a cell: pieces of a grid, or cells."""
    return kind in (CELL, UNKNOWN) or on_form(scope.world, kind, "grid")


def on_form(world: World, kind: Type, form: str) -> bool:
    """Whether things of this type are pieces on a place of this form."""
    place = world.places.get(world.places_of.get(kind.kind, ""))
    return kind.name == "thing" and place is not None and place.form == form


def _is_piece(scope: Scope, kind: Type) -> bool:
    return kind.kind in scope.world.places_of


def _result(scope: Scope, word: words.BuiltIn, args: list[Typed]) -> Type:
    first = args[0].type
    piece = first.element if first.is_set else first
    if word.name == "neighbours":
        standing = [kind for kind in scope.world.places_of if on_form(scope.world, thing(kind), "grid")]
        piece = thing(standing[0]) if standing else UNKNOWN
    place = scope.world.places.get(scope.world.places_of.get(piece.kind, ""))
    space = space_type(scope.world, piece.kind) if place is not None else piece
    fixed = {"number": NUMBER, "flag": FLAG, "cell": CELL, "number?": NUMBER, "same": first}
    sets = {"set space": space, "set piece": piece, "set cell": CELL, "set offset": OFFSET, "set pieces": set_of(piece)}
    return fixed[word.gives] if word.gives in fixed else set_of(sets[word.gives])


def _item(scope: Scope, node: nodes.Item, wanted: Type | None) -> Typed:
    of = infer(scope, node.of)
    if isinstance(of.expr, x.Stored) and scope.world.variables[of.expr.variable].form == "list":
        return Typed(x.ItemOf(of.expr, _list_index(scope, of.expr, node), span=node.span), NUMBER)
    if not of.type.is_set:
        if of.type != UNKNOWN:
            scope.world.error("wrong-type", f"only a set has items, and this is {of.type}", node.span)
        return Typed(_unknown(node.span), UNKNOWN)
    kind = scope.world.kinds.get(of.type.element.kind)
    index = infer(scope, node.index, of.type.element)
    if index.type.is_set:
        return Typed(x.Builtin("slice", (of.expr, index.expr), span=node.span), of.type)
    if kind is not None and isinstance(of.expr, x.AllOf | x.Const) and kind.numbered:
        key = expect(scope, node.index, NUMBER)
        return Typed(x.Lookup(kind.name, key, span=node.span), of.type.element)
    if index.type == of.type.element and index.type.name == "thing":
        return Typed(index.expr, of.type.element)
    number = coerce(scope, index, NUMBER)
    if number is None:
        scope.world.error("wrong-type", f"a number is needed here, but this is {index.type}", node.index.span)
    return Typed(x.ItemOf(of.expr, number or _unknown(node.span), span=node.span), of.type.element)


def _list_index(scope: Scope, of: x.Stored, node: nodes.Item) -> x.Expr:
    index = expect(scope, node.index, NUMBER)
    first = scope.world.variables[of.variable].first
    return index if first == 1 else x.Arithmetic("-", index, x.Const(first - 1), span=node.span)


def _listing(scope: Scope, node: nodes.Listing, wanted: Type | None) -> Typed:
    element = wanted.element if wanted is not None and wanted.is_set else None
    items = [infer(scope, item, element) for item in node.items]
    kind = element or next((item.type for item in items if item.type not in (UNKNOWN, NOTHING)), UNKNOWN)
    exprs = [coerce(scope, item, kind) for item in items]
    if any(e is None for e in exprs) and items:
        kind = next((item.type for item in items if item.type != NOTHING), NOTHING)
        exprs = [coerce(scope, item, kind) for item in items]
    for item, result, n in zip(items, exprs, node.items, strict=True):
        if result is None:
            scope.world.error("wrong-type", f"{kind} is needed here, but this is {item.type}", n.span)
    return Typed(x.Listed(tuple(e or _unknown(node.span) for e in exprs), span=node.span), set_of(kind))


def _reach(scope: Scope, node: nodes.Reach, wanted: Type | None) -> Typed:
    low, high = expect(scope, node.low, NUMBER), expect(scope, node.high, NUMBER)
    return Typed(x.Interval(low, high, span=node.span), set_of(NUMBER))


# ---------------------------------------------------------------- operators


def _unary(scope: Scope, node: nodes.Unary, wanted: Type | None) -> Typed:
    if node.op == "not":
        return Typed(x.Not(expect(scope, node.of, FLAG), span=node.span), FLAG)
    if node.op == "-":
        return Typed(x.Negative(expect(scope, node.of, NUMBER), span=node.span), NUMBER)
    if node.op == "possible":
        return _possible(scope, node)
    of = expect_set(scope, node.of, wanted if node.op in ("first", "last") else None)
    if node.op == "count":
        return Typed(x.Count(of.expr, span=node.span), NUMBER)
    if node.op in ("any", "no"):
        return Typed(x.Some(of.expr, node.op == "no", span=node.span), FLAG)
    return Typed(x.End(of.expr, node.op == "last", span=node.span), of.type.element)


def _possible(scope: Scope, node: nodes.Unary) -> Typed:
    call = node.of
    name = call.function.name if isinstance(call, nodes.Call) and isinstance(call.function, nodes.Word) else None
    name = call.name if isinstance(call, nodes.Word) else name
    if name is None:
        scope.world.error("not-a-word", "`possible` asks about an action, and this is none", node.span)
        return Typed(_unknown(node.span), FLAG)
    if name not in scope.world.actions:
        scope.world.unknown(name, node.span, "action", set(scope.world.actions))
        return Typed(_unknown(node.span), FLAG)
    args = call.args if isinstance(call, nodes.Call) else ()
    scope.world.used.add(name)
    values = arguments(scope, scope.world.actions[name].parameters, args, name, node.span)
    return Typed(x.Possible(scope.world.code_ids[name], values, span=node.span), FLAG)


def _binary(scope: Scope, node: nodes.Binary, wanted: Type | None) -> Typed:
    if node.op in ("and", "or"):
        left, right = expect(scope, node.left, FLAG), expect(scope, node.right, FLAG)
        made = x.Both if node.op == "and" else x.Either
        return Typed(made(left, right, span=node.span), FLAG)
    if node.op in ("is", "is not"):
        return _same(scope, node)
    if node.op in ("in", "not in"):
        return _among(scope, node)
    if node.op in ("below", "above", "at least", "at most"):
        left, right = expect(scope, node.left, NUMBER), expect(scope, node.right, NUMBER)
        return Typed(x.Compare(node.op, left, right, span=node.span), FLAG)
    return _arithmetic(scope, node, wanted)


def _arithmetic(scope: Scope, node: nodes.Binary, wanted: Type | None) -> Typed:
    # Each side is resolved once only: twice at every level would double the work with every operator.
    left = infer(scope, node.left, wanted if node.op == "+" else NUMBER)
    if node.op == "+" and left.type.is_set:
        right = expect(scope, node.right, left.type)
        return Typed(x.Union(left.expr, right, span=node.span), left.type, left.name)
    value = as_type(scope, left, NUMBER, node.left.span)
    return Typed(x.Arithmetic(node.op, value, expect(scope, node.right, NUMBER), span=node.span), NUMBER)


def _sides(scope: Scope, node: nodes.Binary, in_set: bool) -> tuple[Typed, Typed]:
    """Both sides, the one that is clear by itself first, so that it can help the other to its type."""
    vague = isinstance(node.left, nodes.Word) and named(scope, node.left) is None
    if vague or isinstance(node.left, nodes.Nothing):
        right = infer(scope, node.right)
        wanted = right.type.element if in_set and right.type.is_set else right.type
        return infer(scope, node.left, wanted), right
    left = infer(scope, node.left)
    return left, infer(scope, node.right, set_of(left.type) if in_set else left.type)


def _same(scope: Scope, node: nodes.Binary) -> Typed:
    left, right = _sides(scope, node, in_set=False)
    pair = _matched(scope, left, right)
    if pair is None:
        title = f"{left.type} is never {right.type}"
        scope.world.error("wrong-type", title, node.span, _compare_hint(left, right))
        return Typed(_unknown(node.span), FLAG)
    kind = left.type if left.type != NOTHING else right.type
    how = ("things" if pair[2] else "set") if kind.is_set else "thing" if pair[2] else "plain"
    if kind.is_set and (_one_each(pair[0]) or _one_each(pair[1])):
        how = f"ordered {how}"
    return Typed(x.Same(pair[0], pair[1], node.op == "is not", how, span=node.span), FLAG)


def _one_each(expr: x.Expr) -> bool:
    """`players.score`: one value for each of a written or natural order, so that order counts when compared."""
    mapped = False
    while isinstance(expr, x.Mapped) and not (expr.flat or expr.distinct):
        expr, mapped = expr.of, True
    return mapped and isinstance(expr, x.Seats | x.AllOf)


def _compare_hint(left: Typed, right: Typed) -> str:
    return "use `in` to ask whether a set holds it" if left.type.is_set != right.type.is_set else ""


def _matched(scope: Scope, left: Typed, right: Typed) -> tuple[x.Expr, x.Expr, bool] | None:
    """Both sides as values of one type, and whether they are things; anything may be compared with `none`."""
    if NOTHING in (left.type, right.type):
        other = left.type if right.type == NOTHING else right.type
        return left.expr, right.expr, other.name == "thing"
    if fits(left.type, right.type) or fits(right.type, left.type):
        kind = left.type if left.type not in (NOTHING, UNKNOWN) else right.type
        kind = kind.element if kind.is_set else kind
        return left.expr, right.expr, kind.name == "thing"
    to_right = coerce(scope, left, right.type)
    if to_right is not None and not _is_lookup(to_right):
        return to_right, right.expr, right.type.name == "thing"
    to_left = coerce(scope, right, left.type)
    if to_left is not None and not _is_lookup(to_left):
        return left.expr, to_left, left.type.name == "thing"
    return None


def _is_lookup(expr: x.Expr) -> bool:
    """A number beside a numbered thing: compare as numbers, which also holds for numbers that no thing has."""
    return isinstance(expr, x.Lookup) or (isinstance(expr, x.Mapped) and isinstance(expr.value, x.Lookup))


def _among(scope: Scope, node: nodes.Binary) -> Typed:
    left, right = _sides(scope, node, in_set=True)
    negate = node.op == "not in"
    if not right.type.is_set and right.type != UNKNOWN:
        title = f"`{node.op}` needs a set on its right, but this is {right.type}"
        scope.world.error("wrong-type", title, node.right.span, "use `is` to compare with one value")
        return Typed(_unknown(node.span), FLAG)
    pair = _matched(scope, Typed(left.expr, set_of(left.type)), right)
    if pair is None:
        scope.world.error("wrong-type", f"{left.type} is never in {right.type}", node.span)
        return Typed(_unknown(node.span), FLAG)
    # A converted left side came back as a mapping over a set that it is not: convert the one value instead.
    converted = isinstance(pair[0], x.Mapped) and pair[0].of is left.expr
    element = coerce(scope, left, right.type.element) if converted else pair[0]
    how = "thing" if pair[2] else "plain"
    return Typed(x.Among(element or left.expr, pair[1], negate, how, span=node.span), FLAG)


def _choice(scope: Scope, node: nodes.Choice, wanted: Type | None) -> Typed:
    test = expect(scope, node.test, FLAG)
    then = infer(scope, node.then, wanted)
    other = infer(scope, node.other, wanted or then.type)
    kind = _common(scope, then, other, wanted)
    if kind is None:
        title = f"the two values differ in type: {then.type} and {other.type}"
        scope.world.error("wrong-type", title, node.span)
        return Typed(_unknown(node.span), UNKNOWN)
    left, right = coerce(scope, then, kind), coerce(scope, other, kind)
    return Typed(x.Choice(test, left or then.expr, right or other.expr, span=node.span), kind)


def _common(scope: Scope, a: Typed, b: Typed, wanted: Type | None) -> Type | None:
    for kind in (wanted, a.type, b.type):
        if kind is None or kind == NOTHING or (kind.is_set and kind.element == UNKNOWN):
            continue
        if coerce(scope, a, kind) is not None and coerce(scope, b, kind) is not None:
            return kind
    return a.type if a.type == b.type else None


# ---------------------------------------------------------------- queries


def looking(scope: Scope, of: Typed, bare: bool, read: Callable[[], Any]) -> Any:
    """What `read` gives while an element of `of` is being looked at."""
    if len(scope.elements) >= DEPTH:
        scope.world.error("nesting", f"queries nested more than {DEPTH} deep", of.expr.span)
        return read()
    scope.elements.append(Looked(of.type.element, of.name, bare))
    try:
        return read()
    finally:
        scope.elements.pop()


def _filter(scope: Scope, node: nodes.Filter, wanted: Type | None) -> Typed:
    of = expect_set(scope, node.of, wanted.element if wanted and wanted.is_set else None)
    slot = len(scope.elements)
    test = looking(scope, of, node.bare, lambda: expect(scope, node.test, FLAG))
    return Typed(x.Filter(of.expr, slot, test, span=node.span), of.type, of.name)


def _except(scope: Scope, node: nodes.Except, wanted: Type | None) -> Typed:
    of = expect_set(scope, node.of, wanted.element if wanted and wanted.is_set else None)
    less = infer(scope, node.less, of.type.element)
    if not less.type.is_set:
        less = Typed(x.Listed((less.expr,), span=less.expr.span), set_of(less.type))
    expr = coerce(scope, less, of.type)
    if expr is None:
        scope.world.error("wrong-type", f"{less.type.element} is never in {of.type}", node.less.span)
        return of
    how = "thing" if of.type.element.name == "thing" else "plain"
    return Typed(x.Without(of.expr, expr, how, span=node.span), of.type, of.name)


def _naming(scope: Scope, node: nodes.Naming, wanted: Type | None) -> Typed:
    of = expect_set(scope, node.of)
    return Typed(of.expr, of.type, node.name)


def _extreme(scope: Scope, node: nodes.Extreme, wanted: Type | None) -> Typed:
    of = expect_set(scope, node.of)
    slot = len(scope.elements)
    key = looking(scope, of, True, lambda: expect(scope, node.key, NUMBER))
    return Typed(x.Extreme(of.expr, slot, key, node.lowest, span=node.span), of.type, of.name)


def _ordered(scope: Scope, node: nodes.Ordered, wanted: Type | None) -> Typed:
    of = expect_set(scope, node.of)
    slot = len(scope.elements)
    read = [(key, key.ranking != "highest") for key in node.keys]
    keys = looking(scope, of, True, lambda: tuple((_key_value(scope, key), low) for key, low in read))
    return Typed(x.Ordered(of.expr, slot, keys, span=node.span), of.type, of.name)


def _key_value(scope: Scope, key: nodes.Key) -> x.Expr:
    return expect(scope, key.value, NUMBER)


def _fold(scope: Scope, node: nodes.Fold, wanted: Type | None) -> Typed:
    of = expect_set(scope, node.over)
    slot = len(scope.elements)
    value = looking(scope, of, True, lambda: expect(scope, node.value, NUMBER))
    return Typed(x.Fold(node.op, of.expr, slot, value, span=node.span), NUMBER)


_INFER: dict[type, Callable[[Scope, Any, Type | None], Typed]] = {
    nodes.Number: _number,
    nodes.Flag: _flag,
    nodes.Nothing: _nothing,
    nodes.Word: _word,
    nodes.Attribute: _attribute,
    nodes.Call: _call,
    nodes.Item: _item,
    nodes.Listing: _listing,
    nodes.Reach: _reach,
    nodes.Unary: _unary,
    nodes.Binary: _binary,
    nodes.Choice: _choice,
    nodes.Filter: _filter,
    nodes.Except: _except,
    nodes.Naming: _naming,
    nodes.Extreme: _extreme,
    nodes.Ordered: _ordered,
    nodes.Fold: _fold,
}
