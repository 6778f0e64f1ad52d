"""Boards as they are declared: tracks, courses and grids, their spaces, headings and what happens on arrival."""

from __future__ import annotations

from rulekit import limits
from rulekit.diagnostics import nearest
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.declare.looks import space_look
from rulekit.model.resolve import type_inference
from rulekit.model.resolve.constants import bounds, literal
from rulekit.model.resolve.symbol_table import Scope, World
from rulekit.model.traversal import within
from rulekit.model.types import FLAG, NUMBER, UNKNOWN, Type, set_of, thing
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites
from rulekit.values import evolve

FULL_WORDS = ("pushes", "refuses", "stacks", "goes_on", "stops_short", "swaps")
PLAIN_FULL_WORDS = ("refuses", "stacks", "swaps")
"""On a course or grid: the others need the one line that a track is."""
EDGE_WORDS = ("stops", "wraps", "bounces", "leaves")
GRID_EDGE_WORDS = ("stops", "wraps", "leaves")
STEP_WORDS = ("every_space", "free_spaces")


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
        bounded = None if node.test is None else x.Const(True)  # the condition comes later
        place = evolve(place, bounded=bounded, hexagonal=node.hexagonal)
    for line in node.arrivals:
        if isinstance(line, nodes.Headings):
            place = _headings(world, place, line)
    world.places[node.name] = _of_a_size(world, place)


def _of_a_size(world: World, place: model.Place) -> model.Place:
    """A place with more spaces than a set can hold is an error, and stands as one of no extent."""
    spaces = (place.high or place.low) - place.low + 1
    spaces = max(spaces, (place.width or 1) * (place.height or 1))
    if spaces <= limits.SET:
        return place
    world.error("too-many", f"`{place.name}` would have {spaces} spaces, more than {limits.SET}", place.span)
    return evolve(place, low=0, high=None, width=None, height=None)


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
    """The arrival policy, once variables are known that its conditions may read, and whether a grid has an end."""
    if isinstance(node, nodes.Grid) and node.test is not None:
        bounded = type_inference.expect(Scope(world), node.test, FLAG)
        known_before(world, bounded, "whether a grid has an end", node.test.span)
        world.places[node.name] = evolve(world.places[node.name], bounded=bounded)
    for line in node.arrivals:
        world.places[node.name] = _arrival(world, world.places[node.name], line)


def known_before(world: World, expr: x.Expr, what: str, span: Span) -> None:
    """Adds `not-a-literal` for an expression that a game in play can change."""
    if any(isinstance(part, _CHANGING) for part in within(expr, [define for _, define in world.resolved.values()])):
        hint = "it may depend on options and the number of players"
        world.error("not-a-literal", f"{what} must be known before any game", span, hint)


_CHANGING = (x.Stored, x.PieceOf, x.GroupOf, x.SpaceOf, x.Placed, x.Possible)
"""What a game in play can change."""


def _arrival(world: World, place: model.Place, line: nodes.Arrival) -> model.Place:
    looks = isinstance(line, nodes.SpaceColour | nodes.SpaceGlyph)
    journeys = looks or isinstance(line, nodes.Steps | nodes.Halts)
    if (journeys and place.form != "track") or (isinstance(line, nodes.Edge) and place.form == "course"):
        what = "the looks of" if looks else "journeys along"
        title = f"this line is about {what} a track, and `{place.name}` is a {place.form}"
        world.error("not-on-a-track", title, line.span)
        return place
    if isinstance(line, nodes.Capacity):
        hold = type_inference.expect(Scope(world), line.hold, NUMBER)
        limited = (_limited(world, place, line.spaces), hold)
        return evolve(place, capacity=(*place.capacity, limited), holding=(*place.holding, cites(line)))
    if isinstance(line, nodes.Full):
        return evolve(place, full=(*place.full, _full(world, place, line)))
    if isinstance(line, nodes.Edge):
        _one_of(world, line.word, GRID_EDGE_WORDS if place.form == "grid" else EDGE_WORDS, line.span)
        return evolve(place, edge=line.word, tied={**place.tied, "edge": cites(line)})
    if isinstance(line, nodes.Steps):
        _one_of(world, line.word, STEP_WORDS, line.span)
        return evolve(place, free_only=line.word == "free_spaces")
    if isinstance(line, nodes.Halts):
        return evolve(place, tied={**place.tied, "halts": cites(line)}, halts=_spaces(world, line.at))
    if isinstance(line, nodes.SpaceColour | nodes.SpaceGlyph):
        at = _spaces(world, line.at)
        known_before(world, at, "which spaces look so", line.at.span)
        return evolve(place, looks=(*place.looks, space_look(world, line, at)))
    return place


def _spaces(world: World, node: nodes.Expr) -> x.Expr:
    """Spaces of a track, or a single one, as a set."""
    if type_inference.infer(Scope(world), node, set_of(NUMBER)).type.is_set:
        return type_inference.expect(Scope(world), node, set_of(NUMBER))
    return x.Listed((type_inference.expect(Scope(world), node, NUMBER),))


def _limited(world: World, place: model.Place, node: nodes.Bounds) -> range | frozenset[int] | None:
    """The spaces that a limit is about; None for all."""
    if place.form == "track":
        low, high = bounds(world, node, "spaces")
        on_track(world, place, (low, low if high is None else high), node.span)
        return range(low, limits.INTEGER if high is None else high + 1)
    if isinstance(node.low, nodes.Word) and node.low.name == place.name:
        return None
    if place.form == "course":
        return frozenset(on_course(world, world.kinds[place.kind], node)) if place.kind in world.kinds else None
    hint = f"a limit holds on all cells of a grid: write `spaces {place.name} hold …`"
    world.error("unknown-word", "a grid has no such spaces", node.span, hint)
    return None


def on_course(world: World, kind: model.Kind, node: nodes.Bounds) -> tuple[int, ...]:
    """Written spaces of a course: a range of numbers, in which some may be missing, or single ones."""
    if isinstance(node.low, nodes.Number) and (node.open or node.high is not None):
        low, high = bounds(world, node, "spaces")
        for end in (low, low if high is None else high):
            _space(world, kind, nodes.Number(end, span=node.span))
        numbers = {i: int(m.key) for i, m in zip(kind.ids, kind.members, strict=True) if m.key.isdigit()}
        return tuple(i for i, n in numbers.items() if low <= n and (high is None or n <= high))
    items = node.low.items if isinstance(node.low, nodes.Listing) else (node.low,)
    return tuple(found for item in items if (found := _space(world, kind, item)) is not None)


def _space(world: World, kind: model.Kind, node: nodes.Expr) -> int | None:
    key = node.name if isinstance(node, nodes.Word) else str(node.value) if isinstance(node, nodes.Number) else ""
    keys = [member.key for member in kind.members]
    if key in keys:
        return kind.base + keys.index(key)
    if key:
        world.unknown(key, node.span, kind.name, set(keys))
    else:
        world.error("not-a-literal", "spaces of a course must be written one by one or as a range", node.span)
    return None


def on_track(world: World, place: model.Place, spaces: tuple[int, ...], span: Span) -> None:
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
        test = type_inference.expect(scope, line.test, FLAG)
    return model.Full(line.word, way, test, cites=cites(line), span=line.span)


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
