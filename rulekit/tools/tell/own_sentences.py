"""The sentence that a language has of its own for what happens in a game, from the list of its forms.

An event has several ids, the narrowest first: `set score 1` before `set score`.
The first of which there is a form says it; `-` says nothing, since another
sentence says it already or nobody at a table would speak of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rulekit.play.state.event import Event
from rulekit.play.state.value import Ref, Value, notation
from rulekit.tools.language.display_names import UNSAID, Names

Ids = Iterable[str]
_COMPASS = {
    (0, -1): "north",
    (1, -1): "northeast",
    (1, 0): "east",
    (1, 1): "southeast",
    (0, 1): "south",
    (-1, 1): "southwest",
    (-1, 0): "west",
    (-1, -1): "northwest",
}


def own_sentence(event: Event, names: Names) -> str | None:
    """What a language has for an event; "" if it is not spoken of, None if there is no form of it."""
    if not names.tongue.forms:
        return None
    find = _OWN.get(event.name, _moving if isinstance(event.get("piece"), Ref) else _unknown)
    for id_, values in find(event, names):
        if id_ in names.tongue.forms:
            said = names.tongue.form(id_, **{name: value() for name, value in values.items()})
            return "" if said is None or said == UNSAID else said
    return None


Values = dict[str, Callable[[], object]]
"""What fills a form's places, worked out where there is a form only."""
Candidates = Iterator[tuple[str, Values]]


# ---------------------------------------------------------------- pieces and things that move


def _moving(event: Event, names: Names) -> Candidates:
    piece, origin, goal = event.get("piece"), event.get("from"), event.get("to")
    if isinstance(piece, Ref):
        yield from _piece(event.name, piece, origin, goal, names)
    elif origin is None:
        yield from _lying("put", event, goal, names)
    else:
        yield from _carried(event, names)


def _piece(verb: str, piece: Ref, origin: Value, goal: Value, names: Names) -> Candidates:
    verb = "leave" if goal is None else "put" if origin is None else verb if verb in ("push", "swap") else "move"
    name = names.piece_variable(piece)
    values: Values = {
        "piece": lambda: names.value(piece),
        "owner": lambda: names.thing_owner(piece),
        "origin": lambda: names.spot(origin, piece),
        "goal": lambda: names.spot(goal, piece),
        "steps": lambda: _distance(origin, goal) or "",
        "direction": lambda: _heading(_apart(origin, goal), names),
        "way": lambda: _way(origin, goal, names),
    }
    if origin == goal:
        yield f"stay {name}", values
        return
    for end in (*_ways(origin, goal), ""):
        yield f"{verb} {name}{end}", values


def _ways(origin: Value, goal: Value) -> Ids:
    """How a piece moved: to where, by how much in which sense."""
    if goal is not None:
        yield f" at {notation(goal)}"
    if isinstance(origin, int) and isinstance(goal, int):
        sign = "+" if goal > origin else "-"
        yield f" {sign}{abs(goal - origin)}"
        yield f" {sign}"
    elif _compass(*_apart(origin, goal)):
        yield f" straight {_distance(origin, goal)}"
        yield " straight"


def _distance(origin: Value, goal: Value) -> int:
    """How many spaces of a track or a grid lie between."""
    if isinstance(origin, int) and isinstance(goal, int):
        return abs(goal - origin)
    return max(map(abs, _apart(origin, goal)))


def _apart(origin: Value, goal: Value) -> tuple[int, int]:
    """How far one cell of a grid is to the right of another and below it; 0, 0 for all that is no cell."""
    if not (isinstance(origin, Ref) and isinstance(goal, Ref)):
        return 0, 0
    (x, _, y), (right, _, down) = origin.key.partition(","), goal.key.partition(",")
    numbers = (x, y, right, down)
    if not all(number.removeprefix("-").isdigit() for number in numbers):
        return 0, 0
    return int(right) - int(x), int(down) - int(y)


def _compass(right: int, down: int) -> str:
    """The direction in which a cell lies, "" if in none of the eight."""
    if right and down and abs(right) != abs(down):
        return ""
    return _COMPASS.get(((right > 0) - (right < 0), (down > 0) - (down < 0)), "")


def _heading(apart: tuple[int, int], names: Names) -> str:
    key = _compass(*apart)
    return names.ref(Ref("direction", key)) if key else ""


def _way(origin: Value, goal: Value, names: Names) -> str:
    """How far a cell lies in which directions, as `1 east and 2 north`, in the form that a language has for a part."""
    right, down = _apart(origin, goal)
    parts = [(right, 0), (0, down)] if not _compass(right, down) else [(right, down)]
    said = [(max(abs(x), abs(y)), _heading((x, y), names)) for x, y in parts]
    form = names.tongue.form
    return names.tongue.listed([form("way part", steps=n, direction=d) or f"{n} {d}" for n, d in said])


def _carried(event: Event, names: Names) -> Candidates:
    """Things from pile to pile."""
    origin, goal = event.get("from"), event.get("to")
    giver, taker = names.owner(origin), names.owner(goal)
    values = {
        **_things(event, goal, names),
        "owner": lambda: taker or giver,
        "giver": lambda: giver,
        "taker": lambda: taker,
    }
    path = f"from {names.name(origin)} to {names.name(goal)}"
    for own in (" own", "") if giver and giver == taker else ("",):
        yield from _by_number(f"{path}{own}", event, values)


def _lying(verb: str, event: Event, path: Value, names: Names) -> Candidates:
    values = {**_things(event, path, names), "owner": lambda: names.owner(path)}
    return _by_number(f"{verb} {names.name(path)}", event, values)


def _by_number(id_: str, event: Event, values: Values) -> Candidates:
    if _count(event.get("things")) != 1:
        yield f"{id_} many", values
    yield id_, values


def _things(event: Event, path: Value, names: Names) -> Values:
    things = event.get("things")
    many = isinstance(things, tuple)
    said = (lambda: names.chosen(things)) if many else (lambda: names.some(_count(things), path))
    return {"things": said, "count": lambda: _count(things)}


def _count(things: Value) -> int:
    """How many things an event tells of, which a reader may know without knowing the things."""
    count = len(things) if isinstance(things, tuple) else things
    return count if isinstance(count, int) and not isinstance(count, bool) else 1


def _removed(event: Event, names: Names) -> Candidates:
    things, origin = event.get("things"), event.get("from")
    if origin is not None:
        yield from _lying("remove", event, origin, names)
    elif isinstance(things, tuple) and things and isinstance(things[0], Ref):
        yield from _by_number(f"remove {things[0].kind}", event, _things(event, None, names))


# ---------------------------------------------------------------- values


def _of_variable(verb: str, fact: str) -> Callable[[Event, Names], Candidates]:
    """What is done to a variable, to a value of it before any other."""

    def find(event: Event, names: Names) -> Candidates:
        path, value = event.get(fact), event.get("value")
        if path is None or names.variable(notation(path)) is None:
            return
        values: Values = {
            "owner": lambda: names.owner(path),
            "index": lambda: names.index(path),
            "value": lambda: names.short(value) if verb == "set" else names.value(value),
        }
        yield f"{verb} {names.name(path)} {notation(value)}", values
        yield f"{verb} {names.name(path)}", values

    return find


def _chosen(event: Event, names: Names) -> Candidates:
    what, answer, player = notation(event.get("what")), event.get("answer"), names.value(event.get("player"))
    values: Values = {
        "player": lambda: player,
        "answer": lambda: names.chosen(answer),
        "number": lambda: _number(answer),
    }
    if isinstance(answer, Ref) and names.thing_owner(answer) == player:
        yield f"choose {what} own", values
    yield f"choose {what} {notation(answer)}", values
    if answer is not None:
        yield f"choose {what}", values


def _number(value: Value) -> str:
    """The number of a thing among its owner's."""
    return value.key.rpartition("_")[2] if isinstance(value, Ref) else ""


def _drawn(event: Event, names: Names) -> Candidates:
    drawn, stream = event.get("drawn"), notation(event.get("from"))
    values: Values = {"drawn": lambda: names.chosen(drawn)}
    only = drawn[0] if isinstance(drawn, tuple) and len(drawn) == 1 else drawn
    if isinstance(only, Ref):
        yield f"draw {stream} {only.key}", values
    yield f"draw {stream}", values


# ---------------------------------------------------------------- the flow


def _performed(event: Event, names: Names) -> Candidates:
    thing, owner = event.get("thing"), event.get("owner")
    if not isinstance(thing, Ref):
        return
    values: Values = {
        "thing": lambda: names.value(thing),
        "owner": lambda: "" if owner is None else names.value(owner),
    }
    alone = " alone" if owner is None else ""
    yield f"perform {thing.kind} {thing.key}{alone}", values
    yield f"perform {thing.kind}{alone}", values


def _passed(event: Event, names: Names) -> Candidates:
    piece, things, at = event.get("piece"), event.get("things"), event.get("at")
    if isinstance(piece, Ref):
        values: Values = {
            "piece": lambda: names.value(piece),
            "owner": lambda: names.thing_owner(piece),
            "goal": lambda: names.spot(at, piece),
        }
        yield f"stay {names.piece_variable(piece)}", values
    elif isinstance(things, tuple) and things and isinstance(things[0], Ref):
        yield from _by_number(f"skip {things[0].kind}", event, {"things": lambda: names.value(things)})


def _left_out(event: Event, names: Names) -> Candidates:
    yield f"skip {notation(event.get('step'))}", {}


def _unknown(_event: Event, _names: Names) -> Candidates:
    yield from ()


_OWN: dict[str, Callable[[Event, Names], Candidates]] = {
    "travel": _moving,
    "move": _moving,
    "push": _moving,
    "swap": _moving,
    "deal": _moving,
    "remove": _removed,
    "reveal": _of_variable("reveal", "what"),
    "shuffle": _of_variable("shuffle", "pile"),
    "set": _of_variable("set", "what"),
    "choose": _chosen,
    "draw": _drawn,
    "roll": _drawn,
    "perform": _performed,
    "pass": _passed,
    "skip": _left_out,
}
