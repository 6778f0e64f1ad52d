"""Declarations to the names of a world: options, places, variables, defines.

Bodies are lowered later, when every name is known.
"""

from __future__ import annotations

from attrs import evolve

from rulekit import limits
from rulekit.diagnostics import Label, nearest
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import infer, words
from rulekit.model.attributes import attribute_names, space_type
from rulekit.model.types import DIRECTION, FLAG, NUMBER, PLAYER, UNKNOWN, Type, set_of, snapshot_of, thing
from rulekit.model.world import Scope, World
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.walk import cites

FULL_WORDS = ("pushes", "refuses", "stacks", "goes_on", "stops_short", "swaps")
PLAIN_FULL_WORDS = ("refuses", "stacks", "swaps")
"""On a course or grid: the others need the one line that a track is."""
EDGE_WORDS = ("stops", "wraps", "bounces", "leaves")
GRID_EDGE_WORDS = ("stops", "wraps", "leaves")
STEP_WORDS = ("every_space", "free_spaces")


def claim(world: World, name: str, span: Span) -> None:
    """Note that `name` is declared here; adds `duplicate` or `reserved-name`."""
    if name in words.RESERVED:
        world.error("reserved-name", f"`{name}` always means something else", span, "give it another name")
    if name in world.spans:
        label = Label(world.spans[name], "declared here first")
        world.problems.add("duplicate", f"there are two things called `{name}`", span, labels=(label,))
    world.spans.setdefault(name, span)


def literal(world: World, node: nodes.Expr, what: str) -> int:
    """A number that must be known before any game starts."""
    if isinstance(node, nodes.Number):
        return node.value
    if isinstance(node, nodes.Unary) and node.op == "-" and isinstance(node.of, nodes.Number):
        return -node.of.value
    world.error("not-a-literal", f"{what} must be written as a number", node.span)
    return 0


def bounds(world: World, node: nodes.Bounds, what: str) -> tuple[int, int | None]:
    low = literal(world, node.low, what)
    if node.open:
        return low, None
    high = low if node.high is None else literal(world, node.high, what)
    if high < low:
        world.error("empty-range", f"{what} go from {low} up to {high}: there are none", node.span)
    return low, high


# ---------------------------------------------------------------- options


def declare_option(world: World, node: nodes.Option) -> None:
    kind, low, high = _option_type(world, node)
    _once(world, [(reading.name, reading.span) for reading in node.readings], f"among the readings of `{node.name}`")
    readings = tuple((reading.name, reading.text) for reading in node.readings)
    default: x.Value = 0
    if node.readings:
        marked = [i for i, reading in enumerate(node.readings) if reading.default]
        if len(marked) != 1:
            world.error("no-default", f"`{node.name}` needs one reading marked `default`, not {len(marked)}", node.span)
        default = marked[0] if marked else 0
    elif node.default is not None:
        default = constant(world, infer.expect(Scope(world), node.default, kind), node.default.span)
        check_choice(world, node.name, kind, (low, high), default, node.default.span)
    elif node.type is None:
        world.error("no-readings", f"`{node.name}` has neither readings nor a type", node.span)
    world.options.append(
        model.Option(
            name=node.name,
            text=node.text,
            unclear=node.word == "unclear",
            type=kind,
            readings=readings,
            low=low,
            high=high or 0,
            default=default,
            cites=cites(node),
            span=node.span,
        )
    )


def _option_type(world: World, node: nodes.Option) -> tuple[Type, int, int | None]:
    if node.type is None:
        return (Type("reading", kind=node.name) if node.readings else UNKNOWN), 0, 0
    if node.type.kind == "flag":
        return FLAG, 0, 0
    low, high = _option_range(world, node.type)
    return (NUMBER if node.type.kind == "number" else set_of(NUMBER)), low, high


def _option_range(world: World, node: nodes.OptionType) -> tuple[int, int | None]:
    if isinstance(node.range, nodes.Reach):
        return bounds(world, nodes.Bounds(node.range.low, node.range.high, span=node.range.span), "an option's values")
    world.error("not-a-literal", "an option's values are a range such as 1..8", node.span)
    return 0, None


def check_choice(
    world: World, name: str, kind: Type, within: tuple[int, int | None], value: x.Value, span: Span
) -> None:
    """Adds `out-of-bounds` for a number, or one in a set, that the option does not have."""
    low, high = within
    numbers = value if isinstance(value, tuple) else (value,)
    if (kind if not kind.is_set else kind.element) != NUMBER or high is None or high < low:
        return
    for number in numbers:
        if isinstance(number, int) and not low <= number <= high:
            world.error("out-of-bounds", f"`{name}` takes {low}..{high}, not {number}", span)


def _once(world: World, names: list[tuple[str, Span]], where: str) -> None:
    """Adds `duplicate` for every name after its first."""
    seen: set[str] = set()
    for name, span in names:
        if name in seen:
            world.error("duplicate", f"`{name}` stands twice {where}", span)
        seen.add(name)


def constant(world: World, expr: x.Expr, span: Span) -> x.Value:
    """The value of an expression made of literals only."""
    if isinstance(expr, x.Const):
        return expr.value
    if isinstance(expr, x.Negative) and isinstance(expr.of, x.Const) and isinstance(expr.of.value, int):
        return -expr.of.value
    if isinstance(expr, x.Listed):
        return tuple(constant(world, item, span) for item in expr.items)
    if isinstance(expr, x.Interval):
        low, high = constant(world, expr.low, span), constant(world, expr.high, span)
        if isinstance(low, int) and isinstance(high, int) and high - low < limits.SET:
            return tuple(range(low, high + 1))
    world.error("not-a-literal", "this must be known before any game starts", span)
    return None


def declare_guards(world: World, node: nodes.Option) -> None:
    """`requires` and `conflicts`: conditions on the options and the number of players."""
    index = world.option_index(node.name)
    assert index is not None, node.name
    guards = tuple(
        (guard.word == "conflicts", infer.expect(Scope(world), guard.test, FLAG), guard.span) for guard in node.guards
    )
    world.options[index] = evolve(world.options[index], guards=guards)


# ---------------------------------------------------------------- places


def declare_place(world: World, node: nodes.Track | nodes.Course | nodes.Grid) -> None:
    if isinstance(node, nodes.Track):
        low, high = bounds(world, node.bounds, "the spaces of a track")
        if node.bounds.high is None and not node.bounds.open:
            world.error("empty-range", "a track needs a first and a last space, or `first..`", node.bounds.span)
        place = model.Place(node.name, "track", low=low, high=high, cites=cites(node), span=node.span)
    elif isinstance(node, nodes.Course):
        place = _course(world, node)
    else:
        size = [None if side is None else literal(world, side, "a grid's size") for side in (node.width, node.height)]
        for side, length in zip((node.width, node.height), size, strict=True):
            if isinstance(side, nodes.Number) and length == 0:
                world.error("empty-range", "a grid needs at least one column and one row", side.span)
        place = model.Place(node.name, "grid", width=size[0], height=size[1], cites=cites(node), span=node.span)
    for line in node.arrivals:
        if isinstance(line, nodes.Headings):
            place = _headings(world, place, line)
    world.places[node.name] = place


def _course(world: World, node: nodes.Course) -> model.Place:
    kind = world.kinds.get(node.kind)
    if kind is None:
        world.unknown(node.kind, node.span, "kind", set(world.kinds))
    elif "next" not in kind.traits:
        title = f"a course needs a column `next` in the table of its {node.kind}s"
        world.error("no-links", title, node.span, "it names the spaces that follow, several at a fork")
    return model.Place(node.name, "course", kind=node.kind, cites=cites(node), span=node.span)


def _headings(world: World, place: model.Place, line: nodes.Headings) -> model.Place:
    if place.form != "track":
        world.error("not-on-a-track", f"only a track has headings, and `{place.name}` is a {place.form}", line.span)
    ways = dict(place.headings)
    for word in line.words:
        if word.means not in ("up", "down"):
            title = f"a heading is `up` (to higher numbers) or `down`, not `{word.means}`"
            world.error("unknown-word", title, word.span, nearest(word.means, ("up", "down")))
        ways[word.name] = -1 if word.means == "down" else 1
    return evolve(place, headings=ways)


def complete_place(world: World, node: nodes.Track | nodes.Course | nodes.Grid) -> None:
    """The arrival policy, once variables are known that its conditions may read."""
    for line in node.arrivals:
        world.places[node.name] = _arrival(world, world.places[node.name], line)


def _arrival(world: World, place: model.Place, line: nodes.Arrival) -> model.Place:
    journeys = isinstance(line, nodes.Steps | nodes.Halts)
    if (journeys and place.form != "track") or (isinstance(line, nodes.Edge) and place.form == "course"):
        title = f"this line is about journeys along a track, and `{place.name}` is a {place.form}"
        world.error("not-on-a-track", title, line.span)
        return place
    if isinstance(line, nodes.Capacity):
        hold = infer.expect(Scope(world), line.hold, NUMBER)
        low, high = bounds(world, line.spaces, "spaces") if place.form == "track" else (0, None)
        if place.form == "track":
            _on_track(world, place, (low, low if high is None else high), line.spaces.span)
        return evolve(place, capacity=(*place.capacity, (low, high, hold)))
    if isinstance(line, nodes.Full):
        return evolve(place, full=(*place.full, _full(world, place, line)))
    if isinstance(line, nodes.Edge):
        _one_of(world, line.word, GRID_EDGE_WORDS if place.form == "grid" else EDGE_WORDS, line.span)
        return evolve(place, edge=line.word)
    if isinstance(line, nodes.Steps):
        _one_of(world, line.word, STEP_WORDS, line.span)
        return evolve(place, free_only=line.word == "free_spaces")
    if isinstance(line, nodes.Halts):
        typed = infer.infer(Scope(world), line.at, set_of(NUMBER))
        if typed.type.is_set:
            return evolve(place, halts=infer.expect(Scope(world), line.at, set_of(NUMBER)))
        return evolve(place, halts=x.Listed((infer.expect(Scope(world), line.at, NUMBER),)))
    return place


def _on_track(world: World, place: model.Place, spaces: tuple[int, ...], span: Span) -> None:
    """Adds `off-the-board` for spaces that a track does not have."""
    for space in spaces:
        if space < place.low or (place.high is not None and space > place.high):
            has = f"{place.low}..{'' if place.high is None else place.high}"
            world.error("off-the-board", f"`{place.name}` has the spaces {has}, not {space}", span)
            return


def _full(world: World, place: model.Place, line: nodes.Full) -> model.Full:
    _one_of(world, line.word, FULL_WORDS if place.form == "track" else PLAIN_FULL_WORDS, line.span)
    way = 0
    if line.word == "pushes":
        way = heading(world, place, line.heading or "", line.span)
    elif line.heading is not None:
        world.error("unknown-word", f"`{line.word}` takes no heading", line.span)
    test = None
    if line.test is not None:
        scope = Scope(world)
        standing = _standing(world, place)
        scope.bind("arriving", standing)
        scope.bind("occupant", standing)
        test = infer.expect(scope, line.test, FLAG)
    return model.Full(line.word, way, test, cites(line), line.span)


def _standing(world: World, place: model.Place) -> Type:
    """The kind of piece that stands on a place; unknown if several do."""
    kinds = [kind for kind, where in world.places_of.items() if where == place.name]
    return thing(kinds[0]) if len(kinds) == 1 else UNKNOWN


def heading(world: World, place: model.Place, word: str, span: Span) -> int:
    ways = {"up": 1, "down": -1, **place.headings}
    if word not in ways:
        names = ", ".join(f"`{name}`" for name in ways)
        hint = nearest(word, ways) or f"here may stand {names}"
        if not word:
            world.error("unknown-heading", "this line does not say which way", span, hint)
            return 1
        world.error("unknown-heading", f"`{word}` is no way along the track `{place.name}`", span, hint)
    return ways.get(word, 1)


def _one_of(world: World, word: str, allowed: tuple[str, ...], span: Span) -> None:
    if word not in allowed:
        hint = nearest(word, allowed) or f"here may stand {', '.join(f'`{name}`' for name in allowed)}"
        world.error("unknown-word", f"`{word}` means nothing here", span, hint)


# ---------------------------------------------------------------- variables


def declare_variable(world: World, owner: str, node: nodes.Variable) -> None:
    """owner: "" for the game, "player", or a kind."""
    if owner and node.name in attribute_names(world, PLAYER if owner == "player" else thing(owner)):
        world.error("duplicate", f"each {owner} has two things called `{node.name}`", node.span)
    variable = _variable(world, owner, node)
    world.by_owner[owner, node.name] = len(world.variables)
    world.variables.append(variable)


def _variable(world: World, owner: str, node: nodes.Variable) -> model.Variable:
    seen = _seen(world, owner, node)
    made = model.Variable(node.name, "flag", owner, FLAG, seen, cites=cites(node), span=node.span)
    if isinstance(node, nodes.Counter):
        low, high = (None, None) if node.bounds is None else bounds(world, node.bounds, "the values of a counter")
        return evolve(made, form="counter", type=NUMBER, low=low, high=high)
    if isinstance(node, nodes.Value):
        return evolve(made, form="value", type=_value_type(world, node.of, node.span))
    if isinstance(node, nodes.Pile):
        return evolve(made, form="pile", type=set_of(_value_type(world, node.of, node.span)))
    if isinstance(node, nodes.Snapshot):
        return evolve(made, form="snapshot", type=snapshot_of(node.of))
    if isinstance(node, nodes.ListVariable):
        return _list(world, node, made)
    if isinstance(node, nodes.Piece | nodes.PieceGroup):
        return _piece(world, node, made)
    return made


def _list(world: World, node: nodes.ListVariable, made: model.Variable) -> model.Variable:
    low, high = _reach(world, node.of)
    first, last = _reach(world, node.index)
    if last - first >= limits.SET:
        world.error("too-many", f"a list has at most {limits.SET} places", node.index.span)
        last = first
    return evolve(made, form="list", type=set_of(NUMBER), low=low, high=high, first=first, last=last)


def _reach(world: World, node: nodes.Expr) -> tuple[int, int]:
    if not isinstance(node, nodes.Reach):
        world.error("not-a-literal", "a range such as 1..20 is needed here", node.span)
        return 0, 0
    low, high = bounds(world, nodes.Bounds(node.low, node.high, span=node.span), "a list's values and places")
    return low, low if high is None else high


def _piece(world: World, node: nodes.Piece | nodes.PieceGroup, made: model.Variable) -> model.Variable:
    place = world.places.get(node.place)
    if place is None:
        world.unknown(node.place, node.span, "track, course or grid", set(world.places))
    kind = node.name if isinstance(node, nodes.Piece) else node.kind
    twice = isinstance(node, nodes.Piece) and made.owner == "" and kind in world.spans
    if kind in world.kinds and world.places_of.get(kind) != node.place and not twice:
        world.error("duplicate", f"there is already a kind called `{kind}`", node.span)
    world.kinds.setdefault(kind, model.Kind(kind, -1, (), piece=True))
    world.places_of[kind] = node.place
    if isinstance(node, nodes.Piece):
        return evolve(made, form="piece", type=thing(kind), place=node.place)
    return evolve(made, form="group", type=set_of(thing(kind)), place=node.place, count=node.count)


def declare_row_pieces(world: World, node: nodes.Pieces) -> None:
    """`pieces NAME of KIND on PLACE` with rows: one group for the game, its pieces named by their rows."""
    if node.place is None or node.place not in world.places:
        world.unknown(node.place or "?", node.span, "track, course or grid", set(world.places))
    world.places_of[node.kind] = node.place or ""
    count = len(world.kinds[node.kind].members)
    world.by_owner["", node.name] = len(world.variables)
    kind = set_of(thing(node.kind))
    world.variables.append(
        model.Variable(
            node.name, "group", "", kind, place=node.place or "", count=count, cites=cites(node), span=node.span
        )
    )


def _value_type(world: World, name: str, span: Span) -> Type:
    plain = {"player": PLAYER, "direction": DIRECTION, "number": NUMBER}
    if name in plain:
        return plain[name]
    if name in world.kinds:
        world.used.add(name)
        return thing(name)
    world.unknown(name, span, "kind", set(world.kinds) | set(plain))
    return UNKNOWN


def _seen(world: World, owner: str, node: nodes.Variable) -> str:
    if node.seen is None:
        return model.PUBLIC
    word = f"{node.seen.word} {node.seen.whom}"
    seen = {"by owner": model.OWNER, "by nobody": model.NOBODY, "on top": model.TOP}
    if word not in seen:
        title = f"`seen {word}` means nothing"
        hint = "here may stand `seen by owner`, `seen by nobody` or `seen on top`"
        world.error("unknown-word", title, node.seen.span, hint)
    if word == "by owner" and owner != "player":
        title = f"`{node.name}` has no owner who could see it"
        world.error("no-owner", title, node.seen.span, "declare it in `each player has`")
    if word == "on top" and not isinstance(node, nodes.Pile):
        world.error("unknown-word", "only a pile has a top", node.seen.span)
    return seen.get(word, model.PUBLIC)


def complete_variable(world: World, owner: str, node: nodes.Variable) -> None:
    """The start value, once every name is known.  `player` (or the kind) may be named in it."""
    index = world.by_owner[owner, node.name]
    variable = world.variables[index]
    if isinstance(node, nodes.Snapshot):
        _check_snapshot(world, node)
    start = getattr(node, "starts", None) or getattr(node, "at", None)
    if start is None:
        return
    wanted = variable.type
    if variable.form in ("piece", "group"):
        wanted = infer_space(world, variable)
    expr = infer.expect(Scope(world), start, wanted)
    if isinstance(expr, x.Const):
        _check_start(world, variable, expr.value, start.span)
    world.variables[index] = evolve(variable, start=expr)


def _check_snapshot(world: World, node: nodes.Snapshot) -> None:
    groups = {variable.name for variable in world.variables if variable.form == "group" and variable.owner == ""}
    if node.of not in groups:
        world.unknown(node.of, node.span, "set of pieces", groups)


def _check_start(world: World, variable: model.Variable, value: x.Value, span: Span) -> None:
    """A start value that is written as a number must be one that the variable or its place has."""
    if not isinstance(value, int) or isinstance(value, bool):
        return
    place = world.places.get(variable.place)
    if place is not None and place.form == "track":
        _on_track(world, place, (value,), span)
    low = value if variable.low is None else variable.low
    high = value if variable.high is None else variable.high
    if variable.form == "counter" and not low <= value <= high:
        has = f"{low}..{'' if variable.high is None else high}"
        world.error("out-of-bounds", f"`{variable.name}` takes {has}, not {value}", span)


def infer_space(world: World, variable: model.Variable) -> Type:
    kind = variable.type.element.kind if variable.type.is_set else variable.type.kind
    return space_type(world, kind)


def declare_die(world: World, node: nodes.Die) -> None:
    listing = nodes.Listing(node.faces, span=node.span)
    if len(node.faces) == 1:
        made = infer.infer(Scope(world), node.faces[0])
        if made.type.is_set:
            world.dice[node.name] = made
            return
    world.dice[node.name] = infer.infer(Scope(world), listing)


# ---------------------------------------------------------------- defines


def option_choice(world: World, use: nodes.Use) -> tuple[str, x.Value] | None:
    """`use option is value`, checked."""
    index = world.option_index(use.option)
    if index is None:
        world.unknown(use.option, use.span, "option", {option.name for option in world.options})
        return None
    option = world.options[index]
    value = constant(world, infer.expect(Scope(world), use.value, option.type), use.value.span)
    check_choice(world, option.name, option.type, (option.low, option.high), value, use.value.span)
    return use.option, value
