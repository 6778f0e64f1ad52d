"""Declarations to entries of the symbol table: variables, pieces, dice, and what every declaration shares.

Bodies are lowered later, when every name is known.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit import limits
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.declare import histories
from rulekit.model.declare.places import on_track
from rulekit.model.resolve import call_expressions, type_inference
from rulekit.model.resolve.attributes import attribute_names, space_type
from rulekit.model.resolve.constants import bounds
from rulekit.model.resolve.symbol_table import Scope, World
from rulekit.model.traversal import parts
from rulekit.model.types import DIRECTION, FLAG, NUMBER, PLAYER, UNKNOWN, Type, fits, set_of, snapshot_of, thing
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites
from rulekit.values import evolve


def declare_variable(world: World, owner: str, node: nodes.Variable, around: tuple[str, ...]) -> None:
    """owner: "" for the game, "player", or a kind.  around: the clauses of the `each … has` around it."""
    if owner and node.name in attribute_names(world, PLAYER if owner == "player" else thing(owner)):
        world.error("duplicate", f"each {owner} has two things called `{node.name}`", node.span)
    variable = _variable(world, owner, node)
    variable = evolve(variable, cites=tuple(dict.fromkeys((*variable.own, *around))))
    world.by_owner[owner, node.name] = len(world.variables)
    world.variables.append(variable)


def _variable(world: World, owner: str, node: nodes.Variable) -> model.Variable:
    seen = model.PUBLIC if isinstance(node, nodes.History) else _seen(world, owner, node, node.seen)
    title = (node.title or "") if isinstance(node, nodes.TitledLine) else ""
    made = model.Variable(node.name, "flag", owner, FLAG, seen, own=cites(node), title=title, span=node.span)
    if isinstance(node, nodes.Counter):
        low, high = (None, None) if node.bounds is None else bounds(world, node.bounds, "the values of a counter")
        return evolve(made, form="counter", type=NUMBER, low=low, high=high)
    if isinstance(node, nodes.Value):
        return evolve(made, form="value", type=_value_type(world, node.of, node.span))
    if isinstance(node, nodes.Pile):
        return evolve(made, form="pile", type=set_of(_value_type(world, node.of, node.span)))
    if isinstance(node, nodes.Snapshot):
        return evolve(made, form="snapshot", type=snapshot_of(node.of))
    if isinstance(node, nodes.History):
        return histories.declared(world, node, made)
    if isinstance(node, nodes.ListVariable):
        return _list(world, node, made)
    if isinstance(node, nodes.Piece | nodes.PieceGroup):
        return _piece(world, node, made)
    return made


def _list(world: World, node: nodes.ListVariable, made: model.Variable) -> model.Variable:
    low, high = _reach(world, node.of)
    if isinstance(node.index, nodes.Word):
        return _list_by_kind(world, node.index, evolve(made, form="list", type=set_of(NUMBER), low=low, high=high))
    first, last = _reach(world, node.index)
    if last - first >= limits.SET:
        world.error("too-many", f"a list has at most {limits.SET} places", node.index.span)
        last = first
    return evolve(made, form="list", type=set_of(NUMBER), low=low, high=high, first=first, last=last)


def _list_by_kind(world: World, node: nodes.Word, made: model.Variable) -> model.Variable:
    """A list with a place for each member of a kind."""
    kind = world.kinds.get(node.name)
    if kind is not None and kind.members:
        return evolve(made, last=len(kind.members), keys=kind.name)
    if kind is not None or node.name == "player":
        hint = "write a range, or a kind whose members are written down"
        world.error("not-a-literal", f"a list has no place for each {node.name}", node.span, hint)
    elif node.name in world.sets:
        of = world.sets[node.name].type.element.kind
        title, hint = f"`{node.name}` is the set of the {of}s", f"for each of them: `for {of}`"
        world.error("not-a-literal", title, node.span, hint)
    else:
        world.unknown(node.name, node.span, "kind", set(world.kinds))
    return evolve(made, last=1)


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
    known = UNKNOWN if place is None else thing(kind)
    if isinstance(node, nodes.Piece):
        return evolve(made, form="piece", type=known, place=node.place)
    if node.count > limits.SET // limits.SEATS:
        title = f"there cannot be more than {limits.SET // limits.SEATS} pieces in a group"
        world.error("too-many", title, node.span)
    count = min(node.count, limits.SET // limits.SEATS)
    return evolve(made, form="group", type=set_of(known), place=node.place, count=count)


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
            node.name,
            "group",
            "",
            kind,
            place=node.place or "",
            count=count,
            cites=cites(node),
            own=cites(node),
            span=node.span,
        )
    )


def _value_type(world: World, name: str, span: Span) -> Type:
    plain = {"player": PLAYER, "direction": DIRECTION, "number": NUMBER}
    if name in plain:
        return plain[name]
    if name in world.kinds:
        return thing(name)
    if name == "cell" or (name in world.places and world.places[name].form == "grid"):
        hint = "keep the piece that stands there, or two counters for its column and its row"
        world.error("wrong-type", "no variable holds a cell", span, hint)
        return UNKNOWN
    world.unknown(name, span, "kind", set(world.kinds) | set(plain))
    return UNKNOWN


def _seen(world: World, owner: str, node: nodes.Variable, seen_by: nodes.Seen | None) -> str:
    if seen_by is None:
        return model.PUBLIC
    word = f"{seen_by.word} {seen_by.whom}"
    if seen_by.word == "by" and seen_by.whom in world.defines:
        return model.SOME
    seen = {
        "by owner": model.OWNER,
        "by others": model.OTHERS,
        "by nobody": model.NOBODY,
        "on top": model.TOP,
    }
    if word not in seen:
        title = f"`seen {word}` means nothing"
        hint = "here may stand `seen by owner`, `by others`, `by nobody`, `on top`, or `by` with the name of a define"
        world.error("unknown-word", title, seen_by.span, hint)
    if word in ("by owner", "by others") and owner != "player":
        title = f"`{node.name}` has no owner who could see it"
        world.error("no-owner", title, seen_by.span, "declare it in `each player has`")
    if word == "on top" and not isinstance(node, nodes.Pile):
        world.error("unknown-word", "only a pile has a top", seen_by.span)
    return seen.get(word, model.PUBLIC)


def complete_variable(world: World, owner: str, node: nodes.Variable) -> None:
    """The start value, once every name is known.  `player` (or the kind) may be named in it."""
    index = world.by_owner[owner, node.name]
    variable = world.variables[index]
    if isinstance(node, nodes.Snapshot):
        _check_snapshot(world, node)
    if isinstance(node, nodes.History):
        world.variables[index] = histories.completed(world, node, variable)
        return
    if variable.seen == model.SOME and node.seen is not None:
        variable = world.variables[index] = evolve(variable, watchers=_watchers(world, owner, node.seen))
    start = getattr(node, "starts", None) or getattr(node, "at", None)
    if start is None:
        _check_unsaid(world, variable)
        return
    if variable.form == "list" and isinstance(start, nodes.Nothing):
        world.variables[index] = evolve(variable, start=x.Const(None, span=start.span))
        return
    wanted = variable.type.element if variable.form == "list" else variable.type
    if variable.form in ("piece", "group"):
        wanted = space_type(world, variable.type.element.kind if variable.type.is_set else variable.type.kind)
    expr = type_inference.expect(Scope(world), start, wanted)
    if isinstance(expr, x.Const):
        _check_start(world, variable, expr.value, start.span)
    world.variables[index] = evolve(variable, start=expr)


_CHANGING = (x.Stored, x.PieceOf, x.GroupOf, x.SpaceOf, x.Placed, x.HomeOf, x.OwnerOf, x.Possible)
"""What is not there yet where it is asked who sees a variable."""


def _watchers(world: World, owner: str, node: nodes.Seen) -> int | None:
    """The define that says who sees a variable: of its owner it gives a set of players, by seats and options alone."""
    found = call_expressions.resolve_define(world, node.whom, node.span)
    if found is None:
        return None
    index, define = found
    parameters = [type_inference.parameter_type(world, one) for one in world.defines[node.whom].parameters]
    wanted = [] if owner == "" else [PLAYER if owner == "player" else thing(owner)]
    if parameters != wanted or not fits(define.type, set_of(PLAYER)):
        whose = f"({owner})" if owner else ""
        hint = f"`define {node.whom}{whose} is …` gives the set of players who see it"
        world.error("wrong-type", f"`{node.whom}` does not say who sees it", node.span, hint)
        return None
    if reads_what_changes(world, define):
        title = f"`{node.whom}` looks at what changes, and who sees `{node.whom}` is known before the game begins"
        world.error("wrong-type", title, node.span, "it may look at seats, options and the number of players")
    return index


def reads_what_changes(world: World, define: model.Define) -> bool:
    """Whether what a define gives depends on more than seats, options and the number of players."""
    return any(isinstance(part, _CHANGING) for part in _read_by(world, define))


def _read_by(world: World, define: model.Define) -> Iterator[object]:
    """The parts of what a define looks at, also through others."""
    by_place = dict(world.resolved.values())
    for part in parts(define.value):
        yield part
        if isinstance(part, x.Invoke):
            yield from _read_by(world, by_place[part.define])


def _check_snapshot(world: World, node: nodes.Snapshot) -> None:
    groups = {variable.name for variable in world.variables if variable.form == "group" and variable.owner == ""}
    if node.of not in groups:
        world.unknown(node.of, node.span, "set of pieces", groups)


def _check_unsaid(world: World, variable: model.Variable) -> None:
    """Adds `no-start` where numbers on both sides of 0 begin at the lowest one, and nobody says so."""
    if variable.form not in ("counter", "list") or variable.low is None or variable.low >= 0:
        return
    if variable.high is None or variable.high >= 0:
        title = f"`{variable.name}` begins at {variable.low}, the lowest it can have, for it is not said where"
        hint = f"write `starts 0`, or `starts {variable.low}` if that is meant"
        world.problems.warn("no-start", title, variable.span, hint=hint)


def _check_start(world: World, variable: model.Variable, value: x.Value, span: Span) -> None:
    """A start value that is written as a number must be one that the variable or its place has."""
    if not isinstance(value, int) or isinstance(value, bool):
        return
    place = world.places.get(variable.place)
    if place is not None and place.form == "track":
        on_track(world, place, (value,), span)
    low = value if variable.low is None else variable.low
    high = value if variable.high is None else variable.high
    if variable.form in ("counter", "list") and not low <= value <= high:
        has = f"{low}..{'' if variable.high is None else high}"
        world.error("out-of-bounds", f"`{variable.name}` takes {has}, not {value}", span)


def declare_die(world: World, node: nodes.Die) -> None:
    listing = nodes.Listing(node.faces, span=node.span)
    if len(node.faces) == 1:
        made = type_inference.infer(Scope(world), node.faces[0])
        if made.type.is_set:
            world.dice[node.name] = made
            return
    world.dice[node.name] = type_inference.infer(Scope(world), listing)
