"""Name resolution and type inference of attributes, calls, built-in words, items, cells (`board[3, 1]`) and lists."""

from __future__ import annotations

from rulekit.diagnostics import nearest
from rulekit.model import builtin_signatures
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.resolve.attributes import (
    attribute,
    attribute_names,
    is_asked_of_cell,
    on_squares,
    one_grid,
    space_type,
)
from rulekit.model.resolve.symbol_table import Scope, Typed, World
from rulekit.model.resolve.type_inference import (
    INFER,
    arguments,
    coerce,
    expect,
    has_copies,
    infer,
    on_form,
    parameter_type,
    unknown,
)
from rulekit.model.types import (
    CELL,
    DIRECTION,
    EMPTY,
    HISTORY,
    NOTHING,
    NUMBER,
    UNKNOWN,
    Parameter,
    Type,
    fits,
    set_of,
    thing,
    unify,
)
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites
from rulekit.syntax.unparse_expr import written
from rulekit.values import evolve


def _attribute(scope: Scope, node: nodes.Attribute, wanted: Type | None) -> Typed:
    of = infer(scope, node.of)
    if of.type == EMPTY:
        return Typed(x.Const((), span=node.span), EMPTY)
    if of.type == UNKNOWN or (of.type.element == UNKNOWN and of.type.is_set):
        return Typed(unknown(node.span), UNKNOWN)
    found = attribute(scope.world, of, node.name, node.span, len(scope.elements))
    if found is None:
        names = attribute_names(scope.world, of.type)
        shown = of.type.element if of.type.is_set else of.type
        if node.name not in scope.world.lost:
            listed = f"it has: {', '.join(sorted(names))}" if names else ""
            hint = _place_hint(scope, node, shown) or nearest(node.name, names) or listed
            scope.world.error("unknown-attribute", f"{shown} has no `{node.name}`", _last_word(node), hint)
        return Typed(unknown(node.span), UNKNOWN)
    return found


def _place_hint(scope: Scope, node: nodes.Attribute, of: Type) -> str:
    """What to write for the `number` of a thing that has none: its place in a set."""
    if node.name != "number" or of.name != "thing":
        return ""
    made = scope.world.kinds.get(of.kind)
    groups = (one.name for one in scope.world.variables if one.form == "group" and one.type.element == of)
    name = made.set_name if made is not None and made.set_name else next(groups, "S")
    return f"only things whose keys are numbers have one; its place in a set is `index({written(node.of)}, {name})`"


def _last_word(node: nodes.Attribute) -> Span:
    """The place of the name behind the dot."""
    return evolve(node.span, line=node.span.end_line, column=max(1, node.span.end_column - len(node.name)))


def _call(scope: Scope, node: nodes.Call, wanted: Type | None) -> Typed:
    if not isinstance(node.function, nodes.Word):
        scope.world.error("not-a-word", "only a named word can be called", node.span)
        return Typed(unknown(node.span), UNKNOWN)
    name = node.function.name
    if name in scope.world.defines:
        return invoke(scope, name, node.args, node.span)
    if name in builtin_signatures.FUNCTIONS:
        return _builtin(scope, builtin_signatures.FUNCTIONS[name], node)
    if name in scope.world.actions:
        hint = f"an action is called by `do {name}(…)`; `possible {name}(…)` asks whether it can be carried through"
        scope.world.error("not-a-word", f"`{name}` is an action, not a value", node.span, hint)
    else:
        candidates = set(scope.world.defines) | set(builtin_signatures.FUNCTIONS)
        scope.world.unknown(name, node.function.span, "define or built-in word", candidates)
    return Typed(unknown(node.span), UNKNOWN)


def resolve_define(world: World, name: str, span: Span) -> tuple[int, model.Define] | None:
    """The resolved define and its place; resolves it on first use.  Adds `recursion` for a ring."""
    if name in world.resolved:
        return world.resolved[name]
    if name in world.resolving:
        ring = " → ".join([*world.resolving[world.resolving.index(name) :], name])
        world.error("recursion", f"`{name}` is defined by itself: {ring}", span)
        return None
    world.resolving.append(name)
    node = world.defines[name]
    scope = Scope(world)
    handed = tuple(Parameter(each.name, parameter_type(world, each)) for each in node.parameters)
    for node_parameter, parameter in zip(node.parameters, handed, strict=True):
        # The name as it is written has a place, by which editors find the parameter.
        scope.bind(node_parameter.name, parameter.type)
    typed = infer(scope, node.value)
    world.resolving.remove(name)
    made = model.Define(name, handed, typed.expr, typed.type, cites=cites(node), span=node.span)
    world.resolved[name] = (len(world.resolved), made)
    return world.resolved[name]


def invoke(scope: Scope, name: str, args: tuple[nodes.Expr, ...], span: Span) -> Typed:
    resolved = resolve_define(scope.world, name, span)
    if resolved is None:
        return Typed(unknown(span), UNKNOWN)
    index, define = resolved
    values = arguments(scope, scope.world.defines[name].parameters, args, name, span)
    return Typed(x.Invoke(index, values, span=span), define.type)


def _builtin(scope: Scope, word: builtin_signatures.BuiltIn, node: nodes.Call) -> Typed:
    if len(node.args) != len(word.takes):
        title = f"`{word.name}` takes {len(word.takes)} argument{'s' * (len(word.takes) != 1)}, not {len(node.args)}"
        scope.world.error("arguments", title, node.span)
        return Typed(unknown(node.span), UNKNOWN)
    args = [infer(scope, arg) for arg in node.args]
    if is_asked_of_cell(word) or (word.takes[0] == "spot" and args[0].type == CELL):
        one_grid(scope.world, node.span)
    if word.on_squares:
        on_squares(scope.world, word.name, node.span)
    set_type = next((arg.type for arg, takes in zip(args, word.takes, strict=True) if takes == "set"), UNKNOWN)
    given = zip(args, word.takes, node.args, strict=True)
    values = tuple(_argument(scope, arg, takes, set_type, n) for arg, takes, n in given)
    if word.takes[0] in ("piece", "spot"):
        _check_place(scope, word, args[0], node.args[0])
    if word.gives == "set piece":
        _check_one_kind(scope.world, word, node.span)
    if word.takes == ("history",):
        values = (*values, *_compared(scope, values[0], node.span))
    compares = "element" in word.takes and has_copies(scope.world, set_type.element)
    return Typed(
        x.Builtin(word.name, values, "thing" if compares else "plain", span=node.span), _result(scope, word, args)
    )


def _compared(scope: Scope, history: x.Expr, span: Span) -> tuple[x.Expr, ...]:
    """What a history compares, as it is where it is asked."""
    if not isinstance(history, x.Stored):
        return ()
    variable = scope.world.variables[history.variable]
    if not variable.compared and not scope.world.problems.has_errors:
        scope.world.error("recursion", f"what `{variable.name}` compares cannot ask what was there before", span)
    return tuple(one.value for one in variable.compared)


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
    elif takes == "spot":
        ok = arg.expr if arg.type in (CELL, UNKNOWN) or arg.type.name == "thing" else None
    elif takes in ("piece", "space"):
        ok = arg.expr if arg.type.name in ("thing", "unknown") else None
        if takes == "space" and ok is not None and _is_piece(scope, arg.type):
            ok = x.SpaceOf(arg.expr, span=arg.expr.span) if on_form(scope.world, arg.type, "course") else None
    elif takes == "pieces":
        # One piece or cell is a set of one.
        one = x.Listed((arg.expr,), span=arg.expr.span) if _stands(scope, arg.type) or arg.type == CELL else None
        many = arg.type == UNKNOWN or (arg.type.is_set and _stands(scope, arg.type.element))
        ok = arg.expr if many else one
    elif takes == "history":
        ok = arg.expr if arg.type in (HISTORY, UNKNOWN) else None
    elif takes == "snapshot":
        ok = arg.expr if arg.type.name in ("snapshot", "unknown") else None
    if ok is None:
        wanted = {
            "spot": "a piece on a grid or a cell",
            "pieces": "a piece or set of pieces on a grid",
            "directions": "a set of directions",
            "element": str(set_type.element),
        }
        title = f"{wanted.get(takes, 'a ' + takes)} is needed here, but this is {arg.type}"
        scope.world.error("wrong-type", title, node.span)
    return ok or unknown(node.span)


def _check_place(scope: Scope, word: builtin_signatures.BuiltIn, piece: Typed, node: nodes.Expr) -> None:
    """Words with a direction are about grids, the others that take a piece about courses."""
    form = "grid" if word.takes[0] == "spot" or "direction" in word.takes else "course"
    if piece.type.name == "thing" and not on_form(scope.world, piece.type, form):
        title = f"`{word.name}` needs a piece on a {form}, but this is {piece.type}"
        scope.world.error("wrong-type", title, node.span)


def _check_one_kind(world: World, word: builtin_signatures.BuiltIn, span: Span) -> None:
    """What stands on a cell has a type only where all pieces of the grid are of one kind."""
    grids = [name for name, place in world.places.items() if place.form == "grid"]
    for grid in grids:
        kinds = sorted(kind for kind, place in world.places_of.items() if place == grid)
        if len(kinds) > 1:
            title = f"`{word.name}` gives pieces of one kind, but on `{grid}` stand several: {', '.join(kinds)}"
            world.error("several-kinds", title, span, "declare one kind, and tell its pieces apart by a trait")


def _stands(scope: Scope, kind: Type) -> bool:
    """Whether things of this type have a cell: pieces of a grid, or cells."""
    return kind in (CELL, UNKNOWN) or on_form(scope.world, kind, "grid")


def _is_piece(scope: Scope, kind: Type) -> bool:
    return kind.kind in scope.world.places_of


def _result(scope: Scope, word: builtin_signatures.BuiltIn, args: list[Typed]) -> Type:
    if word.type != UNKNOWN:
        return word.type
    first = args[0].type
    if word.gives == "same":
        return first
    piece = first.element if first.is_set else first
    if is_asked_of_cell(word) or (word.takes[0] == "spot" and piece == CELL):
        standing = [kind for kind in scope.world.places_of if on_form(scope.world, thing(kind), "grid")]
        piece = thing(standing[0]) if standing else UNKNOWN
    place = scope.world.places.get(scope.world.places_of.get(piece.kind, ""))
    space = space_type(scope.world, piece.kind) if place is not None else piece
    return set_of({"set space": space, "set piece": piece, "set pieces": set_of(piece)}[word.gives])


def _item(scope: Scope, node: nodes.Item, wanted: Type | None) -> Typed:
    of = infer(scope, node.of)
    if isinstance(of.expr, x.Stored) and scope.world.variables[of.expr.variable].form == "list":
        return Typed(x.ItemOf(of.expr, list_index(scope, of.expr.variable, node), span=node.span), NUMBER)
    if not of.type.is_set:
        if of.type != UNKNOWN:
            scope.world.error("wrong-type", f"only a set has items, and this is {of.type}", node.span, _list_hint(of))
        return Typed(unknown(node.span), UNKNOWN)
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
    return Typed(x.ItemOf(of.expr, number or unknown(node.span), span=node.span), of.type.element)


def _list_hint(of: Typed) -> str:
    is_counter = isinstance(of.expr, x.Stored) and of.type == NUMBER
    return "numbers for each member of a kind are a list: `list name of 0..9 for kind`" if is_counter else ""


def _onward(scope: Scope, node: nodes.Onward, wanted: Type | None) -> Typed:
    of = infer(scope, node.of)
    low = expect(scope, node.low, NUMBER)
    is_list = isinstance(of.expr, x.Stored) and scope.world.variables[of.expr.variable].form == "list"
    if of.type.is_set and not is_list:
        return Typed(x.Builtin("onward", (of.expr, low), span=node.span), of.type)
    if of.type != UNKNOWN:
        scope.world.error("wrong-type", f"only a set goes on from a place, and this is {of.type}", node.span)
    return Typed(unknown(node.span), UNKNOWN)


def list_index(scope: Scope, variable: int, node: nodes.Item) -> x.Expr:
    """The place in a list, counted from 1, that an item of it names by a number or by a member of a kind."""
    first, keys = scope.world.variables[variable].first, scope.world.variables[variable].keys
    if keys:
        member = expect(scope, node.index, thing(keys))
        return x.Ordinal(member, keys, span=node.index.span)
    index = expect(scope, node.index, NUMBER)
    return index if first == 1 else x.Arithmetic("-", index, x.Const(first - 1), span=node.span)


def _listing(scope: Scope, node: nodes.Listing, wanted: Type | None) -> Typed:
    element = wanted.of if wanted is not None and wanted != set_of(UNKNOWN) else None
    items = [infer(scope, item, element) for item in node.items]
    kind = element or _common_type(items)
    exprs = [coerce(scope, item, kind) for item in items]
    if any(e is None for e in exprs):
        kind = _common_type(items)
        exprs = [coerce(scope, item, kind) for item in items]
    for item, result, n in zip(items, exprs, node.items, strict=True):
        if result is None:
            scope.world.error("wrong-type", f"{kind} is needed here, but this is {item.type}", n.span)
    listed = x.Listed(tuple(e or unknown(node.span) for e in exprs), span=node.span)
    return Typed(listed, set_of(kind) if items or element else EMPTY)


def _common_type(items: list[Typed]) -> Type:
    """The type that the members of a list share; where some have another one, that of the first."""
    kind = UNKNOWN
    for item in items:
        kind = unify(kind, item.type) or (item.type if kind == NOTHING else kind)
    return kind


def _reach(scope: Scope, node: nodes.Reach, wanted: Type | None) -> Typed:
    low, high = expect(scope, node.low, NUMBER), expect(scope, node.high, NUMBER)
    return Typed(x.Interval(low, high, span=node.span), set_of(NUMBER))


def _cell_at(scope: Scope, node: nodes.CellAt, wanted: Type | None) -> Typed:
    place = scope.world.places.get(node.of.name) if isinstance(node.of, nodes.Word) else None
    if place is None or place.form != "grid":
        hint = "a set has its items by one number: `S[2]`"
        scope.world.error("wrong-type", "only a grid has cells by column and row", node.span, hint)
        return Typed(unknown(node.span), UNKNOWN)
    column, row = (expect(scope, side, NUMBER) for side in (node.column, node.row))
    _check_on_board(scope, place, (column, row), node)
    return Typed(x.CellAt(column, row, span=node.span), CELL)


def _check_on_board(scope: Scope, place: model.Place, numbers: tuple[x.Expr, x.Expr], node: nodes.CellAt) -> None:
    """Adds `off-the-board` for a cell written in numbers that a grid with an end in every match does not have."""
    sides = (place.width, place.height) if place.bounded is None else (None, None)
    for number, size, word in zip(numbers, sides, ("column", "row"), strict=True):
        value = number.value if isinstance(number, x.Const) else None
        if isinstance(value, int) and size is not None and not 1 <= value <= size:
            title = f"`{place.name}` has the {word}s 1 to {size}, not {value}"
            scope.world.error("off-the-board", title, node.span)


INFER.update(
    {
        nodes.Attribute: _attribute,
        nodes.Call: _call,
        nodes.Item: _item,
        nodes.Onward: _onward,
        nodes.CellAt: _cell_at,
        nodes.Listing: _listing,
        nodes.Reach: _reach,
    }
)
